import type { Locale } from '../i18n/define.ts';
import type { RefusalName } from '../ports/gateway.ts';

type Sentence = Readonly<Record<Locale, string>>;

const FAULT: Sentence = {
  en: 'the gateway has a fault of its own. Try again later; if it stays so, tell its support.',
  fa: 'درگاه خودش خطا دارد. بعداً دوباره امتحان کنید و اگر ماند به پشتیبانی آن بگویید.',
};

/** What each refusal of the interface's code tables means, and what to do about it. */
const REFUSALS: Readonly<Record<RefusalName, Sentence>> = {
  bad_request: {
    en: 'it found the request incomplete. Check line, numbers and text and try again.',
    fa: 'درخواست را ناقص دانست. خط و شماره‌ها و متن را بررسی و دوباره امتحان کنید.',
  },
  not_authorized: {
    en: 'the key or password is not valid any more, or the account is inactive. Link it again with /connect.',
    fa: 'کلید یا رمز دیگر معتبر نیست یا حساب غیرفعال است. با /connect دوباره وصل کنید.',
  },
  recipients_over_limit: {
    en: 'too many recipients for one call.',
    fa: 'گیرنده‌ها برای یک درخواست زیادند.',
  },
  unequal_lengths: {
    en: 'the lists of lines, numbers and texts differ in length.',
    fa: 'تعداد خط‌ها، شماره‌ها و متن‌ها برابر نیست.',
  },
  rate_limited: {
    en: 'too many requests. Wait a minute.',
    fa: 'درخواست‌ها زیاد بود. یک دقیقه صبر کنید.',
  },
  server_error: FAULT,
  user_not_found: {
    en: 'it does not know this account. Link it again with /connect.',
    fa: 'این حساب را نمی‌شناسد. با /connect دوباره وصل کنید.',
  },
  user_on_trial: {
    en: 'this is a trial account. Ask the gateway to make it a full one.',
    fa: 'این حساب آزمایشی است. از درگاه بخواهید آن را کامل کند.',
  },
  user_locked: {
    en: 'the account is locked. Ask the gateway’s support to open it.',
    fa: 'حساب قفل است. از پشتیبانی درگاه بخواهید بازش کند.',
  },
  user_expired: {
    en: 'the membership has expired. Renew it in the gateway’s panel.',
    fa: 'عضویت تمام شده است. در پنل درگاه تمدیدش کنید.',
  },
  user_not_confirmed: {
    en: 'the account is not confirmed yet. Finish the confirmation in the gateway’s panel.',
    fa: 'حساب هنوز تأیید نشده است. تأیید را در پنل درگاه کامل کنید.',
  },
  user_without_access: {
    en: 'the account may not use the web service. Ask the gateway to allow it.',
    fa: 'حساب به وب‌سرویس دسترسی ندارد. از درگاه بخواهید بدهد.',
  },
  invalid_user_name: {
    en: 'the user name is not valid. Use English letters and digits.',
    fa: 'نام کاربری درست نیست. حروف و ارقام انگلیسی بنویسید.',
  },
  invalid_mobile: {
    en: 'the mobile number is not valid. Write it as 09…',
    fa: 'شمارهٔ همراه درست نیست. به شکل 09… بنویسید.',
  },
  invalid_national_code: {
    en: 'the national code is not valid. It has 10 digits.',
    fa: 'کد ملی درست نیست. ۱۰ رقم دارد.',
  },
  invalid_email: { en: 'the e-mail address is not valid.', fa: 'نشانی ایمیل درست نیست.' },
  manager_without_access: {
    en: 'this account may not register users. Ask the gateway.',
    fa: 'این حساب اجازهٔ ثبت کاربر ندارد. از درگاه بپرسید.',
  },
  user_name_taken: {
    en: 'this user name is registered already. Choose another.',
    fa: 'این نام کاربری پیش‌تر ثبت شده است. نام دیگری برگزینید.',
  },
  wrong_package: {
    en: 'the package is wrong. Look the numbers up in the gateway’s panel.',
    fa: 'بسته درست نیست. شمارهٔ بسته‌ها را در پنل درگاه ببینید.',
  },
  passwords_differ: { en: 'password and repetition differ.', fa: 'رمز و تکرار آن یکی نیست.' },
  registration_limit: {
    en: 'at most 2 users a day can be registered. Try tomorrow.',
    fa: 'روزی بیش از ۲ کاربر ثبت نمی‌شود. فردا امتحان کنید.',
  },
  insufficient_credit: {
    en: 'there is not enough credit. Top the account up; what is left: /credit',
    fa: 'اعتبار کافی نیست. حساب را شارژ کنید؛ باقی‌مانده: /credit',
  },
  invalid_line: {
    en: 'this sender line is not the account’s. Choose another with /line',
    fa: 'این خط از آنِ حساب نیست. با /line خط دیگری برگزینید.',
  },
  empty_message: { en: 'the message is empty.', fa: 'پیام خالی است.' },
  no_recipient: { en: 'no recipient was given.', fa: 'گیرنده‌ای داده نشده است.' },
  wrong_send_time: {
    en: 'the time of sending will not do. Choose another.',
    fa: 'زمان ارسال درست نیست. زمان دیگری برگزینید.',
  },
  operator_error: {
    en: 'the telecom operator reports an error that it does not explain.',
    fa: 'اپراتور خطایی گزارش کرده که توضیحی ندارد.',
  },
  inconsistent_data: {
    en: 'the data of the request do not fit together.',
    fa: 'داده‌های درخواست با هم نمی‌خوانند.',
  },
  pattern_not_active: {
    en: 'this pattern is not active. Activate it in the gateway’s panel.',
    fa: 'این الگو فعال نیست. در پنل درگاه فعالش کنید.',
  },
  no_message_selected: { en: 'no message was named.', fa: 'پیامی نام برده نشده است.' },
  no_report: { en: 'there is no report for this.', fa: 'گزارشی برای این نیست.' },
  identifiers_over_limit: {
    en: 'too many message ids for one call.',
    fa: 'شناسه‌ها برای یک درخواست زیادند.',
  },
  messages_over_limit: {
    en: 'too many messages for one call.',
    fa: 'پیام‌ها برای یک درخواست زیادند.',
  },
  no_such_record: { en: 'there is no such record.', fa: 'چنین چیزی ثبت نشده است.' },
  phonebook_exists: {
    en: 'a phonebook of this name exists already.',
    fa: 'دفترچه‌ای با این نام هست.',
  },
  no_number_sent: { en: 'no number was given.', fa: 'شماره‌ای داده نشده است.' },
  operation_failed: {
    en: 'the operation failed, and it does not say why. Try again later.',
    fa: 'کار انجام نشد و دلیلی هم نگفت. بعداً دوباره امتحان کنید.',
  },
  flag_empty: { en: 'the label is empty.', fa: 'برچسب خالی است.' },
  flag_taken: { en: 'the label is in use already.', fa: 'برچسب پیش‌تر به کار رفته است.' },
  database_fault: FAULT,
  server_fault: FAULT,
  unlisted: {
    en: 'for a reason that its documentation does not list. Its support may know it.',
    fa: 'به دلیلی که در مستنداتش نیست. شاید پشتیبانی‌اش بداند.',
  },
};

const BY_NAME: ReadonlyMap<string, Sentence> = new Map(Object.entries(REFUSALS));

/** The sentence for a refusal; an unknown name reads as a reason that is not listed. */
export function refusalText(locale: Locale, name: string): string {
  return (BY_NAME.get(name) ?? REFUSALS.unlisted)[locale];
}
