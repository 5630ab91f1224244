import type { BlacklistOutcome } from '../../ports/two-way.ts';

/** How the audit tells that one number was put on the blacklist of a line, or taken off it. */
export function blacklistEntry(
  what: 'out' | 'in',
  { line, number }: { readonly line: string; readonly number: string },
  outcome: Exclude<BlacklistOutcome, 'not_done'>,
) {
  return what === 'out'
    ? ({ action: 'blacklist_added', details: { line, ...ADDED[outcome] } } as const)
    : ({ action: 'blacklist_removed', details: { line, number, outcome: REMOVED[outcome] } } as const);
}

const NONE = { added: 0, already: 0, worded: 0, unknown: 0, not_added: 0 };
const ADDED = {
  done: { ...NONE, added: 1 },
  already: { ...NONE, already: 1 },
  unclear: { ...NONE, worded: 1 },
  unknown: { ...NONE, unknown: 1 },
};
const REMOVED = { done: 'removed', already: 'not_there', unclear: 'unknown', unknown: 'unknown' } as const;
