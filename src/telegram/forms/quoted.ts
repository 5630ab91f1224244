const QUOTED = /^\s*(?:"([^"]*)"|“([^”]*)”|«([^»]*)»)\s*/u;

/** A name out of its quotes, where all of it stands in them. */
export function unquoted(text: string): string {
  const { value, rest } = takeName(text);
  return QUOTED.test(text) && rest === '' ? value : text;
}

/** A name at the front of a line: several words in quotes, or one word. */
export function takeName(input: string): { readonly value: string; readonly rest: string } {
  const quoted = QUOTED.exec(input);
  if (quoted !== null) {
    return { value: quoted[1] ?? quoted[2] ?? quoted[3] ?? '', rest: input.slice(quoted[0].length) };
  }
  const word = /^\s*(\S+)\s*([\s\S]*)$/u.exec(input);
  return { value: word?.[1] ?? '', rest: word?.[2] ?? '' };
}
