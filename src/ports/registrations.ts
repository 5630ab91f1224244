import type { Role } from '../domain/roles.ts';
import type { NewUser } from './gateway.ts';
import type { BindingView, ChatView, Lang } from './stores.ts';

/** The gateway's limit for one manager. Its day is taken to be that of Iran. */
export const REGISTRATIONS_A_DAY = 2;

/** What was registered through Peyk under one account today, in whichever chats it is linked. */
export interface RegistrationDay {
  /** Calls that succeeded, have no clear outcome, or are under way. */
  readonly used: number;
  /** Those among them without a clear outcome. */
  readonly unknown: number;
  /** Midnight in Iran. */
  readonly resetsAt: Date;
}

/** How a person and a chat stand at this moment. */
export interface Standing {
  readonly chat: ChatView;
  readonly role: Role | null;
  readonly binding: BindingView | null;
  /** Null without a binding. */
  readonly day: RegistrationDay | null;
}

/** The message that shows a registration. It stands in the person's private chat, whichever chat it is for. */
export interface RegistrationCard {
  readonly chatId: string;
  readonly chatTelegramId: number;
  readonly messageId: number;
  readonly lang: Lang;
}

/** What the queue is told of a registration; nothing of it is secret. */
export interface RegistrationWork {
  readonly registrationId: string;
  /** Null while no message shows it. */
  readonly card: RegistrationCard | null;
}

export interface NewRegistration {
  readonly chatId: string;
  readonly bindingId: string;
  readonly botId: number;
  readonly updateId: number;
  readonly personId: number;
  readonly user: NewUser;
  /** The password was made here, so the person has yet to see it. */
  readonly generated: boolean;
}

/** A registration that waits for its person's word, unsealed. */
export interface OpenRegistration {
  readonly id: string;
  readonly personId: number;
  readonly bindingId: string;
  /** The chat whose account it is for. */
  readonly chat: ChatView;
  readonly accountName: string;
  readonly user: NewUser;
  readonly generated: boolean;
}

/** Who pressed what, and where it is shown. */
export interface RegistrationPress {
  readonly registrationId: string;
  readonly personId: number;
  readonly updateId: number;
  readonly card: RegistrationCard;
}

/** Why a registration ended without a call. Its fields are wiped. */
export type RegistrationBar = 'not_allowed' | 'account_gone' | 'day_full' | 'expired';

export type Departure =
  /** Committed as being on the wire: the one call may be made, with what is kept nowhere any more. */
  | { readonly result: 'on_wire'; readonly registration: OpenRegistration }
  | {
      readonly result: 'barred';
      readonly bar: RegistrationBar;
      readonly chat: ChatView;
      readonly day: RegistrationDay;
    }
  /** It was under way or over before: nothing was changed. */
  | { readonly result: 'not_open'; readonly state: RegistrationEnd };

export type RegistrationEnd = 'on_wire' | 'registered' | 'refused' | 'unknown' | 'cancelled';

export type RegistrationOutcome =
  | { readonly state: 'registered' }
  /** `name` is a RefusalName. */
  | { readonly state: 'refused'; readonly name: string }
  | { readonly state: 'unknown' }
  /** Surely not a byte of it has left: it is open again for as long as it had. */
  | { readonly state: 'prepared'; readonly registration: OpenRegistration };

/** What the end of a registration's time made of it. */
export interface Settled {
  readonly state: 'prepared' | RegistrationEnd;
  /** This call ended it. */
  readonly changed: boolean;
  readonly userName: string;
}

/**
 * Users being registered at the gateway. What is asked for is sealed until the call, the person's refusal or the end of
 * its ten minutes, and gone from then on: before the call is made, not after it.
 */
export interface RegistrationStore {
  /** Null for a chat that is not known. */
  standing(chatId: string, personId: number): Promise<Standing | null>;
  /** Seals a registration and keeps it for ten minutes. The same update gets the one that is there. */
  prepare(registration: NewRegistration): Promise<string>;
  /** Remembers where it is shown, so that its end can be shown there too. */
  showOn(registrationId: string, card: RegistrationCard): Promise<void>;
  /** Null once it is under way, over or out of time. */
  open(registrationId: string): Promise<OpenRegistration | null>;
  /** As `open`, for showing the password: that it will be hidden again in a minute is certain when this returns. */
  reveal(registrationId: string, personId: number, card: RegistrationCard): Promise<OpenRegistration | null>;
  /** The message that showed the password shows something else for good: nothing is left to hide. */
  concealed(registrationId: string): Promise<void>;
  /**
   * The one way to a call: in one transaction, of all who press once only, with the person's role, the account and the
   * day's count as they are then. What bars the call ends the registration.
   */
  goOnWire(press: RegistrationPress): Promise<Departure>;
  /** Writes down what the call came to; an answer that comes after it was called unknown still counts. */
  record(press: RegistrationPress, outcome: RegistrationOutcome): Promise<void>;
  /** The person's own word; false when it was under way or over. */
  cancel(registrationId: string, personId: number): Promise<boolean>;
  /**
   * Ends what has run out of time: one that was not confirmed is cancelled, one that has been on the wire for
   * longer than any call takes is unknown. Anything else stays, and is looked at again when its time comes.
   */
  settle(work: RegistrationWork): Promise<Settled | null>;
  /** Wipes what has run out of time and was not settled, and forms that nobody answers any more: they may hold answers to such questions. */
  forgetOverdue(): Promise<void>;
}
