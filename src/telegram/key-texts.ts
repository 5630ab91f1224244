import { defineTexts } from '../i18n/define.ts';
import { html } from './html.ts';
import { slash } from './slash.ts';

/** About a key in the private chat that nobody has asked for. */
export const keyTexts = defineTexts({
  en: {
    stray: html`That looked like a key, and I was not waiting for one: I deleted the message and kept nothing. To link an account: /connect`,
    strayKept: html`That looks like a key, and I was not waiting for one. I could not delete the message: please delete it yourself. I kept nothing. To link an account: /connect`,
  },
  fa: {
    stray: html`این شبیه یک کلید بود و من منتظر کلیدی نبودم: پیام را پاک کردم و چیزی نگه نداشتم. برای وصل‌کردن حساب: ${slash('fa', 'connect')}`,
    strayKept: html`این شبیه یک کلید است و من منتظر کلیدی نبودم. نتوانستم پیام را پاک کنم؛ لطفاً خودتان پاکش کنید. چیزی نگه نداشتم. برای وصل‌کردن حساب: ${slash('fa', 'connect')}`,
  },
});
