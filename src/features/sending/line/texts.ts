import { defineTexts } from '../../../i18n/define.ts';
import { isolateLtr } from '../../../i18n/format.ts';
import { code, html, lines, type Html } from '../../../telegram/html.ts';

export const texts = defineTexts({
  en: {
    about: 'show or set the sender line',
    usage: 'line',
    ask: (now: string | null): Html =>
      lines(
        now === null ? html`No line is set yet.` : html`Line: ${code(isolateLtr(now))}`,
        html`Which one should I use? Type it, or press one that was used before.`,
      ),
    bad: html`A sender line has 5 to 14 digits, such as ${code('3000123456')}`,
    set: (line: string): Html => html`Line ${code(isolateLtr(line))} is used from now on.`,
  },
  fa: {
    about: 'دیدن یا تعیین خط فرستنده',
    usage: 'خط',
    ask: (now) =>
      lines(
        now === null ? html`هنوز خطی تعیین نشده است.` : html`خط: ${code(isolateLtr(now))}`,
        html`از کدام خط ارسال شود؟ بنویسید یا یکی از خط‌های قبلی را بزنید.`,
      ),
    bad: html`خط فرستنده ۵ تا ۱۴ رقم دارد، مانند ${code('3000123456')}`,
    set: (line) => html`از این به بعد از خط ${code(isolateLtr(line))} ارسال می‌شود.`,
  },
});
