import { defineTexts } from '../../../../i18n/define.ts';
import { createFormat, isolateAuto } from '../../../../i18n/format.ts';
import { code, html, lines, type Html } from '../../../../telegram/html.ts';

const EXAMPLE = '3000123456;09121234567;Hello Sara';
const FA = createFormat('fa', 'UTC');
const EXAMPLE_FA = '3000123456;09121234567;سلام سارا';

export const texts = defineTexts({
  en: {
    about: 'different messages from different lines: one row each, typed or a file',
    example: `/multi ${EXAMPLE}`,
    usageRows: 'rows',
    ask: lines(
      html`Which messages? One in each line: sender line, number and text, with semicolons between them:`,
      code(EXAMPLE),
      html`A last ${code(';1')} makes a row a flash message. A CSV or XLSX file with these columns works too.`,
    ),
    none: html`None of these rows can be sent.`,
    badRow: (place: number, raw: string, why: string): Html =>
      html`🚫 Row ${place}, ${isolateAuto(raw)}: ${why}`,
    more: (count: number): Html => html`… and ${count} more`,
    again: html`Correct them and send the command again.`,
    tooMany: (count: string, most: string): Html =>
      html`That is ${count} rows; I take at most ${most} at once. Split them up.`,
  },
  fa: {
    about: 'پیام‌های مختلف از خط‌های مختلف: هر ردیف یکی، تایپ‌شده یا فایل',
    example: `/multi ${EXAMPLE_FA}`,
    usageRows: 'ردیف‌ها',
    ask: lines(
      html`کدام پیام‌ها؟ در هر خط یکی: خط فرستنده، شماره و متن، با نقطه‌ویرگول بینشان:`,
      code(EXAMPLE_FA),
      html`اگر ردیفی به ${code(';1')} تمام شود فلش است. فایل CSV یا XLSX با این ستون‌ها هم می‌شود.`,
    ),
    none: html`هیچ‌کدام از این ردیف‌ها قابل ارسال نیست.`,
    badRow: (place, raw, why) => html`🚫 ردیف ${FA.number(place)}، ${isolateAuto(raw)}: ${why}`,
    more: (count) => html`… و ${FA.number(count)} تای دیگر`,
    again: html`درستشان کنید و دستور را دوباره بفرستید.`,
    tooMany: (count, most) =>
      html`این ${count} ردیف است و من یک‌باره بیش از ${most} نمی‌پذیرم. آن را چند قسمت کنید.`,
  },
});
