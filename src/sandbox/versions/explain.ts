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
