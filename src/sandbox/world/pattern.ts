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
  if (pattern === undefined) {
    const known = account.patterns.map(({ id }) => id).join(', ');
    return refuse('pattern_not_active', {
      why: `there is no pattern ${patternId}; known: ${known || 'none'}`,
    });
  }
  if (!pattern.active) return refuse('pattern_not_active', { why: `pattern ${patternId} is switched off` });
  const missing: string[] = [];
  const text = pattern.text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = variables.get(name) ?? '';
    if (value === '') missing.push(name);
    return value;
  });
  if (missing.length === 0) return text;
  const given = [...variables.keys()].join(', ') || 'none';
  return refuse('wrong_variables', {
    why: `pattern ${patternId} lacks its variables ${missing.join(', ')}; given: ${given}`,
  });
}
