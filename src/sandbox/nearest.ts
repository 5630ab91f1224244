/** The word among `known` that somebody may have meant by `written`, by few letters' difference; undefined when none is near. */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  const plain = fold(written);
  let best: { word: string; distance: number } | undefined;
  for (const word of known) {
    const folded = fold(word);
    const allowed = Math.max(1, Math.floor(Math.min(plain.length, folded.length) / 3));
    const distance = differ(plain, folded);
    if (distance <= allowed && (best === undefined || distance < best.distance)) best = { word, distance };
  }
  return best?.word;
}

/** A question to add to a text that names what is unknown; empty when nothing is near. */
export function didYouMean(written: string, known: Iterable<string>): string {
  const word = nearest(written, known);
  return word === undefined ? '' : `: did you mean \`${word}\`?`;
}

/** Case and separators are no difference: `book_id` is `bookId`. */
function fold(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 64);
}

/** How many letters have to be put in, taken out, changed, or exchanged with their neighbour. */
function differ(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const options = [changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1];
      if (swapped) options.push((before[j - 2] ?? 0) + 1);
      next.push(Math.min(...options));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
