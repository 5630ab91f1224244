import { z } from 'zod';
import type { Permission } from '../domain/roles.ts';
import type { Tables } from '../ports/tables.ts';
import { defineAction, LOOKING, type Action, type DefinedAction } from './action.ts';
import type { Button, Buttons } from './buttons.ts';
import { lines, type Html } from './html.ts';
import { sendTable, type TableFile } from './table-file.ts';
import type { RequestContext } from './request-context.ts';

/** Where a page stands in its list. */
export interface PagePosition {
  /** From 1; another than was asked for where the list has become shorter. */
  readonly page: number;
  /** How many there are; absent where nobody knows: then `more` decides. */
  readonly pages?: number;
  readonly more?: boolean;
}

export interface ListCard {
  readonly content: Html;
  /** What can be done with each row: above the buttons that turn pages. */
  readonly rowButtons?: Buttons;
  /** What can be done with all of it: below them. */
  readonly buttons?: Buttons;
}

export interface List<P> {
  /** Says a page in a message of its own. */
  say(request: RequestContext, wanted: P): Promise<void>;
  /** Shows a page in the message whose button was pressed, below what has just become of it. */
  show(request: RequestContext, wanted: P, news?: Html): Promise<void>;
  /** What turns its pages, and what exports it. */
  readonly actions: readonly Action[];
}

/** Declares what opens a page of a list: `of` says of what. */
export function definePages<S extends z.ZodRawShape>({
  of,
  ...action
}: {
  readonly name: string;
  readonly permission: Permission;
  readonly of: S;
}) {
  return defineAction({
    ...action,
    ...LOOKING,
    payload: z.object({ ...of, page: z.int().min(1) }),
  });
}

/** Declares a list that is read page by page, anew at each look; one of one page has no buttons that turn it. */
export function defineList<P extends { readonly page: number }, F extends PagePosition, E = never>({
  pages,
  source,
  card,
  export: exporting,
}: {
  /** Opens a page: its payload says of what, and which. */
  readonly pages: DefinedAction<z.ZodType<P, P>>;
  readonly source: (request: RequestContext, wanted: P) => Promise<F>;
  readonly card: (request: RequestContext, found: F, wanted: P) => ListCard;
  /** All of it as a file, by a button that the card makes; null: the person has been told why there is none. */
  readonly export?: {
    readonly action: DefinedAction<z.ZodType<E, E & object>>;
    readonly tables: Pick<Tables, 'write'>;
    readonly file: (request: RequestContext, of: E) => Promise<TableFile | null>;
  };
}): List<P> {
  const open = async (
    request: RequestContext,
    wanted: P,
    as: 'say' | 'rewrite',
    news?: Html,
  ): Promise<void> => {
    const there = await source(request, wanted);
    const last = Math.max(1, there.pages ?? there.page);
    // What was on it may be gone.
    const found = there.page > last ? await source(request, { ...wanted, page: last }) : there;
    const { content, rowButtons = [], buttons = [] } = card(request, found, wanted);
    const turning = pageButtons(request, found, (label, page) => pages.button(label, { ...wanted, page }));
    await request[as](lines(news, content), { buttons: [...rowButtons, turning, ...buttons] });
  };
  return {
    say: async (request, wanted) => await open(request, wanted, 'say'),
    show: async (request, wanted, news) => await open(request, wanted, 'rewrite', news),
    actions: [
      pages.does(async (request, wanted) => await open(request, wanted, 'rewrite')),
      ...(exporting === undefined
        ? []
        : [
            exporting.action.does(async (request, of) => {
              const made = await exporting.file(request, of);
              if (made !== null) await sendTable(request, made, exporting.tables);
            }),
          ]),
    ],
  };
}

/** Cuts one page out of what is read as a whole; where there is no such page, the nearest. */
export function pageOf<R>(
  items: readonly R[],
  wanted: number,
  size: number,
): { readonly page: number; readonly pages: number; readonly total: number; readonly rows: readonly R[] } {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(Math.max(1, wanted), pages);
  return { page, pages, total: items.length, rows: items.slice((page - 1) * size, page * size) };
}

/** The row of buttons below one page of a list: back, where we are, on. */
function pageButtons(
  request: RequestContext,
  { page, pages, more }: PagePosition,
  button: (label: string, page: number) => Button,
): Button[] {
  const hasNext = pages === undefined ? more === true : page < pages;
  if (page <= 1 && !hasNext) return [];
  const { number } = request.format;
  const place = pages === undefined ? number(page) : `${number(page)} / ${number(pages)}`;
  const [back, on] = request.locale === 'fa' ? ['▶', '◀'] : ['◀', '▶'];
  return [
    ...(page > 1 ? [button(back, page - 1)] : []),
    button(place, page),
    ...(hasNext ? [button(on, page + 1)] : []),
  ];
}
