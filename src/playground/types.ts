import type {
  BotCommand,
  BotCommandScope,
  ForceReply,
  MenuButton,
  Message,
  Poll,
  ReactionType,
  ReplyKeyboardRemove,
  Update,
  User,
} from '@grammyjs/types';

export type ChatType = 'private' | 'group' | 'supergroup' | 'channel';
export type MemberStatus = 'creator' | 'administrator' | 'member' | 'restricted' | 'left' | 'kicked';

/** A checked button: the fields that the emulator looks at, and the rest as it came. */
export interface Button {
  text: string;
  callback_data?: string;
  url?: string;
  [other: string]: unknown;
}
export interface InlineMarkup {
  inline_keyboard: Button[][];
}
export interface KeyboardMarkup {
  keyboard: Button[][];
  [other: string]: unknown;
}
export type ReplyMarkup = InlineMarkup | KeyboardMarkup | ReplyKeyboardRemove | ForceReply;

/** A message without what the world adds to it by itself. */
export type MessageContent = Omit<Partial<Message>, 'message_id' | 'chat' | 'date'>;

/** A member as the Bot API shows it: the rights by their names beside user and status. */
export interface WireMember {
  user: User;
  status: MemberStatus;
  [right: string]: unknown;
}
export type UpdateKind = Exclude<keyof Update, 'update_id'>;

export interface MemberState {
  userId: number;
  status: MemberStatus;
  anonymous: boolean;
  customTitle: string | undefined;
  /** Rights that differ from what the status gives by default, by their Bot API name. */
  rights: Readonly<Record<string, boolean>>;
}

export interface TopicState {
  id: number;
  name: string;
  iconColor: number;
  iconCustomEmojiId: string | undefined;
  closed: boolean;
  deleted: boolean;
}

/** A message as the world keeps it. `wire` never carries `reply_to_message`: that is added when it is shown. */
export interface StoredMessage {
  wire: Message;
  markup: ReplyMarkup | undefined;
  /** What its buttons have ever sent: a phone shows those of before for a moment longer. */
  offered: Set<string>;
  replyTo: number | undefined;
  deleted: boolean;
  /** Ephemeral: the one person who sees it, and what of theirs it stands in place of. Bots know it by another id than messages. */
  only: { userId: number; replaces: number | undefined } | undefined;
  /** The bot that sent it, or undefined for what people and the service wrote. */
  botId: number | undefined;
  service: boolean;
  /** Of a message that a person sent via a bot: which one edits it and hears of its buttons, and by which id, if it has buttons. */
  via: { botId: number; inlineMessageId: string | undefined } | undefined;
  linkPreview: string;
  /** Of a poll: who voted for what, wherever it stands. */
  votes: PollState['votes'] | undefined;
  /** Everybody's reactions, in their order. */
  reactions: { userId: number; type: ReactionType }[];
}

/** A message as far as its bot has written it. */
export interface DraftState {
  id: number;
  content: MessageContent;
  canStop: boolean;
  keepOnStop: boolean;
  at: number;
}

export interface ChatState {
  /** Unique in the world. A private chat is one person and one bot, so its `id` alone is not. */
  key: string;
  id: number;
  type: ChatType;
  title: string;
  username: string | undefined;
  description: string | undefined;
  /** What ordinary members may do, where it was set. */
  permissions: Readonly<Record<string, boolean>> | undefined;
  isForum: boolean;
  /** Private chats only: who talks with which bot. */
  userId: number | undefined;
  botId: number | undefined;
  /** Private chats only: the person has blocked the bot. */
  blocked: boolean;
  /** Private chats only: what the bot is writing, and what of that the person has stopped. */
  draft: DraftState | undefined;
  stoppedDraft: number | undefined;
  members: Map<number, MemberState>;
  /** What everybody in the chat sees; `ephemeral` has what one person sees. Both count with one number. */
  messages: Map<number, StoredMessage>;
  ephemeral: Map<number, StoredMessage>;
  topics: Map<number, TopicState>;
  /** The topic of a forum that is always there. */
  general: { name: string; closed: boolean; hidden: boolean };
  pinned: number[];
  lastMessageId: number;
  migratedTo: number | undefined;
  deleted: boolean;
}

