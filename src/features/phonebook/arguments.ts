import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import { foldTitle } from '../../domain/fold.ts';
import { normalizeDigits } from '../../domain/phone.ts';
import { stripBidi } from '../../i18n/format.ts';
import type { Phonebook } from '../../ports/gateway.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import { takeRest, type Argument, type Choice } from '../../telegram/feature.ts';
import { readFileReference, type IncomingFile } from '../../telegram/forms/file-reference.ts';
import { takeQuoted, unquoted } from '../../telegram/forms/quoted.ts';
import { clip } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { findBook, offeredBooks, offersNone } from '../shared/find-book.ts';
import { SENDER } from '../shared/shared-arguments.ts';
import { inAMoment } from '../../ports/in-a-moment.ts';
import { readLines, readTable, readTyped, type NumberList } from './number-list.ts';
import { texts } from './texts.ts';

const FILE_BYTES = 5_000_000;
const FILE_ROWS = 20_000;
const MAX_CHOICES = 30;

/** Where numbers come from: kept by buttons too, so that a file is read again and not stored. */
export const sourceSchema = z.union([
  z.object({ typed: z.string() }),
  z.object({ file: z.object({ id: z.string(), name: z.string(), size: z.number() }) }),
]);

export type NumberSource = { readonly typed: string } | { readonly file: IncomingFile };

/** A name, out of its quotes and on one line. */
const titleSchema = z
  .string()
  .transform((typed) => stripBidi(unquoted(typed)).replaceAll(/\s+/gu, ' ').trim())
  .pipe(z.string().min(1).max(100));

/** In quotes, or the words before the numbers. */
export const titleArgument = {
  schema: titleSchema,
  endsByNo: true,
  take: (input: string) => takeQuoted(input) ?? takeWords(input),
  usage: (locale) => texts(locale).usageBook,
  ask: ({ locale }) => texts(locale).askBook,
  problem: (locale) => texts(locale).badName,
} satisfies Argument;

/** A book that is there: the form offers those of the account. */
function bookArgument(list: (ctx: RequestContext) => Promise<readonly Phonebook[]>) {
  return {
    ...titleArgument,
    ask: (
      { locale }: RequestContext,
      _known: Readonly<Record<string, string>>,
      choices?: readonly Choice[],
    ) => (offersNone(choices) ? texts(locale).noBooksYet : texts(locale).askBook),
    choices: async (
      ctx: RequestContext,
      known: Readonly<Record<string, string>>,
    ): Promise<readonly Choice[]> => {
      const t = texts(ctx.locale);
      const books = await list(ctx);
      if (books.length === 0 && ctx.can('books.write')) return [{ label: t.new, form: 'book_new' }];
      const offered = offeredBooks(books, unquoted(known['book'] ?? ''));
      return offered.slice(0, MAX_CHOICES).map(({ title, count }) => ({
        label: t.bookButton(title, ctx.format.count(count, t.numbers)),
        value: title,
      }));
    },
  } satisfies Argument;
}

/** The same, looked up before its numbers are asked for; of a title with a number in it those may have the rest. */
export function standingBookArgument(
  list: (ctx: RequestContext) => Promise<readonly Phonebook[]>,
  clock: Pick<Clock, 'sleep'>,
) {
  return {
    ...bookArgument(list),
    problem: (locale, typed) =>
      titleSchema.safeParse(typed).success
        ? texts(locale).noSuchBook(clip(typed, 60))
        : texts(locale).badName,
    isThere: async (ctx: RequestContext, typed: string): Promise<boolean> => {
      const books = await inAMoment(clock, async () => await list(ctx));
      const wanted = unquoted(typed);
      const isFront = ({ title }: Phonebook) => foldTitle(title).startsWith(`${foldTitle(wanted)} `);
      return books === null || books.length === 0 || 'book' in findBook(books, wanted) || books.some(isFront);
    },
  } satisfies Argument;
}

/** The same as the last argument of a line: quotes are not needed. */
export function lastBookArgument(list: (ctx: RequestContext) => Promise<readonly Phonebook[]>) {
  return { ...bookArgument(list), take: takeRest } satisfies Argument;
}

/** Numbers to put into a book, typed or as a file. */
export const numbersArgument = {
  schema: sourceOf((typed) => readTyped(typed).numbers.length > 0),
  take: takeRest,
  usage: (locale) => texts(locale).usageNumbers,
  ask: ({ locale }, known) => texts(locale).askNumbers(titleIn(known)),
  problem: (locale, typed) => texts(locale).badNumbers(typed),
  file: true,
  contact: true,
  shown: SENDER,
} satisfies Argument;

/** Numbers to take out: whatever a book lists may be taken out. */
export const numbersOutArgument = {
  ...numbersArgument,
  schema: sourceOf((typed) => /\d{3}/u.test(normalizeDigits(typed))),
  ask: ({ locale }, known) => texts(locale).askNumbersOut(titleIn(known)),
} satisfies Argument;

/**
 * The numbers themselves. Throws `bad_input` with param `reason`: what the file is refused for, `no_numbers` for one
 * without any.
 */
export async function readSource(
  ctx: RequestContext,
  tables: Tables,
  source: NumberSource,
): Promise<NumberList> {
  if ('typed' in source) return readTyped(source.typed);
  const { name } = source.file;
  const content = await ctx.download(source.file, FILE_BYTES);
  const rows = await tables.read({ name, content }, { rows: FILE_ROWS });
  const list = /\.te?xt$/iu.test(name) ? readLines(rows) : readTable(rows);
  if (list.numbers.length === 0)
    throw new AppError('bad_input', 'no number in the file', { params: { reason: 'no_numbers' } });
  return list;
}

/** The name as it will be read, not as it was typed. */
function titleIn(known: Readonly<Record<string, string>>): string {
  return titleSchema.safeParse(known['book']).data ?? '';
}

function sourceOf(fits: (typed: string) => boolean) {
  return z.string().transform((text, ctx): NumberSource => {
    const file = readFileReference(text);
    if (file !== null) return { file };
    if (fits(text)) return { typed: text };
    ctx.addIssue({ code: 'custom', message: 'no number' });
    return z.NEVER;
  });
}

/** Words, to where a number may begin; the first is no number, whatever it is. */
function takeWords(input: string): { value: string; rest: string } {
  const [, ...more] = input.matchAll(/\S+/gu);
  const end = more.find(([word]) => word.startsWith('+') || mayBeNumber(word))?.index ?? input.length;
  return { value: input.slice(0, end).trim(), rest: input.slice(end) };
}

function mayBeNumber(word: string): boolean {
  return normalizeDigits(word).replaceAll(/\D/gu, '').length >= 3;
}
