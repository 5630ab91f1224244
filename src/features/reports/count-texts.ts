import { defineTexts } from '../../i18n/define.ts';
import { b, html, type Html } from '../../telegram/html.ts';

export const countTexts = defineTexts({
  en: {
    head: (span: string): Html => html`🔢 ${b('Count')} · ${span}`,
    sent: (messages: string, parts: string, cost: string): Html =>
      html`📤 Sent: ${messages} · ${parts} · ${cost}`,
    price: (price: string): Html => html`≈ ${price} a part`,
    noSent: (why: string): Html => html`📤 What was sent could not be counted. ${why}`,
    received: (messages: string, read: string, unread: string): Html =>
      html`📥 Received: ${messages} (${read} read, ${unread} unread)`,
    receivedRead: (read: string, why: string): Html =>
      html`📥 Received and read: ${read}. The unread ones could not be counted. ${why}`,
    receivedUnread: (unread: string, why: string): Html =>
      html`📥 Received and unread: ${unread}. The read ones could not be counted. ${why}`,
    noReceived: (why: string): Html => html`📥 What was received could not be counted. ${why}`,
  },
  fa: {
    head: (span) => html`🔢 ${b('شمارش')} · ${span}`,
    sent: (messages, parts, cost) => html`📤 فرستاده: ${messages} · ${parts} · ${cost}`,
    price: (price) => html`هر بخش ≈ ${price}`,
    noSent: (why) => html`📤 فرستاده‌ها شمرده نشد. ${why}`,
    received: (messages, read, unread) => html`📥 رسیده: ${messages} (${read} خوانده، ${unread} نخوانده)`,
    receivedRead: (read, why) => html`📥 رسیدهٔ خوانده: ${read}. نخوانده‌ها شمرده نشد. ${why}`,
    receivedUnread: (unread, why) => html`📥 رسیدهٔ نخوانده: ${unread}. خوانده‌ها شمرده نشد. ${why}`,
    noReceived: (why) => html`📥 رسیده‌ها شمرده نشد. ${why}`,
  },
});
