import type { Role } from '../domain/roles.ts';
import type { ChatDoer, Doer } from './doer.ts';
import type { NewUser } from './gateway.ts';
import type { BindingView, ChatView, Lang } from './stores.ts';

/** The gateway's limit for one manager. Its day is taken to be that of Iran. */
export const REGISTRATIONS_A_DAY = 2;

/** How long one that was filled in can be confirmed. */
export const REGISTRATION_OPEN_SECONDS = 600;

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
export interface Eligibility {
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
  /** The address that leads back into the group. */
  readonly back?: string | undefined;
}

/** What the queue is told of a registration; nothing of it is secret. */
export interface RegistrationWork {
  readonly registrationId: string;
  /** Null while no message shows it. */
  readonly card: RegistrationCard | null;
}

export interface NewRegistration extends ChatDoer {
  readonly bindingId: string;
  readonly botId: number;
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
export interface RegistrationPress extends Doer {
  readonly registrationId: string;
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
