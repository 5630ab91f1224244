import { headOf, recounted, type Bulk, type OnMissing, type SourceRow } from '../../../domain/bulk.ts';
import { foldColumnName } from '../../../domain/column-name.ts';
import { nameColumns } from '../../../domain/columns.ts';
import { normalizeDigits } from '../../../domain/phone.ts';

/** The columns are right: the text comes next, unless there is one that `fits` them. */
export function useColumns(bulk: Bulk, fits: boolean): Bulk {
  return fits ? recounted(bulk, 'counting') : { ...bulk, step: 'text', summary: null };
}

/** The numbers are in another column. */
export function choosePhone(bulk: Bulk, phone: number): Bulk {
  return recounted({ ...bulk, phone, certainty: 'chosen' }, 'columns');
}

/** The last of so many first rows of the file names the columns, and what is above it is no record; with 0 no row names them. */
export function chooseHeader(bulk: Bulk, rows: readonly SourceRow[], header: number): Bulk {
  const columns = nameColumns(rows[header - 1]?.[1] ?? [], bulk.columns.length);
  return recounted({ ...bulk, header, columns, head: headOf(rows, header) }, 'columns');
}

/** Back to the columns, as they were chosen. */
export function showColumns(bulk: Bulk): Bulk {
  return { ...bulk, step: 'columns', summary: null };
}

export function chooseMissing(bulk: Bulk, onMissing: OnMissing): Bulk {
  return recounted({ ...bulk, onMissing }, 'counting');
}

/** The column that somebody means by its name or its place, from 1; null: none. */
export function findColumn({ columns }: Pick<Bulk, 'columns'>, typed: string): number | null {
  const wanted = foldColumnName(typed);
  const named = wanted === '' ? -1 : columns.findIndex((name) => foldColumnName(name) === wanted);
  if (named >= 0) return named;
  const place = /^\s*(\d{1,4})\s*$/u.exec(normalizeDigits(typed))?.[1];
  const index = Number(place) - 1;
  return columns[index] === undefined ? null : index;
}

/**
 * How many of the first rows there are down to the one that somebody means by its number in the file, said in words or alone
 * (`row 3`, `names are in row 3`); 0: none names the columns. Null: no such row is among them.
 */
export function findHeader(rows: readonly SourceRow[], typed: string): number | null {
  const said = normalizeDigits(typed);
  if (NO_NAMES.test(said)) return 0;
  const [place, ...more] = said.match(/\d+/gu) ?? [];
  const at = more.length > 0 ? -1 : rows.findIndex(([number]) => number === Number(place));
  if (at >= 0) return at + 1;
  return place === '0' ? 0 : null;
}

/** Whether words that nobody has asked for say in which row the names are. */
export function namesRow(words: string): boolean {
  return /^[^\d\n]{0,30}(?:\brow|ردیف|سطر)\s*(?:no\.?|number|شماره)?\s*\d{1,4}\b[^\d\n]{0,20}$/iu.test(
    normalizeDigits(words),
  );
}

const NO_NAMES = /^\s*(?:none|no|no names|nowhere|هیچ|هیچ‌کدام|هیچکدام|ندارد|نام ندارد)\s*[.!]?\s*$/iu;
