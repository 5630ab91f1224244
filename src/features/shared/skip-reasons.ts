import type { Locale } from '../../i18n/define.ts';

/** Why a number or a row is left out of a send. */
const REASONS = {
  en: {
    too_short: 'too few digits',
    too_long: 'too many digits',
    not_mobile: 'not an Iranian mobile number',
    not_a_number: 'not a number',
    form: 'not line;number;text',
    no_line: 'no sender line',
    no_number: 'no mobile number',
    several_numbers: 'not exactly one number',
    row_within:
      'perhaps two messages: write each message on a line of its own, or drop the semicolon if it is one',
    no_text: 'no text',
    text_too_long: 'the text is over 900 characters',
    broken_text: 'a broken character in the text',
    no_flash: 'flash must be 0 or 1',
    repeated_row: 'the same as a row above',
    comma: 'this account cannot send a text with a comma (gateway version 4)',
    address: 'the text is too long for this account (gateway version 4)',
    digits_lost: 'Excel has rounded the number: its last digits are lost',
    repeated: 'the same number as above',
    blocked: 'on the blacklist',
    missing: 'an empty field of the text',
    empty: 'no number in its row',
    left_book: 'no longer in the phonebook',
  },
  fa: {
    too_short: 'رقم‌هایش کم است',
    too_long: 'رقم‌هایش زیاد است',
    not_mobile: 'شمارهٔ همراه ایران نیست',
    not_a_number: 'شماره نیست',
    form: 'به شکل خط؛شماره؛متن نیست',
    no_line: 'خط فرستنده ندارد',
    no_number: 'شمارهٔ همراه ندارد',
    several_numbers: 'دقیقاً یک شماره نیست',
    row_within: 'شاید دو پیام است: هر پیام را در یک خط جدا بنویسید؛ اگر یکی است، «؛» را بردارید',
    no_text: 'متن ندارد',
    text_too_long: 'متن بیش از ۹۰۰ کاراکتر است',
    broken_text: 'متن کاراکتر خرابی دارد',
    no_flash: 'فلش‌بودن را با ۰ یا ۱ بنویسید',
    repeated_row: 'تکرار یکی از ردیف‌های بالاتر است',
    comma: 'این حساب متن دارای ویرگول لاتین را نمی‌تواند ارسال کند (نسخهٔ ۴ پنل پیامک)',
    address: 'متن برای این حساب بلند است (نسخهٔ ۴ پنل پیامک)',
    digits_lost: 'اکسل شماره را گرد کرده و رقم‌های آخرش از دست رفته است',
    repeated: 'شماره‌اش بالاتر هست',
    blocked: 'در لیست سیاه این خط است',
    missing: 'یکی از فیلدهای متن خالی است',
    empty: 'در این ردیف شماره‌ای نیست',
    left_book: 'دیگر در دفترچه نیست',
  },
} as const satisfies Record<Locale, Readonly<Record<string, string>>>;

/** The words for a reason; one that nobody knows stands for itself. */
export function skipReason(locale: Locale, reason: string): string {
  return new Map<string, string>(Object.entries(REASONS[locale])).get(reason) ?? reason;
}
