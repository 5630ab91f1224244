const QUOTED = /^\s*(?:"([^"]*)"|“([^”]*)”|«([^»]*)»)\s*/u;

interface Taken {
  readonly value: string;
  readonly rest: string;
}

/** A name out of its quotes, where all of it stands in them. */
export function unquoted(text: string): string {
  const quoted = takeQuoted(text);
  return quoted?.rest === '' ? quoted.value : text;
}

/** A name at the front of a line: several words in quotes, or one word. */
export function takeName(input: string): Taken {
  const word = /^\s*(\S+)\s*([\s\S]*)$/u.exec(input);
  return takeQuoted(input) ?? { value: word?.[1] ?? '', rest: word?.[2] ?? '' };
}

/** Words in quotes at the front of a line; null where it begins with none. */
export function takeQuoted(input: string): Taken | null {
  const quoted = QUOTED.exec(input);
  if (quoted === null) return null;
  return { value: quoted[1] ?? quoted[2] ?? quoted[3] ?? '', rest: input.slice(quoted[0].length) };
}
