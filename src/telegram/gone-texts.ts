import { defineTexts } from '../i18n/define.ts';
import { isolateAuto } from '../i18n/format.ts';
import { html, lines, type Html } from './html.ts';

/** What the owners of a chat are told in private when the bot was removed from it. */
export const goneTexts = defineTexts({
  en: {
    removed: (title: string): Html =>
      html`⏸ I was removed from ${isolateAuto(title)} and can tell nothing there any more, so nothing is sent for it.`,
    held: (paused: string | null, scheduled: string | null): Html =>
      lines(
        paused !== null && html`Paused: ${paused}. What was on the wire already finishes.`,
        scheduled !== null && html`Waiting for their time, and not starting: ${scheduled}.`,
        html`Nothing goes on by itself. Add me to the chat again: I ask there whether it shall.`,
      ),
    sends: { one: 'send', other: 'sends' },
  },
  fa: {
    removed: (title) =>
      html`⏸ از ${isolateAuto(title)} بیرون گذاشته شدم و دیگر نمی‌توانم آن‌جا چیزی بگویم؛ پس چیزی هم برایش فرستاده نمی‌شود.`,
    held: (paused, scheduled) =>
      lines(
        paused !== null && html`نگه داشته شد: ${paused}. آنچه به درگاه سپرده شده بود به پایان می‌رسد.`,
        scheduled !== null && html`در نوبت زمان خود است و آغاز نمی‌شود: ${scheduled}.`,
        html`چیزی خودبه‌خود ادامه نمی‌یابد. مرا دوباره به گفتگو بیفزایید: همان‌جا می‌پرسم که ادامه یابد یا نه.`,
      ),
    sends: { one: 'ارسال', other: 'ارسال' },
  },
});
