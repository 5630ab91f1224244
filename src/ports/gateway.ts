import type { AcceptedId, UnknownReason, WireFailure, WireStage } from '../domain/attempt.ts';
import type { Secret } from '../domain/secret.ts';

/**
 * The SMS gateway as the rest of the program sees it: small facets, whichever version of the interface
 * serves them. Common to all:
 *
 * - a message id is a string of digits (64-bit on the wire, so never a number);
 * - money is whole rial in a safe integer; a fraction is rounded down;
 * - a moment is in epoch seconds, as on the wire;
 * - a recipient is canonical, `989` and nine digits; a line is digits as its owner writes them;
 * - text that the gateway wrote (names, refusals, messages) is untrusted: escape it before showing it.
 *
 * A read throws an AppError: `gateway_refused` (params operation, version, code, table, name, text),
 * `gateway_no_answer` (operation, version, reason), `gateway_unreadable` (operation, version, reason), or
 * `bad_input` before anything is sent (field, reason, and limit where there is one). A change that is no send
 * (registration, receive, phonebooks, blacklist) is tried once and throws the same; its param `mayHaveActed`
 * is false only where the gateway cannot have made the change.
 */

export type GatewayVersion = 1 | 3 | 4;

/** Epoch seconds. */
export type UnixSeconds = number;
/** Whole rial. */
export type Rial = number;
/** Digits. */
export type MessageId = string;

/** The interface's code tables; `return` is the envelope's own status, `unlisted` is a number of no table. */
export type CodeTable =
  | 'return'
  | 'user'
  | 'registration'
  | 'sending'
  | 'reports'
  | 'phonebook'
  | 'other'
  | 'unlisted';

/** What a refusal means: a closed set, so that every one can be worded in every language. */
export type RefusalName =
  | 'bad_request'
  | 'not_authorized'
  | 'recipients_over_limit'
  | 'unequal_lengths'
  | 'rate_limited'
  | 'server_error'
  | 'user_not_found'
  | 'user_on_trial'
  | 'user_locked'
  | 'user_expired'
  | 'user_not_confirmed'
  | 'user_without_access'
  | 'invalid_user_name'
  | 'invalid_mobile'
  | 'invalid_national_code'
  | 'invalid_email'
  | 'manager_without_access'
  | 'user_name_taken'
  | 'wrong_package'
  | 'passwords_differ'
  | 'registration_limit'
  | 'insufficient_credit'
  | 'invalid_line'
  | 'empty_message'
  | 'no_recipient'
  | 'wrong_send_time'
  | 'operator_error'
  | 'inconsistent_data'
  | 'pattern_not_active'
  | 'no_message_selected'
  | 'no_report'
  | 'identifiers_over_limit'
  | 'messages_over_limit'
  | 'no_such_record'
  | 'phonebook_exists'
  | 'no_number_sent'
  | 'operation_failed'
  | 'flag_empty'
  | 'flag_taken'
  | 'database_fault'
  | 'server_fault'
  | 'unlisted';

/**
 * State of one message for one recipient. `raw` and `text` are what the gateway said. `kind` is what that
 * means; a state that the interface does not define is `unknown`, never taken for delivered or failed.
 */
export interface DeliveryState {
  readonly raw: number | string;
  readonly text: string;
  readonly kind: 'waiting' | 'sent' | 'delivered' | 'failed' | 'blocked' | 'unknown';
}

export interface SendRequest {
  readonly line: string;
  /** 1 to 200 canonical numbers, each once. */
  readonly recipients: readonly string[];
  /** 1 to 900 characters, well-formed Unicode. */
  readonly text: string;
  readonly flash: boolean;
}

export interface SendHooks {
  /**
   * The write-ahead fence. Called once the connection stands (TCP, proxy and TLS), for 2 s at most, and before the first
   * byte of the request. Only `true`, within 2 s on the monotonic clock, lets the request be written; `false`, an
   * exception or delay closes the connection unused and the answer is `not_sent` with reason `fence`.
   * The answer comes after this promise has settled (at the latest when the send's deadline has passed),
   * so what it committed can be taken back.
   */
  readonly beforeWrite?: () => Promise<boolean>;
  /** Gives up: `not_sent` while nothing has been written, `unknown` afterwards. */
  readonly signal?: AbortSignal;
}

/**
 * What is known after one send call. Only `not_sent` may be tried again without asking a person. `raw` is
 * the beginning of the answer, 200 characters at most, credentials removed.
 */
