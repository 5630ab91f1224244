import { defineTexts } from '../../../i18n/define.ts';
import { isolateLtr } from '../../../i18n/format.ts';
import { b, html, type Html } from '../../../telegram/html.ts';

const one = (id: string) => b(isolateLtr(`#${id}`));

/** What is said to words about the card of a send, which is moved by its buttons alone. */
export const wordsTexts = defineTexts({
  en: {
    press: (id: string): Html =>
      html`A word sends nothing. Press ✅ on the card of ${one(id)}; the quote above leads to it.`,
    waits: (id: string): Html =>
      html`${one(id)} waits for the yes of a second person, by the buttons of its card.`,
    asText: (id: string): Html => html`Should this be the text of ${one(id)}? Nothing was changed yet.`,
    useAsText: '✏️ Use it as the text',
    byButtons: (id: string): Html =>
      html`Nothing was changed: ${one(id)} is changed and sent by the buttons of its card.`,
    onItsWay: (id: string): Html =>
      html`Nothing was changed: ${one(id)} was confirmed already. Its card says what is known.`,
    editTooLate: (id: string): Html =>
      html`Nothing was changed: ${one(id)} was confirmed already, and edits of the message are no longer followed.`,
    report: '📊 Report',
    over: (id: string): Html => html`Draft ${one(id)} is over; none of it was sent. Begin again:`,
    anew: '✉️ A new SMS',
    gone: html`The message with the new text is not there any more. Nothing was changed; send it once more.`,
  },
  fa: {
    press: (id) =>
      html`با پیام چیزی ارسال نمی‌شود. روی کارت ${one(id)} دکمهٔ ✅ را بزنید؛ نقل‌قول بالا شما را به آن می‌برد.`,
    waits: (id) => html`${one(id)} منتظر تأیید نفر دوم است، با دکمه‌های کارتش.`,
    asText: (id) => html`این متن ${one(id)} شود؟ هنوز چیزی تغییر نکرده است.`,
    useAsText: '✏️ متنش همین شود',
    byButtons: (id) => html`چیزی تغییر نکرد: ${one(id)} با دکمه‌های کارتش تغییر می‌کند و ارسال می‌شود.`,
    onItsWay: (id) => html`چیزی تغییر نکرد: ${one(id)} پیش‌تر تأیید شده است. آنچه معلوم است روی کارتش هست.`,
    editTooLate: (id) =>
      html`چیزی تغییر نکرد: ${one(id)} پیش‌تر تأیید شده است و از آن پس ویرایش پیام اثری ندارد.`,
    report: '📊 گزارش',
    over: (id) => html`پیش‌نویس ${one(id)} تمام شده و چیزی از آن ارسال نشد. از نو شروع کنید:`,
    anew: '✉️ پیامک تازه',
    gone: html`پیامی که متن تازه در آن بود دیگر نیست. چیزی تغییر نکرد؛ دوباره بفرستید.`,
  },
});
