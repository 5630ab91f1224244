import { defineTexts } from '../../../../i18n/define.ts';
import { isolateAuto } from '../../../../i18n/format.ts';
import { code, html, lines, type Html } from '../../../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    about: 'send a pattern of the gateway, filled with your values',
    example: '/pattern 1 09121234567 code=1234',
    usageId: 'id',
    usageValues: 'name=value…',
    askId: html`Which pattern? Its number is in the gateway’s panel.`,
    badId: html`Give the pattern’s number, such as ${code('12')}.`,
    askValues: lines(
      html`Which values? Name and value, named as in the pattern: ${code('code=1234')}`,
      html`Separate several with spaces; put a value of several words in quotes: ${code('name="Sara Ahmadi"')}`,
    ),
    badValues: (typed: string): Html =>
      html`${typed === '' ? 'I could not read that' : html`I could not read «${isolateAuto(typed)}»`} as values: write each as ${code('name=value')}, and each name only once.`,
    noValues: 'No values',
  },
  fa: {
    about: 'ارسال با الگوی پنل پیامک و مقدارهای شما',
    example: '/pattern 1 09121234567 code=1234',
    usageId: 'شناسه',
    usageValues: 'نام=مقدار…',
    askId: html`کدام الگو؟ شماره‌اش در پنل پیامک است.`,
    badId: html`الگو را با شماره‌اش بنویسید، مانند ${code('12')}`,
    askValues: lines(
      html`با چه مقدارهایی؟ نام و مقدار، همان‌طور که در الگو آمده: ${code('code=1234')}`,
      html`چند تا را با فاصله جدا کنید و مقدار چندکلمه‌ای را در گیومه بگذارید: ${code('name="سارا احمدی"')}`,
    ),
    badValues: (typed) =>
      html`${typed === '' ? 'این' : html`«${isolateAuto(typed)}»`} مقدار نیست: هر کدام را به شکل ${code('name=value')} و هر نام را یک بار بنویسید.`,
    noValues: 'بدون مقدار',
  },
});
