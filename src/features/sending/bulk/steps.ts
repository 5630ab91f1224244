import { recounted, type Bulk, type OnMissing } from '../../../domain/bulk.ts';
import { foldColumnName } from '../../../domain/column-name.ts';
import { nameColumns } from '../../../domain/columns.ts';
import { readTemplate } from '../../../domain/merge.ts';
import { normalizeDigits } from '../../../domain/phone.ts';

/** The columns are right: the text comes next, unless there is one that fits them. */
export function useColumns(bulk: Bulk, text: string): Bulk {
  const fits = text !== '' && readTemplate(text, bulk.columns).unknown.length === 0;
  return fits ? recounted(bulk, 'counting') : { ...bulk, step: 'text', summary: null };
}

/** The numbers are in another column. */
export function choosePhone(bulk: Bulk, phone: number): Bulk {
  return recounted({ ...bulk, phone, certainty: 'chosen' }, 'columns');
}

/** The first row is what it was not taken for: names, or a record. */
export function flipHeader(bulk: Bulk, first: readonly string[]): Bulk {
  const hasHeader = !bulk.hasHeader;
  const columns = nameColumns(hasHeader ? first : [], bulk.columns.length);
  return recounted({ ...bulk, hasHeader, columns }, 'columns');
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
  return place !== undefined && columns[index] !== undefined ? index : null;
}
