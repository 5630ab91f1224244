import { z } from 'zod';
import { didYouMean } from '../nearest.ts';
import { isSecretName } from '../secret-names.ts';

const SHOWN_CHARACTERS = 40;

/** The parameters that an input has. */
export function memberNames(input: z.ZodType): readonly string[] {
  if (input instanceof z.ZodObject) return Object.keys(input.shape);
  if (!(input instanceof z.ZodUnion)) return [];
  return [
    ...new Set(input.options.flatMap((option) => (option instanceof z.ZodType ? memberNames(option) : []))),
  ];
}

/** A sentence for each given parameter that the operation does not have. */
export function unknownMembers(raw: Readonly<Record<string, unknown>>, known: readonly string[]): string[] {
  const missing = known.filter((name) => !(name in raw));
  return Object.keys(raw)
    .filter((name) => !known.includes(name))
    .map((name) => `unknown parameter \`${shorten(name)}\`${didYouMean(name, missing)}`);
}

/** A sentence for each parameter that is missing or wrong. */
export function explainIssues(
  raw: Readonly<Record<string, unknown>>,
  issues: readonly z.core.$ZodIssue[],
): string[] {
  const sentences = issues.map(({ path: [name, ...deeper], message, code }) => {
    if (name === undefined) return `the parameters do not fit: ${message}`;
    const given = raw[String(name)];
    if (given === undefined) return `\`${String(name)}\` is missing`;
    const place = [name, ...deeper].map(String).join('.');
    const value = deeper.reduce<unknown>(member, given);
    const shown = isSecretName(String(name)) ? '' : ` is ${describe(value)}`;
    return code === 'unrecognized_keys' ? message : `\`${place}\`${shown}: ${message}`;
  });
  return [...new Set(sentences)];
}

function member(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `the text "${shorten(value)}"` : String(value);
}

function shorten(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/**
 * The parameters whose values are of another type than the interface gives them, each in a sentence. Where a field takes
 * several types, the first of its union is the interface's, and the others are leniency.
 */
export function looseTypes(
  input: z.ZodType,
  raw: Readonly<Record<string, unknown>>,
): readonly { readonly name: string; readonly why: string }[] {
  if (!(input instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, unknown>> = input.shape;
  return Object.entries(shape).flatMap(([name, field]) => {
    const value = raw[name];
    if (value === undefined || fits(field, value)) return [];
    const given = Array.isArray(value) ? 'holds values' : `is a ${typeof value}`;
    return [{ name, why: `\`${name}\` ${given}: not of the type that the interface gives it` }];
  });
}

function fits(field: unknown, value: unknown): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return fits(field.unwrap(), value);
  if (field instanceof z.ZodPipe)
    return fits(field.in instanceof z.ZodTransform ? field.out : field.in, value);
  if (field instanceof z.ZodArray)
    return Array.isArray(value) && value.every((one) => fits(field.element, one));
  if (!(field instanceof z.ZodUnion)) return true;
  const [documented] = field.options;
  return documented instanceof z.ZodType && documented.safeParse(value).success;
}
