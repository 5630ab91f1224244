import { personTable, type KeptPerson } from '../../domain/people.ts';
import { displayRecipient, type Recipient } from '../../domain/phone.ts';
import type { TableFormat, Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { tryButton } from '../../telegram/again.ts';
import { clip, lines } from '../../telegram/html.ts';
import { defineList, type ListCard } from '../../telegram/list.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { fileButtons, sendTable } from '../../telegram/table-file.ts';
import { peopleTagTexts } from '../shared/people-tag.ts';
import { peopleActions } from './actions.ts';
import { texts } from './texts.ts';

const PAGE = 8;
const TAGS_SHOWN = 12;
const TAGS_IN_ROW = 3;
const FIELDS_SHOWN = 20;
const VALUE_UNITS = 120;
/** A workbook is made in memory. */
const XLSX_ROWS = 20_000;

/** Declares the list of those under a tag, or of those in whom words were found. */
export function peopleList(people: Pick<Stores['people'], 'list'>) {
  return defineList({
    pages: peopleActions.page,
    source: async ({ chat }, { tag, words, page }) => {
      const found = await people.list(chat.id, { tag, words, skip: (page - 1) * PAGE, limit: PAGE });
      return { ...found, page, pages: Math.ceil(found.all / PAGE) };
    },
    card: (ctx, { people: shown, all }, { tag, words }) => {
      const t = texts(ctx.locale);
      const { count, phone } = ctx.format;
      if (all === 0) return { content: t.nobody(tag, words) };
      return {
        content: lines(
          t.head(count(all, peopleTagTexts(ctx.locale).people), tag, words),
          ...shown.map(({ name, number, tags }) => t.row(name, phone(number), tags.slice(0, TAGS_IN_ROW))),
        ),
        rowButtons: shown.map(({ number, name }) => [
          peopleActions.show.button(`👤 ${name === '' ? phone(number) : clip(name, 40)}`, { number }),
        ]),
        buttons: [
          [
            tag !== null && words === null && ctx.can('send.bulk') && tryButton(t.sendAll, `/bulk #${tag}`),
            tag !== null &&
              words === null &&
              ctx.can('send.schedule') &&
              tryButton(t.byDate, `/dates #${tag}`),
          ],
          words === null ? fileButtons(peopleActions.export, { tag }).slice(0, all > XLSX_ROWS ? 1 : 2) : [],
          [
            tag !== null &&
              words === null &&
              ctx.can('books.delete') &&
              peopleActions.askDropTag.button(t.removeAll, { tag }),
          ],
        ],
      };
    },
  });
}

/** Sends all of a chat's people, or those under a tag, as a file that can be kept again. */
export async function sendPeople(
  ctx: RequestContext,
  { tag, format }: { readonly tag: string | null; readonly format: TableFormat },
  { people, tables }: { readonly people: Stores['people']; readonly tables: Pick<Tables, 'csv' | 'write'> },
): Promise<void> {
  const { locale, chat } = ctx;
  const { header, row } = personTable(await people.fieldNames(chat.id, tag), locale);
  const name = tag ?? 'people';
  const blocks = async function* () {
    for await (const block of people.each(chat.id, tag)) yield block.map(row);
  };
  if (format === 'xlsx') {
    const rows: (readonly string[])[] = [];
    for await (const block of blocks()) rows.push(...block);
    return await sendTable(ctx, { name, table: { header, rows }, format }, tables);
  }
  const all = async function* () {
    yield [header];
    yield* blocks();
  };
  await ctx.sendFile({ name: `${name}.csv`, content: () => tables.csv(all()) });
}

/** How many a chat keeps, and a button for each of its tags. */
export function overviewCard(
  ctx: RequestContext,
  { all, tags }: Awaited<ReturnType<Stores['people']['overview']>>,
): ListCard {
  const t = texts(ctx.locale);
  if (all === 0) return { content: t.none };
  const everybody = { tag: null, words: null, page: 1 };
  return {
    content: lines(
      t.overview(ctx.format.count(all, peopleTagTexts(ctx.locale).people)),
      tags.length === 0 ? t.noTags : t.tags,
    ),
    buttons: [
      ...tags
        .slice(0, TAGS_SHOWN)
        .map(({ tag, people }) => [
          peopleActions.page.button(`🏷 #${tag} · ${ctx.format.number(people)}`, { ...everybody, tag }),
        ]),
      [peopleActions.page.button(t.all, everybody)],
    ],
  };
}

/** What is kept of somebody; null: nothing. */
export function personCard(ctx: RequestContext, number: Recipient, person: KeptPerson | null): ListCard {
  const t = texts(ctx.locale);
  const shown = ctx.format.phone(number);
  const mayChange = ctx.can('books.write');
  const send = ctx.can('send.prepare') && tryButton(t.send, `/send ${displayRecipient(number)}`);
  if (person === null)
    return {
      content: t.unknown(shown),
      buttons: [[mayChange && peopleActions.change.button(t.add, { number }), send]],
    };
  const { name, tags, fields } = person;
  const all = Object.entries(fields);
  const rest = all.length - FIELDS_SHOWN;
  const moreTags = tags.length - TAGS_SHOWN;
  return {
    content: lines(
      t.person(name, shown),
      tags.length > 0 &&
        t.tagList(tags.slice(0, TAGS_SHOWN), moreTags > 0 ? t.andMore(ctx.format.number(moreTags)) : null),
      ...all
        .slice(0, FIELDS_SHOWN)
        .map(([field, value]) => t.field(clip(field, 40), clip(value, VALUE_UNITS))),
      rest > 0 && t.andMore(ctx.format.number(rest)),
    ),
    buttons: [
      [send, mayChange && peopleActions.change.button(t.change, { number })],
      [ctx.can('books.delete') && peopleActions.askDrop.button(t.remove, { number })],
    ],
  };
}
