import { z } from 'zod';
import type { AlarmKind } from '../../domain/alerts.ts';
import { daysLeft } from '../../domain/price.ts';
import { MUTES } from '../../domain/mute-until.ts';
import { createFormat, isolateAuto, type Format } from '../../i18n/format.ts';
import type { AlarmView, AlertSetting } from '../../ports/alerts.ts';
import { inRows } from '../../telegram/buttons.ts';
import { b, html, lines, type Html } from '../../telegram/html.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import { waitingActions } from '../sending/actions.ts';
import { ALARM_SECONDS, alertActions } from './actions.ts';
import { alarmTexts } from './alarm-texts.ts';

/** What a kind of alarm says, in one language. */
export interface AlarmWords {
  readonly stands: string;
  readonly over: string;
}

export interface AlarmCard {
  readonly alarm: AlarmView;
  readonly words: AlarmWords;
  readonly account: string;
  readonly setting: AlertSetting | undefined;
  readonly now: Date;
  /** Of the sends it names those that wait for their time still, by their jobs. */
  readonly waiting: ReadonlySet<string>;
  /** It is brought up once more. */
  readonly again: boolean;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 7;

const creditFacts = z.object({
  credit: z.number(),
  limit: z.number().nullable().catch(null),
  perDay: z.number().nullable().catch(null),
  at: z.number().catch(0),
  unfit: z
    .array(z.object({ jobId: z.uuid(), code: z.string(), at: z.number(), rial: z.number().nullable() }))
    .catch([]),
  elsewhere: z.number().catch(0),
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

/** What an alarm says. */
interface Said {
  readonly head: string;
  /** Behind the name of the account. */
  readonly tail?: string | null;
  /** What that means, for whom nobody has told yet. */
  readonly advice?: string;
  readonly below?: readonly (Html | false)[];
  /** It cannot be helped by taking it on. */
  readonly isLost?: boolean;
}

/** What kinds of alarm say beyond their words and since when they stand. */
const OWN: { readonly [K in AlarmKind]?: (card: AlarmCard, format: Format) => Said } = {
  credit: creditSaid,
  account: accountSaid,
  gateway: gatewaySaid,
  inbox: inboxSaid,
};

/** The jobs that an alarm says will not fit. */
export function namedJobs({ facts }: Pick<AlarmView, 'facts'>): readonly string[] {
  return creditFacts.safeParse(facts).data?.unfit.map(({ jobId }) => jobId) ?? [];
}

/** An alarm as it stands, or as it ended; who sees to it, and until when its kind is muted. */
export function renderAlarm(card: AlarmCard, format: Format): RenderedCard {
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
      ...(isMuted ? [[unmute]] : inRows(mutes, 2)),
      ...unfitOf(card).map(({ jobId, code }) => [
        waitingActions.pause.button(t.pause(code), { jobId }, { ttlSeconds: ALARM_SECONDS }),
      ]),
    ],
  };
}

function bodyOf(card: AlarmCard, format: Format): readonly (Html | false)[] {
  const { alarm, account } = card;
  const isSeen = alarm.ackedBy !== null;
  const { head, tail = null, advice, below = [], isLost = false } = saidOf(card, format);
  const sign = alarm.endedAt !== null ? '🟢' : isSeen && !isLost ? '🟠' : '🔴';
  return [
    html`${sign} ${b(head)} · ${isolateAuto(account)}${tail === null ? '' : ` · ${tail}`}${
      isSeen || advice === undefined ? '' : `. ${advice}`
    }`,
    ...below,
  ];
}

function saidOf(card: AlarmCard, format: Format): Said {
  return OWN[card.alarm.kind]?.(card, format) ?? plainlySaid(card, format);
}

/** Since when it stands, or how long it stood. */
function plainlySaid({ alarm, words, now }: AlarmCard, format: Format): Said {
  const t = alarmTexts(format.locale);
  const { since } = sinceFacts.parse(alarm.facts);
  const began = since === null ? alarm.since : new Date(since);
  if (alarm.endedAt === null) return { head: words.stands, tail: t.since(format.dateTime(began)) };
  return {
    head: words.over,
    tail: t.after(format.duration((alarm.endedAt ?? now).getTime() - began.getTime())),
  };
}

function gatewaySaid(card: AlarmCard, format: Format): Said {
  const said = plainlySaid(card, format);
  if (card.alarm.endedAt !== null) return said;
  const t = alarmTexts(format.locale);
  const isUnreadable = sinceFacts.parse(card.alarm.facts).reason === 'unreadable';
  return isUnreadable
    ? { ...said, head: t.heads.unreadable, advice: t.whenOver }
    : { ...said, advice: t.whenBack };
}

function inboxSaid(card: AlarmCard, format: Format): Said {
  const { alarm } = card;
  if (alarm.subject !== 'counts') return plainlySaid(card, format);
  const t = alarmTexts(format.locale);
  if (alarm.endedAt !== null) return { head: t.heads.countsBack };
  const { days } = countFacts.parse(alarm.facts);
  // They are days of the account's zone already.
  const { date } = createFormat(format.locale, 'UTC');
  return {
    head: t.heads.counts,
    advice: t.readAnew,
    below: days
      .slice(0, MAX_DAYS)
      .map(({ day, stored, counted }) =>
        t.countsDay(date(new Date(day)), format.number(stored), format.number(counted)),
      ),
  };
}

/** What has left, or was taken back, is no longer said not to fit. */
function unfitOf({ alarm, waiting }: AlarmCard) {
  return creditFacts.safeParse(alarm.facts).data?.unfit.filter(({ jobId }) => waiting.has(jobId)) ?? [];
}

function creditSaid(card: AlarmCard, format: Format): Said {
  const { alarm, words } = card;
  const t = alarmTexts(format.locale);
  const facts = creditFacts.safeParse(alarm.facts).data;
  const isFit = alarm.subject === 'fit';
  if (alarm.endedAt !== null) {
    const ended = facts?.ended;
    const days = ended === undefined ? null : daysLeft(ended.credit, ended.perDay);
    return {
      head: isFit ? t.heads.fits : words.over,
      tail: ended === undefined ? null : format.rial(ended.credit),
      below: [days !== null && t.paceLeft(format.duration(days * DAY_MS))],
    };
  }
  if (facts === undefined) return { head: t.heads.short, tail: '', isLost: true };
  const { credit, limit, perDay, at, elsewhere } = facts;
  const unfit = unfitOf(card);
  const days = daysLeft(credit, perDay);
  return {
    ...(isFit
      ? { head: t.heads.short, tail: format.rial(credit) }
      : { head: words.stands, tail: t.limit(format.rial(credit), format.rial(limit ?? 0)) }),
    below: [
      days !== null &&
        perDay !== null &&
        t.pace(
          format.rial(perDay),
          format.duration(days * DAY_MS),
          format.dateTime(new Date(at + days * DAY_MS)),
        ),
      ...unfit.map(({ code, at: when, rial }) =>
        t.unfit(code, format.dateTime(new Date(when)), format.rial(rial ?? 0)),
      ),
      unfit.length > 0 && elsewhere > 0 && t.elsewhere(format.rial(elsewhere)),
    ],
  };
}

function accountSaid(card: AlarmCard, format: Format): Said {
  const { alarm, words } = card;
  if (alarm.subject === 'expiry') return expirySaid(card, format);
  if (alarm.endedAt !== null) return { head: words.over };
  return { head: words.stands, tail: statusOf(alarm, format) };
}

function expirySaid({ alarm, now }: AlarmCard, format: Format): Said {
  const t = alarmTexts(format.locale);
  const { expiresAt, ended } = expiryFacts.parse(alarm.facts);
  if (alarm.endedAt !== null) {
    const next = ended?.expiresAt ?? null;
    return { head: t.heads.renewed, tail: next === null ? null : t.until(format.date(new Date(next))) };
  }
  const at = new Date(expiresAt ?? now.getTime());
  const when = format.dateTime(at);
  if (at <= now) return { head: t.heads.expired, tail: t.on(when), isLost: true };
  return {
    head: t.heads.expires,
    tail: t.within(format.duration(at.getTime() - now.getTime()), when),
  };
}

function statusOf(alarm: AlarmView, format: Format): string {
  const { statuses } = alarmTexts(format.locale);
  const { status } = statusFacts.parse(alarm.facts);
  return new Map<string, string>(Object.entries(statuses)).get(status) ?? statuses.other;
}
