/** Counts the slips of the hand between two words: letters changed, left out, added or exchanged with their neighbour. */
export function slips(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one.charAt(i - 1) === other.charAt(j - 1);
      const crossed = one.charAt(i - 1) === other.charAt(j - 2) && one.charAt(i - 2) === other.charAt(j - 1);
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        crossed ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = row;
  }
  return last[other.length] ?? 0;
}

/** So much of a name is meant as its beginning. */
const LEAST_BEGINNING = 3;

/** Gives how far a word is from the name that was probably meant by it: a slip of the hand, or its beginning; null: none. */
export function farFrom(name: string, typed: string): number | null {
  if (typed.length >= LEAST_BEGINNING && name.startsWith(typed)) return 1;
  const most = Math.max(1, Math.floor(Math.min(name.length, typed.length) / 3));
  if (Math.abs(name.length - typed.length) > most) return null;
  const far = slips(name, typed);
  return far <= most ? far : null;
}
