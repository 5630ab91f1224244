/** Every reason to say no, free of any version's numbers; each version's envelope gives them its own. */
export type RefusalReason =
  | 'malformed_json'
  | 'bad_parameters'
  | 'unknown_path'
  | 'wrong_method'
  | 'body_too_large'
  | 'address_too_long'
  | 'bad_request'
  | 'server_fault'
  | 'no_credentials'
  | 'unknown_account'
  | 'account_status'
  | 'too_many_recipients'
  | 'insufficient_credit'
  | 'unknown_line'
  | 'empty_message'
  | 'no_recipient'
  | 'message_too_long'
  | 'invalid_recipient'
  | 'nothing_sent_yet'
  | 'no_message_selected'
  | 'no_report'
  | 'too_many_messages'
  | 'wrong_range'
  | 'no_such_line'
  | 'unequal_lengths'
  | 'wrong_send_time'
  | 'pattern_not_active'
  | 'wrong_variables'
  | 'too_many_numbers'
  | 'blacklist_full'
  | 'not_blocked'
  | 'invalid_user_name'
  | 'invalid_mobile'
  | 'invalid_national_code'
  | 'invalid_email'
  | 'no_manager_access'
  | 'user_name_taken'
  | 'wrong_package'
  | 'passwords_differ'
  | 'registration_limit'
  | 'no_such_record'
  | 'phonebook_exists'
  | 'no_number'
  | 'phonebook_failed'
  | 'flag_empty'
  | 'flag_taken';

/**
 * `detail`: the names of wrong parameters, or the user status of an account that may not use the service. `why` is for
 * whoever writes the client, and never a part of the answer.
 */
export type Refusal = {
  readonly refused: RefusalReason;
  readonly detail?: string | number;
  readonly why?: string;
};

/** A refusal; without a `why` of its own it is explained by its reason (`why.ts`). */
export function refuse(reason: RefusalReason, more: Omit<Refusal, 'refused'> = {}): Refusal {
  return { refused: reason, ...more };
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}
