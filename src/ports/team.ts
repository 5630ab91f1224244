import type { Role } from '../domain/roles.ts';
import type { ChatView } from './stores.ts';

/** Somebody who has spoken to the bot, or whom a message showed, and the role in one chat. */
export interface KnownPerson {
  readonly id: number;
  readonly name: string;
  readonly username: string | null;
  readonly role: Role | null;
}

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
  /** Somebody is there who may become the owner: see `fallbackOwners` of the bindings. */
  readonly hasFallbackOwners: boolean;
}
