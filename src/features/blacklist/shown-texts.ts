import { code, html, type Html } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import type { FailedChange } from '../../domain/failed-change.ts';
import { texts } from './texts.ts';

/** Telegram ignores the formatting beyond a hundred places of one message. */
const MAX_CODES = 90;

/** A number as the chat may see it; a tap copies it unless the message has very many. */
export function shownNumber({ format }: Pick<RequestContext, 'format'>, number: string, among = 1): Html {
  const shown = format.phone(number);
  return among > MAX_CODES ? html`${shown}` : code(shown);
}

/** What happened to a call, without what it means for the change. */
export function failureLine({ locale }: Pick<RequestContext, 'locale'>, { why, name }: FailedChange): Html {
  const t = texts(locale);
  if (why === 'refused') return t.refused(refusalText(locale, name));
  return why === 'no_answer' ? t.noAnswer : t.unreadable;
}
