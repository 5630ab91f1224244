import { readExactJson, readJson } from '../json.ts';
import { refuse } from '../world/refusal.ts';
import type { Refusal } from '../world/refusal.ts';

/** The members of a body, and what of it a stricter gateway refuses. */
type Body = { readonly members: Record<string, unknown>; readonly loose: readonly Refusal[] };

/** Reads an object's members, null ones dropped; an empty body or an empty array stands for no parameters. */
export function readBody(body: string): Body | Refusal {
  if (body.trim() === '') return { members: {}, loose: [] };
  const loose: Refusal[] = [];
  let value: unknown;
  try {
    value = readExactJson(body);
  } catch (error) {
    const repaired = tryLenient(body);
    if (repaired === undefined) {
      // Without the piece of the body that the runtime shows: there may be a secret in it.
      const reason =
        error instanceof Error ? error.message.replace(/, [^,]*?".*is not valid JSON$/s, '') : '';
      return refuse('malformed_json', { why: `the body is not JSON: ${reason}` });
    }
    loose.push(
      refuse('malformed_json', { why: 'a text in the body has raw newlines or control characters' }),
    );
    value = repaired.value;
  }
  if (value === null) {
    loose.push(refuse('bad_parameters', { detail: 'body', why: 'the body is null, not an object' }));
    return { members: {}, loose };
  }
  if (Array.isArray(value) && value.length === 0) return { members: {}, loose };
  if (typeof value !== 'object' || Array.isArray(value))
    return refuse('bad_parameters', { detail: 'body', why: 'the body must be a JSON object' });
  const members = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  return { members, loose };
}

function tryLenient(body: string): { value: unknown } | undefined {
  try {
    return { value: readJson(body) };
  } catch {
    return undefined;
  }
}
