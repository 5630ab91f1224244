import { learnRialPerPart } from '../../domain/money.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { countTexts } from './count-texts.ts';
import type { Counted, CountReading, SentCount } from './counting.ts';
import { gapText } from './gap-texts.ts';
import { spanText } from './outbox-texts.ts';
import { texts } from './texts.ts';

/** What was counted of a time; what could not be is said, and no sum is made of a half. */
export function countCard(turn: Turn, span: TimeSpan, { sent, read, unread }: CountReading): Html {
  return lines(
    countTexts(turn.locale).head(spanText(turn.format, span)),
    ...sentLines(turn, sent),
    receivedLine(turn, read, unread),
  );
}

/** The price of one part as this time shows it, in words; null where nothing was charged. */
export function priceText({ format }: Turn, { parts, cost }: SentCount): string | null {
  const price = cost > 0 && parts > 0 ? learnRialPerPart({ cost, parts }) : null;
  return price === null ? null : format.rial(price);
}

function sentLines(turn: Turn, sent: Counted<SentCount>): (Html | null)[] {
  const { format, locale } = turn;
  const t = countTexts(locale);
  if ('gap' in sent) return [t.noSent(gapText(turn, sent.gap))];
  const { messages, parts, cost } = sent.value;
  const price = priceText(turn, sent.value);
  const words = texts(locale);
  return [
    t.sent(format.count(messages, words.messages), format.count(parts, words.parts), format.rial(cost)),
    price === null ? null : t.price(price),
  ];
}

function receivedLine(turn: Turn, read: Counted<number>, unread: Counted<number>): Html {
  const { format } = turn;
  const t = countTexts(turn.locale);
  if ('gap' in read) {
    const why = gapText(turn, read.gap);
    return 'gap' in unread ? t.noReceived(why) : t.receivedUnread(format.number(unread.value), why);
  }
  if ('gap' in unread) return t.receivedRead(format.number(read.value), gapText(turn, unread.gap));
  return t.received(
    format.count(read.value + unread.value, texts(turn.locale).messages),
    format.number(read.value),
    format.number(unread.value),
  );
}
