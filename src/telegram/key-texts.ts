import { defineTexts } from '../i18n/define.ts';
import { isolateAuto } from '../i18n/format.ts';
import { html } from './html.ts';
import { slash } from './slash.ts';

/** About keys, in the private chat: one that nobody has asked for there, or one that was written elsewhere. */
export const keyTexts = defineTexts({
  en: {
    stray: html`That looked like a key, and I was not waiting for one: I deleted the message and kept nothing. To link an account: /connect`,
    strayKept: html`That looks like a key, and I was not waiting for one. I could not delete the message: please delete it yourself. I kept nothing. To link an account: /connect`,
    leaked: (place: string) =>
      html`⚠ Something in ${isolateAuto(place)} looked like a key. I deleted the message there, but people may have seen it: treat it as leaked and make a new one in the gateway's panel. Keys are given only here: /connect`,
    leakedKept: (place: string) =>
      html`⚠ Something in ${isolateAuto(place)} looks like a key, and I am not allowed to delete it there. Delete it yourself, treat it as leaked, and make a new one in the gateway's panel. Keys are given only here: /connect`,
  },
  fa: {
    stray: html`این شبیه یک کلید بود و من منتظر کلیدی نبودم: پیام را پاک کردم و چیزی نگه نداشتم. برای وصل‌کردن حساب: ${slash('fa', 'connect')}`,
    strayKept: html`این شبیه یک کلید است و من منتظر کلیدی نبودم. نتوانستم پیام را پاک کنم؛ لطفاً خودتان پاکش کنید. چیزی نگه نداشتم. برای وصل‌کردن حساب: ${slash('fa', 'connect')}`,
    leaked: (place) =>
      html`⚠ پیامی در ${isolateAuto(place)} شبیه یک کلید بود. آن‌جا پاکش کردم، ولی شاید دیگران دیده باشند: آن را لورفته بدانید و در پنل درگاه کلید تازه بسازید. کلید را فقط همین‌جا بدهید: ${slash('fa', 'connect')}`,
    leakedKept: (place) =>
      html`⚠ پیامی در ${isolateAuto(place)} شبیه یک کلید است و من آن‌جا اجازهٔ پاک‌کردن ندارم. خودتان پاکش کنید، آن را لورفته بدانید و در پنل درگاه کلید تازه بسازید. کلید را فقط همین‌جا بدهید: ${slash('fa', 'connect')}`,
  },
});
