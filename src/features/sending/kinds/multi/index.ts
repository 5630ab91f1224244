import { z } from 'zod';
import { travelsInAddress } from '../../../../domain/kinds/multi.ts';
import { defineTexts, type Locale } from '../../../../i18n/define.ts';
import { createFormat, isolateAuto } from '../../../../i18n/format.ts';
import type { Tables } from '../../../../ports/tables.ts';
import { defineCommand, takeRest, type Feature } from '../../../../telegram/feature.ts';
import { readFileReference } from '../../../../telegram/forms/file-reference.ts';
import { clip, code, html, lines, type Html } from '../../../../telegram/html.ts';
import type { RequestContext } from '../../../../telegram/request-context.ts';
import { draftOf, type BeginDraftDeps } from '../../../shared/new-draft.ts';
import { skipReason } from '../../../shared/skip-reasons.ts';
import { readTableRows, readTypedRows, type BadRow, type ReadRows, type RowRules } from './rows.ts';

interface MultiDeps extends Pick<BeginDraftDeps, 'drafts' | 'cards'> {
  readonly tables: Tables;
}

const MAX_ROWS = 1000;
const TOLD = 8;
const FILE_BYTES = 5_000_000;
/** Before the chat's own is known. */
const ANY_LINE: RowRules = { inAddress: false, ownLine: '10000' };

/** Several different messages at once: each row has its line, its number and its text. */
export function createMultiFeature({ drafts, tables, cards }: MultiDeps): Feature {
  const readRows = async (ctx: RequestContext, typed: string, rules: RowRules): Promise<ReadRows> => {
    const file = readFileReference(typed);
    if (file === null) return readTypedRows(typed, rules);
    const content = await ctx.download(file, FILE_BYTES);
    return readTableRows(await tables.read({ name: file.name, content }), rules);
  };

  return {
    name: 'multi',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'multi',
        permission: 'send.multi',
        facet: 'multi',
        followsEdits: true,
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: {
          rows: {
            schema: z
              .string()
              .refine(
                (typed) =>
                  readFileReference(typed) !== null || readTypedRows(typed, ANY_LINE).rows.length > 0,
              ),
            take: takeRest,
            file: true,
            usage: (locale) => texts(locale).usageRows,
            ask: ({ locale }) => texts(locale).ask,
            problem: (locale, typed) => noneOf(locale, readTypedRows(typed, ANY_LINE).bad),
          },
        },
        run: async (ctx, { rows: typed }) => {
          const t = texts(ctx.locale);
          if (ctx.binding === null) return;
          const inAddress = travelsInAddress(ctx.capabilities.versions);
          const { rows, bad } = await readRows(ctx, typed, { inAddress, ownLine: ctx.binding.line });
          const count = rows.length + bad.length;
          if (count > MAX_ROWS) {
            await ctx.say(t.tooMany(ctx.format.number(count), ctx.format.number(MAX_ROWS)));
            return;
          }
          const [first] = rows;
          if (first === undefined) {
            await ctx.say(lines(noneOf(ctx.locale, bad), t.again));
            return;
          }
          const { id } = await drafts.create(
            draftOf(ctx, {
              outgoing: { kind: 'multi', rows, ...(inAddress ? { inAddress } : {}) },
              text: '',
              line: first.line,
              recipients: [...new Set(rows.map(({ recipient }) => recipient))],
              invalid: bad.map(({ place, raw, reason }) => ({ raw: `${place}: ${raw}`, reason })),
            }),
          );
          await cards.refresh(id);
        },
      }),
    ],
  };
}

/** Why none of the rows can leave: the first ones, each by its number. */
function noneOf(locale: Locale, bad: readonly BadRow[]): Html {
  const t = texts(locale);
  const shown = bad
    .slice(0, TOLD)
    .map(({ place, raw, reason }) => t.badRow(place, clip(raw, 60), skipReason(locale, reason)));
  return lines(t.none, ...shown, bad.length > TOLD && t.more(bad.length - TOLD));
}

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
      html`A row of number and text alone leaves by this chat’s line. A last ${code(';1')} makes a row a flash message. A CSV or XLSX file with these columns works too.`,
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
      html`ردیفی که فقط شماره و متن دارد از خط این گفتگو می‌رود. اگر ردیفی به ${code(';1')} تمام شود فلش است. فایل CSV یا XLSX با این ستون‌ها هم می‌شود.`,
    ),
    none: html`هیچ‌کدام از این ردیف‌ها قابل ارسال نیست.`,
    badRow: (place, raw, why) => html`🚫 ردیف ${FA.number(place)}، ${isolateAuto(raw)}: ${why}`,
    more: (count) => html`… و ${FA.number(count)} تای دیگر`,
    again: html`درستشان کنید و دستور را دوباره بفرستید.`,
    tooMany: (count, most) =>
      html`این ${count} ردیف است و من یک‌باره بیش از ${most} نمی‌پذیرم. آن را چند قسمت کنید.`,
  },
});
