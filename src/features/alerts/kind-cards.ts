import { z } from 'zod';
import { ALERT_KINDS, type AlarmKind, type AlertKind } from '../../domain/alerts.ts';
import { MUTES } from '../../domain/mute-until.ts';
import { defineTexts, type Locale } from '../../i18n/define.ts';
import type { Format } from '../../i18n/format.ts';
import type { Notification } from '../../ports/alerts.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import type {
  NotificationCard,
  NotificationCards,
  NotificationContent,
} from '../../telegram/alerts/notification-card.ts';
import { b, html, lines, type Html } from '../../telegram/html.ts';
import { ALARM_SECONDS, alertActions } from './actions.ts';
import { namedJobs, renderAlarm, type AlarmCard, type AlarmWords } from './alarm-card.ts';
import { alarmTexts } from './alarm-texts.ts';
import { digestSpan, digestText, failureText, foldText, jobText } from './event-cards.ts';
import { eventTexts } from './event-texts.ts';

interface Named {
  readonly name: string;
  /** Whatever else is said of one that is told once. */
  readonly [word: string]: string;
}

/** What every kind is called, and what is said of one that begins and ends: first that it stands, then that it is over. */
type KindWords = { readonly [K in AlertKind]: K extends AlarmKind ? Named & AlarmWords : Named };

const en = {
  inbound: { name: 'Received messages' },
  unanswered: { name: 'Unanswered', stands: 'Nobody has answered', over: 'No longer waiting' },
  credit: { name: 'Credit', stands: 'Credit low', over: 'Credit is up again' },
  job: { name: 'Sends' },
  failures: { name: 'Delivery failures' },
  account: {
    name: 'Account',
    stands: 'The gateway refuses the account',
    over: 'The gateway accepts the account again',
  },
  gateway: { name: 'Gateway', stands: 'The gateway does not answer', over: 'The gateway answers again' },
  inbox: {
    name: 'Inbox watch',
    stands: 'The inbox is not being read properly',
    over: 'The inbox is read again',
  },
  digest: { name: 'Digest' },
} satisfies KindWords;

const fa = {
  inbound: { name: 'پیام‌های دریافتی' },
  unanswered: { name: 'بی‌پاسخ‌ها', stands: 'هنوز کسی پاسخ نداده است', over: 'دیگر منتظر نیست' },
  credit: { name: 'اعتبار', stands: 'اعتبار رو به پایان', over: 'اعتبار دوباره بالا رفت' },
  job: { name: 'ارسال‌ها' },
  failures: { name: 'تحویل‌نشدن پیام‌ها' },
  account: {
    name: 'حساب',
    stands: 'پنل پیامک این حساب را نمی‌پذیرد',
    over: 'پنل پیامک دوباره این حساب را می‌پذیرد',
  },
  gateway: { name: 'پنل پیامک', stands: 'پنل پیامک پاسخ نمی‌دهد', over: 'پنل پیامک دوباره پاسخ می‌دهد' },
  inbox: {
    name: 'پایش صندوق',
    stands: 'صندوق دریافت درست خوانده نمی‌شود',
    over: 'صندوق دریافت دوباره خوانده می‌شود',
  },
  digest: { name: 'خلاصه' },
} satisfies KindWords;

/** The words of each kind of alert. */
export const kindTexts = defineTexts({ en, fa });

/** Names a kind as it was written down; returns '' for what is none. */
export function alertName(locale: Locale, written: unknown): string {
  const kind = ALERT_KINDS.find((each) => each === written);
  return kind === undefined ? '' : kindTexts(locale)[kind].name;
}

export interface NotificationCardDeps {
  readonly alarms: Pick<Stores['alarms'], 'get' | 'settings'>;
  readonly reads: Stores['alertReads'];
  readonly notifications: Pick<Stores['notifications'], 'inbound'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly clock: Clock;
}

