import { foldLetters } from '../domain/fold.ts';
import { normalizeDigits } from '../domain/phone.ts';

/**
 * The table code that a refusal carries in its text, as in «خطا در ارسال پیام: کد 29». Digits may be Latin,
 * Persian or Arabic-Indic. `undefined` when the text names no code of one to four digits.
 */
export function codeInText(text: string): number | undefined {
  const match = /(?:کد|\bcode)[\s:：=]*(?:خطا|error)?[\s:：=]*([0-9]{1,4})(?![0-9])/iu.exec(
    foldLetters(normalizeDigits(text)),
  );
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
