import { GATEWAY_ZONE } from '../../domain/calendar.ts';
import type { Locale } from '../../i18n/define.ts';
import { createFormat } from '../../i18n/format.ts';
import {
  REGISTRATIONS_A_DAY,
  type RegistrationDay,
  type RegistrationEnd,
} from '../../ports/registrations.ts';
import type { ChatView } from '../../ports/stores.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { RegistrationResult } from './service.ts';
import { texts, type DayShown } from './texts.ts';

/** What a press of Register came to, for the person who pressed. */
export function resultText(
  locale: Locale,
  userName: string,
  result: Exclude<RegistrationResult, { readonly result: 'unsent' }>,
): Html {
  const t = texts(locale);
  switch (result.result) {
    case 'registered':
      return lines(t.registered(userName), result.day !== null && t.dayNow(dayShown(locale, result.day)));
    case 'refused':
      return result.day !== null && DAY_LIMIT.has(result.name)
        ? t.limit(userName, dayShown(locale, result.day).resetsAt)
        : t.refused(userName, refusalText(locale, result.name));
    case 'unknown':
      return t.unknown(userName);
    case 'not_open':
      return endText(locale, result.state, userName);
    case 'barred':
      return {
        not_allowed: t.notAllowed(titleFor(result.chat)),
        account_gone: t.accountGone,
        day_full: t.dayFull(dayShown(locale, result.day)),
        expired: t.expired,
      }[result.bar];
  }
}

/** What is known of a registration that is no longer open, from its state alone. */
export function endText(locale: Locale, state: RegistrationEnd, userName: string): Html {
  const t = texts(locale);
  if (state === 'on_wire') return t.calling(userName);
  if (state === 'registered') return t.registered(userName);
  if (state === 'refused') return t.refusedBefore(userName);
  return state === 'unknown' ? t.unknown(userName) : t.dropped;
}

export function dayShown(locale: Locale, day: RegistrationDay): DayShown {
  const format = createFormat(locale, GATEWAY_ZONE);
  return {
    used: format.number(day.used),
    most: format.number(REGISTRATIONS_A_DAY),
    unknown: day.unknown === 0 ? '' : format.number(day.unknown),
    resetsAt: format.dateTime(day.resetsAt),
  };
}

/** The title of a chat for a text; none for the private chat, which is here. */
export function titleFor(chat: ChatView): string {
  return chat.type === 'private' ? '' : chat.title;
}

/** By either name: versions 3 and 4 have a code for it, version 1 only the status. */
const DAY_LIMIT: ReadonlySet<string> = new Set(['registration_limit', 'rate_limited']);
