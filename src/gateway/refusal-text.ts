/**
 * The table code that a refusal carries in its text, as in «خطا در ارسال پیام: کد 29». Digits may be Latin,
 * Persian or Arabic-Indic. `undefined` when the text names no code of one to four digits.
 */
export function codeInText(text: string): number | undefined {
  const match = /(?:کد|كد|\bcode)[\s:：=]*(?:خطا|error)?[\s:：=]*([0-9]{1,4})(?![0-9])/iu.exec(
    latinDigits(text),
  );
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

function latinDigits(text: string): string {
  return text.replace(/[\u06F0-\u06F9\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}
