import { phrases, type Token } from './tokens.ts';

const CARDINALS: ReadonlyMap<string, number> = new Map(
  phrases<number>([
    ['یک|یه|one|a|an', 1],
    ['دو|two', 2],
    ['سه|three', 3],
    ['چهار|four', 4],
    ['پنج|five', 5],
    ['شش|شیش|six', 6],
    ['هفت|seven', 7],
    ['هشت|eight', 8],
    ['نه|nine', 9],
    ['ده|ten', 10],
    ['یازده|eleven', 11],
    ['دوازده|twelve', 12],
    ['سیزده', 13],
    ['چهارده', 14],
    ['پانزده|پونزده|fifteen', 15],
    ['شانزده', 16],
    ['هفده', 17],
    ['هجده', 18],
    ['نوزده', 19],
    ['بیست|twenty', 20],
    ['سی|thirty', 30],
    ['چهل', 40],
    ['پنجاه', 50],
  ]).map(([[word = ''], value]) => [word, value]),
);
const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...[...CARDINALS].map(([word, value]) => [`${word}م`, value] as const),
  ...phrases<number>([
    ['اول|first', 1],
    ['second', 2],
    ['سوم|third', 3],
    ['سی‌ام', 30],
  ]).map(([[word = ''], value]) => [word, value] as const),
]);

export interface Numeral {
  readonly value: number;
  /** The digits as they were typed; null for a number in words. */
  readonly digits: string | null;
  readonly isOrdinal: boolean;
  readonly next: number;
}

/** A number at a place, in digits or in words such as «بیست و پنجم»; with an ending such as `th` or «ام», if it has one. */
export function numeralAt(tokens: readonly Token[], at: number): Numeral | null {
  const text = tokens[at]?.text ?? '';
  if (/^\d+$/u.test(text)) {
    const ending = tokens[at + 1];
    const isOrdinal = ending !== undefined && /^(?:st|nd|rd|th|ام|م)$/u.test(ending.text);
    return { value: Number(text), digits: text, isOrdinal, next: at + (isOrdinal ? 2 : 1) };
  }
  const [ten, and, unit = ''] = [CARDINALS.get(text), tokens[at + 1]?.text, tokens[at + 2]?.text];
  if (ten !== undefined && ten >= 20 && and === 'و') {
    const units = [CARDINALS.get(unit), ORDINALS.get(unit)] as const;
    const value = units[0] ?? units[1] ?? 10;
    if (value < 10)
      return { value: ten + value, digits: null, isOrdinal: units[0] === undefined, next: at + 3 };
  }
  const value = ten ?? ORDINALS.get(text);
  return value === undefined ? null : { value, digits: null, isOrdinal: ten === undefined, next: at + 1 };
}