export type SendAnswer =
  | {
      readonly outcome: 'accepted';
      readonly messageIds: readonly [AcceptedId, ...AcceptedId[]];
      readonly raw: string;
    }
  | {
      readonly outcome: 'rejected';
      readonly code: number;
      readonly table: CodeTable;
      readonly name: RefusalName;
      readonly text: string;
      readonly raw: string;
    }
  | {
      readonly outcome: 'unknown';
      readonly reason: UnknownReason;
      readonly stage: WireStage;
      /** The code that left it open (27, 429, 500, 1000, 2000 or one that no table lists). */
      readonly code?: number;
      /** Ids that were read although the answer as a whole proves nothing: a trace to look for. */
      readonly messageIds?: readonly AcceptedId[];
      readonly raw?: string;
    }
  | { readonly outcome: 'not_sent'; readonly reason: WireFailure };

/** Send SMS (versions 3, 1, 4). One call is one connection and one request; it is never repeated here. */
export interface Sending {
  /** Throws `bad_input` for a request that breaks a limit; every outcome on the wire is an answer. */
  send(request: SendRequest, hooks?: SendHooks): Promise<SendAnswer>;
}

export interface MultiMessage {
  readonly line: string;
  readonly recipient: string;
  readonly text: string;
  readonly flash: boolean;
}

/** Send many: different texts and lines in one call (versions 3, 1, 4). */
export interface Multi {
  /**
   * 1 to 200 messages; a recipient may have several. Ids are in the order of `messages` and each has its
   * `recipient`, unless the gateway gave one id for the whole call. A call that was taken in part is `unknown`.
   * Version 4 throws `bad_input` for a text with a comma (field `text`) and for an address that would be too long (`request`).
   */
  sendMany(messages: readonly MultiMessage[], hooks?: SendHooks): Promise<SendAnswer>;
}

/** Credit of the account (all versions). */
export interface Credit {
  credit(): Promise<Rial>;
}

/** Account details. Versions 4 and 3 give credit, expiry, tariff and type; version 1 company and fax. */
export interface AccountDetails {
  readonly fullName?: string;
  readonly company?: string;
  /** Partly masked by the gateway. */
  readonly nationalCode?: string;
  readonly certificateNumber?: string;
  /** A calendar date as the gateway writes it, yyyy/mm/dd; the calendar is not stated. */
  readonly date?: string;
  readonly postCode?: string;
  readonly address?: string;
  readonly fax?: string;
  readonly expiresAt?: UnixSeconds;
  readonly credit?: Rial;
  readonly tariff?: string;
  readonly type?: string;
}

export interface Account {
  /** An account that is not active is `gateway_refused` with table `user` where the gateway says so. */
  details(): Promise<AccountDetails>;
}

/** Delivery of one message to one recipient, as the status operation gives it. */
export interface StatusEntry {
  readonly id: MessageId;
  readonly line?: string;
  /** Canonical where it can be recognised, else as the gateway wrote it. */
  readonly recipient?: string;
  readonly state: DeliveryState;
}

export interface SentMessage extends StatusEntry {
  readonly text: string;
  readonly date?: UnixSeconds;
}

export interface LatestMessage {
  readonly id: MessageId;
  readonly text: string;
  readonly line?: string;
  readonly recipients: readonly string[];
  /** May exceed `recipients.length`. */
  readonly recipientsCount: number;
  readonly state: DeliveryState;
  readonly date?: UnixSeconds;
}

/** Status and latest (all versions). */
export interface Reports {
  /** Any number of ids: they are asked in groups of 50. An id that the gateway leaves out is absent. */
  status(ids: readonly MessageId[]): Promise<readonly StatusEntry[]>;
  /** `undefined` when the account has sent nothing yet. */
  latest(): Promise<LatestMessage | undefined>;
}

/** Details of sent messages by id: text, recipient, state, date (versions 3 and 4). */
export interface Details {
  /** Any number of ids: they are asked in groups of 50. An id that the gateway does not know is absent. */
  byIds(ids: readonly MessageId[]): Promise<readonly SentMessage[]>;
}

export interface TimeRange {
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
}

/** Sent messages (versions 3 and 4). */
export interface Outbox {
  /** At most one day; the gateway states no order and no page. */
  inRange(range: TimeRange): Promise<readonly SentMessage[]>;
  /** The newest, at most 200 (the default). */
  newest(limit?: number): Promise<readonly SentMessage[]>;
  /**
   * Sent to one number from `since` until now, at most 50 (the default). The line is not part of the answer.
   */
  byNumber(query: {
    readonly recipient: string;
    readonly since: UnixSeconds;
    readonly limit?: number;
  }): Promise<readonly SentMessage[]>;
}

