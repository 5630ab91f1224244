import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { html, lines } from '../html.ts';
import { slash } from '../slash.ts';

/** About keys, in the private chat: one that nobody has asked for there, or one that was written elsewhere. */
export const keyTexts = defineTexts({
  en: {
    stray: lines(
      html`⚠ That looked like a key, and I was not waiting for one: I deleted the message, did nothing with it and stored none of it.`,
      html`If somebody else may have seen the key, make a new one in the gateway’s panel. To link an account, send /connect in the chat that it is for.`,
    ),
    strayKept: lines(
      html`⚠ That looks like a key, and I was not waiting for one: I did nothing with the message and stored none of it. I could not delete it: please delete it yourself.`,
      html`If somebody else may have seen the key, make a new one in the gateway’s panel. To link an account, send /connect in the chat that it is for.`,
    ),
    leaked: (place: string) =>
      html`⚠ A message in ${isolateAuto(place)} looked like a key. I deleted the message there, but people may have seen it: treat it as leaked and make a new one in the gateway’s panel. Keys are given only here. To link an account to a group, send /connect there.`,
    leakedKept: (place: string) =>
      html`⚠ A message in ${isolateAuto(place)} looks like a key, and I am not allowed to delete it there. Delete it yourself, treat it as leaked, and make a new one in the gateway’s panel. Keys are given only here. To link an account to a group, send /connect there.`,
  },
  fa: {
    stray: lines(
      html`⚠ این شبیه یک کلید بود و من منتظر کلیدی نبودم: پیام را پاک کردم، کاری با آن نکردم و چیزی از آن نگه نداشتم.`,
      html`اگر ممکن است کس دیگری کلید را دیده باشد، در پنل پیامک کلید جدیدی بسازید. برای وصل‌کردن حساب، در همان گفتگویی که حساب برای آن است ${slash('fa', 'connect')} بفرستید.`,
    ),
    strayKept: lines(
      html`⚠ این شبیه یک کلید است و من منتظر کلیدی نبودم: کاری با پیام نکردم و چیزی از آن نگه نداشتم. نتوانستم پاکش کنم؛ لطفاً خودتان پاکش کنید.`,
      html`اگر ممکن است کس دیگری کلید را دیده باشد، در پنل پیامک کلید جدیدی بسازید. برای وصل‌کردن حساب، در همان گفتگویی که حساب برای آن است ${slash('fa', 'connect')} بفرستید.`,
    ),
    leaked: (place) =>
      html`⚠ پیامی در ${isolateAuto(place)} شبیه یک کلید بود. آنجا پاکش کردم، ولی شاید دیگران دیده باشند: آن را لورفته بدانید و در پنل پیامک کلید جدید بسازید. کلید را فقط همین‌جا بدهید. برای وصل‌کردن حساب به گروه، در همان گروه ${slash('fa', 'connect')} بفرستید.`,
    leakedKept: (place) =>
      html`⚠ پیامی در ${isolateAuto(place)} شبیه یک کلید است و من آنجا اجازهٔ پاک‌کردن ندارم. خودتان پاکش کنید، آن را لورفته بدانید و در پنل پیامک کلید جدید بسازید. کلید را فقط همین‌جا بدهید. برای وصل‌کردن حساب به گروه، در همان گروه ${slash('fa', 'connect')} بفرستید.`,
  },
});
