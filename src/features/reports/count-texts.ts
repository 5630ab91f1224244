import { defineTexts } from '../../i18n/define.ts';
import { b, html, type Html } from '../../telegram/html.ts';

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
