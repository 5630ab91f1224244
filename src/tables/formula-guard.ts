/**
 * A text that no spreadsheet takes for a formula. An apostrophe goes before what begins, spaces and quotes aside,
 * with a sign of a formula in any width, or with a tab or the end of a line; also within the text, behind whatever
 * could end a cell: an Excel set to another separator than the comma cuts there, quotes or not. A phone number's
 * plus is left out instead: a spreadsheet reads a number there, and drops the plus itself.
 */
export function guarded(text: string): string {
  if (/^\+\d{7,15}$/.test(text)) return text.slice(1);
  const inner = text.replaceAll(FORMULA_WITHIN, "'");
  return FORMULA.test(inner) ? `'${inner}` : inner;
}

/** Takes the apostrophes of `guarded` off again. */
export function withoutGuard(text: string): string {
  if (!text.includes("'")) return text;
  const inner = text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
  return inner.replaceAll(GUARD_WITHIN, '');
}

const FORMULA = /^['"]*(?:[\t\r\n]|\s*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;
const FORMULA_WITHIN = /(?<=[;|،؛\t\r\n])(?=['"]*[^\S\t\r\n]*[=+\-@＝＋－＠﹦﹢﹣﹫])/gu;
const GUARD_WITHIN = /(?<=[;|،؛\t\r\n])'(?=['"]*[^\S\t\r\n]*[=+\-@＝＋－＠﹦﹢﹣﹫])/gu;
