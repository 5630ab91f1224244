/** What a new user's password must be: 8 to 64 letters, digits and signs of ASCII, without spaces. */
export function isPassword(text: string): boolean {
  return /^[\u0021-\u007e]{8,64}$/.test(text);
}

/**
 * A password of 16 letters and digits, with a small letter, a capital and a digit in it, and without those that are
 * easily taken for each other.
 * @param below a random whole number from 0 up to, not including, its argument; from a source fit for secrets
 */
export function generatePassword(below: (limit: number) => number): string {
  const all = SETS.join('');
  const drawn = [...SETS, ...Array.from({ length: LENGTH - SETS.length }, () => all)].map((set) =>
    set.charAt(below(set.length)),
  );
  // The first three are of known kinds: each is put in somewhere between the others, so nobody knows where they are.
  return drawn.reduce((made, character) => {
    const at = below(made.length + 1);
    return made.slice(0, at) + character + made.slice(at);
  }, '');
}

const LENGTH = 16;
const SETS = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789'];
