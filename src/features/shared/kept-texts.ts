import { defineTexts } from '../../i18n/define.ts';
import { html, type Html } from '../../telegram/html.ts';

/** Of sends that were past their time: docs/database.md says when. */
export const keptTexts = defineTexts({
  en: {
    emptied: html`🗄 Its recipients and texts are no longer kept, only how many there were.`,
    leftOut: (sends: string): Html =>
      html`🗄 The recipients of ${sends} are no longer kept and not in this file.`,
    sends: { one: 'send', other: 'sends' },
  },
  fa: {
    emptied: html`🗄 گیرنده‌ها و متن‌هایش دیگر نگه داشته نمی‌شود؛ فقط تعدادها مانده است.`,
    leftOut: (sends) => html`🗄 گیرنده‌های ${sends} دیگر نگه داشته نمی‌شود و در این فایل نیست.`,
    sends: { one: 'ارسال', other: 'ارسال' },
  },
});
