import { defineTexts } from '../../../../i18n/define.ts';
import { isolateAuto } from '../../../../i18n/format.ts';
import { code, html, lines, type Html } from '../../../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    about: 'send by a pattern that the gateway keeps, filled with your values',
    example: '/pattern 1 09121234567 code=1234',
    usageId: 'id',
    usageValues: 'name=value…',
    askId: html`Which pattern? Its number is in the gateway's panel.`,
    badId: html`A pattern is named by its number, such as ${code('12')}.`,
    askValues: lines(
      html`With which values? Name and value, as the pattern names them: ${code('code=1234')}`,
      html`Several with spaces between them; a value of several words in quotes: ${code('name="Sara Ahmadi"')}`,
    ),
    badValues: (typed: string): Html =>
      html`${typed === '' ? 'I could not read that' : html`I could not read «${isolateAuto(typed)}»`} as values: each is ${code('name=value')}, and each name comes once.`,
    noValues: 'No values',
  },
  fa: {
    about: 'ارسال با الگویی که نزد پنل پیامک است، با مقدارهای شما',
    example: '/pattern 1 09121234567 code=1234',
    usageId: 'شناسه',
    usageValues: 'نام=مقدار…',
    askId: html`کدام الگو؟ شماره‌اش در پنل پیامک است.`,
    badId: html`الگو را با شماره‌اش بنویسید، مانند ${code('12')}`,
    askValues: lines(
      html`با چه مقدارهایی؟ نام و مقدار، همان‌گونه که در الگو آمده: ${code('code=1234')}`,
      html`چند تا را با فاصله جدا کنید و مقدار چندواژه‌ای را در گیومه بگذارید: ${code('name="سارا احمدی"')}`,
    ),
    badValues: (typed) =>
      html`${typed === '' ? 'این' : html`«${isolateAuto(typed)}»`} را مقدار نفهمیدم: هر کدام به شکل ${code('name=value')} است و هر نام یک بار می‌آید.`,
    noValues: 'بدون مقدار',
  },
});
