import { behindName } from '../../domain/behind-name.ts';
import { normalizeDigits } from '../../domain/phone.ts';
import type { Stores } from '../../storage/stores.ts';

/** Reads `@name` to the name and an id to the number; null: neither. */
export function readHandle(typed: string): number | string | null {
  const word = normalizeDigits(typed).trim();
  const name = /^@([a-z][a-z0-9_]{3,31})$/iu.exec(word)?.[1];
  if (name !== undefined) return name;
  return /^\d{5,15}$/u.test(word) ? Number(word) : null;
}

/** Takes what can be one out of a line, wherever it stands. */
export function takeHandle(input: string): { readonly value: string; readonly rest: string } {
  const found = /(?:^|\s)(@\S+|[\d۰-۹٠-٩]{5,})(?=\s|$)/u.exec(input);
  if (found?.[1] === undefined) return { value: '', rest: input };
  const before = input.slice(0, found.index);
  return { value: found[1], rest: `${before} ${input.slice(found.index + found[0].length)}`.trim() };
}

/**
 * Finds whom of a team words name: by `@name` or id, also whoever has left, or all of a name, which stands first or last.
 * Null: nobody. `said` is what names them, `rest` what is said beside.
 */
export async function teammatesIn(
  team: Pick<Stores['team'], 'members' | 'find'>,
  chatId: string,
  words: string,
): Promise<{ readonly ids: readonly number[]; readonly said: string; readonly rest: string } | null> {
  const { value, rest } = takeHandle(words);
  const handle = readHandle(value);
  if (handle !== null) {
    const person = await team.find(chatId, handle);
    return person === null ? null : { ids: [person.id], said: value, rest };
  }
  const members = await team.members(chatId);
  const all = words.trim().split(/\s+/u);
  for (const from of all.keys()) {
    const named = all.slice(from).join(' ');
    const found = members.flatMap(({ id, name }) => {
      const behind = behindName(named, name);
      return behind === null || (from > 0 && behind !== '') ? [] : [{ id, behind }];
    });
    const least = Math.min(...found.map(({ behind }) => behind.length));
    const ids = found.filter(({ behind }) => behind.length === least).map(({ id }) => id);
    if (ids.length > 0)
      return {
        ids,
        said: named.slice(0, named.length - least).trim(),
        rest: from > 0 ? all.slice(0, from).join(' ') : named.slice(named.length - least),
      };
  }
  return null;
}
