import { defineTexts } from '../../i18n/define.ts';
import { html, type Html } from '../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    nothing: html`There is nothing left to decide about: it was settled in the meantime. The card says how.`,
    sent: (count: string): Html => html`✔ ${count} counted as sent, by your word.`,
    notSent: (count: string): Html => html`✖ ${count} counted as not sent, by your word.`,
  },
  fa: {
    nothing: html`چیزی برای تصمیم نمانده است: در این میان روشن شد. کارت می‌گوید چگونه.`,
    sent: (count) => html`✔ به گفتهٔ شما ${count} تا رفته به شمار آمد.`,
    notSent: (count) => html`✖ به گفتهٔ شما ${count} تا نرفته به شمار آمد.`,
  },
});