/** How an update went to its bot. Times are in ms. */
export interface Delivery {
  by: 'polling' | 'webhook';
  /** When it was given last, and how often it was. */
  at: number;
  times: number;
  /** What the webhook answered last, when that was no success. */
  error: string | undefined;
  /** When the bot said that it has it: by the next offset, or by answering its webhook with 2xx. */
  heardAt: number | undefined;
}

/** One update as a bot's queue holds it, with its JSON text. */
export interface QueuedUpdate {
  id: number;
  kind: UpdateKind;
  at: number;
  /** Updates with the same lane go to a webhook one after another. */
  lane: string;
  json: string;
  delivery: Delivery | undefined;
}

interface CommandList {
  scope: BotCommandScope;
  language: string;
  commands: BotCommand[];
}

export interface WebhookState {
  url: string;
  secret: string;
  maxConnections: number;
  lastErrorAt: number | undefined;
  lastError: string | undefined;
}

export interface LocalizedText {
  name: Map<string, string>;
  description: Map<string, string>;
  short_description: Map<string, string>;
}

export interface BotState {
  id: number;
  token: string;
  user: User;
  /** Privacy mode: on by default, as BotFather sets it. */
  privacy: boolean;
  /** Inline mode: off by default, as BotFather sets it; `feedback` is whether the bot is told what was chosen. */
  inline: { feedback: boolean } | undefined;
  commands: Map<string, CommandList>;
  texts: LocalizedText;
  defaultRights: Map<ChatType, Readonly<Record<string, boolean>>>;
  menuButtons: Map<number | 'default', MenuButton>;
  allowed: ReadonlySet<string> | undefined;
  webhook: WebhookState | undefined;
}

export interface CallbackState {
  id: string;
  botId: number;
  userId: number;
  chatKey: string;
  /** What was pressed. */
  messageId: number;
  at: number;
  answered: boolean;
}

/** One result of an inline query: how it is offered, and the message that it becomes. */
export interface InlineResult {
  id: string;
  type: string;
  title: string;
  description: string;
  /** A picture to show, where the result is one. */
  file_id?: string;
  message: { content: MessageContent; markup: ReplyMarkup | undefined; linkPreview?: string };
}

export interface InlineAnswer {
  results: InlineResult[];
  button: { text: string; start_parameter?: string; web_app?: { url: string } } | undefined;
  nextOffset: string;
  isPersonal: boolean;
  /** Until when the same query is answered so without the bot, in ms. */
  freshUntil: number;
}

export interface InlineQueryState {
  id: string;
  botId: number;
  userId: number;
  chatKey: string;
  query: string;
  offset: string;
  at: number;
  answer: InlineAnswer | undefined;
}

/** Who voted for what. The poll itself stands in its messages, all of which show the same. */
export interface PollState {
  botId: number;
  poll: Poll;
  votes: Map<number, readonly number[]>;
}

export interface World {
  /** What tells it from worlds before and after. */
  id: string;
  users: Map<number, User>;
  bots: Map<number, BotState>;
  chats: Map<string, ChatState>;
  callbacks: Map<string, CallbackState>;
  inlineQueries: Map<string, InlineQueryState>;
  /** Where the messages are that bots know by an inline id. */
  inlineMessages: Map<string, { chatKey: string; messageId: number }>;
  polls: Map<string, PollState>;
  /** People who deleted their account. */
  deactivated: Set<number>;
  version: number;
  nextUserId: number;
  nextGroupId: number;
  nextChannelId: number;
  nextCallbackId: number;
  nextMediaGroupId: number;
  nextDie: number;
  nextPollId: number;
  /** What ids of messages, updates and new people and chats begin after. */
  firstId: number;
}
