import { Bot } from 'grammy';
import { Telegraf } from 'telegraf';
import { Pool } from 'undici';
import { z } from 'zod';
import { openDatabase, type Database } from '../src/storage/database/database.ts';
import { createTelegramFetch } from '../src/telegram/outgoing/http.ts';
import { serve } from './child.ts';
import { Target } from './postgres.ts';
import { resources } from './resources.ts';

/*
 * What the bot is held against: updates in batches of 100, each answered with one sendMessage. No identity, nothing
 * written down. `undici` is the limit: the HTTP client and nothing else. `durable` is the same, but commits each batch
 * before it answers. `grammy` has the bot library on Peyk's HTTP side. `sequential` and `telegraf` are the libraries as
 * their guides start them: grammY one update after the other, Telegraf a batch at a time, both on the HTTP client that
 * they come with.
 */

const SOCKETS = 128;
const TOKEN = '1:x';
const ME = { id: 1, is_bot: true, first_name: 'Bench', username: 'BenchBot' } as const;

interface Update {
  readonly update_id: number;
  readonly message: { readonly chat: { readonly id: number } };
}

interface Loop {
  readonly getUpdates: (offset: number) => Promise<readonly Update[]>;
  readonly answer: (update: Update) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const KINDS = ['undici', 'durable', 'grammy', 'sequential', 'telegraf'] as const;
const Start = z.object({ apiRoot: z.string(), kind: z.enum(KINDS), target: Target });
type Start = z.output<typeof Start>;

const stopping = new AbortController();
let loop: Loop | null = null;

serve(
  {
    start: (payload) => {
      // What is under way when the benchmark lets go has nobody who waits for it.
      run(Start.parse(payload)).catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error;
      });
    },
    resources: () => resources(),
  },
  async () => {
    stopping.abort();
    await loop?.close();
  },
);

async function run({ kind, apiRoot, target }: Start): Promise<void> {
  switch (kind) {
    case 'sequential':
      return await answering(new Bot(TOKEN, { client: { apiRoot } })).start();
    case 'telegraf': {
      const bot = new Telegraf(TOKEN, { telegram: { apiRoot } });
      bot.on('message', async (ctx) => await ctx.telegram.sendMessage(ctx.chat.id, 'hello'));
      return await bot.launch();
    }
    case 'undici':
      return await poll((loop = overUndici(apiRoot)));
    case 'durable':
      return await poll((loop = await committing(overUndici(apiRoot), openDatabase({ target, max: 1 }))));
    case 'grammy':
      return await poll((loop = overGrammy(apiRoot)));
  }
}

async function poll({ getUpdates, answer }: Loop): Promise<void> {
  let offset = 0;
  let running = 0;
  let freed: (() => void) | null = null;
  while (!stopping.signal.aborted) {
    const updates = await getUpdates(offset);
    for (const update of updates) {
      while (running >= SOCKETS) {
        await new Promise<void>((resolve) => {
          freed = resolve;
        });
      }
      running += 1;
      void answer(update).then(() => {
        running -= 1;
        freed?.();
      });
    }
    offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
  }
}

function overUndici(apiRoot: string): Loop {
  const pool = new Pool(apiRoot, { connections: SOCKETS, headersTimeout: 0, bodyTimeout: 0 });
  const call = async <T>(method: string, payload: object): Promise<T> => {
    const { body } = await pool.request({
      method: 'POST',
      path: `/bot${TOKEN}/${method}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    const answer: { readonly result: T } = JSON.parse(await body.text());
    return answer.result;
  };
  return {
    getUpdates: (offset) => call('getUpdates', { offset, timeout: 50, limit: 100 }),
    answer: ({ message }) => call('sendMessage', { chat_id: message.chat.id, text: 'hello' }),
    close: () => pool.destroy(),
  };
}

/** The updates of a batch are on the disk before any of them is answered. */
async function committing(inner: Loop, { sql, close }: Database): Promise<Loop> {
  await sql`create table bare_update (id bigint primary key, payload json not null)`;
  return {
    ...inner,
    async getUpdates(offset) {
      const updates = await inner.getUpdates(offset);
      if (updates.length > 0) {
        await sql`
          insert into bare_update
          select (u.value ->> 'update_id')::bigint, u.value from json_array_elements(${JSON.stringify(updates)}::text::json) as u`;
      }
      return updates;
    },
    async close() {
      await inner.close();
      await close();
    },
  };
}

function overGrammy(apiRoot: string): Loop {
  const http = createTelegramFetch({ connections: SOCKETS });
  const bot = answering(
    new Bot(TOKEN, {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing here asks what else a bot can do
      botInfo: ME as unknown as Bot['botInfo'],
      client: { apiRoot, fetch: http.fetch },
    }),
  );
  return {
    getUpdates: async (offset) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every update here is such a message
      (await bot.api.getUpdates({ offset, timeout: 50, limit: 100 })) as unknown as Update[],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it came from getUpdates
    answer: (update) => bot.handleUpdate(update as unknown as Parameters<Bot['handleUpdate']>[0]),
    close: () => http.close(),
  };
}

function answering(bot: Bot): Bot {
  bot.on('message', async (ctx) => await ctx.api.sendMessage(ctx.chat.id, 'hello'));
  return bot;
}
