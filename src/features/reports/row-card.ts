import { parseLine } from '../../domain/phone.ts';
import type { Format } from '../../i18n/format.ts';
import type { SentMessage } from '../../ports/gateway.ts';
import { clipLine, code, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { outboxTexts } from './outbox-texts.ts';
import { stateText } from './texts.ts';

const TEXT_UNITS = 90;

/** One row of the outbox in a list: two lines. */
export function rowText(
  ctx: RequestContext,
  row: SentMessage,
  options: { readonly withNumber: boolean; readonly withLine: boolean },
): Html {
  const { locale, format } = ctx;
  return outboxTexts(locale).row({
    state: stateText(locale, row.state),
    recipient:
      options.withNumber && row.recipient !== undefined ? recipientText(format, row.recipient) : null,
    line: options.withLine && row.line !== undefined ? (parseLine(row.line) ?? row.line) : null,
    when: row.date === undefined ? null : format.dateTime(new Date(row.date * 1000)),
    text: clipLine(row.text, TEXT_UNITS),
  });
}

/** As the chat may see it; a tap copies it. */
export function recipientText(format: Format, recipient: string): Html {
  return code(format.phone(recipient));
}
