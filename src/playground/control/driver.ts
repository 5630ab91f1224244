import type { Message, User } from '@grammyjs/types';
import type { CallRecord } from './calls.ts';
import type { ChatState, MemberStatus } from '../types.ts';
import { messagesSeenBy } from '../people/views.ts';
import { shownMessage } from '../deliver.ts';
import { queueOf } from '../emulator.ts';
import type { CallbackAnswer, PlaygroundEvent } from '../events.ts';
import type { ShownAnswer } from '../people/inline.ts';
import { chatOf, firstBot } from '../people/people.ts';
import { asSeen } from '../people/sharing.ts';
import type { NewUser } from '../people/places.ts';
import type { Playground } from '../server.ts';

/** A chat by its id (a private chat by the person's id), or a person: their private chat with the bot. */
type Place = number | Person;

/** One person, bound to the playground. Everything happens at once; what the bot does is waited for. */
export interface Person {
  readonly id: number;
  readonly user: User;
  /** Opens the private chat with `/start`, with the payload of a deep link when one is given. */
  start: (payload?: string) => Message;
  send: (chat: Place, text: string, options?: SendOptions) => Message;
  upload: (chat: Place, name: string, bytes: Uint8Array, caption?: string, options?: SendOptions) => Message;
  edit: (message: Message, text: string) => Message;
  /** Taps the first button whose label begins so; returns the id for {@link Driver.waitForAnswer}. */
  tap: (message: Message, label: string) => string;
  /**
   * Presses the button whose label begins so, of an inline or a reply keyboard: gives the id of the callback query, or
   * the message that was sent.
   */
  press: (message: Message, label: string) => { callback_query_id?: string; message?: Message };
  /** Reacts to a message; without an emoji takes the reaction back. */
  react: (message: Message, emoji?: string) => Message;
  /** Shares a contact: the own one, unless a name and a number are given. */
  shareContact: (
    chat: Place,
    card?: { phone_number: string; first_name: string; last_name?: string; vcard?: string },
    options?: Pick<SendOptions, 'replyTo' | 'threadId'>,
  ) => Message;
  shareLocation: (chat: Place, latitude: number, longitude: number) => Message;
  forward: (message: Message, to: Place) => Message;
  vote: (message: Message, ...options: number[]) => Message;
  /** Types `@bot query` in a chat: the id for {@link Driver.waitForResults} and for `choose`. */
  askInline: (chat: Place, query: string, offset?: string) => string;
  /** Chooses a result of an inline query: the message that it becomes. */
  choose: (queryId: string, resultId: string) => Message;
  /** Stops what the bot is writing in the private chat. */
  stopDraft: () => void;
  /** Presses with data that need not be on any button. */
  forge: (message: Message, data: string) => string;
  block: (blocked: boolean) => void;
}

interface SendOptions {
  replyTo?: Message;
  threadId?: number;
  asAnonymous?: boolean;
  viaChannel?: boolean;
}

interface WaitOptions {
  /** Default 180,000: it only keeps a test from waiting for ever, on a machine however slow. */
  timeoutMs?: number;
  /** Only messages with a higher id count. */
  after?: number;
}

export interface Driver {
  user: (person: Partial<NewUser>) => Person;
  group: (options: {
    creator: Person;
    members?: readonly Person[];
    title?: string;
    type?: 'group' | 'supergroup' | 'forum' | 'channel';
    bot?: MemberStatus;
  }) => number;
  /** All messages of a chat that are not deleted; with a person, of the ephemeral ones only theirs. */
  messages: (chat: Place, as?: Person) => Message[];
  calls: (method?: string) => CallRecord[];
  /** The first message that fits, there already or coming or edited so; rejects after the timeout. */
  waitForMessage: (
    chat: Place,
    fits: (message: Message) => boolean,
    options?: WaitOptions,
  ) => Promise<Message>;
  /** What `look` finds in a chat, now or after something has happened there; rejects after the timeout. */
  waitIn: <T>(chat: Place, look: () => T | undefined, options?: WaitOptions) => Promise<T>;
  /** What answerCallbackQuery told the person who tapped. */
  waitForAnswer: (queryId: string, options?: WaitOptions) => Promise<CallbackAnswer>;
  /** What answerInlineQuery offers the person who asked. */
  waitForResults: (queryId: string, options?: WaitOptions) => Promise<ShownAnswer>;
  waitForCall: (
    method: string,
    fits?: (call: CallRecord) => boolean,
    options?: WaitOptions,
  ) => Promise<CallRecord>;
  /** Resolves when the bot waits for updates with nothing left to fetch. */
  whenPolled: () => Promise<void>;
  close: () => void;
}

