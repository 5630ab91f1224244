import { deliveryMeaning } from '../domain/delivery-codes.ts';
import { foldLetters } from '../domain/fold.ts';
import { normalizeDigits } from '../domain/phone.ts';
import type { CodeTable, DeliveryState, GatewayVersion, RefusalName } from '../ports/gateway.ts';

type Table = Readonly<Record<number, RefusalName>>;

/**
 * Interface, Errors: code tables of versions 4 and 3, and the status values seen in `return.status`; where that is
 * silent, those of a sibling interface whose meaning is plain (403 to 418, without 414).
 */
const TABLES = {
  return: {
    400: 'bad_request',
    401: 'not_authorized',
    403: 'not_authorized',
    404: 'bad_request',
    405: 'bad_request',
    406: 'bad_request',
    407: 'user_without_access',
    411: 'invalid_mobile',
    412: 'invalid_line',
    413: 'inconsistent_data',
    417: 'bad_request',
    418: 'insufficient_credit',
    414: 'recipients_over_limit',
    419: 'unequal_lengths',
    429: 'rate_limited',
  },
  user: {
    1: 'user_not_found',
    2: 'user_on_trial',
    3: 'user_locked',
    4: 'user_expired',
    5: 'user_not_confirmed',
    6: 'user_without_access',
  },
  registration: {
    10: 'invalid_user_name',
    11: 'invalid_mobile',
    12: 'invalid_national_code',
    13: 'invalid_email',
    14: 'manager_without_access',
    15: 'user_name_taken',
    16: 'wrong_package',
    17: 'passwords_differ',
    18: 'registration_limit',
    19: 'invalid_national_code',
  },
  sending: {
    21: 'recipients_over_limit',
    22: 'insufficient_credit',
    23: 'invalid_line',
    24: 'empty_message',
    25: 'no_recipient',
    26: 'wrong_send_time',
    27: 'operator_error',
    28: 'inconsistent_data',
    29: 'pattern_not_active',
  },
  reports: { 30: 'no_message_selected', 31: 'no_report', 32: 'identifiers_over_limit' },
  phonebook: {
    40: 'no_such_record',
    41: 'phonebook_exists',
    42: 'no_number_sent',
    43: 'operation_failed',
    44: 'flag_empty',
    45: 'flag_taken',
  },
  other: { 1000: 'database_fault', 2000: 'server_fault' },
} as const satisfies Readonly<Record<Exclude<CodeTable, 'unlisted'>, Table>>;

/** Version 1 differs in these tables only; a code that it lacks is unlisted there. */
const VERSION_1 = {
  ...TABLES,
  return: { ...TABLES.return, 500: 'server_error' },
  registration: {
    10: TABLES.registration[10],
    11: TABLES.registration[11],
    12: TABLES.registration[12],
    13: TABLES.registration[13],
    14: TABLES.registration[14],
    15: TABLES.registration[15],
    16: TABLES.registration[16],
    17: TABLES.registration[17],
  },
  reports: { ...TABLES.reports, 32: 'messages_over_limit' },
  phonebook: {
    40: TABLES.phonebook[40],
    41: TABLES.phonebook[41],
    42: TABLES.phonebook[42],
    43: TABLES.phonebook[43],
  },
} as const satisfies Readonly<Record<Exclude<CodeTable, 'unlisted'>, Table>>;

/**
 * What a code means in a version. The tables do not overlap (0, success in all of them, is no refusal), so
 * the number alone finds its table; one that no table has is `unlisted` and keeps only its number.
 */
export function lookUpCode(version: GatewayVersion, code: number): { table: CodeTable; name: RefusalName } {
  const tables: Readonly<Record<string, Table>> = version === 1 ? VERSION_1 : TABLES;
  for (const table of TABLE_NAMES) {
    const name = tables[table]?.[code];
    if (name !== undefined) return { table, name };
  }
  return { table: 'unlisted', name: 'unlisted' };
}

const TABLE_NAMES = ['return', 'user', 'registration', 'sending', 'reports', 'phonebook', 'other'] as const;

/**
 * The table code that a refusal carries in its text, as in «خطا در ارسال پیام: کد 29». Digits may be Latin,
 * Persian or Arabic-Indic. `undefined` when the text names no code of one to four digits.
 */
export function codeInText(text: string): number | undefined {
  const match = /(?:کد|\bcode)[\s:：=]*(?:خطا|error)?[\s:：=]*([0-9]{1,4})(?![0-9])/iu.exec(
    foldLetters(normalizeDigits(text)),
  );
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** A state as the gateway gave it, by number or in words, with what it means. */
export function deliveryState(raw: number | string, text: string): DeliveryState {
  return { raw, text, kind: deliveryMeaning(raw).kind };
}