/** What every kind of alert looks like: one that has no words and no card here does not compile; `inbound`: a received message. */
export function createNotificationCards(
  deps: NotificationCardDeps,
  inbound: NotificationCard,
): NotificationCards {
  const { alarms, reads, notifications, drafts, clock } = deps;

  const alarm: NotificationCard = {
    async render(notification, destination, { format }) {
      const found = notification.alarmId === null ? null : await alarms.get(notification.alarmId);
      if (found === null) {
        const content = noteText(notification, await reads.accountOf(destination.chatId), format);
        return content === null ? null : { content };
      }
      const account = found.accountId === null ? '' : await reads.accountName(found.accountId);
      const setting = (await alarms.settings(found.chatId)).find(({ kind }) => kind === found.kind);
      const again = notification.facts['again'] === true;
      const waiting = await reads.stillWaiting(namedJobs(found));
      const words = kindTexts(format.locale)[found.kind];
      return renderAlarm({ alarm: found, words, account, setting, now: clock.now(), waiting, again }, format);
    },
  };

  const ofSend = (text: typeof jobText): NotificationCard => ({
    async render(notification, destination, { format }) {
      const view = notification.draftId === null ? null : await drafts.card(notification.draftId);
      const content = view === null ? null : text(notification, view, format);
      if (view === null || content === null) return null;
      const { place } = view;
      // Beside its card the message answers it; elsewhere there is nothing to answer.
      if (!destination.isChatItself) return { content };
      return {
        content,
        ...(place.messageId === null ? {} : { replyTo: place.messageId }),
        ...(destination.threadId === null && place.threadId !== null ? { threadId: place.threadId } : {}),
      };
    },
  });

  /** What was there before the account was linked is told by its number alone. */
  const backlog: NotificationCard = {
    async render(notification, _, { format }) {
      const { count } = notification.facts;
      if (typeof count !== 'number') return null;
      const t = eventTexts(format.locale);
      return { content: t.backlog(format.count(count, t.messages)), silent: true };
    },
  };

  const digest: NotificationCard = {
    async render(notification, destination, { format }) {
      const span = digestSpan(notification);
      if (span === null) return null;
      const facts = await reads.digest(destination.chatId, span);
      const desk =
        span.span === 'week' && facts.received > 0 ? await reads.desk(destination.chatId, span) : null;
      return { content: digestText(span, facts, format, desk), silent: true };
    },
  };

  const received: NotificationCard = {
    ...inbound,
    render: async (notification, destination, look) =>
      await (notification.inboundId === null ? backlog : inbound).render(notification, destination, look),
  };

  /** The received message once more, with its buttons, under what is amiss with it. */
  const unanswered: NotificationCard = {
    ...received,
    async render(notification, destination, look) {
      const found = notification.alarmId === null ? null : await alarms.get(notification.alarmId);
      // Whoever was answered before it could be said is none to be told of.
      if (found === null || (found.endedAt !== null && notification.messageId === null)) return null;
      const told = await received.render(notification, destination, look);
      if (told === null) return null;
      const setting = (await alarms.settings(found.chatId)).find(({ kind }) => kind === found.kind);
      const words = kindTexts(look.locale).unanswered;
      return unansweredOver(told, { alarm: found, words, setting, now: clock.now() }, look.format);
    },
  };

  const of: NotificationCards['of'] = {
    inbound: received,
    unanswered,
    credit: alarm,
    account: alarm,
    gateway: alarm,
    inbox: alarm,
    job: ofSend(jobText),
    failures: ofSend(failureText),
    digest,
  };

  return {
    of,
    digest: {
      async render(all, destination, look) {
        const t = eventTexts(look.locale);
        const ids = all.flatMap(({ kind, inboundId }) =>
          kind !== 'inbound' || inboundId === null ? [] : [inboundId],
        );
        const messages = await notifications.inbound(ids);
        const others: Html[] = [];
        for (const notification of all) {
          if (notification.kind === 'inbound' && notification.inboundId !== null) continue;
          const told = await of[notification.kind].render(notification, destination, look);
          if (told !== null) others.push(told.content);
        }
        const content = foldText(messages, others, look.format);
        const file = alertActions.file.button(
          t.file,
          { sinkId: destination.id },
          { ttlSeconds: FILE_SECONDS },
        );
        return {
          content: content.markup === '' ? t.nothing : content,
          ...(messages.length === 0 ? {} : { buttons: [[file]] }),
        };
      },
    },
  };
}

const FILE_SECONDS = 60 * 86_400;

const noteFacts = z.union([
  z.object({ reason: z.literal('changed'), count: z.number() }),
  z.object({ reason: z.literal('marking') }),
]);

/** What is told of an inbox once, without anything that stands or ends. */
export function noteText(notification: Notification, account: string, format: Format): Html | null {
  const t = alarmTexts(format.locale);
  const facts = noteFacts.safeParse(notification.facts).data;
  if (facts === undefined) return null;
  return facts.reason === 'marking'
    ? t.marking(account)
    : t.changed(account, format.count(facts.count, t.messages));
}

const waitFacts = z.object({
  minutes: z.number().catch(0),
  inHours: z.boolean().catch(false),
  since: z.number().catch(0),
  ended: z
    .object({ how: z.enum(['answered', 'done', 'blocked', 'snoozed']).nullable().catch(null) })
    .optional(),
});

/** The card of a received message with what is said above it: for how long nobody has answered, or how the wait has ended. */
function unansweredOver(
  told: NotificationContent,
  { alarm, words, setting, now }: Pick<AlarmCard, 'alarm' | 'words' | 'setting' | 'now'>,
  format: Format,
): NotificationContent {
  const t = alarmTexts(format.locale);
  const { minutes, inHours, since, ended } = waitFacts.parse(alarm.facts);
  const lasted = format.duration(minutes * 60_000);
  if (alarm.endedAt !== null) {
    const head = t.waitEnds[ended?.how ?? 'gone'];
    const after = t.after(format.duration(alarm.endedAt.getTime() - since));
    return { ...told, content: lines(html`🟢 ${b(head)} · ${after}`, told.content) };
  }
  const { id: alarmId, kind } = alarm;
  const mutedUntil = setting?.mutedUntil ?? null;
  const isMuted = mutedUntil !== null && mutedUntil > now;
  const mutes = MUTES.map((mute) => alertActions.mute.button(t.mute[mute], { alarmId, mute }));
  const unmute = alertActions.unmute.button(t.unmute, { alarmId, kind }, { ttlSeconds: ALARM_SECONDS });
  return {
    ...told,
    content: lines(
      html`🔴 ${b(words.stands)} · ${(inHours ? t.workingTime : t.waitTime)(lasted)}`,
      isMuted && t.muted(format.dateTime(mutedUntil), setting?.mutedBy ?? ''),
      told.content,
    ),
    buttons: [...(told.buttons ?? []), isMuted ? [unmute] : mutes.slice(0, 2)],
  };
}
