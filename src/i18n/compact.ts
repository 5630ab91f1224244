import type { Locale } from './define.ts';

/** Below this a number is short enough as it is. */
const SHORT = 1_000_000;

/** A number where there is little room: `11,642`, `1.2M`; `۱۱٬۶۴۲`, `۱٫۲ میلیون`. */
export function compactNumber(locale: Locale, value: number): string {
  const tag = locale === 'fa' ? 'fa-IR-u-nu-arabext' : 'en-US-u-nu-latn';
  const isShort = Math.abs(value) < SHORT;
  return new Intl.NumberFormat(
    tag,
    isShort
      ? { maximumFractionDigits: 2 }
      : { notation: 'compact', maximumFractionDigits: 1, compactDisplay: 'short' },
  ).format(value);
}
