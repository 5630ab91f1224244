import { z } from 'zod';
import { readJson } from '../json.ts';

/** Shapes of single parameters, as lenient as the gateway itself is known to be. */

/** A text that some clients send as a bare integer (a sender line, mostly). */
export const looseText = z
  .union([z.string(), z.int(), z.bigint()], { error: 'it must be a text' })
  .transform(String);

/** 0 normal, 1 flash; an integer or its digits. Becomes whether the message is flash. */
export const flashType = z
  .union([z.int(), z.string()], { error: 'it must be 0 or 1' })
  .refine((type) => ['0', '1'].includes(String(type)), { error: 'it must be 0 or 1' })
  .transform((type) => String(type) === '1');

/** A message id as it was asked for: what cannot be one stays as it was written. */
export type AskedId = bigint | string;

const wholeId = z
  .union([z.union([z.int(), z.bigint()]), z.string()], { error: 'it must be a whole number' })
  .transform(String);

/** Message ids in a JSON array. */
export const idArray = z.array(wholeId).transform(toIds);

/** A whole number that is compared by its digits. */
export const numberText = z
  .union([z.int(), z.string()], { error: 'it must be a whole number' })
  .transform(String);

/** One query parameter that holds several values, separated by commas. */
export const commaList = z.string().transform((list) =>
  list
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== ''),
);

/** Message ids in one query parameter. */
export const idList = commaList.transform(toIds);

/**
 * Elements in one query parameter whose number counts: nothing is dropped, so that a comma inside a text makes one
 * element more.
 */
export const commaElements = z.string().transform((list) => list.split(','));

/** 0 or 1 for each element of one query parameter. */
export const commaTypes = z.preprocess(
  (list) => (typeof list === 'string' ? list.split(',') : list),
  z.array(flashType),
);

/** A whole number, in a query or by some clients in a body as its digits. */
export const wholeNumber = z
  .union([z.int().min(0), z.string().regex(/^\d{1,15}$/)], { error: 'it must be a whole number' })
  .transform((value) => Number(value));

/** A whole number within bounds; empty counts as absent. */
export function countField(limits: { min: number; max?: number; fallback: number }) {
  const { min, max = Number.MAX_SAFE_INTEGER, fallback } = limits;
  const bounds = limits.max === undefined ? `it must be ${min} or more` : `it must be from ${min} to ${max}`;
  return blankAsAbsent(
    wholeNumber.refine((value) => value >= min && value <= max, { error: bounds }).default(fallback),
  );
}

/** A text that may be left out; empty counts as absent. */
export const optionalText = blankAsAbsent(looseText.optional());

/** Epoch seconds that may be left out; empty counts as absent. */
export const optionalTime = blankAsAbsent(wholeNumber.optional());

/** A flag written 0 or 1; empty counts as absent. */
export const optionalBit = blankAsAbsent(flashType.optional());

const scalar = z.union([z.string(), z.number(), z.bigint(), z.boolean()]).transform(String);

/** The variables of a pattern: an object, or the JSON of one in a text; an empty list stands for none. */
export const patternVariables = z
  .preprocess(
    (value) => (typeof value === 'string' ? tryJson(value) : value),
    z.union([z.record(z.string(), scalar), z.tuple([])]),
  )
  .transform((variables) => new Map(Object.entries(variables)));

export const nothing = z.object({});

/** A query cannot leave a parameter out as clearly as a body can. */
function blankAsAbsent<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema);
}

function tryJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function toIds(ids: readonly string[]): AskedId[] {
  return ids.map((id) => (/^\d{1,20}$/.test(id) ? BigInt(id) : id));
}
