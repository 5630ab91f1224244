import type { Role, Permission } from '../domain/roles.ts';
import type { Locale } from '../i18n/define.ts';
import type { Format } from '../i18n/format.ts';
import type { Capabilities } from '../ports/gateways.ts';
import type { Log } from '../ports/runtime.ts';
import type { BindingView, ChatView, PersonView } from '../ports/stores.ts';
import type { PostingRight } from './alerts/posting-right.ts';
import type { Buttons } from './buttons.ts';
import type { IncomingContact } from './forms/contact.ts';
import type { IncomingFile } from './forms/file-reference.ts';
import type { Html } from './html.ts';

export interface SayOptions {
  readonly buttons?: Buttons | undefined;
  /** Asks for an answer by reply, of whoever wrote the message with this id. It then has no buttons. */
  readonly forceReply?: number | undefined;
  /** The message that this is about: it is said as a reply to it. */
  readonly replyTo?: number | undefined;
  /** Another chat than the one spoken in, by its Telegram id. */
  readonly chatTelegramId?: number;
}

/** What a message brings. */
export interface Subject {
  readonly words: string;
  readonly file: IncomingFile | null;
  readonly contact: IncomingContact | null;
}

/** Somebody, as Telegram shows them in a chat. */
export interface SeenPerson {
  readonly id: number;
  readonly name: string;
  readonly username: string | null;
  readonly isIn: boolean;
}

/**
 * One thing a person did, with everything a handler may use: who, where, with what rights, and the ways to
 * answer. Rights are as they were when the update was taken up; a button's are checked again by its token.
 */
export interface RequestContext {
  readonly updateId: number;
  readonly bot: { readonly id: number; readonly username: string };
  readonly chat: ChatView;
  /** A button was pressed in another place than this chat, a channel perhaps: what is said goes there, and no form can begin. */
  readonly isAway: boolean;
  /** What is said goes to this person alone. */
  readonly isPrivate: boolean;
  readonly threadId: number | undefined;
  /** What that topic was called when it was opened, where a message in it says so. */
  readonly threadTitle?: string | undefined;
  readonly person: PersonView;
  readonly role: Role | null;
  readonly locale: Locale;
  readonly format: Format;
  readonly binding: BindingView | null;
  readonly capabilities: Capabilities;
  readonly log: Log;
  /** The person was in a form here when this came; a command has left it by the time it runs. */
  readonly inForm: boolean;
  /** The person has edited the message that has made something: this is to change it. */
  readonly isEdit: boolean;
  /** The message that the person wrote; null for a press. */
  readonly messageId: number | null;
  /** When they wrote it, by Telegram's clock; it may have waited since. */
  readonly writtenAt: Date | null;
  /** The message whose button was pressed. */
  readonly pressedMessageId: number | null;
  /** That message is a picture: its words are a caption. */
  readonly pressedPicture: boolean;
  /** The document that came with the message. */
  readonly file: IncomingFile | null;
  /** The contact that the message shares. */
  readonly contact: IncomingContact | null;
  /** What the person said in the message that the one with the pressed button answers; null: that is another's, or gone. */
  readonly subject: (Subject & { readonly messageId: number }) | null;
  /** Whose message this one replies to: a person, never the bot itself, a channel or an anonymous admin. */
  readonly repliedTo: { readonly id: number; readonly name: string; readonly username: string | null } | null;
  can(permission: Permission | null): boolean;
  /** Sends a message into this chat and topic; returns its id. */
  say(content: Html, options?: SayOptions): Promise<number>;
  /** Sends a file into this chat and topic; returns the id of its message. One that is long comes piece by piece. */
  sendFile(
    file: { readonly name: string; readonly content: Uint8Array | (() => AsyncIterable<Uint8Array>) },
    options?: { readonly caption?: Html; readonly buttons?: Buttons | undefined },
  ): Promise<number>;
  /** Sends a PNG as a picture into this chat and topic, at most 1024 UTF-16 units below it; returns the id of its message. */
  sendPicture(
    picture: Uint8Array,
    options?: { readonly caption?: Html; readonly buttons?: Buttons | undefined },
  ): Promise<number>;
  /**
   * Fetches a document that came with a message. Throws `bad_input` with reason `too_large` for more than
   * `maxBytes`, and `gone` where Telegram has it no longer.
   */
  download(file: IncomingFile, maxBytes: number): Promise<Uint8Array>;
  /** Edits the message whose button was pressed; without one, sends. A picture gets the new one, or stays. */
  rewrite(
    content: Html,
    options?: { readonly buttons?: Buttons | undefined; readonly picture?: Uint8Array },
  ): Promise<void>;
  /** Takes the buttons off a message of the bot's; that it cannot is no error. */
  disarm(messageId: number): Promise<void>;
  /** Deletes the person's own message; false where the bot may not. */
  forget(): Promise<boolean>;
  /** Starts the form of a command with what is known already. `before`: what was said where it now asks, and will not do, or what is told above the question. */
  ask(form: string, given?: Readonly<Record<string, string>>, before?: string | Html): Promise<void>;
  /** Ends the question that the person was asked here and has not answered, where it is about this: it has been decided. */
  endQuestion(known: Readonly<Record<string, string>>): Promise<void>;
  /** Whether the person is an administrator of this chat at Telegram, asked now; null where Telegram does not say. */
  isTelegramAdmin(): Promise<boolean | null>;
  /** Somebody as Telegram shows them in this chat, asked now, whether they are in it or not; null where Telegram does not say. */
  seenNow(personId: number): Promise<SeenPerson | null>;
  /** Whether the person, and the bot, may post in another place, asked now. `place` is `@name` or a numeric id. */
  postingRight(place: string | number): Promise<PostingRight>;
  /** The same person in another chat, with their role there and its account. What is said in answer stays here. */
  atHome(chat: Pick<ChatView, 'telegramId' | 'type' | 'title'>): Promise<RequestContext>;
  /** A link that opens the bot's private chat with a payload. */
  startLink(payload: string): string;
}

/** The same for an answer of its own: the message whose button was pressed stays as it is. */
export function below(request: RequestContext): RequestContext {
  return {
    ...request,
    pressedMessageId: null,
    pressedPicture: false,
    rewrite: async (content, { buttons, picture } = {}) => {
      if (picture === undefined) await request.say(content, { buttons });
      else await request.sendPicture(picture, { caption: content, buttons });
    },
  };
}
