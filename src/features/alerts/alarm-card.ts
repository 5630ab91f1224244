import { z } from 'zod';
import { MUTES } from '../../domain/mute-until.ts';
import type { Format } from '../../i18n/format.ts';
import type { AlarmView, AlertSetting } from '../../ports/alerts.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { waitingActions } from '../sending/actions.ts';
import { ALARM_SECONDS, alertActions } from './actions.ts';
import { alarmTexts } from './alarm-texts.ts';

export interface AlarmCard {
  readonly alarm: AlarmView;
  readonly account: string;
  readonly setting: AlertSetting | undefined;
  readonly now: Date;
  /** Of the sends it names those that wait for their time still, by their jobs. */
  readonly waiting: ReadonlySet<string>;
  /** It is brought up once more. */
  readonly again: boolean;
}

const DAY_MS = 86_400_000;
const MOST_DAYS = 7;

const creditFacts = z.object({
  credit: z.number(),
  limit: z.number().nullable().catch(null),
  perDay: z.number().nullable().catch(null),
  at: z.number().catch(0),
  unfit: z
    .array(z.object({ jobId: z.uuid(), code: z.string(), at: z.number(), rial: z.number().nullable() }))
    .catch([]),
  ended: z
    .object({ credit: z.number(), perDay: z.number().nullable().catch(null) })
    .optional()
    .catch(undefined),
});
const statusFacts = z.object({ status: z.string().catch('') });
const sinceFacts = z.object({
  reason: z.string().catch(''),
  since: z.iso.datetime({ offset: true }).nullable().catch(null),
});
const countFacts = z.object({
  days: z.array(z.object({ day: z.string(), stored: z.number(), counted: z.number() })).catch([]),
});
const expiryFacts = z.object({
  expiresAt: z.number().nullable().catch(null),
  ended: z
    .object({ expiresAt: z.number().nullable().catch(null) })
    .optional()
    .catch(undefined),
});

/** The jobs that an alarm says will not fit. */
export function namedJobs({ kind, facts }: Pick<AlarmView, 'kind' | 'facts'>): readonly string[] {
  if (kind !== 'credit') return [];
  return creditFacts.safeParse(facts).data?.unfit.map(({ jobId }) => jobId) ?? [];
}

/** An alarm as it stands, or as it ended; who sees to it, and until when its kind is muted. */
export function renderAlarm(card: AlarmCard, format: Format): { content: Html; buttons: Buttons } {
  const { alarm, setting, now, again } = card;
  const t = alarmTexts(format.locale);
  const isOver = alarm.endedAt !== null;
  const mutedUntil = setting?.mutedUntil ?? null;
  const isMuted = mutedUntil !== null && mutedUntil > now;
  const content = lines(
    again && !isOver && alarm.ackedAt === null && t.again,
    ...bodyOf(card, format),
    isOver && t.stood(format.dateTime(alarm.since), format.dateTime(alarm.endedAt ?? now)),
    !isOver &&
      alarm.ackedBy !== null &&
      t.acked(
        alarm.ackedBy.name,
        format.time(alarm.ackedAt ?? now),
        alarm.remindAt === null ? null : format.time(alarm.remindAt),
      ),
    !isOver && isMuted && t.muted(format.dateTime(mutedUntil), setting?.mutedBy ?? ''),
  );
  if (isOver) return { content, buttons: [] };
  const { id: alarmId, kind } = alarm;
  const ack = alertActions.ack.button(kind === 'credit' ? t.topUp : t.onIt, { alarmId });
  const mutes = MUTES.map((mute) => alertActions.mute.button(t.mute[mute], { alarmId, mute }));
  const unmute = alertActions.unmute.button(t.unmute, { alarmId, kind }, { ttlSeconds: ALARM_SECONDS });
  return {
    content,
    buttons: [
      [alarm.ackedBy === null && ack],
      isMuted ? [unmute] : mutes.slice(0, 2),
      isMuted ? [] : mutes.slice(2),
      ...unfitOf(card).map(({ jobId, code }) => [
        waitingActions.pause.button(t.pause(code), { jobId }, { ttlSeconds: ALARM_SECONDS }),
      ]),
    ],
  };
}

