import type { Locale } from '../i18n/define.ts';
import { isolateAuto } from '../i18n/format.ts';
import type { RefusalName } from '../ports/gateway.ts';
import { clip } from './html.ts';
import { slash } from './slash.ts';

/** What it means, and what to do about it. */
type Words = readonly [what: string, next: string];
type Refusal = Readonly<Record<Locale, Words>>;

const fa = (name: string): string => slash('fa', name);

const FAULT: Refusal = {
  en: ['the gateway has a fault of its own.', 'Try again later; if it persists, tell its support.'],
  fa: ['پنل پیامک خودش خطا دارد.', 'بعداً دوباره امتحان کنید و اگر ادامه داشت به پشتیبانی آن بگویید.'],
};

/** Every refusal of the interface's code tables. The sentences follow a colon. */
const REFUSALS: Readonly<Record<RefusalName, Refusal>> = {
  bad_request: {
    en: [
      'something in the request is missing, or it is about something that does not exist.',
      'Check it and try again.',
    ],
    fa: ['چیزی در درخواست کم است یا آنچه می‌خواهید وجود ندارد.', 'بررسی‌اش کنید و دوباره امتحان کنید.'],
  },
  not_authorized: {
    en: [
      'the key or password is not valid any more, or the account is inactive.',
      'Look in the gateway’s panel, or link the account again with /connect',
    ],
    fa: [
      'کلید یا رمز دیگر معتبر نیست یا حساب غیرفعال است.',
      `در پنل پیامک ببینید یا حساب را با ${fa('connect')} دوباره وصل کنید.`,
    ],
  },
  recipients_over_limit: {
    en: ['too many recipients for one call.', 'Split them into smaller groups.'],
    fa: ['گیرنده‌ها برای یک درخواست زیادند.', 'آن‌ها را به گروه‌های کوچک‌تر تقسیم کنید.'],
  },
  unequal_lengths: {
    en: ['the numbers of lines, recipients and texts differ.', 'Check that each row has one of each.'],
    fa: ['تعداد خط‌ها، شماره‌ها و متن‌ها برابر نیست.', 'بررسی کنید که هر ردیف از هر سه یکی داشته باشد.'],
  },
  rate_limited: {
    en: ['too many requests.', 'Wait a minute and try again; registering a user has to wait until tomorrow.'],
    fa: ['درخواست‌ها زیاد بود.', 'یک دقیقه صبر کنید و دوباره امتحان کنید؛ ثبت کاربر را به فردا بگذارید.'],
  },
  server_error: FAULT,
  user_not_found: {
    en: ['it does not know this account.', 'Link it again with /connect'],
    fa: ['این حساب را نمی‌شناسد.', `با ${fa('connect')} دوباره وصلش کنید.`],
  },
  user_on_trial: {
    en: ['this is a trial account.', 'Ask the gateway to upgrade it.'],
    fa: ['این حساب آزمایشی است.', 'از پنل پیامک بخواهید حساب اصلی کند.'],
  },
  user_locked: {
    en: ['the account is locked.', 'Ask the gateway’s support to open it.'],
    fa: ['حساب قفل است.', 'از پشتیبانی پنل پیامک بخواهید بازش کند.'],
  },
  user_expired: {
    en: ['the account has expired.', 'Renew it in the gateway’s panel.'],
    fa: ['مهلت حساب تمام شده است.', 'در پنل پیامک تمدیدش کنید.'],
  },
  user_not_confirmed: {
    en: ['the account is not confirmed yet.', 'Finish the confirmation in the gateway’s panel.'],
    fa: ['حساب هنوز تأیید نشده است.', 'تأیید را در پنل پیامک کامل کنید.'],
  },
  user_without_access: {
    en: ['the account may not use the web service.', 'Ask the gateway to allow it.'],
    fa: ['حساب به وب‌سرویس دسترسی ندارد.', 'از پنل پیامک بخواهید دسترسی بدهد.'],
  },
  invalid_user_name: {
    en: ['the user name is not valid.', 'Use English letters and digits only.'],
    fa: ['نام کاربری درست نیست.', 'آن را فقط با حروف و ارقام انگلیسی بنویسید.'],
  },
  invalid_mobile: {
    en: ['the mobile number is not valid.', 'Write it in the form 09…'],
    fa: ['شمارهٔ همراه درست نیست.', 'آن را به شکل ۰۹… بنویسید.'],
  },
  invalid_national_code: {
    en: ['the national code is not valid.', 'Check its ten digits and type it again.'],
    fa: ['کد ملی درست نیست.', 'ده رقمش را بررسی کنید و دوباره بنویسید.'],
  },
  invalid_email: {
    en: ['the e-mail address is not valid.', 'Correct it and try again.'],
    fa: ['آدرس ایمیل درست نیست.', 'درستش کنید و دوباره امتحان کنید.'],
  },
  manager_without_access: {
    en: ['this account may not register users.', 'Ask the gateway to allow it.'],
    fa: ['این حساب اجازهٔ ثبت کاربر ندارد.', 'از پنل پیامک بخواهید اجازه بدهد.'],
  },
  user_name_taken: {
    en: ['this user name is registered already.', 'Choose another.'],
    fa: ['این نام کاربری قبلاً ثبت شده است.', 'نام دیگری انتخاب کنید.'],
  },
  wrong_package: {
    en: ['there is no such package.', 'Look its number up in the gateway’s panel.'],
    fa: ['چنین بسته‌ای نیست.', 'شماره‌اش را در پنل پیامک ببینید.'],
  },
  passwords_differ: {
    en: ['the two passwords differ.', 'Start again and choose one password.'],
    fa: ['رمز و تکرار آن یکی نیست.', 'دوباره شروع کنید و یک رمز انتخاب کنید.'],
  },
  registration_limit: {
    en: ['at most two users a day can be registered.', 'Try again tomorrow.'],
    fa: ['روزی بیش از دو کاربر ثبت نمی‌شود.', 'فردا دوباره امتحان کنید.'],
  },
  insufficient_credit: {
    en: ['there is not enough credit.', 'Top the account up; what is left: /credit'],
    fa: ['اعتبار کافی نیست.', `حساب را شارژ کنید؛ باقی‌مانده: ${fa('credit')}`],
  },
  invalid_line: {
    en: ['this sender line does not belong to the account.', 'Choose another with /line'],
    fa: ['این خط مال این حساب نیست.', `با ${fa('line')} خط دیگری انتخاب کنید.`],
  },
  empty_message: {
    en: ['the message is empty.', 'Write some text.'],
    fa: ['پیام خالی است.', 'متنی بنویسید.'],
  },
  no_recipient: {
    en: ['no recipient was given.', 'Give at least one mobile number.'],
    fa: ['گیرنده‌ای داده نشده است.', 'دست‌کم یک شمارهٔ همراه بدهید.'],
  },
  wrong_send_time: {
    en: ['the sending time is not valid.', 'Choose another.'],
    fa: ['زمان ارسال درست نیست.', 'زمان دیگری انتخاب کنید.'],
  },
  operator_error: {
    en: [
      'the network reports an error that it does not explain.',
      'Try again later; if it persists, ask the gateway’s support.',
    ],
    fa: [
      'اپراتور خطایی گزارش کرده که توضیحی ندارد.',
      'بعداً دوباره امتحان کنید و اگر ادامه داشت از پشتیبانی پنل پیامک بپرسید.',
    ],
  },
  inconsistent_data: {
    en: [
      'the parts of the request do not fit together.',
      'Check line, numbers, text and values, then try again.',
    ],
    fa: ['داده‌های درخواست با هم نمی‌خوانند.', 'خط، شماره‌ها، متن و مقدارها را بررسی و دوباره امتحان کنید.'],
  },
  pattern_not_active: {
    en: ['this pattern is not active.', 'Have it activated in the gateway’s panel.'],
    fa: ['این الگو فعال نیست.', 'در پنل پیامک فعالش کنید.'],
  },
  no_message_selected: {
    en: ['no message was given.', 'Give the ids of messages, or a card.'],
    fa: ['پیامی داده نشده است.', 'شناسهٔ پیام‌ها یا کارتی را بنویسید.'],
  },
  no_report: {
    en: ['there is no report for this.', 'Check the id, or try again later.'],
    fa: ['گزارشی برای این نیست.', 'شناسه را بررسی کنید یا بعداً دوباره امتحان کنید.'],
  },
  identifiers_over_limit: {
    en: ['too many message ids for one call.', 'Ask for fewer at a time.'],
    fa: ['شناسه‌ها برای یک درخواست زیادند.', 'هر بار کمتر بپرسید.'],
  },
  messages_over_limit: {
    en: ['too many messages for one call.', 'Ask for fewer at a time.'],
    fa: ['پیام‌ها برای یک درخواست زیادند.', 'هر بار کمتر بپرسید.'],
  },
  no_such_record: {
    en: ['there is no such record.', 'Look at what there is with /books'],
    fa: ['چنین چیزی ثبت نشده است.', `آنچه هست را با ${fa('books')} ببینید.`],
  },
  phonebook_exists: {
    en: ['there is a phonebook of this name already.', 'Choose another name, or look at it with /books'],
    fa: ['دفترچه‌ای با این نام هست.', `نام دیگری انتخاب کنید یا آن را با ${fa('books')} ببینید.`],
  },
  no_number_sent: {
    en: ['no number was given.', 'Give at least one.'],
    fa: ['شماره‌ای داده نشده است.', 'دست‌کم یکی بدهید.'],
  },
  operation_failed: {
    en: ['it did not work, and it does not say why.', 'Try again later; if it persists, tell its support.'],
    fa: ['انجام نشد و دلیلش را هم نگفت.', 'بعداً دوباره امتحان کنید و اگر ادامه داشت به پشتیبانی آن بگویید.'],
  },
  flag_empty: {
    en: ['the label of the phonebook is empty.', 'Start again with /book_new'],
    fa: ['برچسب دفترچه خالی است.', `دوباره با ${fa('book_new')} شروع کنید.`],
  },
  flag_taken: {
    en: ['the label of the phonebook is in use.', 'Look with /books: it may have been created already.'],
    fa: ['برچسب دفترچه تکراری است.', `با ${fa('books')} ببینید: شاید قبلاً ساخته شده باشد.`],
  },
  database_fault: FAULT,
  server_fault: FAULT,
  unlisted: {
    en: ['for a reason that its documentation does not list.', 'Ask its support.'],
    fa: ['به دلیلی که در مستنداتش نیست.', 'از پشتیبانی‌اش بپرسید.'],
  },
};

