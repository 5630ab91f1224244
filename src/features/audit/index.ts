import { z } from 'zod';
import { normalizeDigits } from '../../domain/phone.ts';
import { soFar } from '../../domain/time-range.ts';
import { isolateAuto, stripBidi } from '../../i18n/format.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineAction } from '../../telegram/action.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { clip, fitBlocks, lines, MESSAGE_BUDGET, plainText } from '../../telegram/html.ts';
import { defineList, definePages } from '../../telegram/list.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { rangeArgument, readSpan, spanText } from '../shared/range-argument.ts';
import { teammatesIn } from '../shared/teammate.ts';
import { entryLine, whatText, whoText, type AlertName } from './entry-card.ts';
import { texts } from './texts.ts';

/** So many entries can be looked at. */
const MOST = 200;

/** The people who did it, and as whom they were named. */
const bySchema = z.object({ ids: z.array(z.int()), said: z.string() });

/** The buttons below the record. */
const auditActions = {
  page: definePages({
    name: 'audit.page',
    permission: 'audit.view',
    of: {
      n: z.int().min(1).max(MOST).optional(),
      upTo: z.int(),
      time: z.object({ from: z.int(), to: z.int() }).optional(),
      by: bySchema.optional(),
    },
  }),
  export: defineAction({
    name: 'audit.export',
    permission: 'audit.view',
    payload: z.object({}),
  }),
};

export interface AuditFeatureDeps extends Pick<Stores, 'audit' | 'team'> {
  readonly clock: Clock;
  readonly tables: Tables;
  readonly alertName: AlertName;
}

const USUAL = 20;
const PAGE = 20;
const MAX_EXPORTED = 10_000;
const HEAD_UNITS = 150;
const SAID = 40;

interface Wanted {
  readonly n?: number;
  readonly range?: string;
  readonly by?: z.infer<typeof bySchema>;
}

/** So many entries, or those of a time. */
const wantedSchema = z
  .string()
  .transform((typed) => normalizeDigits(typed).trim())
  .pipe(
    z
      .string()
      .regex(/^\d{1,4}$/)
      .transform(Number),
  )
  .pipe(z.int().min(1).max(MOST))
  .transform((n): Wanted => ({ n }))
  .or(rangeArgument.schema.transform((range): Wanted => ({ range })));

/** Who did what in a chat: on the screen and as a file. Entries are only ever added. */
export function createAuditFeature({ audit, team, tables, alertName, clock }: AuditFeatureDeps): Feature {
  /** The newest `n`, or all of a time, as they were when the first page was shown. */
  const list = defineList({
    pages: auditActions.page,
    source: async ({ chat }, { n = Number.POSITIVE_INFINITY, upTo, time, by, page }) => {
      const of = { chatId: chat.id, upTo, time, by: by?.ids };
      const all = await audit.count(of);
      const shown = Math.min(n, all);
      const skip = (page - 1) * PAGE;
      const limit = Math.max(0, Math.min(PAGE, shown - skip));
      const entries = await audit.newest({ ...of, skip, limit });
      return { page, pages: Math.ceil(shown / PAGE), entries, shown, all };
    },
    card: (ctx, { entries, shown, all }, { time, by }) => {
      const t = texts(ctx.locale);
      const { number, count } = ctx.format;
      const of = [by?.said, time && spanText(ctx.format, soFar(time, clock.now()))];
      const only = of.filter((each) => each !== undefined).map((each) => isolateAuto(each));
      const head =
        only.length === 0
          ? t.head(number(shown), number(all))
          : t.headOf(only.join(' · '), count(shown, t.entries));
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

  /** What was typed, which may name a person first or last; null: it is nothing of all that. */
  const wantedBy = async (ctx: RequestContext, typed: string): Promise<Wanted | null> => {
    const plain = wantedSchema.safeParse(typed);
    const found = plain.success ? null : await teammatesIn(team, ctx.chat.id, typed);
    if (found === null) return plain.success ? plain.data : null;
    const by = { ids: [...found.ids], said: clip(found.said, SAID) };
    if (found.rest === '') return { by };
    const beside = wantedSchema.safeParse(found.rest);
    return beside.success ? { ...beside.data, by } : null;
  };

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
            schema: z.string(),
            isThere: async (ctx, typed) => (await wantedBy(ctx, typed)) !== null,
            endsByNo: true,
            take: takeRest,
            usage: (locale) => texts(locale).usage,
            ask: ({ locale }) => texts(locale).ask,
            problem: (locale, typed) => texts(locale).bad(clip(typed, 40)),
            optional: true,
          },
        },
        run: async (ctx, { of = String(USUAL) }) => {
          const [newest] = await audit.newest({ chatId: ctx.chat.id, limit: 1 });
          const wanted = await wantedBy(ctx, of);
          if (wanted === null) return await ctx.ask('audit', {}, of);
          if (newest === undefined) return void (await ctx.say(texts(ctx.locale).none));
          const { range, ...which } = wanted;
          const time = range === undefined ? undefined : readSpan(ctx, clock, range);
          await list.say(ctx, { ...which, time, upTo: newest.id, page: 1 });
        },
      }),
    ],
    actions: list.actions,
  };
}
