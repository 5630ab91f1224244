import { z } from 'zod';
import { normalizeDigits } from '../../domain/phone.ts';
import { stripBidi } from '../../i18n/format.ts';
import type { AuditStore } from '../../ports/stores.ts';
import type { Tables } from '../../ports/tables.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { clip, fitBlocks, lines, MESSAGE_BUDGET, plainText } from '../../telegram/html.ts';
import { pageButtons } from '../../telegram/pages.ts';
import type { Turn } from '../../telegram/turn.ts';
import { MOST, auditActions } from './actions.ts';
import { entryLine, whatText, whoText, type AlertName } from './entry-card.ts';
import { texts } from './texts.ts';

export interface AuditFeatureDeps {
  readonly audit: AuditStore;
  readonly tables: Tables;
  readonly alertName: AlertName;
}

const USUAL = 20;
const PAGE = 20;
const MOST_EXPORTED = 10_000;
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
export function createAuditFeature({ audit, tables, alertName }: AuditFeatureDeps): Feature {
  /** One page of the newest `n`, as they were when the first page was shown. */
  const pageOf = async (turn: Turn, { n, page, upTo }: { n: number; page: number; upTo?: number }) => {
    const { format, locale } = turn;
    const t = texts(locale);
    const all = await audit.count(turn.chat.id, upTo);
    const shown = Math.min(n, all);
    const skip = (page - 1) * PAGE;
    const limit = Math.max(0, Math.min(PAGE, shown - skip));
    const entries = await audit.newest({ chatId: turn.chat.id, upTo, skip, limit });
    const newest = upTo ?? entries[0]?.id;
    if (newest === undefined) return { content: t.none, buttons: [] };
    const { shown: rows, dropped } = fitBlocks(
      entries.map((entry) => entryLine({ locale, format, alertName }, entry)),
      MESSAGE_BUDGET - HEAD_UNITS,
    );
    const { number } = format;
    return {
      content: lines(t.head(number(shown), number(all)), rows, dropped > 0 && t.cut(number(dropped))),
      buttons: [
        pageButtons(turn, {
          page,
          pages: Math.ceil(shown / PAGE),
          button: (label, to) => auditActions.page.button(label, { n, upTo: newest, page: to }),
        }),
        [auditActions.export.button(t.export, {}, { reusable: true })],
      ],
    };
  };

  const exportAll = async (turn: Turn): Promise<void> => {
    const t = texts(turn.locale);
    const { format, locale } = turn;
    const all = await audit.count(turn.chat.id);
    const entries = await audit.newest({ chatId: turn.chat.id, limit: MOST_EXPORTED });
    const cells = entries.map((entry) => [
      entry.at.toISOString(),
      `${format.date(entry.at)} ${format.time(entry.at)}`,
      stripBidi(whoText(locale, entry)),
      entry.person === null ? '' : String(entry.person.id),
      stripBidi(plainText(whatText({ locale, format, alertName }, entry))),
      entry.action,
      JSON.stringify(entry.details),
    ]);
    const content = await tables.write({ header: t.columns, rows: cells }, 'csv');
    const count = format.count(cells.length, t.entries);
    await turn.sendFile(
      { name: 'audit.csv', content },
      { caption: cells.length < all ? t.exportedPart(count, format.number(all)) : t.exported(count) },
    );
  };

  return {
    name: 'audit',
    topic: 'team',
    commands: [
      defineCommand({
        name: 'audit',
        permission: 'audit.view',
        about: (locale) => texts(locale).about,
        example: () => '/audit 50',
        args: {
          n: {
            schema: countSchema,
            take: takeRest,
            usage: (locale) => texts(locale).usage,
            ask: ({ locale }) => texts(locale).ask,
            problem: (locale, typed) => texts(locale).bad(clip(typed, 40)),
            optional: true,
          },
        },
        run: async (turn, { n = USUAL }) => {
          const { content, buttons } = await pageOf(turn, { n, page: 1 });
          await turn.say(content, { buttons });
        },
      }),
    ],
    actions: [
      auditActions.page.does(async (turn, payload) => {
        const { content, buttons } = await pageOf(turn, payload);
        await turn.rewrite(content, { buttons });
      }),
      auditActions.export.does(async (turn) => await exportAll(turn)),
    ],
  };
}
