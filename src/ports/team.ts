import type { Role } from '../domain/roles.ts';
import type { ChatView } from './stores.ts';

/** Somebody who has spoken to the bot, or whom a message showed, and the role in one chat. */
export interface KnownPerson {
  readonly id: number;
  readonly name: string;
  readonly username: string | null;
  readonly role: Role | null;
}

export interface TeamMember extends KnownPerson {
  readonly role: Role;
  /** The person's own id for one who linked the chat's account. */
  readonly grantedBy: { readonly id: number; readonly name: string };
  readonly grantedAt: Date;
}

/** `not_allowed`: the granter's role, read now, does not reach so far. */
export type RoleChange =
  | { readonly result: 'changed' | 'same'; readonly from: Role | null; readonly name: string }
  | { readonly result: 'not_allowed' | 'last_owner' | 'unmet' };

export type Join =
  | {
      readonly result: 'joined';
      readonly chat: ChatView;
      readonly role: Role;
      readonly granter: { readonly id: number; readonly name: string };
    }
  /** The person's role there is as high or higher; the link stays whole for someone else. */
  | { readonly result: 'has_role'; readonly chat: ChatView; readonly role: Role }
  /** Whoever made it may not give that role any more. */
  | { readonly result: 'void' }
  | { readonly result: 'gone' };

/** Somebody left a group or came back to it, by the number of the update that told of it. */
export interface Move {
  readonly chatTelegramId: number;
  readonly personId: number;
  readonly updateId: number;
}

/** Who left as the last owner of a chat that has none now; the chat in the language in which it is told things. */
export interface MissingOwner {
  readonly chat: ChatView;
  readonly name: string;
  /** Somebody is there who may become the owner: see BindingStore.heirs. */
  readonly hasHeirs: boolean;
}

/** Who has which role. Every change is one transaction with its row in the audit. */
export interface TeamStore {
  /** Everyone with a role, highest first, then by name. */
  members(chatId: string): Promise<TeamMember[]>;
  /**
   * By id or by user name without `@`, of which case does not count; of two with one name, the newest known. A name is
   * what was last seen, in whatever chat: who has it now, Telegram alone knows.
   */
  find(chatId: string, person: number | string): Promise<KnownPerson | null>;
  /** Remembers a person whom a message showed. */
  meet(person: {
    readonly id: number;
    readonly name: string;
    readonly username: string | null;
  }): Promise<void>;
  /** Gives a role, or takes it away with null. */
  change(change: {
    readonly chatId: string;
    readonly granterId: number;
    readonly personId: number;
    readonly role: Role | null;
    readonly updateId: number;
  }): Promise<RoleChange>;
  /**
   * A link that gives a role to whoever opens it first, or to one person alone; returns its token. Null where the
   * granter's role, read now, does not allow it. The same update makes its earlier link void.
   */
  invite(invitation: {
    readonly chatId: string;
    readonly granterId: number;
    readonly personId: number | null;
    readonly role: Role;
    readonly updateId: number;
    readonly ttlSeconds: number;
  }): Promise<string | null>;
  /** Somebody has left: their role there rests. Where they were the last owner, the group is told (`owner-left`). */
  left(move: Move): Promise<void>;
  /** Somebody is back, and has again the role that rests, unless another was given or somebody else owns the chat now. */
  returned(move: Move): Promise<void>;
  /** Null where there is an owner, or never was one. */
  missingOwner(chatId: string): Promise<MissingOwner | null>;
  /** Opens such a link. The update that used it up gets the same answer again. */
  join(opening: {
    readonly token: string;
    readonly personId: number;
    readonly updateId: number;
  }): Promise<Join>;
}
