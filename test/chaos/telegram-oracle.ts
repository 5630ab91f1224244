import { appendFileSync } from 'node:fs';
import type { Message } from '@grammyjs/types';
import { z } from 'zod';
import { askJson } from './http-json.ts';
import type { Rule } from './strikes.ts';

export interface Call {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  readonly error_code?: number;
}

/** What an update is about: a message of a person, or the press of a button. */
export interface Said {
  readonly id: number;
  readonly chat: number | null;
  readonly message: number | null;
  readonly data: string | null;
}

const chat = z.object({ id: z.number() });
const Updates = z.object({
  updates: z.array(
    z.looseObject({
      update_id: z.number(),
      message: z.looseObject({ message_id: z.number(), chat }).optional(),
      callback_query: z
        .looseObject({ data: z.string().optional(), message: z.looseObject({ chat }).optional() })
        .optional(),
    }),
  ),
});

/** The emulator as another process sees it. A private chat is known by the person's id; what the bot did is written to `transcript`. */
export function createTelegramOracle(pageUrl: string, transcript: string) {
  const root = `${pageUrl}_control/`;
  const post = async (name: string, body: unknown): Promise<unknown> => askJson('POST', root + name, body);
  let lastCall = 0;
  const calls: Call[] = [];
  let spoken = 0;
  /** Takes the calls that are new. To be asked often: the emulator keeps the last 5,000. */
  const collect = async (): Promise<void> => {
    const found = (await askJson('GET', `${root}calls?after=${lastCall}`)) as { calls: Call[] };
    calls.push(...found.calls);
    spoken += found.calls.filter(({ method }) => method.toLowerCase() !== 'getupdates').length;
    appendFileSync(transcript, found.calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
    lastCall = found.calls.at(-1)?.id ?? lastCall;
  };

  return {
    user: async (name: string): Promise<number> => {
      const { user } = (await post('user', { first_name: name, language_code: 'en' })) as {
        user: { id: number };
      };
      return user.id;
    },
    group: async (title: string, creator: number, members: readonly number[]): Promise<number> => {
      const made = await post('chat', {
        type: 'group',
        title,
        creator_id: creator,
        members,
        bot: 'administrator',
      });
      return (made as { chat_id: number }).chat_id;
    },
    start: async (user: number, bot: string, payload?: string): Promise<Message> => {
      const made = await post('start', { user_id: user, bot, ...(payload === undefined ? {} : { payload }) });
      return (made as { message: Message }).message;
    },
    say: async (user: number, chat: number, text: string, replyTo?: number): Promise<Message> => {
      const reply = replyTo === undefined ? {} : { reply_to_message_id: replyTo };
      const said = await post('message', { user_id: user, chat_id: chat, text, ...reply });
      return (said as { message: Message }).message;
    },
    upload: async (user: number, chat: number, file: File, caption: string): Promise<Message> => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ user_id: user, chat_id: chat, caption }))
        form.set(name, String(value));
      form.set('file', file);
      const { messages } = (await askJson('POST', `${root}upload`, form)) as { messages: [Message] };
      return messages[0];
    },
    tap: async (user: number, message: Message, data: string): Promise<void> => {
      await post('tap', { user_id: user, chat_id: message.chat.id, message_id: message.message_id, data });
    },
    /** Messages of a chat with a higher id, as they are now. */
    messages: async (chat: number, user: number, after = 0): Promise<Message[]> => {
      const found = await askJson('GET', `${root}messages?chat=${chat}&user=${user}&after=${after}`);
      return (found as { messages: Message[] }).messages;
    },
    botName: async (): Promise<string> => {
      const { bots } = (await askJson('GET', `${root}state`)) as { bots: { username: string }[] };
      return bots[0]?.username ?? '';
    },
    /** The updates after one of them, oldest first. */
    updates: async (after = 0): Promise<Said[]> => {
      const { updates } = Updates.parse(await askJson('GET', `${root}updates`));
      return updates
        .filter(({ update_id: id }) => id > after)
        .map(({ update_id: id, message, callback_query: press }) => ({
          id,
          chat: message?.chat.id ?? press?.message?.chat.id ?? null,
          message: message?.message_id ?? null,
          data: press?.data ?? null,
        }));
    },
    replay: async (update: number): Promise<void> => {
      await post('resend-update', { update_id: update });
    },
    fault: async (rule: Rule): Promise<void> => {
      await post('faults', rule);
    },
    clearFaults: async (): Promise<void> => {
      await askJson('DELETE', `${root}faults`);
    },
    collect,
    /** Takes them every second, until the timer is cleared. */
    collecting: (): NodeJS.Timeout => setInterval(() => void collect().catch(() => undefined), 1000),
    /** How many calls there were, as far as they are collected, that are no questions for updates. */
    spoken: (): number => spoken,
    /** What was collected since this was last asked. */
    takeCalls: (): Call[] => calls.splice(0),
  };
}

export type TelegramOracle = ReturnType<typeof createTelegramOracle>;

/** Whether a call is made in a chat. */
export function isIn({ params }: Call, { chat }: { readonly chat: number }): boolean {
  return Number(params['chat_id']) === chat;
}

/** Whether a call brings such words. */
export function says({ params }: Call, words: RegExp): boolean {
  const { text } = params;
  return typeof text === 'string' && words.test(text);
}
