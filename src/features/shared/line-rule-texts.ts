import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr } from '../../i18n/format.ts';
import { code, html, type Html } from '../../telegram/html.ts';

/** What the rule of a sender line says of a send. */
export const lineRuleTexts = defineTexts({
  en: {
    lacks: (phrase: string, line: string): Html =>
      html`⚠️ The text does not say «${isolateAuto(phrase)}», which texts from line ${isolateLtr(line)} should say.`,
    add: (phrase: string): string => `➕ Add «${isolateAuto(phrase)}»`,
    lacksNow: html`Nothing was sent yet: this was not on the card when you pressed. Add it there, or press ✅ on the card once more to send without it.`,
    says: (words: readonly string[]): Html =>
      html`🚫 It says ${quoted(words, ', ')}. This chat has put that on the list of words it does not send from this line.`,
    saysNow: html`Nothing was sent yet: the button you pressed is older than this warning. To approve it all the same, press ✅ on the card once more.`,
    answerSays: (words: readonly string[], line: string): Html =>
      html`🚫 It says ${quoted(words, ', ')}: from line ${isolateLtr(line)} that needs a second person, so this answer is not sent there.`,
    changeIt: html`Change the text instead, or have an admin change the list with ${code('/line')}.`,
    second: (words: readonly string[], name: string): Html =>
      html`🟡 Texts with ${quoted(words, ', ')} need a second person’s approval, and none was given to this one in the last 24 hours. Somebody other than ${isolateAuto(name)} whose role is approver or above presses the same button; an admin changes the list with ${code('/line')}.`,
    window: (line: string, from: string, to: string, at: string | null, zone: string): Html =>
      html`🕐 Line ${isolateLtr(line)} sends only from ${from} to ${to} (${isolateLtr(zone)}), ${at === null ? 'and it is outside these hours now' : `and this one is for ${at}`}. An admin changes its hours with ${code('/line')}.`,
  },
  fa: {
    lacks: (phrase, line) =>
      html`⚠️ متن «${isolateAuto(phrase)}» ندارد؛ متن‌های خط ${isolateLtr(line)} باید آن را داشته باشند.`,
    add: (phrase) => `➕ افزودن «${isolateAuto(phrase)}»`,
    lacksNow: html`هنوز چیزی ارسال نشد، چون وقتی دکمه را زدید این روی کارت نبود. روی کارت اضافه‌اش کنید، یا برای ارسال بدون آن یک بار دیگر ✅ را بزنید.`,
    says: (words) => html`🚫 در متن ${quoted(words, '، ')} هست که این گفتگو از این خط نمی‌فرستد.`,
    saysNow: html`هنوز چیزی ارسال نشد: دکمه‌ای که زدید مال قبل از این هشدار بود. اگر باز هم تأیید می‌کنید، یک بار دیگر ✅ را روی کارت بزنید.`,
    answerSays: (words, line) =>
      html`🚫 در متن ${quoted(words, '، ')} هست که از خط ${isolateLtr(line)} تأیید نفر دوم می‌خواهد؛ برای همین این پاسخ از آن ارسال نمی‌شود.`,
    changeIt: html`متن را عوض کنید، یا مدیر این فهرست را با ${code('/line')} تغییر دهد.`,
    second: (words, name) =>
      html`🟡 متن با ${quoted(words, '، ')} تأیید نفر دوم می‌خواهد و در ۲۴ ساعت گذشته کسی این ارسال را تأیید نکرده است. کسی جز ${isolateAuto(name)} با نقش تأییدکننده یا بالاتر همین دکمه را بزند؛ مدیر این فهرست را با ${code('/line')} تغییر می‌دهد.`,
    window: (line, from, to, at, zone) =>
      html`🕐 از خط ${isolateLtr(line)} فقط از ${from} تا ${to} (${isolateLtr(zone)}) ارسال می‌شود ${at === null ? 'و الان خارج از این ساعت‌هاست' : `و زمان این یکی ${at} است`}. مدیر ساعت‌های خط را با ${code('/line')} عوض می‌کند.`,
  },
});

const SHOWN = 5;

/** Words as they stand on the list, a few of many. */
export function quoted(words: readonly string[], comma: string): string {
  const shown = words.slice(0, SHOWN).map((word) => `«${isolateAuto(word)}»`);
  return [...shown, ...(words.length > SHOWN ? ['…'] : [])].join(comma);
}
