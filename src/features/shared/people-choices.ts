import { behindName } from '../../domain/behind-name.ts';
import { numbersWithin } from '../../domain/numbers-within.ts';
import { displayRecipient, parseRecipients } from '../../domain/phone.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { isWhen } from './when-argument.ts';

const MAX_CHOICES = 5;
const LOOKED_AT = 50;
const SHOWN = 40;
/** One word of a name. */
const NAME = /^\p{L}[\p{L}\p{M}\p{N}\u200c'’.-]*$/u;

/** What stands on both sides of numbers, as a time and a text; null: neither is a time. */
function timeBeside(before: string, after: string): readonly [when: string | null, text: string] {
  if (before === '' || after === '') return [null, after === '' ? before : after];
  if (isWhen(before, { rules: true })) return [before, after];
  return isWhen(after, { rules: true }) ? [after, before] : [null, after];
}

/**
 * Makes the buttons below the question for `numbers`: those that stand within the `text`, and people whom the chat keeps by the
 * name that was typed for them, or with which the `text` begins. The rest of the text then stays.
 */
export function choosePeople(people: Pick<Stores['people'], 'list'>): NonNullable<Argument['choices']> {
  return async (ctx, { numbers = '', text = '' }) => {
    const within = numbers === '' ? numbersWithin(text) : null;
    if (within !== null) {
      const { before, after } = within;
      const [when, rest] = timeBeside(before, after);
      const [first = '', ...more] = parseRecipients(within.numbers).recipients;
      const shown = `${ctx.format.phone(first)}${more.length === 0 ? '' : ` +${ctx.format.number(more.length)}`}`;
      const label = `${shown} · ${isolateAuto(clip(rest, SHOWN))}`;
      if (when === null) return [{ label: `📱 ${label}`, value: within.numbers, known: { text: rest } }];
      const known = { when, numbers: within.numbers, text: rest };
      return [{ label: `🕐 ${when} · ${label}`, form: 'schedule', known }];
    }
    const said = numbers === '' ? text : numbers;
    const [first = ''] = said.trim().split(/\s+/u, 1);
    if (!NAME.test(first) || !ctx.can('books.view')) return [];
    const look = { tag: null, words: first, skip: 0, limit: LOOKED_AT };
    const found = (await people.list(ctx.chat.id, look)).people;
    return found
      .flatMap(({ name, number }) => {
        const rest = behindName(said, name);
        if (rest === null) return [];
        const known = numbers === '' ? { known: { text: rest } } : {};
        return [
          { label: `👤 ${name} · ${ctx.format.phone(number)}`, value: displayRecipient(number), ...known },
        ];
      })
      .slice(0, MAX_CHOICES);
  };
}
