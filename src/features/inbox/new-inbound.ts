import { createHash } from 'node:crypto';
import { marksOf } from '../../domain/inbound.ts';
import { parseLine } from '../../domain/phone.ts';
import { foldForSearch } from '../../domain/search.ts';
import { foldText } from '../../domain/text-match.ts';
import type { ReceivedMessage } from '../../ports/gateway.ts';
import type { NewInbound } from '../../ports/inbound.ts';

/** Numbers and lines are no longer; a gateway that says otherwise must not stop the others' messages. */
const NAME_UNITS = 100;
/** 1 January 2100: a time that a gateway means is before it. */
const LAST_SECOND = 4_102_444_800;

/**
 * Messages of one page as they are stored. The content is compared without the time and without what gateways exchange
 * in texts, so that another clock or another spelling does not make other messages of them.
 */
export function toInbound(page: readonly ReceivedMessage[]): readonly NewInbound[] {
  const messages = page.map((message) => ({
    ...message,
    sender: message.sender.slice(0, NAME_UNITS),
    line: (parseLine(message.line) ?? message.line).slice(0, NAME_UNITS),
  }));
  const marks = marksOf(messages);
  return messages.map(({ sender, line, text, date }, index) => {
    const { id = null, isOwn = false, print = '' } = marks[index] ?? {};
    const hash = `#${sha256(print).toString('base64url')}`;
    return {
      key: isOwn && id !== null ? id : hash,
      ...(isOwn ? { otherKey: hash } : id === null ? {} : { otherKey: id }),
      contentSha256: sha256(JSON.stringify([sender, line, foldText(text)])),
      messageId: id,
      line,
      sender,
      text,
      sentAt: date !== undefined && date > 0 && date < LAST_SECOND ? new Date(date * 1000) : null,
      folded: foldForSearch(text),
    };
  });
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text.toWellFormed()).digest();
}
