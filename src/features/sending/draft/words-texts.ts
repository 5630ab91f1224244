import { defineTexts } from '../../../i18n/define.ts';
import { isolateLtr } from '../../../i18n/format.ts';
import { b, html, type Html } from '../../../telegram/html.ts';

const one = (id: string) => b(isolateLtr(`#${id}`));

/** What is said to words about the card of a send, which is moved by its buttons alone. */
export const wordsTexts = defineTexts({
  en: {
    press: (id: string): Html =>
      html`A message does not send it. Press ✅ on the card of ${one(id)}; tap the quote above to get there.`,
    waits: (id: string): Html =>
      html`${one(id)} waits for a second person’s approval, by the buttons on its card.`,
    asText: (id: string): Html => html`Should this be the text of ${one(id)}? Nothing was changed yet.`,
    useAsText: '✏️ Use it as the text',
    byButtons: (id: string): Html =>
      html`Nothing was changed: use the buttons on the card of ${one(id)} to change or send it.`,
    onItsWay: (id: string): Html =>
      html`Nothing was changed: ${one(id)} was confirmed already. Its card says what is known.`,
    editTooLate: (id: string): Html =>
      html`Nothing was changed: ${one(id)} was confirmed already, and edits of the message are no longer followed.`,
    report: '📊 Report',
    over: (id: string): Html => html`Draft ${one(id)} is closed; none of it was sent. Start again:`,
    anew: '✉️ A new SMS',
    gone: html`The message with the new text is not there any more. Nothing was changed; send it once more.`,
  },
  fa: {
    press: (id) =>
      html`با نوشتن پیام چیزی ارسال نمی‌شود. روی کارت ${one(id)} دکمهٔ ✅ را بزنید؛ با زدن نقل‌قول بالا کارت را می‌بینید.`,
    waits: (id) => html`${one(id)} منتظر تأیید نفر دوم است، با دکمه‌های کارتش.`,
    asText: (id) => html`این نوشته متن ${one(id)} شود؟ هنوز چیزی تغییر نکرده است.`,
    useAsText: '✏️ استفاده به عنوان متن',
    byButtons: (id) => html`چیزی تغییر نکرد: برای تغییر یا ارسال ${one(id)} از دکمه‌های کارتش استفاده کنید.`,
    onItsWay: (id) => html`چیزی تغییر نکرد: ${one(id)} قبلاً تأیید شده است. آنچه معلوم است روی کارتش هست.`,
    editTooLate: (id) => html`چیزی تغییر نکرد: ${one(id)} قبلاً تأیید شده است و ویرایش پیام دیگر اثری ندارد.`,
    report: '📊 گزارش',
    over: (id) => html`پیش‌نویس ${one(id)} بسته شده و چیزی از آن ارسال نشد. از نو شروع کنید:`,
    anew: '✉️ پیامک جدید',
    gone: html`پیامی که متن جدید در آن بود دیگر نیست. چیزی تغییر نکرد؛ دوباره بفرستید.`,
  },
});
