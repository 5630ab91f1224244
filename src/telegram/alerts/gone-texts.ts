import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { code, html, lines, type Html } from '../html.ts';

/** What the owners of a chat are told in private when the bot was removed from it, and a chat when its last owner left. */
export const goneTexts = defineTexts({
  en: {
    removed: (title: string): Html =>
      html`⏸ I was removed from ${isolateAuto(title)} and can tell nothing there any more, so nothing is sent for it.`,
    held: (paused: string | null, scheduled: string | null): Html =>
      lines(
        paused !== null && html`Paused: ${paused}. What was on the wire already finishes.`,
        scheduled !== null && html`Waiting for their time, and not starting: ${scheduled}.`,
        html`Nothing goes on by itself. Add me to the chat again: I ask there whether it should.`,
      ),
    sends: { one: 'send', other: 'sends' },
    ownerLeft: (name: string, hasFallbackOwners: boolean): Html =>
      lines(
        html`⚠️ ${isolateAuto(name)} has left and was the only owner here. Everybody else keeps their role, and what was confirmed goes on; what takes an owner has to wait.`,
        hasFallbackOwners
          ? html`If ${isolateAuto(name)} comes back, all is as before. If not: an admin here types ${code('/connect')} and gives the key of an account, and is the owner from then on.`
          : html`There is no admin here either, who could become the owner: only ${isolateAuto(name)} can go on as before, by coming back.`,
      ),
  },
  fa: {
    removed: (title) =>
      html`⏸ از ${isolateAuto(title)} بیرون گذاشته شدم و دیگر نمی‌توانم آن‌جا چیزی بگویم؛ پس چیزی هم برایش فرستاده نمی‌شود.`,
    held: (paused, scheduled) =>
      lines(
        paused !== null && html`نگه داشته شد: ${paused}. آنچه به پنل پیامک سپرده شده بود به پایان می‌رسد.`,
        scheduled !== null && html`در نوبت زمان خود است و آغاز نمی‌شود: ${scheduled}.`,
        html`چیزی خودبه‌خود ادامه نمی‌یابد. مرا دوباره به گفتگو بیفزایید: همان‌جا می‌پرسم که ادامه یابد یا نه.`,
      ),
    sends: { one: 'ارسال', other: 'ارسال' },
    ownerLeft: (name, hasFallbackOwners) =>
      lines(
        html`⚠️ ${isolateAuto(name)} از گروه رفت و تنها مالک این‌جا بود. نقش دیگران سر جای خود است و آنچه تأیید شده ادامه دارد؛ کارهایی که مالک می‌خواهد می‌ماند.`,
        hasFallbackOwners
          ? html`اگر ${isolateAuto(name)} برگردد، همه چیز مثل پیش است. اگر نه: یکی از مدیران پیک در این‌جا ${code('/connect')} بفرستد و کلید یک حساب را بدهد؛ از آن پس او مالک است.`
          : html`این‌جا مدیری هم نیست که بتواند مالک شود: تنها ${isolateAuto(name)} با برگشتن می‌تواند مثل پیش ادامه دهد.`,
      ),
  },
});
