/** A piece of a statement, and what to put there instead. */
export interface SqlPlace {
  readonly at: readonly [start: number, end: number];
  readonly put: string;
}

/** Each word or pattern that is changed wherever it stands. */
const WORDS: readonly (readonly [find: RegExp, put: string])[] = [
  [/\s+for (?:update|share)(?: of \w+)?(?: skip locked)?/gu, ''],
  [/ skip locked/gu, ''],
  [/(?<=\s)<(?=\s)/gu, '<='],
  [/(?<=\s)<=(?=\s)/gu, '<'],
  [/(?<=\s)>(?=\s)/gu, '>='],
  [/(?<=\s)>=(?=\s)/gu, '>'],
  [/(?<= [+-] )1\b/gu, '0'],
  [/\bmin(?=\()/gu, 'max'],
  [/\bmax(?=\()/gu, 'min'],
  [/\bdistinct (?!from)/gu, ''],
  [/\bleft join\b/gu, 'join'],
  [/\s+limit ¤+/gu, ''],
  [/(?<=\bwhen )'\w+'(?= then)/gu, "'-'"],
  [/(?<=\bin \()'\w+', /gu, ''],
  [/(?<=\bin \([^)]*), '\w+'/gu, ''],
];

const CONDITION = /\b(?<word>where|and|or|on|having|when)\s+(?!conflict|'|\w+ as )/gu;
/** What ends a condition, or a list, outside of parentheses. */
const ENDS =
  /^(?:and|or|then|for (?:update|share)|group by|order by|limit|returning|union|(?:left |cross )?join|from|where|end|else)\b/u;

/**
 * Changes of a statement: each condition is left out, each bound moved by one, each lock, limit, order and assignment left out.
 * @param words the statement, with what is put into it as `¤`
 */
export function placesOf(words: string): SqlPlace[] {
  const found: SqlPlace[] = WORDS.flatMap(([find, put]) =>
    [...words.matchAll(find)].map(({ index, 0: text }) => ({
      at: [index, index + text.length] as const,
      put,
    })),
  );
  for (const { index, 0: text, groups } of words.matchAll(CONDITION)) {
    const start = index + text.length;
    const put = /^(?:or|when)$/u.test(groups?.['word'] ?? '') ? 'false' : 'true';
    found.push({ at: [start, endOf(words, start).end], put });
  }
  for (const { index, 0: text } of words.matchAll(/\border by /gu))
    found.push({ at: [index, endOf(words, index + text.length).end], put: '' });
  for (const { index, 0: text } of words.matchAll(/\bset\s+(?=\w+ = )/gu)) {
    const start = index + text.length;
    const { end, commas } = endOf(words, start);
    const starts = [start, ...commas.map((comma) => comma + 1)];
    if (commas.length > 0)
      for (const [i, from] of starts.entries())
        found.push(
          i === 0 ? { at: [from, starts[1] ?? end], put: '' } : { at: [from - 1, commas[i] ?? end], put: '' },
        );
  }
  return found.toSorted((one, other) => one.at[0] - other.at[0]);
}

/** Where a condition or a list ends, and its commas. */
function endOf(words: string, start: number): { readonly end: number; readonly commas: readonly number[] } {
  let depth = 0;
  let cases = 0;
  const commas: number[] = [];
  for (let at = start; at < words.length; at += 1) {
    const rest = words.slice(at, at + 12);
    const isWord = at === start || /\W/u.test(words[at - 1] ?? ' ');
    if (words[at] === '(') depth += 1;
    if (words[at] === ')') depth -= 1;
    if (depth < 0) return { end: at, commas };
    if (depth > 0) continue;
    if (isWord && /^case\b/u.test(rest)) cases += 1;
    else if (isWord && cases > 0 && /^end\b/u.test(rest)) cases -= 1;
    else if (isWord && cases === 0 && ENDS.test(rest))
      return { end: words.slice(0, at).trimEnd().length, commas };
    if (words[at] === ',' && cases === 0) commas.push(at);
  }
  return { end: words.trimEnd().length, commas };
}
