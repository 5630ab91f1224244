import { z } from 'zod';
import type { Json } from '../json.ts';
import type { RefusalReason } from '../world/refusal.ts';
import type { Envelope } from './api-version.ts';

/** A payload of version 1: everything inside `result`. */
export type V1Payload = Json;

/** The operation whose `result` is the bare code. */
const BARE = 'register';

/** A number is a code inside `result`; the others fail as a whole. */
const REFUSALS = {
  malformed_json: [400, 'قالب درخواست نامعتبر است'],
  bad_parameters: [400, 'پارامترهای ارسالی ناقص یا نامعتبر است'],
  bad_request: [400, 'درخواست نامعتبر است'],
  address_too_long: [400, 'نشانی درخواست بیش از اندازه طولانی است'],
  unknown_path: [404, 'سرویس درخواستی یافت نشد'],
  wrong_method: [405, 'متد درخواست مجاز نیست'],
  body_too_large: [413, 'حجم درخواست بیش از حد مجاز است'],
  server_fault: [500, 'خطای سرور'],
  no_credentials: [401, 'اطلاعات کاربری ارسال نشده است'],
  unknown_account: [401, 'توکن نامعتبر است'],
  account_status: [401, 'حساب کاربری غیرفعال است'],
  too_many_recipients: 21,
  insufficient_credit: 22,
  unknown_line: 23,
  empty_message: 24,
  no_recipient: 25,
  message_too_long: 28,
  invalid_recipient: 28,
  nothing_sent_yet: 31,
  no_message_selected: 30,
  no_report: 31,
  too_many_messages: 32,
  wrong_range: [400, 'بازه زمانی نامعتبر است'],
  no_such_line: 23,
  unequal_lengths: 28,
  wrong_send_time: 26,
  pattern_not_active: 29,
  wrong_variables: 28,
  too_many_numbers: 21,
  blacklist_full: 43,
  not_blocked: 40,
  invalid_user_name: 10,
  invalid_mobile: 11,
  invalid_national_code: 12,
  invalid_email: 13,
  no_manager_access: 14,
  user_name_taken: 15,
  wrong_package: 16,
  passwords_differ: 17,
  registration_limit: [429, 'ثبت بیش از 2 کاربر در روز مجاز نیست'],
  no_such_record: 40,
  phonebook_exists: 41,
  no_number: 42,
  phonebook_failed: 43,
  flag_empty: 43,
  flag_taken: 43,
} as const satisfies Record<RefusalReason, number | readonly [status: number, text: string]>;

const USER_NOT_FOUND = 1;

/** The envelope of version 1: `status` 200 with `result`, or another `status` with `message`. */
export const v1Envelope: Envelope<V1Payload> = {
  answered: (payload) => z.object({ status: z.literal(200), result: payload }),
  failed: z.union([
    z.object({ status: z.int(), message: z.string() }),
    z.object({ status: z.literal(200), result: z.union([z.object({ status: z.int() }), z.int()]) }),
  ]),
  success: (result) => ({ status: 200, result }),
  refusal({ refused, detail }, operation) {
    const userStatus = refused === 'account_status' ? Number(detail) : USER_NOT_FOUND;
    if (
      operation?.forUserStatus !== undefined &&
      (refused === 'account_status' || refused === 'unknown_account')
    ) {
      return { status: 200, result: operation.forUserStatus(userStatus) };
    }
    const meaning = REFUSALS[refused];
    if (typeof meaning === 'number') return coded(meaning, operation?.name);
    const [status, text] = meaning;
    return { status, message: detail === undefined ? text : `${text}: ${detail}` };
  },
  failure: ({ status, code, message = 'خطای سرور' }, operation) =>
    code === undefined ? { status: status ?? 500, message } : coded(code, operation),
};

function coded(code: number, operation: string | null | undefined): Json {
  return { status: 200, result: operation === BARE ? code : { status: code } };
}
