import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { Doubt } from '../../i18n/moment.ts';
import { code, html, joinHtml, type Html } from '../../telegram/html.ts';

/** Lines of which one is to be copied. */
function choice(lines: readonly string[], or: string): Html {
  return joinHtml(lines.map(code), ` ${or} `);
}

type Doubts = Readonly<Record<Doubt, (typed: string, could: readonly string[]) => Html>>;

/** What is said of a time that somebody has typed or may choose. */
export const timeTexts = defineTexts({
  en: {
    usage: 'when',
    inAnHour: '🕐 In 1 hour',
    today: (time: string): string => `🕐 Today ${time}`,
    tomorrow: (time: string): string => `🕐 Tomorrow ${time}`,
    bad: (typed: string): Html =>
      typed === ''
        ? html`That is no time.`
        : html`I could not read «${isolateAuto(typed)}» as a day and a time that lie ahead.`,
    doubt: {
      time: (typed, could) => html`At what time? Write «${isolateAuto(typed)}» as ${choice(could, 'or')}.`,
      hour: (typed, could) =>
        html`«${isolateAuto(typed)}»: before noon or after it? Write ${choice(could, 'or')}.`,
      day: (typed, could) => html`«${isolateAuto(typed)}»: which day is meant? Write ${choice(could, 'or')}.`,
    } satisfies Doubts,
    noRules: html`Here it is one time only. ${code('/schedule')} repeats a send.`,
    past: html`That time is over.`,
    tooSoon: (least: string): Html => html`That time is less than ${least} away. Take a later one.`,
    tooFar: html`That time is more than a year away.`,
  },
  fa: {
    usage: 'زمان',
    inAnHour: '🕐 یک ساعت دیگر',
    today: (time) => `🕐 امروز ${time}`,
    tomorrow: (time) => `🕐 فردا ${time}`,
    bad: (typed) =>
      typed === '' ? html`این زمان نیست.` : html`«${isolateAuto(typed)}» را روز و ساعتی در آینده نفهمیدم.`,
    doubt: {
      time: (typed, could) => html`چه ساعتی؟ «${isolateAuto(typed)}» را کامل بنویسید: ${choice(could, 'یا')}`,
      hour: (typed, could) =>
        html`«${isolateAuto(typed)}» صبح است یا بعدازظهر؟ بنویسید ${choice(could, 'یا')}`,
      day: (typed, could) => html`«${isolateAuto(typed)}» کدام روز است؟ بنویسید ${choice(could, 'یا')}`,
    },
    noRules: html`اینجا فقط یک زمان می‌شود داد. ارسال تکراری با ${code('/schedule')} است.`,
    past: html`آن زمان گذشته است.`,
    tooSoon: (least) => html`کمتر از ${least} به آن زمان مانده است. زمانی دیرتر بدهید.`,
    tooFar: html`تا آن زمان بیش از یک سال مانده است.`,
  },
});
