import type { Account } from './account.ts';
import { refuse } from './refusal.ts';
import type { Refusal } from './refusal.ts';

/**
 * The text of a pattern with its variables filled in. Names are case-sensitive; variables that the pattern does
 * not have are passed over, one that it has and that is missing or empty refuses.
 */
export function fillPattern(
  account: Account,
  patternId: number,
  variables: ReadonlyMap<string, string>,
): string | Refusal {
  const pattern = account.patterns.find(({ id }) => id === patternId);
  if (pattern === undefined || !pattern.active) return refuse('pattern_not_active');
  let missing = false;
  const text = pattern.text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = variables.get(name) ?? '';
    missing ||= value === '';
    return value;
  });
  return missing ? refuse('wrong_variables') : text;
}
