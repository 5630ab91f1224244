import type { LimitedKind, LimitScope } from '../../domain/rate-limits.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { html, lines, type Html } from '../html.ts';

/** A press is answered in words of its own. */
export type LimitedMessage = Exclude<LimitedKind, 'press'>;

const from = {
  en: { person: 'I take from one person at a time', chat: 'I take from one chat at a time' },
  fa: { person: 'از یک نفر', chat: 'از یک گفتگو' },
} as const;

/** What is said when more comes than is let through; `wait` is a length of time in words. */
export const limitTexts = defineTexts({
  en: {
    /** With a name where others read it who are not meant. */
    tooMany: (scope: LimitScope, kind: LimitedMessage, wait: string, name: string | null): Html => {
      const what = {
        command: 'That is more',
        read: 'Those are more requests to the gateway',
        upload: 'Those are more files',
      }[kind];
      const than = scope === 'deployment' ? 'I manage for all chats together right now' : from.en[scope];
      return lines(
        html`${name === null ? '' : `${isolateAuto(name)}: `}${what} than ${than}.`,
        html`Your last message was not acted on. Send it again in ${wait}.`,
      );
    },
    press: (wait: string): string => `Too fast: this press has done nothing. Press again in ${wait}.`,
  },
  fa: {
    tooMany: (scope, kind, wait, name) => {
      const what = {
        command: 'بیش از این',
        read: 'این همه درخواست از پنل پیامک',
        upload: 'این همه فایل',
      }[kind];
      return lines(
        html`${name === null ? '' : `${isolateAuto(name)}: `}${
          scope === 'deployment'
            ? `الان برای همهٔ گفتگوها روی هم ${what} ممکن نیست.`
            : `در این مدت کوتاه ${from.fa[scope]} ${what} نمی‌پذیرم.`
        }`,
        html`پیام آخر انجام نشد. ${wait} دیگر دوباره بفرستید.`,
      );
    },
    press: (wait) => `خیلی تند بود و این دکمه کاری نکرد. ${wait} دیگر دوباره بزنید.`,
  },
});
