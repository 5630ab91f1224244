import { defineTexts, type Locale } from '../../i18n/define.ts';
import type { Format } from '../../i18n/format.ts';
import type { JobView } from '../../ports/stores.ts';

/** What is counted of a send, from its preview to its report. */
const SIGNS = {
  given: '📤',
  delivered: '✅',
  sent: '📤',
  accepted: '📤',
  waiting: '⏳',
  awaited: '⏳',
  on_wire: '⏳',
  to_leave: '⏳',
  no_report: '⌛',
  failed: '❌',
  blocked: '⛔',
  not_sent: '⛔',
  refused: '⛔',
  absent: '⛔',
  stopped: '⛔',
  unexplained: '❔',
  unknown: '❔',
  repeated: '♻️',
  invalid: '🚫',
  blacklisted: '⛔',
  left_book: '🚫',
  empty_field: '🕳',
  unfit: '✂',
} as const;

export type Counted = keyof typeof SIGNS;

/**
 * The one word for each count, on cards, in reports, on pictures and in files. Some are a part of another: `given` is
 * whatever the gateway has taken, however it ended; who is `accepted` is `sent` further or `awaited`; `awaited`, `on_wire` and `to_leave` are `waiting`; `refused`, `absent` and
 * `stopped` are `not_sent`.
 */
export const countWords = defineTexts({
  en: {
    given: 'sent',
    delivered: 'delivered',
    sent: 'with the network',
    accepted: 'accepted by the gateway',
    waiting: 'waiting',
    awaited: 'waiting for a report',
    on_wire: 'waiting for the gateway’s answer',
    to_leave: 'waiting to be sent',
    no_report: 'accepted, no report came',
    failed: 'not delivered',
    blocked: 'blocked',
    not_sent: 'not sent',
    refused: 'not sent: refused',
    absent: 'not sent: not in the gateway’s outbox',
    stopped: 'not sent: stopped before sending',
    unexplained: 'accepted, in a state that the gateway does not explain',
    unknown: 'unknown',
    repeated: 'repeated',
    invalid: 'invalid',
    blacklisted: 'on the blacklist',
    left_book: 'no longer in the phonebook',
    empty_field: 'with an empty field',
    unfit: 'with a text that cannot be sent',
  } satisfies Record<Counted, string>,
  fa: {
    given: 'ارسال شد',
    delivered: 'تحویل شد',
    sent: 'نزد اپراتور',
    accepted: 'پذیرفته شد',
    waiting: 'در انتظار',
    awaited: 'در انتظار گزارش',
    on_wire: 'در انتظار پاسخ پنل پیامک',
    to_leave: 'در نوبت ارسال',
    no_report: 'پذیرفته شد و گزارشی نیامد',
    failed: 'تحویل نشد',
    blocked: 'مسدود',
    not_sent: 'ارسال نشد',
    refused: 'ارسال نشد: پنل پیامک نپذیرفت',
    absent: 'ارسال نشد: در لیست ارسال‌های پنل پیامک نیست',
    stopped: 'ارسال نشد: قبل از ارسال متوقف شد',
    unexplained: 'پذیرفته شد و پنل پیامک وضعیتش را توضیح نمی‌دهد',
    unknown: 'نامعلوم',
    repeated: 'تکراری',
    invalid: 'نامعتبر',
    blacklisted: 'در لیست سیاه',
    left_book: 'دیگر در دفترچه نیست',
    empty_field: 'با فیلد خالی',
    unfit: 'با متنی که قابل ارسال نیست',
  },
});

/** Where the recipients of a job stand: each count that is not zero, each recipient in one. What is unknown comes last. */
export function standingsOf({ counts, state }: Pick<JobView, 'counts' | 'state'>): [Counted, number][] {
  const all: [Counted, number][] = [
    ['delivered', counts.delivered],
    ['accepted', counts.accepted],
    ['failed', counts.failed],
    ['blocked', counts.barred],
    ['on_wire', counts.onWire],
    ['to_leave', state === 'running' || state === 'paused' ? counts.planned : 0],
    ['stopped', state === 'stopped' ? counts.planned : 0],
    ['blacklisted', counts.blocked],
    ['not_sent', counts.rejected],
    ['unknown', counts.unknown],
  ];
  return all.filter(([, count]) => count > 0);
}

/** `2 delivered`: so many of them, in a sentence. */
export function countOf(what: Counted, count: number, { locale, number }: Format): string {
  return `${number(count)} ${countWords(locale)[what]}`;
}

/** `✅ 2 delivered`: the same on a line of its own. */
export function countLine(what: Counted, count: number, format: Format): string {
  return `${SIGNS[what]} ${countOf(what, count, format)}`;
}

/** `✅ delivered`: what stands before a count. */
export function countLabel(what: Counted, locale: Locale): string {
  return `${SIGNS[what]} ${countWords(locale)[what]}`;
}
