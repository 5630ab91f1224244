// @ts-check
// Times, sizes and colours for people to read.
import { locale, t } from './i18n.js';

/** @param {number} unix seconds */
export function clock(unix) {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' }).format(unix * 1000);
}

/** @param {number} unix seconds */
export function fullTime(unix) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'medium' }).format(unix * 1000);
}

/** @param {number} unix seconds */
export function dayKey(unix) {
  const date = new Date(unix * 1000);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

/** @param {number} unix seconds */
export function dayName(unix) {
  const now = Date.now() / 1000;
  if (dayKey(unix) === dayKey(now)) return t('today');
  if (dayKey(unix) === dayKey(now - 86_400)) return t('yesterday');
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'long' }).format(unix * 1000);
}

/** @param {number | undefined} bytes */
export function fileSize(bytes) {
  if (bytes === undefined) return '';
  const units = ['byte', 'kilobyte', 'megabyte'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: units[unit],
    // In short Persian would have Latin letters, on the wrong side of the figure.
    unitDisplay: locale() === 'fa-IR' ? 'long' : 'short',
    maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0,
  }).format(value);
}

/** @param {number} value */
export function figure(value) {
  return new Intl.NumberFormat(locale()).format(value);
}

/** The direction of most letters: what is cut off is then cut at its end. @param {string} text */
export function directionOf(text) {
  const [right, left] = [/\p{Script=Arabic}/gu, /\p{Script=Latin}/gu].map(
    (letters) => text.match(letters)?.length ?? 0,
  );
  return right === left ? 'auto' : Number(right) > Number(left) ? 'rtl' : 'ltr';
}

/** One of eight colour classes, the same for the same id always. @param {number} id */
export function hue(id) {
  return `hue-${Math.abs(Math.trunc(id)) % 8}`;
}

/** The letters for a picture-less face. @param {string} name */
export function initials(name) {
  const words = name.trim().split(/\s+/u);
  const letters = words
    .slice(0, 2)
    .map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? '');
  return letters.join(/\p{Script=Arabic}/u.test(letters.join('')) ? '\u200c' : '') || '?';
}
