import { normalizeDigits } from './phone.ts';

/**
 * Reads an Iranian national code: 10 digits of any script, with spaces, dashes or invisible marks between them.
 * The last digit checks the others. Ten equal digits pass that check and belong to nobody. Null for
 * anything else; leading zeros are never added.
 */
export function parseNationalCode(input: string): string | null {
  const code = normalizeDigits(input).replaceAll(/[\s\p{Cf}\p{Pd}]/gu, '');
  if (!/^\d{10}$/.test(code) || /(\d)\1{9}/.test(code)) return null;
  const digits = Array.from(code, Number);
  const sum = digits.slice(0, 9).reduce((total, digit, index) => total + digit * (10 - index), 0);
  const rest = sum % 11;
  return digits[9] === (rest < 2 ? rest : 11 - rest) ? code : null;
}

/** Enough of a code to recognise it: `•••••••891`. */
export function maskNationalCode(code: string): string {
  return `${'•'.repeat(7)}${code.slice(-3)}`;
}