export interface ReceivedMessage {
  /** Absent in the plain (offset) inbox. */
  readonly id?: MessageId;
  readonly text: string;
  /** Canonical where it can be recognised, else as the gateway wrote it. */
  readonly sender: string;
  /** As the gateway wrote it, at times with a country prefix. */
  readonly line: string;
  readonly date?: UnixSeconds;
}

/** The paging block, as numbers. */
export interface Paging {
  readonly totalCount: number;
  readonly currentPage: number;
  readonly totalPages: number;
  readonly pageSize: number;
}

/** Received messages (versions 3 and 4). */
export interface Inbox {
  /** Default 50 from offset 0; marks nothing read. */
  fromOffset(query?: {
    readonly count?: number;
    readonly offset?: number;
  }): Promise<readonly ReceivedMessage[]>;
  /** Page size at most 500 (default 200), page from 1; marks nothing read. */
  page(query?: {
    readonly line?: string;
    readonly read?: boolean;
    readonly page?: number;
    readonly pageSize?: number;
  }): Promise<{ readonly messages: readonly ReceivedMessage[]; readonly paging: Paging }>;
  /**
   * At most 50 unread messages, which the gateway marks read. Tried once: what a lost answer held is found with
   * `page({ read: true })`. With `read: true` it returns messages that were read before.
   */
  receive(query?: { readonly line?: string; readonly read?: boolean }): Promise<readonly ReceivedMessage[]>;
}

/** Counts in a range (versions 3 and 4). */
export interface Counts {
  sent(range: TimeRange): Promise<{ readonly parts: number; readonly messages: number; readonly cost: Rial }>;
  /** Without `read` it is not stated whether read messages count: ask for both and add. */
  received(query: TimeRange & { readonly line?: string; readonly read?: boolean }): Promise<number>;
}

/** A book's id is a string of digits. */
export interface Phonebook {
  readonly id: string;
  readonly owner: string;
  readonly title: string;
  readonly count: number;
}

/** Phonebooks (all versions). */
export interface PhonebookRead {
  /** With a name, the books that the gateway finds by it: not necessarily that very name. */
  list(query?: { readonly name?: string }): Promise<readonly Phonebook[]>;
  /** The book of that very name. */
  byName(name: string): Promise<Phonebook | undefined>;
  /** `id` is set where the version shows it (version 4). A number is canonical where it can be recognised. */
  numbers(bookId: string): Promise<readonly { readonly id?: string; readonly number: string }[]>;
}

/** What the gateway tells of a book after a change, which it need not. */
export interface ChangedBook {
  readonly id?: string;
  /** How many numbers it holds now. */
  readonly count?: number;
}

/** Changes to phonebooks (versions 3 and 1), each tried once; 1 to 1,000 numbers in a call, each once. */
export interface PhonebookWrite {
  /** The name is unique for the user; the flag is a unique label, so a repeat with it is recognised. */
  create(book: {
    readonly name: string;
    readonly numbers: readonly string[];
    readonly flag: string;
  }): Promise<ChangedBook>;
  remove(bookId: string): Promise<void>;
  addNumbers(bookId: string, numbers: readonly string[]): Promise<ChangedBook>;
  /** Canonical, or digits as the gateway listed them. */
  removeNumbers(bookId: string, numbers: readonly string[]): Promise<ChangedBook>;
}

export interface BlacklistEntry {
  readonly line: string;
  readonly number: string;
  readonly owner?: string;
  readonly setBy?: string;
}

/** `raw` is the gateway's word. */
export interface BlacklistResult {
  readonly number: string;
  readonly status: 'added' | 'duplicate' | 'active' | 'unknown';
  readonly raw: string;
}

/** The blacklist of one line (versions 3 and 4). Changes are tried once; numbers are canonical. */
export interface Blacklist {
  list(query: {
    readonly line: string;
    readonly since?: UnixSeconds;
    readonly page?: number;
    readonly pageSize?: number;
  }): Promise<{ readonly entries: readonly BlacklistEntry[]; readonly paging: Paging }>;
  /** At most 200 numbers in a call. */
  add(line: string, numbers: readonly string[]): Promise<readonly BlacklistResult[]>;
  /** `gateway_refused` with code 400 when the number is not there. */
  remove(line: string, number: string): Promise<void>;
  /**
   * At most 400 numbers. Only `active` says that a number is blocked: how the gateway words that one is not, or
   * leaves it out, is not stated.
   */
  check(line: string, numbers: readonly string[]): Promise<readonly BlacklistResult[]>;
  /** The numbers of these that `check` would call `active`; nothing is kept of the others. At most 400. */
  blocked(line: string, numbers: readonly string[]): Promise<readonly string[]>;
}

