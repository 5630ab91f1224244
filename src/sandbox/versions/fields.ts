import { z } from 'zod';
import { readJson } from '../json.ts';
import { MAX_CHARACTERS, MAX_RECIPIENTS } from '../world/send.ts';

/** Shapes of single parameters, as lenient as the gateway itself is known to be. */

/** A text that some clients send as a bare integer (a sender line, mostly). */
export const looseText = z
  .union([z.string(), z.int(), z.bigint()], { error: 'it must be a text' })
  .transform(String);

/** {@link looseText} that is not empty. */
export const filledText = looseText.pipe(z.string().min(1)).meta({ minLength: 1 });

/** 0 normal, 1 flash; an integer or its digits. Becomes whether the message is flash. */
export const flashType = z
  .union([z.int(), z.string()], { error: 'it must be 0 or 1' })
  .refine((type) => ['0', '1'].includes(String(type)), { error: 'it must be 0 or 1' })
  .transform((type) => String(type) === '1')
  .meta({ enum: [0, 1] });

/** A message id as it was asked for: what cannot be one stays as it was written. */
export type AskedId = bigint | string;

const wholeId = z
  .union([z.union([z.int(), z.bigint()]), z.string()], { error: 'it must be a whole number' })
  .transform(String)
  .meta({ format: 'int64' });

/** How many message ids one question about their status takes. */
export const MAX_STATUS_IDS = 50;

/** Message ids in a JSON array. */
export const idArray = z.array(wholeId).transform(toIds);

/** A whole number that is compared by its digits. */
export const numberText = z
  .union([z.int(), z.string()], { error: 'it must be a whole number' })
  .transform(String);

/** {@link idArray} of a question about status. */
export const statusIds = idArray.meta({ maxItems: MAX_STATUS_IDS });

const COMMAS = { description: 'Several values, separated by commas.' };

/** One query parameter that holds several values, separated by commas. */
export const commaList = z
  .string()
  .transform((list) =>
    list
      .split(',')
      .map((piece) => piece.trim())
      .filter((piece) => piece !== ''),
  )
  .meta(COMMAS);

/** Message ids in one query parameter. */
export const idList = commaList.transform(toIds).meta(COMMAS);

/** {@link idList} of a question about status. */
export const statusIdList = idList.meta({
  description: `Up to ${MAX_STATUS_IDS} values, separated by commas.`,
});

/** {@link commaList} of the recipients of a call. */
export const recipientList = commaList.meta({
  description: `Up to ${MAX_RECIPIENTS} values, separated by commas.`,
});

/**
 * Elements in one query parameter whose number counts: nothing is dropped, so that a comma inside a text makes one
 * element more.
 */
export const commaElements = z
  .string()
  .transform((list) => list.split(','))
  .meta(COMMAS);

/** 0 or 1 for each element of one query parameter. */
export const commaTypes = commaElements
  .transform((list): (string | number)[] => list)
  .pipe(z.array(flashType))
  .meta(COMMAS);

/** A whole number, in a query or by some clients in a body as its digits. */
export const wholeNumber = z
  .union([z.int().min(0), z.string().regex(/^\d{1,15}$/)], { error: 'it must be a whole number' })
  .transform((value) => Number(value));

const SECONDS = { description: 'Epoch seconds.' };

/** Epoch seconds. */
export const time = wholeNumber.meta(SECONDS);

/** A whole number within bounds; empty counts as absent. */
export function countField(limits: { min: number; max?: number; fallback: number }) {
  const { min, max = Number.MAX_SAFE_INTEGER, fallback } = limits;
  const bounds = limits.max === undefined ? `it must be ${min} or more` : `it must be from ${min} to ${max}`;
  return blankAsAbsent(
    wholeNumber.refine((value) => value >= min && value <= max, { error: bounds }).default(fallback),
  ).meta({ minimum: min, ...(limits.max === undefined ? {} : { maximum: max }), default: fallback });
}

/** A text that may be left out; empty counts as absent. */
export const optionalText = blankAsAbsent(looseText.optional());

/** Epoch seconds that may be left out; empty counts as absent. */
export const optionalTime = blankAsAbsent(wholeNumber.optional()).meta(SECONDS);

/** A flag written 0 or 1; empty counts as absent. */
export const optionalBit = blankAsAbsent(flashType.optional());

/** {@link optionalBit} of a message: whether it is flash, which it is not by default. */
export const messageType = optionalBit.transform((flash = false) => flash).meta({ default: 0 });

const scalar = z.union([z.string(), z.number(), z.bigint(), z.boolean()]).transform(String);

/** The variables of a pattern: an object, or the JSON of one in a text; an empty list stands for none. */
export const patternVariables = z
  .preprocess(
    (value) => (typeof value === 'string' ? tryJson(value) : value),
    z.union([z.record(z.string(), scalar), z.tuple([])]),
  )
  .transform((variables) => new Map(Object.entries(variables)))
  .meta({ description: 'The variables of the pattern, each by its name.' });

/** Mobile numbers that a call sends to, in JSON. */
export const recipientArray = z.array(z.string()).meta({ maxItems: MAX_RECIPIENTS });

/** The text of a message. */
export const messageText = z.string().meta({ maxLength: MAX_CHARACTERS });

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
