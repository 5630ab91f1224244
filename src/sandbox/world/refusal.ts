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

/** `detail`: the names of wrong parameters, or the user status of an account that may not use the service. */
export type Refusal = { readonly refused: RefusalReason; readonly detail?: string | number };

export function refuse(reason: RefusalReason, detail?: string | number): Refusal {
  return detail === undefined ? { refused: reason } : { refused: reason, detail };
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}
