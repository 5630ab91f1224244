import type { Locale } from '../../i18n/define.ts';

/** Why a number or a row is left out of a send. */
const REASONS = {
  en: {
    too_short: 'too short',
    too_long: 'too long',
    not_mobile: 'not a mobile number',
    not_a_number: 'not a number',
    form: 'not line;number;text',
    no_line: 'no sender line',
    no_number: 'no mobile number',
    several_numbers: 'not exactly one number',
    no_text: 'no text',
    text_too_long: 'the text is over 900 characters',
    broken_text: 'a broken character in the text',
    no_flash: 'flash is 0 or 1',
    repeated_row: 'the same as a row above',
    comma: 'a comma in the text cannot travel by version 4, the only one that this account can use',
    address: 'the text is too long for version 4, the only one that this account can use',
    digits_lost: 'a spreadsheet has rounded the number: its last digits are lost',
    repeated: 'the same number as in a row above',
    blocked: 'on the blacklist',
    missing: 'nothing in a field of the text',
    left_book: 'no longer in the phonebook',
  },
  fa: {
    too_short: 'کوتاه است',
    too_long: 'بلند است',
    not_mobile: 'شمارهٔ همراه نیست',
    not_a_number: 'شماره نیست',
    form: 'به شکل خط؛شماره؛متن نیست',
    no_line: 'خط فرستنده ندارد',
    no_number: 'شمارهٔ همراه ندارد',
    several_numbers: 'دقیقاً یک شماره نیست',
    no_text: 'متن ندارد',
    text_too_long: 'متن بیش از ۹۰۰ کاراکتر است',
    broken_text: 'متن کاراکتر خرابی دارد',
    no_flash: 'فلش‌بودن را با ۰ یا ۱ بنویسید',
    repeated_row: 'همان ردیف بالاتر است',
    comma: 'متن دارای ویرگول لاتین با نسخهٔ ۴ فرستادنی نیست و این حساب فقط همان را دارد',
    address: 'متن برای نسخهٔ ۴ بلند است و این حساب فقط همان را دارد',
    digits_lost: 'صفحه‌گسترده شماره را گرد کرده و رقم‌های آخرش از دست رفته است',
    repeated: 'شماره‌اش در ردیفی بالاتر هست',
    blocked: 'در لیست سیاه این خط است',
    missing: 'یکی از فیلدهای متن خالی است',
    left_book: 'دیگر در دفترچه نیست',
  },
} as const satisfies Record<Locale, Readonly<Record<string, string>>>;

/** The words for a reason; one that nobody knows stands for itself. */
export function skipReason(locale: Locale, reason: string): string {
  return new Map<string, string>(Object.entries(REASONS[locale])).get(reason) ?? reason;
}