function bodyOf(card: AlarmCard, format: Format): (Html | false)[] {
  const { alarm, account, now } = card;
  const t = alarmTexts(format.locale);
  const isOver = alarm.endedAt !== null;
  const isSeen = alarm.ackedBy !== null;
  const facts = sinceFacts.parse(alarm.facts);
  const began = facts.since === null ? alarm.since : new Date(facts.since);
  const lasted = format.duration((alarm.endedAt ?? now).getTime() - began.getTime());
  const since = format.dateTime(began);
  switch (alarm.kind) {
    case 'credit':
      return creditBody(card, format);
    case 'account':
      if (alarm.subject === 'expiry') return [expiryBody(card, format)];
      if (isOver) return [t.statusBack(account)];
      return [(isSeen ? t.statusSeen : t.status)(account, statusOf(alarm, format))];
    case 'gateway':
      if (isOver) return [t.gatewayBack(account, lasted)];
      if (facts.reason === 'unreadable') return [(isSeen ? t.unreadableSeen : t.unreadable)(account, since)];
      return [(isSeen ? t.gatewaySeen : t.gateway)(account, since)];
    case 'inbox':
      if (alarm.subject === 'counts') {
        if (isOver) return [t.countsBack(account)];
        return [
          (isSeen ? t.countsSeen : t.counts)(account),
          ...countFacts
            .parse(alarm.facts)
            .days.slice(0, MOST_DAYS)
            .map(({ day, stored, counted }) =>
              t.countsDay(day, format.number(stored), format.number(counted)),
            ),
        ];
      }
      if (isOver) return [t.inboxBack(account, lasted)];
      return [(isSeen ? t.inboxSeen : t.inbox)(account, since)];
  }
}

/** What has left, or was taken back, is no longer said not to fit. */
function unfitOf({ alarm, waiting }: AlarmCard) {
  if (alarm.kind !== 'credit') return [];
  return creditFacts.safeParse(alarm.facts).data?.unfit.filter(({ jobId }) => waiting.has(jobId)) ?? [];
}

function creditBody(card: AlarmCard, format: Format): (Html | false)[] {
  const { alarm, account } = card;
  const t = alarmTexts(format.locale);
  const facts = creditFacts.safeParse(alarm.facts).data;
  const isFit = alarm.subject === 'fit';
  if (alarm.endedAt !== null) {
    const ended = facts?.ended;
    const credit = ended === undefined ? null : format.rial(ended.credit);
    const days = ended === undefined ? null : daysLeft(ended.credit, ended.perDay);
    return [
      (isFit ? t.creditFits : t.creditBack)(account, credit),
      days !== null && t.paceLeft(format.duration(days * DAY_MS)),
    ];
  }
  if (facts === undefined) return [t.creditShort(account, '')];
  const { credit, limit, perDay, at } = facts;
  const isSeen = alarm.ackedBy !== null;
  const days = daysLeft(credit, perDay);
  return [
    isFit
      ? (isSeen ? t.creditShortSeen : t.creditShort)(account, format.rial(credit))
      : (isSeen ? t.creditLowSeen : t.creditLow)(account, format.rial(credit), format.rial(limit ?? 0)),
    days !== null &&
      perDay !== null &&
      t.pace(
        format.rial(perDay),
        format.duration(days * DAY_MS),
        format.dateTime(new Date(at + days * DAY_MS)),
      ),
    ...unfitOf(card).map(({ code, at: when, rial }) =>
      t.unfit(code, format.dateTime(new Date(when)), format.rial(rial ?? 0)),
    ),
  ];
}

function expiryBody({ alarm, account, now }: AlarmCard, format: Format): Html {
  const t = alarmTexts(format.locale);
  const { expiresAt, ended } = expiryFacts.parse(alarm.facts);
  if (alarm.endedAt !== null) {
    const next = ended?.expiresAt ?? null;
    return t.renewed(account, next === null ? null : format.date(new Date(next)));
  }
  const at = new Date(expiresAt ?? now.getTime());
  if (at <= now) return t.expired(account, format.dateTime(at));
  const left = format.duration(at.getTime() - now.getTime());
  return (alarm.ackedBy === null ? t.expires : t.expiresSeen)(account, left, format.dateTime(at));
}

function statusOf(alarm: AlarmView, format: Format): string {
  const { statuses } = alarmTexts(format.locale);
  const { status } = statusFacts.parse(alarm.facts);
  return new Map<string, string>(Object.entries(statuses)).get(status) ?? statuses.other;
}

/** Days and parts of them that a credit lasts; null where nothing is spent, or none is left. */
function daysLeft(credit: number, perDay: number | null): number | null {
  return perDay === null || perDay <= 0 || credit <= 0 ? null : credit / perDay;
}
