import type { Recipient } from './phone-tokens.ts';
import { fieldName } from './bulk.ts';
import { foldColumnName } from './column-name.ts';
import { nameColumns } from './columns.ts';
import { isBlank } from './message.ts';

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

/** What the columns of a table are for somebody who is kept: the one with what people call them, and the fields. */
export interface PersonColumns {
  readonly name: number | null;
  readonly fields: readonly { readonly column: number; readonly name: string }[];
}

/** Finds out what a row of a table says of the person whose number stands in its column `phone`. */
export function readPersonColumns(columns: readonly string[], phone: number): PersonColumns {
  const others = columns.map((_, column) => column).filter((column) => column !== phone);
  const named = (column: number) => foldColumnName(columns[column] ?? '');
  const name = NAME_WORDS.flatMap((word) => others.filter((column) => named(column) === word)).at(0) ?? null;
  return {
    name,
    fields: others
      .filter((column) => column !== name)
      .map((column) => ({ column, name: fieldName({ columns }, column) })),
  };
}

/** What a row says of its person; blank cells say nothing. */
export function readPerson(
  { name, fields }: PersonColumns,
  cells: readonly string[],
): Pick<KeptPerson, 'name' | 'fields'> {
  const said = fields.flatMap(({ column, name: field }) => {
    const value = cells[column] ?? '';
    return isBlank(value) ? [] : [[field, value.trim()] as const];
  });
  return { name: nameIn(name === null ? '' : (cells[name] ?? '')), fields: Object.fromEntries(said) };
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
  return [number, name, ...fields.map((field) => values[field] ?? '')];
}

/** Where the number stands. */
export const NUMBER_COLUMN = 0;

const OWN_COLUMNS = { en: ['mobile', 'name'], fa: ['موبایل', 'نام'] } as const;

/** The plainest first: who is greeted by `نام` is not by the whole name. */
const NAME_WORDS = ['نام', 'name', 'اسم', 'fullname', 'نامونامخانوادگی', 'نامکامل', 'firstname'].map(
  foldColumnName,
);

/** In UTF-16 units. */
const MAX_NAME_UNITS = 64;

/** A name in one line. */
function nameIn(cell: string): string {
  return cell.replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_NAME_UNITS).toWellFormed().trim();
}