const BY_NAME: ReadonlyMap<string, Refusal> = new Map(Object.entries(REFUSALS));

/**
 * Why the gateway refused, and what to do; an unknown name reads as a reason that is not listed.
 * @param said the gateway's own words, scrubbed: told where its number says next to nothing.
 */
export function refusalText(locale: Locale, name: string, said = ''): string {
  const words = wordsOf(locale, name).join(' ');
  const own = clip(said.replaceAll(ADDRESS, '…').trim(), SAID_UNITS);
  return own === '' || (Object.hasOwn(REFUSALS, name) && !VAGUE.has(name))
    ? words
    : `${words} ${SAYS[locale](isolateAuto(own))}`;
}

/** Refusals that say that something is wrong, and not what. */
const VAGUE: ReadonlySet<string> = new Set(['bad_request', 'unlisted'] satisfies RefusalName[]);
const SAID_UNITS = 200;
/** No address that the gateway names becomes a link in a chat. */
const ADDRESS = /\bhttps?:\/\/\S+/giu;
const SAYS: Readonly<Record<Locale, (words: string) => string>> = {
  en: (words) => `It says: “${words}”`,
  fa: (words) => `می‌گوید: «${words}»`,
};

/** Why alone, where something else is to be done than the refusal itself suggests. */
export function refusalReason(locale: Locale, name: string): string {
  return wordsOf(locale, name)[0];
}

function wordsOf(locale: Locale, name: string): Words {
  return (BY_NAME.get(name) ?? REFUSALS.unlisted)[locale];
}
