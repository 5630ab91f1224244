import { whyUnfit } from '../../../domain/kinds/multi.ts';
import { readTemplate, renderRow } from '../../../domain/merge.ts';
import { personCells, personColumns, type KeptPerson } from '../../../domain/people.ts';
import type { DateSend } from '../../../ports/date-sends.ts';

/** The text to one person, or why there is none. */
export type PersonText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the text of an order once for all people: what it makes of one of them.
 * @param fields of people, of whichever of them
 * @param inAddress see `whyUnfit`
 */
export function createPersonText(
  { text, lang }: Pick<DateSend, 'text' | 'lang'>,
  fields: readonly string[],
  inAddress: boolean,
): (person: KeptPerson) => PersonText {
  const template = readTemplate(text, personColumns(fields, lang));
  // A field that nobody has any more is an empty one of everybody.
  const isGone = template.unknown.length > 0;
  return (person) => {
    const made = renderRow(template, personCells(person, fields), { way: 'skip' });
    if (isGone || !made.ok) return { ok: false, reason: 'missing' };
    const reason = whyUnfit(made.text, inAddress);
    return reason === null ? { ok: true, text: made.text } : { ok: false, reason };
  };
}
