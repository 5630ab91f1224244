import { z } from 'zod';
import { normalizeDigits } from '../../domain/phone.ts';
import { soFar } from '../../domain/time-range.ts';
import { stripBidi } from '../../i18n/format.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineAction } from '../../telegram/action.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { clip, fitBlocks, lines, MESSAGE_BUDGET, plainText } from '../../telegram/html.ts';
import { defineList, definePages } from '../../telegram/list.ts';
import { rangeArgument, readSpan, spanText } from '../shared/range-argument.ts';
import { entryLine, whatText, whoText, type AlertName } from './entry-card.ts';
import { texts } from './texts.ts';

/** So many entries can be looked at. */
const MOST = 200;

/** The buttons below the record. */
const auditActions = {
  page: definePages({
    name: 'audit.page',
    permission: 'audit.view',
    of: {
      n: z.int().min(1).max(MOST).optional(),
      upTo: z.int(),
      time: z.object({ from: z.int(), to: z.int() }).optional(),
    },
  }),
  export: defineAction({
    name: 'audit.export',
    permission: 'audit.view',
    payload: z.object({}),
  }),
};

export interface AuditFeatureDeps extends Pick<Stores, 'audit'> {
  readonly clock: Clock;
  readonly tables: Tables;
  readonly alertName: AlertName;
}

const USUAL = 20;
const PAGE = 20;
const MAX_EXPORTED = 10_000;
const HEAD_UNITS = 100;

const countSchema = z
  .string()
  .transform((typed) => normalizeDigits(typed).trim())
  .pipe(
    z
      .string()
      .regex(/^\d{1,4}$/)
      .transform(Number),
  )
  .pipe(z.int().min(1).max(MOST));

/** Who did what in a chat: on the screen and as a file. Entries are only ever added. */
export function createAuditFeature({ audit, tables, alertName, clock }: AuditFeatureDeps): Feature {
  /** The newest `n`, or all of a time, as they were when the first page was shown. */
  const list = defineList({
    pages: auditActions.page,
    source: async ({ chat }, { n = Number.POSITIVE_INFINITY, upTo, time, page }) => {
      const of = { chatId: chat.id, upTo, time };
      const all = await audit.count(of);
      const shown = Math.min(n, all);
      const skip = (page - 1) * PAGE;
      const limit = Math.max(0, Math.min(PAGE, shown - skip));
      const entries = await audit.newest({ ...of, skip, limit });
      return { page, pages: Math.ceil(shown / PAGE), entries, shown, all };
    },
    card: (ctx, { entries, shown, all }, { time }) => {
      const t = texts(ctx.locale);
      const { number, count } = ctx.format;
      const head =
        time === undefined
          ? t.head(number(shown), number(all))
          : t.headOf(spanText(ctx.format, soFar(time, clock.now())), count(all, t.entries));
      const rows = entries.map((entry) =>
        entryLine({ locale: ctx.locale, format: ctx.format, alertName }, entry),
      );
      const fitting = fitBlocks(rows, MESSAGE_BUDGET - HEAD_UNITS);
      const cut = fitting.dropped > 0 && t.cut(number(fitting.dropped));
      return {
        content: lines(head, fitting.shown, cut),
        buttons: [[auditActions.export.button(t.export, {}, { reusable: true })]],
      };
    },
    export: {
      action: auditActions.export,
      tables,
      file: async (ctx) => {
        const t = texts(ctx.locale);
        const { format, locale } = ctx;
        const all = await audit.count({ chatId: ctx.chat.id });
        const entries = await audit.newest({ chatId: ctx.chat.id, limit: MAX_EXPORTED });
        const rows = entries.map((entry) => [
          entry.at.toISOString(),
          `${format.date(entry.at)} ${format.time(entry.at)}`,
          stripBidi(whoText(locale, entry)),
          entry.person === null ? '' : String(entry.person.id),
          stripBidi(plainText(whatText({ locale, format, alertName }, entry))),
          entry.action,
          JSON.stringify(entry.details),
        ]);
        const count = format.count(rows.length, t.entries);
        const caption = rows.length < all ? t.exportedPart(count, format.number(all)) : t.exported(count);
        return { name: 'audit', table: { header: t.columns, rows }, caption };
      },
    },
  });

  return {
    name: 'audit',
    topic: 'team',
    commands: [
      defineCommand({
        name: 'audit',
        alsoCalled: [
          'log',
          'سوابق',
          'تاریخچه',
          'whosentwhat',
          'whosent',
          'whodidwhat',
          'کیچیفرستاده',
          'کیفرستاده',
        ],
        permission: 'audit.view',
        about: (locale) => texts(locale).about,
        example: (locale) => (locale === 'fa' ? '/audit دیروز' : '/audit yesterday'),
        args: {
          of: {
            schema: countSchema
              .transform((n) => ({ n }))
              .or(rangeArgument.schema.transform((typed) => ({ typed }))),
            take: takeRest,
            usage: (locale) => texts(locale).usage,
            ask: ({ locale }) => texts(locale).ask,
            problem: (locale, typed) => texts(locale).bad(clip(typed, 40)),
            optional: true,
          },
        },
        run: async (ctx, { of = { n: USUAL } }) => {
          const [newest] = await audit.newest({ chatId: ctx.chat.id, limit: 1 });
          if (newest === undefined) await ctx.say(texts(ctx.locale).none);
          else {
            const shown = 'n' in of ? of : { time: readSpan(ctx, clock, of.typed) };
            await list.say(ctx, { ...shown, upTo: newest.id, page: 1 });
          }
        },
      }),
    ],
    actions: list.actions,
  };
}
