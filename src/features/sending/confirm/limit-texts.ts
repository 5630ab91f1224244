import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../../i18n/format.ts';
import { code, html, type Html } from '../../../telegram/html.ts';

/** Why a limit of the chat lets nothing leave now. */
export const limitTexts = defineTexts({
  en: {
    halted: (by: string | null, when: string): Html =>
      by === null
        ? html`⏹ All sends of this chat are off since ${when}, when I could write nothing here any more. An admin switches them on again with ${code('/limits go')}.`
        : html`⏹ ${isolateAuto(by)} switched all sends of this chat off on ${when}. An admin switches them on again with ${code('/limits go')}.`,
    held: (when: string): Html =>
      html`⏹ All sends of this bot are held since ${when}, in every chat. Try again when the bot’s administrator lets them continue: nobody in this chat can change it.`,
    window: (from: string, to: string, at: string | null, zone: string): Html =>
      html`🕐 Messages may leave this chat only from ${from} to ${to} (${isolateLtr(zone)}), ${at === null ? 'and it is not that time now' : `and this one would at ${at}`}. An admin changes the hours with ${code('/limits window')}.`,
    cap: (cap: string, date: string, used: string, wanted: string): Html =>
      html`💰 It would go over the day’s cap. Cap: ${cap}. Other sends of ${date}: ${used}. This send: ${wanted}. The count begins again at midnight; an admin changes the cap with ${code('/limits cap')}.`,
    personCap: (cap: string, date: string, used: string, wanted: string): Html =>
      html`💰 It would go over what one person may send in a day. Cap: ${cap}. Other sends of ${date}: ${used}. This send: ${wanted}. The count begins again at midnight; an admin changes the cap with ${code('/limits personcap')}.`,
    second: (parts: string | null, name: string): Html =>
      html`🟡 ${parts === null ? 'Every send of this chat needs' : `More than ${parts} need`} a second person’s approval, and none was given to this one in the last 24 hours. Somebody other than ${isolateAuto(name)} whose role is approver or above presses the same button; where nobody is, ${code('/limits approval off')} lifts the limit.`,
  },
  fa: {
    halted: (by, when) =>
      by === null
        ? html`⏹ همهٔ ارسال‌های این گفتگو از ${when}، که دیگر نمی‌توانستم این‌جا بنویسم، خاموش است. مدیر با ${code('/limits go')} دوباره روشنش می‌کند.`
        : html`⏹ ${isolateAuto(by)} در ${when} همهٔ ارسال‌های این گفتگو را خاموش کرده است. مدیر با ${code('/limits go')} دوباره روشنش می‌کند.`,
    held: (when) =>
      html`⏹ از ${when} ارسال‌های این ربات در همهٔ گفتگوها نگه داشته شده است. هرگاه از سر گرفته شد دوباره بزنید؛ از درون این گفتگو نمی‌شود تغییرش داد.`,
    window: (from, to, at, zone) =>
      html`🕐 پیام‌های این گفتگو فقط از ${from} تا ${to} (${isolateLtr(zone)}) می‌روند ${at === null ? 'و اکنون آن زمان نیست' : `و زمان این یکی ${at} است`}. مدیر این ساعت‌ها را با ${code('/limits window')} عوض می‌کند.`,
    cap: (cap, date, used, wanted) =>
      html`💰 از سقف روزانه می‌گذرد. سقف: ${cap}. ارسال‌های دیگر ${date}: ${used}. این ارسال: ${wanted}. شمارش از نیمه‌شب نو می‌شود؛ مدیر سقف را با ${code('/limits cap')} عوض می‌کند.`,
    personCap: (cap, date, used, wanted) =>
      html`💰 از آنچه یک نفر در روز می‌تواند بفرستد بیشتر می‌شود. سقف: ${cap}. ارسال‌های دیگر ${date}: ${used}. این ارسال: ${wanted}. شمارش از نیمه‌شب نو می‌شود؛ مدیر سقف را با ${code('/limits personcap')} عوض می‌کند.`,
    second: (parts, name) =>
      html`🟡 ${parts === null ? 'هر ارسال این گفتگو' : `بیش از ${parts}`} تأیید نفر دوم می‌خواهد و در ۲۴ ساعت گذشته کسی این ارسال را تأیید نکرده است. کسی جز ${isolateAuto(name)} با نقش تأییدکننده یا بالاتر همین دکمه را بزند؛ اگر کسی نیست، ${code('/limits approval off')} این محدودیت را برمی‌دارد.`,
  },
});
