import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { code, html, lines, type Html } from '../html.ts';

/** What the owners of a chat are told in private when the bot was removed from it, and a chat when its last owner left. */
export const goneTexts = defineTexts({
  en: {
    removed: (title: string): Html =>
      html`⏸ I was removed from ${isolateAuto(title)} and can no longer write there, so nothing is sent for it.`,
    held: (paused: string | null, scheduled: string | null): Html =>
      lines(
        paused !== null && html`Paused: ${paused}. What is already on its way to the gateway finishes.`,
        scheduled !== null && html`Scheduled, and not starting: ${scheduled}.`,
        html`Nothing resumes by itself. Add me to the chat again: I ask there whether to resume.`,
      ),
    sends: { one: 'send', other: 'sends' },
    ownerLeft: (name: string, hasFallbackOwners: boolean): Html =>
      lines(
        html`⚠️ ${isolateAuto(name)} has left and was the only owner here. Everybody else keeps their role, and what was confirmed goes on; what needs an owner has to wait.`,
        hasFallbackOwners
          ? html`If ${isolateAuto(name)} comes back, all is as before. Otherwise an admin here can send ${code('/connect')} and give the key of an account, and is then the owner.`
          : html`There is no admin here who could become the owner: that needs ${isolateAuto(name)} to come back.`,
      ),
  },
  fa: {
    removed: (title) =>
      html`⏸ از ${isolateAuto(title)} حذف شدم و دیگر نمی‌توانم آنجا بنویسم؛ برای همین چیزی هم برایش ارسال نمی‌شود.`,
    held: (paused, scheduled) =>
      lines(
        paused !== null && html`روی مکث رفت: ${paused}. آنچه در راه پنل پیامک است تمام می‌شود.`,
        scheduled !== null && html`زمان‌بندی‌شده و شروع نمی‌شود: ${scheduled}.`,
        html`چیزی خودبه‌خود ادامه پیدا نمی‌کند. مرا دوباره به گفتگو اضافه کنید: همان‌جا می‌پرسم که ادامه پیدا کند یا نه.`,
      ),
    sends: { one: 'ارسال', other: 'ارسال' },
    ownerLeft: (name, hasFallbackOwners) =>
      lines(
        html`⚠️ ${isolateAuto(name)} از گروه رفت و تنها مالک اینجا بود. نقش دیگران سر جای خود است و آنچه تأیید شده ادامه دارد؛ کارهایی که مالک می‌خواهد می‌ماند.`,
        hasFallbackOwners
          ? html`اگر ${isolateAuto(name)} برگردد، همه چیز مثل قبل است. اگر نه: یکی از مدیران پیک در اینجا ${code('/connect')} بفرستد و کلید یک حساب را بدهد؛ از آن به بعد او مالک است.`
          : html`اینجا مدیری هم نیست که بتواند مالک شود: ${isolateAuto(name)} باید برگردد.`,
      ),
  },
});
