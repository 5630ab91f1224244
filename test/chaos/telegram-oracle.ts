import { appendFileSync } from 'node:fs';
import type { Message } from '@grammyjs/types';
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

/** The emulator as another process sees it. A private chat is known by the person's id; what the bot did is written to `transcript`. */
export function createTelegramOracle(pageUrl: string, transcript: string) {
  const root = `${pageUrl}_control/`;
  const post = async (name: string, body: unknown): Promise<unknown> => askJson('POST', root + name, body);
  let lastCall = 0;
  const calls: Call[] = [];

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
    say: async (user: number, chat: number, text: string): Promise<Message> => {
      const said = await post('message', { user_id: user, chat_id: chat, text });
      return (said as { message: Message }).message;
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
    /** Ids of all updates so far. */
    updates: async (): Promise<number[]> => {
      const found = await askJson('GET', `${root}updates`);
      return (found as { updates: { update_id: number }[] }).updates.map((update) => update.update_id);
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
    /** Takes the calls that are new. To be asked often: the emulator keeps the last 5,000. */
    collect: async (): Promise<void> => {
      const found = (await askJson('GET', `${root}calls?after=${lastCall}`)) as { calls: Call[] };
      calls.push(...found.calls);
      appendFileSync(transcript, found.calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
      lastCall = found.calls.at(-1)?.id ?? lastCall;
    },
    /** What was collected since this was last asked. */
    takeCalls: (): Call[] => calls.splice(0),
  };
}

export type TelegramOracle = ReturnType<typeof createTelegramOracle>;
