// @ts-check
// What a page says, in the language that was chosen.
import { TEXTS } from './texts.js';

/** @type {Record<string, [string, string]>} */
let known = TEXTS;
let index = 0;

/** Takes the words of one page in. @param {Record<string, [string, string]>} words */
export function learn(words) {
  known = { ...TEXTS, ...words };
}

/** @param {string | undefined} languageCode */
export function setLanguage(languageCode) {
  index = languageCode?.toLowerCase().startsWith('fa') ? 1 : 0;
  document.documentElement.lang = index === 1 ? 'fa' : 'en';
  document.documentElement.dir = index === 1 ? 'rtl' : 'ltr';
}

/** The locale for dates and figures. */
export function locale() {
  return index === 1 ? 'fa-IR' : 'en-GB';
}

/**
 * A label of the page, with `{name}` places filled.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = known[key]?.[index] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    // First-strong isolates keep a name of the other direction from reordering the sentence.
    return value === undefined ? whole : `\u2068${value}\u2069`;
  });
}
