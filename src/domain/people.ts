import { fieldName } from './bulk.ts';
import { foldColumnName } from './column-name.ts';
import { nameColumns } from './columns.ts';
import { isBlank } from './message.ts';
import { displayRecipient, parseRecipients, splitNumbersAndText, type Recipient } from './phone.ts';
import { mentionAt, tokenize } from './phone-tokens.ts';
import { parseTag } from './tag.ts';

/** Somebody whom a chat knows by a number, with what it keeps of them. */
export interface KeptPerson {
  readonly number: Recipient;
  /** '' where nobody has said. */
  readonly name: string;
  /** By the names that people gave them. */
  readonly fields: Readonly<Record<string, string>>;
  /** As `parseTag` gives them, each once, in order. */
  readonly tags: readonly string[];
}

/** What is to become of somebody who is kept, or is now. */
export interface PersonChange {
  readonly name?: string;
  /** Put beside those that are there; an empty one takes its field away. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  /** Tags that are taken away. */
  readonly without?: readonly string[];
}

/** What the columns of a table are for somebody who is kept: the one with what people call them, the one with their tags, and the fields. */
export interface PersonColumns {
  readonly name: number | null;
  readonly tags: number | null;
  readonly fields: readonly { readonly column: number; readonly name: string }[];
}

/**
 * Finds out what a row of a table says of the person whose number stands in its column `phone`.
 * @param known the fields that are kept already
 */
export function readPersonColumns(
  columns: readonly string[],
  phone: number,
  known: readonly string[],
): PersonColumns {
  const others = columns.map((_, column) => column).filter((column) => column !== phone);
  const named = (column: number) => foldColumnName(columns[column] ?? '');
  const first = (words: readonly string[]) =>
    words.flatMap((word) => others.filter((column) => named(column) === word)).at(0) ?? null;
  const [name, tags] = [first(NAME_WORDS), first(TAG_WORDS)];
  return {
    name,
    tags,
    fields: others
      .filter((column) => column !== name && column !== tags)
      .map((column) => ({ column, name: knownField(fieldName({ columns }, column), known) })),
  };
}

/** What a row says of its person; blank cells say nothing. */
export function readPerson(
  { name, tags, fields }: PersonColumns,
  cells: readonly string[],
): Omit<KeptPerson, 'number'> {
  const cellIn = (column: number | null) => cells[column ?? -1] ?? '';
  const said = fields.flatMap(({ column, name: field }) => {
    const value = cellIn(column);
    return isBlank(value) ? [] : [[field, value.trim()] as const];
  });
  return {
    name: nameIn(cellIn(name)),
    fields: Object.fromEntries(said),
    tags: [
      ...new Set(
        cellIn(tags)
          .split(SEPARATOR)
          .flatMap((word) => parseTag(word) ?? []),
      ),
    ],
  };
}

/**
 * The columns of a table of people with these fields, as a text names them in braces: the number, the name, and each field
 * whose name is another.
 */
export function personColumns(fields: readonly string[], locale: 'en' | 'fa'): readonly string[] {
  const own = OWN_COLUMNS[locale];
  return nameColumns([...own, ...fields], own.length + fields.length);
}

/** What stands in them for somebody. */
export function personCells(
  { number, name, fields: values }: KeptPerson,
  fields: readonly string[],
): readonly string[] {
  return [displayRecipient(number), name, ...fields.map((field) => fieldOf({ fields: values }, field))];
}

