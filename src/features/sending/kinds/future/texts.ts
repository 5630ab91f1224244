import { defineTexts } from '../../../../i18n/define.ts';
import { isolateAuto } from '../../../../i18n/format.ts';
import { code, html, lines, type Html } from '../../../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    about: 'a send that the gateway itself keeps until its time',
    example: '/future tomorrow 9:00 09121234567 Hello',
    usageWhen: 'when',
    ask: lines(
      html`When shall it leave?`,
      html`For example ${code('tomorrow 9:00')}, ${code('2026-12-24 18:30')}, ${code('1405/10/03 18:30')} or ${code('in 2h')}.`,
    ),
    bad: (typed: string): Html =>
      typed === ''
        ? html`That is no time.`
        : html`I could not read «${isolateAuto(typed)}» as a day and a time that lie ahead.`,
    tooSoon: html`That time is over, or less than five minutes away.`,
    tooFar: html`That time is more than a year away.`,
  },
  fa: {
    about: 'ارسالی که خود پنل پیامک تا زمانش نگه می‌دارد',
    example: '/future فردا ۹:۰۰ 09121234567 سلام',
    usageWhen: 'زمان',
    ask: lines(
      html`کی برود؟`,
      html`برای نمونه ${code('فردا ۹ صبح')}، ${code('1405/10/03 18:30')}، ${code('2026-12-24 18:30')} یا ${code('۲ ساعت دیگر')}`,
    ),
    bad: (typed) =>
      typed === '' ? html`این زمان نیست.` : html`«${isolateAuto(typed)}» را روز و ساعتی در آینده نفهمیدم.`,
    tooSoon: html`آن زمان گذشته یا کمتر از پنج دقیقه به آن مانده است.`,
    tooFar: html`تا آن زمان بیش از یک سال مانده است.`,
  },
});
