/**
 * The digits of a number as a sheet keeps it: `9121234567`, but by some programs `9.121234567E9` or `9121234567.0`.
 * Digits are moved, never computed, and only where all of them are there: `9.12E+09` stays as it is, because what
 * it stood for is lost.
 */
export function numberText(stored: string): string {
  const whole = /^(-?\d+)\.0+$/.exec(stored)?.[1];
  if (whole !== undefined) return whole;
  const [, sign, first, rest = '', exponent] = /^(-?)(\d)(?:\.(\d+))?E\+?(\d{1,2})$/i.exec(stored) ?? [];
  const places = Number(exponent);
  if (sign === undefined || first === undefined || rest.length < places) return stored;
  const fraction = rest.slice(places);
  return `${sign}${first}${rest.slice(0, places)}${/[1-9]/.test(fraction) ? `.${fraction}` : ''}`;
}

/**
 * Texts of a sheet write what XML cannot hold as `_x0007_`, and an underscore that would look so as `_x005F_`. What
 * no text can hold becomes U+FFFD.
 */
export function decodeEscapes(text: string): string {
  if (!text.includes('_')) return text;
  const decoded = text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  return decoded === text ? text : cleanText(decoded).toWellFormed();
}

export function encodeEscapes(text: string): string {
  return text.replaceAll(/_(?=x[0-9A-F]{4}_)/gi, '_x005F_');
}

/** Control and non-characters, which no file of text can hold, become U+FFFD, as halves of a character do in UTF-8. */
export function cleanText(text: string): string {
  return text.replaceAll(UNWRITABLE, '\ufffd');
}

const UNWRITABLE = /[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n\r\x7f-\x9f]]/gv;
