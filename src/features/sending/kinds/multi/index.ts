import { z } from 'zod';
import type { Locale } from '../../../../i18n/define.ts';
import type { Gateways } from '../../../../ports/gateways.ts';
import type { DraftStore } from '../../../../ports/stores.ts';
import type { Tables } from '../../../../ports/tables.ts';
import { defineCommand, takeRest, type Feature } from '../../../../telegram/feature.ts';
import { readFileReference } from '../../../../telegram/forms/file-reference.ts';
import { clip, lines, type Html } from '../../../../telegram/html.ts';
import type { Turn } from '../../../../telegram/turn.ts';
import { draftOf } from '../../../shared/new-draft.ts';
import { skipReason } from '../../../shared/skip-reasons.ts';
import { readTableRows, readTypedRows, type BadRow, type ReadRows, type RowRules } from './rows.ts';
import { texts } from './texts.ts';

export interface MultiDeps {
  readonly drafts: DraftStore;
  readonly gateways: Gateways;
  readonly tables: Tables;
  readonly cards: { refresh(draftId: string): Promise<void> };
}

const MOST_ROWS = 1000;
const TOLD = 8;
const FILE_BYTES = 5_000_000;

/** Several different messages at once: each row has its line, its number and its text. */
export function createMultiFeature({ drafts, gateways, tables, cards }: MultiDeps): Feature {
  const readRows = async (turn: Turn, typed: string, rules: RowRules): Promise<ReadRows> => {
    const file = readFileReference(typed);
    if (file === null) return readTypedRows(typed, rules);
    const content = await turn.download(file, FILE_BYTES);
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
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: {
          rows: {
            schema: z
              .string()
              .refine((typed) => readFileReference(typed) !== null || readTypedRows(typed).rows.length > 0),
            take: takeRest,
            file: true,
            usage: (locale) => texts(locale).usageRows,
            ask: ({ locale }) => texts(locale).ask,
            problem: (locale, typed) => noneOf(locale, readTypedRows(typed).bad),
          },
        },
        run: async (turn, { rows: typed }) => {
          const t = texts(turn.locale);
          if (turn.binding === null) return;
          const { versions } = await gateways.of(turn.binding.id);
          const inAddress = !versions.includes(3) && !versions.includes(1);
          const { rows, bad } = await readRows(turn, typed, { inAddress });
          const count = rows.length + bad.length;
          if (count > MOST_ROWS) {
            await turn.say(t.tooMany(turn.format.number(count), turn.format.number(MOST_ROWS)));
            return;
          }
          const [first] = rows;
          if (first === undefined) {
            await turn.say(lines(noneOf(turn.locale, bad), t.again));
            return;
          }
          const { id } = await drafts.create(
            draftOf(turn, {
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