const DEFAULT_TIMEOUT_MS = 180_000;

/** A driver for tests in the playground's own process. Waits are woken by events: nothing is polled. */
export function createDriver(playground: Playground): Driver {
  const { control, emulator: em } = playground;
  const answers = new Map<string, CallbackAnswer>();
  const stop = em.bus.listen((event) => {
    if (event.type !== 'callback_answer') return;
    answers.set(event.data.callback_query_id, event.data);
  });

  /** Looks now and after each event that `concerns` it until `look` gives something. */
  const until = <T>(
    look: () => T | undefined,
    what: () => string,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: WaitOptions,
    concerns: (event: PlaygroundEvent) => boolean,
  ): Promise<T> => {
    const known = look();
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const check = (event: PlaygroundEvent): void => {
        const found = concerns(event) ? look() : undefined;
        if (found === undefined) return;
        finish();
        resolve(found);
      };
      const unlisten = em.bus.listen(check);
      const timer = setTimeout(() => {
        finish();
        reject(new Error(`no ${what()} within ${timeoutMs} ms`));
      }, timeoutMs);
      const finish = (): void => {
        unlisten();
        clearTimeout(timer);
      };
    });
  };
  const stateOf = (chat: Place): ChatState => {
    const id = place(chat);
    return chatOf(em, id > 0 ? id : firstBot(em).id, id);
  };
  /** Messages are made one by one as they are looked at: a chat may have thousands. */
  const find = (
    chat: Place,
    fits: (message: Message) => boolean,
    { after = 0, as }: { after?: number; as?: Person | undefined } = {},
  ): Message | undefined => {
    const state = stateOf(chat);
    for (const stored of messagesSeenBy(state, as?.id)) {
      if (stored.deleted || stored.wire.message_id <= after) continue;
      const message = shownMessage(state, stored);
      if (fits(message)) return message;
    }
    return undefined;
  };
  const messages = (chat: Place, as?: Person): Message[] => {
    const all: Message[] = [];
    find(chat, (message) => all.push(message) === 0, { as });
    return all;
  };
  const waitIn = <T>(chat: Place, look: () => T | undefined, options: WaitOptions = {}): Promise<T> =>
    until(
      look,
      () => {
        const texts = messages(chat).map((message) => message.text ?? message.caption ?? '(no text)');
        return `such message; the chat has ${JSON.stringify(texts)}`;
      },
      options,
      // Calls change nothing by themselves: what comes of them is told.
      ({ type, chatKey }) => type !== 'call' && (chatKey ?? stateOf(chat).key) === stateOf(chat).key,
    );

  return {
    user: (person) => bindPerson(playground, control.user({ first_name: 'Someone', ...person })),
    group(options) {
      const chat = control.chat({
        type: options.type ?? 'supergroup',
        title: options.title ?? 'Group',
        creator_id: options.creator.id,
        members: (options.members ?? []).map(({ id }) => id),
        bot: options.bot ?? 'member',
      });
      return chat.id;
    },
    messages,
    calls: (method) => control.calls(method === undefined ? {} : { method }),
    waitForMessage: (chat, fits, options = {}) => waitIn(chat, () => find(chat, fits, options), options),
    waitIn,
    waitForAnswer: (queryId, options = {}) =>
      until(
        () => answers.get(queryId),
        () => `answer to ${queryId}`,
        options,
        ({ type }) => type === 'callback_answer',
      ),
    waitForResults: (queryId, options = {}) =>
      until(
        () => control.inlineAnswer(queryId),
        () => `answer to inline query ${queryId}`,
        options,
        ({ type }) => type === 'inline_answer',
      ),
    waitForCall(method, fits = () => true, options = {}) {
      const look = (): CallRecord | undefined => control.calls({ method }).find(fits);
      return until(
        look,
        () => `call of ${method}`,
        options,
        ({ type }) => type === 'call',
      );
    },
    whenPolled: () => queueOf(em, firstBot(em).id).whenPolled(),
    close: stop,
  };
}

