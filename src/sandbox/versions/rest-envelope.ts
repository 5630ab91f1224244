import { z } from 'zod';
import type { Json } from '../json.ts';
import type { RefusalReason } from '../world/refusal.ts';
import type { Envelope } from './api-version.ts';

/** A payload of versions 4 and 3. `message` is the text of `return` when the usual one does not fit. */
export type RestPayload = {
  readonly data?: { readonly [member: string]: Json };
  readonly entries?: readonly Json[];
  readonly current?: { readonly [member: string]: string };
  readonly message?: string;
};

const SEND_FAILED = 'خطا در ارسال پیام';
const REPORT_FAILED = 'خطا در دریافت گزارش';
const REGISTER_FAILED = 'خطا در ثبت کاربر';
const PHONEBOOK_FAILED = 'خطا در دفترچه تلفن';

/**
 * Statuses of `return` by reason. Those with a code of the tables answer 400 with the code in the text, as
 * refused sends were seen to; where the interface has neither status nor code, the closest known one stands.
 */
const REFUSALS = {
  malformed_json: [400, 'قالب درخواست نامعتبر است'],
  bad_parameters: [400, 'پارامترهای ارسالی ناقص یا نامعتبر است'],
  bad_request: [400, 'درخواست نامعتبر است'],
  address_too_long: [400, 'نشانی درخواست بیش از اندازه طولانی است'],
  unknown_path: [404, 'متدی با این نام وجود ندارد'],
  wrong_method: [405, 'متد درخواست (GET یا POST) اشتباه است'],
  body_too_large: [413, 'حجم درخواست بیش از حد مجاز است'],
  server_fault: [500, 'خطای سرور: کد 2000'],
  no_credentials: [401, 'توکن نامعتبر است'],
  unknown_account: [401, 'توکن نامعتبر است'],
  account_status: [401, 'حساب کاربری غیرفعال است: کد'],
  too_many_recipients: [414, 'تعداد گیرندگان بیش از 200 شماره است'],
  insufficient_credit: [400, `${SEND_FAILED}: کد 22`],
  unknown_line: [400, `${SEND_FAILED}: کد 23`],
  empty_message: [400, `${SEND_FAILED}: کد 24`],
  no_recipient: [400, `${SEND_FAILED}: کد 25`],
  message_too_long: [413, 'متن پیام بیش از 900 نویسه است'],
  invalid_recipient: [411, 'گیرنده نامعتبر است'],
  nothing_sent_yet: [400, 'هیچ پیامکی یافت نشد'],
  no_message_selected: [400, `${REPORT_FAILED}: کد 30`],
  no_report: [400, `${REPORT_FAILED}: کد 31`],
  too_many_messages: [400, `${REPORT_FAILED}: کد 32`],
  wrong_range: [417, 'بازه زمانی نامعتبر است'],
  no_such_line: [412, 'شماره خط نامعتبر است'],
  unequal_lengths: [419, 'تعداد اعضای آرایه‌ها برابر نیست'],
  wrong_send_time: [400, `${SEND_FAILED}: کد 26`],
  pattern_not_active: [400, `${SEND_FAILED}: کد 29`],
  wrong_variables: [400, `${SEND_FAILED}: کد 28`],
  too_many_numbers: [414, 'تعداد شماره‌ها بیش از 200 است'],
  blacklist_full: [402, 'خطا در انجام عملیات'],
  not_blocked: [400, 'این شماره در لیست سیاه خط وجود ندارد'],
  invalid_user_name: [400, `${REGISTER_FAILED}: کد 10`],
  invalid_mobile: [400, `${REGISTER_FAILED}: کد 11`],
  invalid_national_code: [400, `${REGISTER_FAILED}: کد 12`],
  invalid_email: [400, `${REGISTER_FAILED}: کد 13`],
  no_manager_access: [400, `${REGISTER_FAILED}: کد 14`],
  user_name_taken: [400, `${REGISTER_FAILED}: کد 15`],
  wrong_package: [400, `${REGISTER_FAILED}: کد 16`],
  passwords_differ: [400, `${REGISTER_FAILED}: کد 17`],
  registration_limit: [429, 'ثبت بیش از 2 کاربر در روز مجاز نیست: کد 18'],
  no_such_record: [400, `${PHONEBOOK_FAILED}: کد 40`],
  phonebook_exists: [400, `${PHONEBOOK_FAILED}: کد 41`],
  no_number: [400, `${PHONEBOOK_FAILED}: کد 42`],
  phonebook_failed: [400, `${PHONEBOOK_FAILED}: کد 43`],
  flag_empty: [400, `${PHONEBOOK_FAILED}: کد 44`],
  flag_taken: [400, `${PHONEBOOK_FAILED}: کد 45`],
} as const satisfies Record<RefusalReason, readonly [status: number, text: string]>;

/** The envelope of versions 4 and 3: `return` with status and message, beside it `data` or `entries`. */
export const restEnvelope: Envelope<RestPayload> = {
  answered: (payload) =>
    z.object({
      return: z.object({ status: z.literal(200), message: z.string() }),
      ...(payload instanceof z.ZodObject ? payload.shape : {}),
    }),
  failed: z.object({ return: z.object({ status: z.int(), message: z.string() }) }),
  success: ({ message = 'تایید شد', ...payload }) => ({ return: { status: 200, message }, ...payload }),
  refusal({ refused, detail }) {
    const [status, text] = REFUSALS[refused];
    const separator = refused === 'account_status' ? ' ' : ': ';
    return failed(status, detail === undefined ? text : `${text}${separator}${detail}`);
  },
  failure: ({ status = 400, code, message }) =>
    failed(status, message ?? (code === undefined ? 'خطا در انجام عملیات' : `${wordsOf(code)}: کد ${code}`)),
};

/** Which of the interface's tables a code is of. */
function wordsOf(code: number): string {
  if (code < 20) return REGISTER_FAILED;
  if (code < 30) return SEND_FAILED;
  if (code < 40) return REPORT_FAILED;
  return code < 100 ? PHONEBOOK_FAILED : 'خطای سرور';
}

function failed(status: number, message: string): Json {
  return { return: { status, message } };
}
