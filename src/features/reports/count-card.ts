import { learnRialPerPart } from '../../domain/money.ts';
import type { TimeSpan } from '../../domain/time-range.ts';
import { defineTexts } from '../../i18n/define.ts';
import { b, html, lines, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { spanText } from '../shared/range-argument.ts';
import type { Counted, CountReading, SentCount } from './counting.ts';
import { gapText } from './gap-texts.ts';
import { texts } from './texts.ts';

/** What was counted of a time; what could not be is said, and no sum is made of a half. */
export function countCard(ctx: RequestContext, span: TimeSpan, { sent, read, unread }: CountReading): Html {
  return lines(
    countTexts(ctx.locale).head(spanText(ctx.format, span)),
    ...sentLines(ctx, sent),
    receivedLine(ctx, read, unread),
  );
}

/** The price of one part as this time shows it, in words; null where nothing was charged. */
export function priceText({ format }: RequestContext, { parts, cost }: SentCount): string | null {
  const price = cost > 0 && parts > 0 ? learnRialPerPart({ cost, parts }) : null;
  return price === null ? null : format.rial(price);
}

function sentLines(ctx: RequestContext, sent: Counted<SentCount>): (Html | null)[] {
  const { format, locale } = ctx;
  const t = countTexts(locale);
  if ('gap' in sent) return [t.noSent(gapText(ctx, sent.gap))];
  const { messages, parts, cost } = sent.value;
  const price = priceText(ctx, sent.value);
  const words = texts(locale);
  if (messages === 0 && parts === 0 && cost === 0) return [t.noneSent];
  return [
    t.sent(format.count(messages, words.messages), format.count(parts, words.parts), format.rial(cost)),
    price === null ? null : t.price(price),
  ];
}

function receivedLine(ctx: RequestContext, read: Counted<number>, unread: Counted<number>): Html {
  const { format } = ctx;
  const t = countTexts(ctx.locale);
  if ('gap' in read) {
    const why = gapText(ctx, read.gap);
    return 'gap' in unread ? t.noReceived(why) : t.receivedUnread(format.number(unread.value), why);
  }
  if ('gap' in unread) return t.receivedRead(format.number(read.value), gapText(ctx, unread.gap));
  const all = read.value + unread.value;
  if (all === 0) return t.noneReceived;
  return t.received(format.count(all, texts(ctx.locale).messages), [
    ...(read.value > 0 ? [t.read(format.number(read.value))] : []),
    ...(unread.value > 0 ? [t.unread(format.number(unread.value))] : []),
  ]);
}

export const countTexts = defineTexts({
  en: {
    head: (span: string): Html => html`🔢 ${b('Count')} · ${span}`,
    sent: (messages: string, parts: string, cost: string): Html =>
      html`📤 Sent: ${messages} · ${parts} · ${cost}`,
    noneSent: html`📤 Nothing was sent.`,
    price: (price: string): Html => html`≈ ${price} a part`,
    noSent: (why: string): Html => html`📤 What was sent could not be counted. ${why}`,
    received: (messages: string, of: readonly string[]): Html =>
      html`📥 Received: ${messages} (${of.join(', ')})`,
    read: (count: string): string => `${count} read`,
    unread: (count: string): string => `${count} unread`,
    noneReceived: html`📥 Nothing was received.`,
    receivedRead: (read: string, why: string): Html =>
      html`📥 Received and read: ${read}. The unread ones could not be counted. ${why}`,
    receivedUnread: (unread: string, why: string): Html =>
      html`📥 Received and unread: ${unread}. The read ones could not be counted. ${why}`,
    noReceived: (why: string): Html => html`📥 What was received could not be counted. ${why}`,
  },
  fa: {
    head: (span) => html`🔢 ${b('شمارش')} · ${span}`,
    sent: (messages, parts, cost) => html`📤 ارسالی: ${messages} · ${parts} · ${cost}`,
    noneSent: html`📤 چیزی ارسال نشد.`,
    price: (price) => html`هر پارت ≈ ${price}`,
    noSent: (why) => html`📤 ارسالی‌ها شمرده نشد. ${why}`,
    received: (messages, of) => html`📥 دریافتی: ${messages} (${of.join('، ')})`,
    read: (count) => `${count} خوانده`,
    unread: (count) => `${count} نخوانده`,
    noneReceived: html`📥 چیزی دریافت نشد.`,
    receivedRead: (read, why) => html`📥 دریافتی خوانده‌شده: ${read}. نخوانده‌ها شمرده نشد. ${why}`,
    receivedUnread: (unread, why) => html`📥 دریافتی نخوانده: ${unread}. خوانده‌ها شمرده نشد. ${why}`,
    noReceived: (why) => html`📥 دریافتی‌ها شمرده نشد. ${why}`,
  },
});
