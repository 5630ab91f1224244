import type { Doer } from '../../ports/doer.ts';

/** Who does something, by which update, for the audit. */
export function doerOf({
  person,
  updateId,
}: {
  readonly person: { readonly id: number };
  readonly updateId: number;
}): Doer {
  return { personId: person.id, updateId };
}