/** What is kept of somebody in a field; '' where nothing is. A column may be called `constructor`. */
export function fieldOf({ fields }: Pick<KeptPerson, 'fields'>, name: string): string {
  return (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? '';
}

/** A table of people with these fields as a file of its own: as it is read again by `readPersonColumns`. */
export function personTable(fields: readonly string[], locale: 'en' | 'fa') {
  return {
    header: [...personColumns(fields, locale), TAGS_COLUMN[locale]],
    row: (person: KeptPerson): readonly string[] => [
      ...personCells(person, fields),
      person.tags.map((tag) => `#${tag}`).join(' '),
    ],
  };
}

/**
 * Reads what somebody types of a person: the name, by itself or as `name=Sara`, `#tag` or `-#tag`, and fields as
 * `birthday=1370/5/12`, of which a comma, a new line or the next `name=` ends one. The name of a field is the longest of the known ones that stands there, else one word. Total.
 */
export function readPersonChange(typed: string, known: readonly string[]): PersonChange {
  const tags: string[] = [];
  const without: string[] = [];
  const untagged = typed.replaceAll(TAG, (found, before: string, sign: string, word: string) => {
    const tag = parseTag(word);
    if (tag === null) return found;
    (sign === '' ? tags : without).push(tag);
    return before;
  });
  const fields: Record<string, string> = {};
  const names: string[] = [];
  let named: string | null = null;
  for (const piece of untagged.split(PIECES).flatMap((each) => fieldsIn(each, known))) {
    const said = FIELD.exec(piece);
    if (said === null) {
      names.push(piece);
      continue;
    }
    const [, before = '', value = ''] = said;
    const field = fieldAtEnd(before, known);
    names.push(before.slice(0, -field.length));
    const as = knownField(field, known);
    if (!known.includes(as) && NAME_WORDS.includes(foldColumnName(as))) named = nameIn(value);
    else fields[as] = value.trim();
  }
  const name = named ?? nameIn(names.join(' '));
  return {
    ...(name === '' && named === null ? {} : { name }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(without.length === 0 ? {} : { without }),
  };
}

/** Parts what somebody types of a person: the numbers, before or behind the words, and the words. Total. */
export function splitPerson(typed: string): {
  readonly numbers: readonly Recipient[];
  readonly words: string;
} {
  const tokens = tokenize(typed);
  const first = tokens.find((_, at) => (mentionAt(tokens, at)?.recipients.length ?? 0) > 0);
  if (first === undefined) return { numbers: [], words: typed };
  const { numbers, text } = splitNumbersAndText(typed.slice(first.start));
  return {
    numbers: parseRecipients(numbers).recipients,
    words: `${typed.slice(0, first.start).trimEnd()} ${text}`.trim(),
  };
}

/** The name that a field is kept by, however it is typed. */
export function knownField(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const folded = foldColumnName(name);
  return known.find((each) => foldColumnName(each) === folded) ?? name;
}

/** Parts what says one thing after another: nobody types the comma. */
function fieldsIn(piece: string, known: readonly string[]): readonly string[] {
  const first = FIELD.exec(piece);
  if (first === null) return [piece];
  const [, , value = ''] = first;
  const next = NEXT_FIELD.exec(value);
  if (next === null) return [piece];
  const [upTo] = next;
  const from = piece.length - value.length + upTo.length - fieldAtEnd(upTo, known).length;
  return [piece.slice(0, from), ...fieldsIn(piece.slice(from), known)];
}

function fieldAtEnd(words: string, known: readonly string[]): string {
  const ends = known
    .filter((each) => words === each || words.endsWith(` ${each}`))
    .toSorted((left, right) => right.length - left.length);
  return ends[0] ?? /\S+$/u.exec(words)?.[0] ?? words;
}

/** Where the number stands. */
export const NUMBER_COLUMN = 0;

const TAGS_COLUMN = { en: 'tags', fa: 'برچسب‌ها' } as const;
const TAG_WORDS = ['tags', 'tag', 'برچسب‌ها', 'برچسب'].map(foldColumnName);
const SEPARATOR = /[\s,،;؛|]/u;
const TAG = /(^|[\s,،;؛])([-−–]?)[#＃]([^\s,،;؛]+)/gu;
const PIECES = /[\n,،;؛]/u;
/** Up to the end of the name of the next field: before it stands a space, and an address is none. */
const NEXT_FIELD = /^.*?\s[^\s=:：/]+(?=\s*=)/u;
const FIELD = /^([^=:：]{1,60}?\S)\s*[=:：](.*)/u;

const OWN_COLUMNS = { en: ['mobile', 'name'], fa: ['موبایل', 'نام'] } as const;

/** The plainest first: who is greeted by `نام` is not by the whole name. */
const NAME_WORDS = ['نام', 'name', 'اسم', 'fullname', 'نامونامخانوادگی', 'نامکامل', 'firstname'].map(
  foldColumnName,
);

/** Of the name of a number, in UTF-16 units. */
export const MAX_NAME_UNITS = 60;

/** A name in one line. */
function nameIn(cell: string): string {
  return cell.replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_NAME_UNITS).toWellFormed().trim();
}