/** A send that the gateway itself keeps until its time (version 1). */
export interface FutureSend {
  sendLater(
    request: {
      readonly line: string;
      readonly recipients: readonly string[];
      readonly text: string;
      /** Local date and time in Iran, Jalali, parts as text. */
      readonly at: {
        readonly year: string;
        readonly month: string;
        readonly day: string;
        readonly hour: string;
        readonly minute: string;
      };
      /** `prtrys` and `sentPeriod` of the interface, which does not explain them; digits, 0 when absent. */
      readonly retries?: string;
      readonly period?: string;
    },
    hooks?: SendHooks,
  ): Promise<SendAnswer>;
}

export interface PatternRequest {
  readonly line: string;
  readonly recipients: readonly string[];
  /** Digits. */
  readonly patternId: string;
  /** Names are case-sensitive; values go out as text. */
  readonly variables: Readonly<Record<string, string>>;
  readonly flash: boolean;
}

/** A send by a pattern that the gateway's operator approved (version 1; an extension of version 3). */
export interface Pattern {
  /** Recipients of one call: 200 in version 1, 1 in version 3, which has no flash messages either. */
  readonly recipientsLimit: number;
  sendPattern(request: PatternRequest, hooks?: SendHooks): Promise<SendAnswer>;
}

/** A send to a whole phonebook, plus numbers outside it (version 1). */
export interface PhonebookSend {
  sendToBook(
    request: {
      readonly line: string;
      readonly bookId: string;
      readonly recipients: readonly string[];
      readonly text: string;
      readonly flash: boolean;
    },
    hooks?: SendHooks,
  ): Promise<SendAnswer>;
}

interface NewUserBase {
  readonly userName: string;
  readonly password: Secret;
  readonly parent: string;
  readonly mobile: string;
  readonly nationalCode: string;
  readonly packageId: string;
  readonly reseller: boolean;
}

/**
 * The fields that version 1 alone knows, by the interface's own names: first_name to referrer, and for a legal
 * person company to company_type. One that is absent goes out empty, an unknown name is `bad_input`.
 */
export interface NewUserPersonality {
  readonly kind: 'natural' | 'legal';
  readonly fields: Readonly<Record<string, string>>;
}

export type NewUser = NewUserBase & { readonly personality?: NewUserPersonality };

/** Registration of a user under a manager (all versions); at most 2 a manager a day. */
export interface Registration {
  /** Whether a `personality` can be carried (version 1); without it one is `bad_input`. */
  readonly takesPersonality: boolean;
  /** Tried once: unless `mayHaveActed` is false, the user may exist after an error. */
  register(user: NewUser): Promise<void>;
}

/** Every facet, by the name that commands and menus use. */
export interface Facets {
  sending: Sending;
  multi: Multi;
  credit: Credit;
  account: Account;
  reports: Reports;
  details: Details;
  outbox: Outbox;
  inbox: Inbox;
  counts: Counts;
  phonebookRead: PhonebookRead;
  phonebookWrite: PhonebookWrite;
  blacklist: Blacklist;
  futureSend: FutureSend;
  pattern: Pattern;
  phonebookSend: PhonebookSend;
  registration: Registration;
}

export type FacetName = keyof Facets;

/** What messages leave by. */
export type SendFacet = Extract<FacetName, 'sending' | 'multi' | 'pattern' | 'futureSend' | 'phonebookSend'>;

/** An API key serves versions 4 and 3; user name and password 3 and 1; a token version 1. */
export interface GatewayCredentials {
  readonly apiKey?: Secret;
  readonly username?: string;
  readonly password?: Secret;
  readonly token?: Secret;
}

/** A credential that would add a facet to an account. */
export type CredentialName = 'api_key' | 'username_password' | 'token';

/** One account at the gateway. */
export interface SmsGateway {
  /** Whether some version that this account can use serves the facet. */
  has(facet: FacetName): boolean;
  /**
   * The facet. Throws `gateway_unsupported` with params `facet` and `missing`: the credentials
   * (CredentialName), any one of which would add it; empty when no credential would.
   */
  use<F extends FacetName>(facet: F): Facets[F];
  /**
   * So many fenced calls of the facet are to come soon: connections for some of them are made meanwhile, as far as the
   * gateway bears it. What nobody has used within 2 s is closed. Only a hint: it never fails.
   */
  expect(facet: SendFacet, calls: number): void;
  /** Versions that the account's credentials and the deployment's addresses reach, in order of preference for reads. */
  readonly versions: readonly GatewayVersion[];
  /** Ends idle connections. Calls under way are cut off. */
  close(): Promise<void>;
}
