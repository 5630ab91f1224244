import { readJson } from './json.ts';
import { readRecipient } from './world/numbers.ts';

/** What a request names, of whatever operation: mobile numbers as ten digits, and texts. */
export type Carried = { readonly numbers: readonly string[]; readonly texts: readonly string[] };

/** Where those stand to whom something is done. */
const TARGETS = ['recipients', 'to', 'numbers', 'mobile'];
/** And where one stands that is asked about. */
const ASKED = ['number'];
const TEXTS = ['message', 'messageArray'];

/** Reads what a request names from its query and body; `targets` are the numbers without those that it only asks about. */
export function readCarried(
  query: URLSearchParams,
  body: string,
): Carried & { readonly targets: readonly string[] } {
  const parsed = parse(body);
  const of = (names: readonly string[]) =>
    names.flatMap((name) => [...query.getAll(name), ...valuesOf(parsed, name)]);
  const digits = (names: readonly string[]) =>
    of(names)
      .flatMap((text) => text.split(','))
      .map(readRecipient)
      .filter((one) => one !== undefined);
  const targets = digits(TARGETS);
  return { targets, numbers: [...targets, ...digits(ASKED)], texts: of(TEXTS) };
}

function parse(body: string): unknown {
  try {
    return body.trim() === '' ? undefined : readJson(body);
  } catch {
    return undefined;
  }
}

/** The texts of one member: itself, those of a list, or the values of a pattern's variables. */
function valuesOf(body: unknown, name: string): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const value: unknown = Reflect.get(body, name);
  const all = typeof value === 'object' && value !== null ? Object.values(value) : [value];
  return all.filter((one) => typeof one === 'string');
}