function bindPerson(playground: Playground, user: User): Person {
  const { control } = playground;
  const target = (message: Message) => ({
    user_id: user.id,
    chat_id: message.chat.id,
    message_id: message.message_id,
  });
  const press = (message: Message, data: string, forge: boolean): string =>
    control.tap({ ...target(message), data, forge }).callback_query_id;
  return {
    id: user.id,
    user,
    start: (payload) => control.start({ user_id: user.id, bot: playground.botUsername, payload }).message,
    send: (chat, text, options = {}) =>
      control.message({
        user_id: user.id,
        chat_id: place(chat),
        text,
        reply_to_message_id: options.replyTo?.message_id,
        thread_id: options.threadId,
        as_anonymous: options.asAnonymous,
        via_channel: options.viaChannel,
      }),
    upload(chat, name, bytes, caption, options = {}) {
      const file = { field: 'file', name, mime: 'application/octet-stream', bytes: Buffer.from(bytes) };
      const [message] = control.upload(
        {
          user_id: user.id,
          chat_id: place(chat),
          caption,
          reply_to_message_id: options.replyTo?.message_id,
          thread_id: options.threadId,
        },
        [file],
      );
      if (message === undefined) throw new Error('nothing was sent');
      return message;
    },
    edit: (message, text) => control.edit({ ...target(message), text }),
    tap(message, label) {
      const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
      const button = buttons.find(
        (item) => asSeen(item.text).startsWith(asSeen(label)) && 'callback_data' in item,
      );
      if (button === undefined || !('callback_data' in button)) {
        const labels = buttons.map((item) => item.text);
        throw new Error(`no button begins with ${label}; there are ${JSON.stringify(labels)}`);
      }
      return press(message, button.callback_data, false);
    },
    press: (message, label) => control.press({ ...target(message), label }),
    react: (message, emoji) => control.react({ ...target(message), emoji }),
    shareContact: (chat, card, options = {}) =>
      control.contact({
        user_id: user.id,
        chat_id: place(chat),
        ...card,
        thread_id: options.threadId,
        reply_to_message_id: options.replyTo?.message_id,
      }),
    shareLocation: (chat, latitude, longitude) =>
      control.location({ user_id: user.id, chat_id: place(chat), latitude, longitude }),
    forward: (message, to) =>
      control.forward({
        user_id: user.id,
        chat_id: place(to),
        from_chat_id: message.chat.id,
        message_id: message.message_id,
      }),
    vote: (message, ...options) => control.vote({ ...target(message), option_ids: options }),
    askInline: (chat, query, offset) => {
      const asked = { user_id: user.id, chat_id: place(chat), bot: playground.botUsername, query, offset };
      return control.askInline(asked).inline_query_id;
    },
    stopDraft: () => control.stopDraft({ user_id: user.id, chat_id: user.id }),
    choose: (queryId, resultId) =>
      control.choose({ user_id: user.id, inline_query_id: queryId, result_id: resultId }),
    forge: (message, data) => press(message, data, true),
    block: (blocked) => control.block({ user_id: user.id, bot: playground.botUsername, blocked }),
  };
}

function place(chat: Place): number {
  return typeof chat === 'number' ? chat : chat.id;
}
