import * as fc from 'fast-check';
import { Api, HttpError } from 'grammy';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { html } from '../html.ts';
import { LeftOut, LostAnswer, SurelyUnsent, telegramFailure } from './errors.ts';
import { createTelegramFetch } from './http.ts';
import { createOutgoing, type Outgoing, type OutgoingOptions } from './outgoing.ts';

const GROUP = -100200;
const OTHER_GROUP = -100300;

interface VirtualClock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets everything happen that happens until then. */
  run(until?: number): Promise<void>;
}

async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

function createVirtualClock(): VirtualClock {
  let now = 0;
  const timers = new Set<{ at: number; fire: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const timer = { at: now + ms, fire: resolve };
        timers.add(timer);
        signal?.addEventListener('abort', () => {
          timers.delete(timer);
          resolve();
        });
      }),
    async run(until = Number.MAX_SAFE_INTEGER) {
      await settle();
      for (;;) {
        const due = [...timers].filter((timer) => timer.at <= until);
        if (due.length === 0) break;
        now = Math.max(now, Math.min(...due.map((timer) => timer.at)));
        for (const timer of due.filter((entry) => entry.at <= now)) {
          timers.delete(timer);
          timer.fire();
        }
        await settle();
      }
      if (until !== Number.MAX_SAFE_INTEGER) now = Math.max(now, until);
    },
  };
}

interface Seen {
  readonly at: number;
  readonly method: string;
  readonly chat: number;
  readonly text: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

type Answer =
  | { ok: true; result: unknown }
  | { ok: false; error_code: number; description: string; parameters?: object };
type Script = (call: Seen, nth: number) => Answer | Promise<Answer> | undefined;

interface Rig extends Outgoing {
  readonly clock: VirtualClock;
  readonly api: Api;
  readonly seen: Seen[];
  at(chat?: number): number[];
}

/** The kit with a Telegram behind it that answers as the script says, or `true`. */
function rig(script: Script = () => undefined, options: OutgoingOptions = {}): Rig {
  const clock = createVirtualClock();
  const outgoing = createOutgoing({ clock, ...options });
  const api = new Api('1:test');
  const seen: Seen[] = [];
  api.config.use(async (_prev, method, payload) => {
    const fields: Record<string, unknown> = { ...payload };
    const call = {
      at: clock.now(),
      method,
      chat: Number(fields['chat_id']),
      text: String(fields['text']),
      payload: fields,
    };
    seen.push(call);
    // Each answer goes through JSON, as it would on its way from Telegram.
    return JSON.parse(JSON.stringify((await script(call, seen.length)) ?? { ok: true, result: true }));
  });
  outgoing.install(api);
  return {
    ...outgoing,
    clock,
    api,
    seen,
    at: (chat) => seen.filter((call) => chat === undefined || call.chat === chat).map((call) => call.at),
  };
}

/** The same, for what is worth no wait. */
function spareOf({ api, weigh }: Rig): Api {
  const spare = new Api('1:test');
  spare.config.use(...api.config.installedTransformers());
  spare.config.use(
    weigh(
      () => 'spare',
      () => undefined,
    ),
  );
  return spare;
}

const refuse = (error_code: number, description: string, parameters = {}): Answer => ({
  ok: false,
  error_code,
  description,
  parameters,
});
const flood = (seconds: number): Answer =>
  refuse(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
const lost = (): never => {
  throw new HttpError('failed', new LostAnswer('ECONNRESET'));
};
const unsent = (): never => {
  throw new HttpError('failed', new SurelyUnsent('ECONNREFUSED'));
};

function mostInWindow(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length));
}

type ApiSignal = NonNullable<Parameters<Api['getMe']>[0]>;

/** The framework declares the signal of an older package, which the built-in one stands in for. */
function isApiSignal(signal: unknown): signal is ApiSignal {
  return signal instanceof AbortSignal;
}

function signalOf(controller: AbortController): ApiSignal {
  const signal: unknown = controller.signal;
  if (!isApiSignal(signal)) throw new TypeError('there is no signal');
  return signal;
}

async function outcome(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'done';
  } catch (error) {
    return telegramFailure(error).kind;
  }
}

describe('pace', () => {
  it('lets a private chat have five messages at once and then one in a second', async () => {
    const bot = rig();
    for (let n = 0; n < 9; n += 1) void bot.api.sendMessage(7, `${n}`);
    await bot.clock.run();
    expect(bot.at(7)).toEqual([0, 0, 0, 0, 0, 1000, 2000, 3000, 4000]);
  });

  it('lets a group have twenty in a minute, in order, and nobody else waits for it', async () => {
    const bot = rig();
    for (let n = 0; n < 50; n += 1) void bot.api.sendMessage(GROUP, `${n}`);
    for (let n = 0; n < 5; n += 1) void bot.api.sendMessage(8, `${n}`);
    await bot.clock.run();
    expect(mostInWindow(bot.at(GROUP), 60_000)).toBe(20);
    expect(bot.at(8)).toEqual([0, 0, 0, 0, 0]);
    expect(bot.seen.filter((call) => call.chat === GROUP).map((call) => Number(call.text))).toEqual(
      Array.from({ length: 50 }, (_, n) => n),
    );
    expect(bot.clock.now()).toBeLessThanOrEqual(150_000);
  });

  it('keeps every limit and the order of each chat, whatever comes when', async () => {
    const chats = [7, 8, 9, GROUP, OTHER_GROUP];
    const event = fc.record({
      chat: fc.constantFrom(...chats),
      gap: fc.constantFrom(0, 0, 0, 100, 1500, 20_000),
      edit: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 120 }), async (events) => {
        const bot = rig(undefined, { limits: { overall: { count: 6, windowMs: 1000, burst: 6 } } });
        for (const [n, { chat, gap, edit }] of events.entries()) {
          if (gap > 0) await bot.clock.run(bot.clock.now() + gap);
          void (edit ? bot.api.editMessageText(chat, n, `${n}`) : bot.api.sendMessage(chat, `${n}`));
        }
        await bot.clock.run();
        expect(bot.seen.length).toBe(events.length);
        expect(mostInWindow(bot.at(), 1000)).toBeLessThanOrEqual(6);
        for (const chat of chats) {
          expect(mostInWindow(bot.at(chat), 60_000)).toBeLessThanOrEqual(chat < 0 ? 20 : 60);
          expect(mostInWindow(bot.at(chat), 1000)).toBeLessThanOrEqual(chat < 0 ? 10 : 5);
          for (const method of ['sendMessage', 'editMessageText']) {
            const order = bot.seen.filter((call) => call.chat === chat && call.method === method);
            expect(order.map((call) => Number(call.text))).toEqual(
              order.map((call) => Number(call.text)).toSorted((one, two) => one - two),
            );
          }
        }
        expect(bot.size()).toBeLessThanOrEqual(chats.length);
      }),
      { numRuns: 40 },
    );
  });

  it('lets what is urgent go before what waits, and keeps the order of each', async () => {
    const bot = rig();
    const api = new Api('1:test');
    api.config.use(...bot.api.config.installedTransformers());
    api.config.use(
      bot.weigh(
        () => 'urgent',
        () => undefined,
      ),
    );
    for (let n = 0; n < 20; n += 1) void bot.api.sendMessage(GROUP, `own ${n}`);
    await bot.clock.run(1);
    for (let n = 0; n < 2; n += 1) void api.sendMessage(GROUP, `urgent ${n}`);
    await bot.clock.run();
    const said = bot.seen.map(({ text }) => text);
    // The one that waits at the gate goes on as the next.
    expect(said.slice(10, 14)).toEqual(['own 10', 'urgent 0', 'urgent 1', 'own 11']);
    expect(said.filter((text) => text.startsWith('own'))).toEqual(
      Array.from({ length: 20 }, (_, n) => `own ${n}`),
    );
  });

  it('leaves out what is worth no wait where half of the pace is used, or Telegram asks to slow down', async () => {
    const bot = rig((call) => (call.chat === OTHER_GROUP ? flood(9) : undefined));
    const api = spareOf(bot);
    const ends: Promise<string>[] = [];
    for (let n = 0; n < 12; n += 1) {
      ends.push(outcome(api.sendMessage(GROUP, `spare ${n}`)));
      await settle();
    }
    const slowed = outcome(api.sendMessage(OTHER_GROUP, 'spare'));
    // What is worth more finds the other half.
    for (let n = 0; n < 5; n += 1) void bot.api.sendMessage(GROUP, `own ${n}`);
    await bot.clock.run(2);
    expect(bot.seen.filter(({ text }) => text.startsWith('own'))).toHaveLength(5);
    await bot.clock.run(60_000);
    expect(await Promise.all(ends)).toEqual([
      ...Array.from({ length: 5 }, () => 'done'),
      ...Array.from({ length: 7 }, () => 'left_out'),
    ]);
    expect(await slowed).toBe('left_out');
  });

  it('says what is worth no wait behind a call that is on its way, if there is room then', async () => {
    const [first, crowd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const bot = rig(async ({ text }) => {
      if (text === 'first') await first.promise;
      if (text === 'crowd 0') await crowd.promise;
      return { ok: true, result: true };
    });
    const api = spareOf(bot);
    void bot.api.sendMessage(GROUP, 'first');
    await settle();
    const behind = outcome(api.sendMessage(GROUP, 'spare'));
    await settle();
    first.resolve();
    expect(await behind).toBe('done');
    for (let n = 0; n < 3; n += 1) void bot.api.sendMessage(OTHER_GROUP, `crowd ${n}`);
    await settle();
    for (let n = 3; n < 6; n += 1) void bot.api.sendMessage(OTHER_GROUP, `crowd ${n}`);
    const crowded = outcome(api.sendMessage(OTHER_GROUP, 'spare'));
    await settle();
    crowd.resolve();
    await bot.clock.run(1);
    expect(await crowded).toBe('left_out');
  });

  it('says what is worth no wait at the very moment at which another chat hears something', async () => {
    const bot = rig(undefined, { limits: { privateChat: null, group: null, overall: null } });
    const api = spareOf(bot);
    const ends: Promise<string>[] = [];
    for (let later = 0; later < 10; later += 1) {
      void bot.api.sendMessage(GROUP, `${later}`);
      for (let n = 0; n < later; n += 1) await Promise.resolve();
      ends.push(outcome(api.sendMessage(100 + later, 'spare')));
      await settle();
    }
    await bot.clock.run(1);
    expect(await Promise.all(ends)).toEqual(Array.from({ length: 10 }, () => 'done'));
  });

  it('has what is not to wait come back, each at a time of its own at which it is let through', async () => {
    const bot = rig();
    const shown: number[] = [];
    const times: number[][] = Array.from({ length: 30 }, () => []);
    const show = async (n: number): Promise<void> => {
      times[n]?.push(bot.clock.now());
      try {
        await bot.editor.edit({ chatId: 7, messageId: n, text: html`${n}`, minGapMs: 0, orLater: true });
        shown.push(n);
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        await bot.clock.sleep(error.afterMs);
        await show(n);
      }
    };
    const all = times.map(async (_, n) => await show(n));
    await bot.clock.run();
    await Promise.all(all);
    expect(shown).toHaveLength(30);
    expect(Math.max(...times.map((of) => of.length))).toBe(2);
    expect(bot.at().at(-1)).toBeLessThanOrEqual(26_000);
  });

  it('gives what is asked for again while it is not to wait no later time than it had', async () => {
    const bot = rig(({ at }) => (at < 60_000 ? flood(60 - at / 1000) : undefined));
    const ask = async (messageId: number): Promise<number> => {
      try {
        await bot.editor.edit({ chatId: GROUP, messageId, text: html`x`, minGapMs: 0, orLater: true });
        return 0;
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        return Math.round(bot.clock.now() + error.afterMs);
      }
    };
    await ask(1);
    const told: number[][] = [];
    for (let at = 1000; at < 60_000; at += 4000) {
      await bot.clock.run(at);
      told.push([await ask(2), await ask(3)]);
    }
    expect(new Set(told.map(String))).toEqual(new Set([String(told[0])]));
    expect(Math.max(...told.flat())).toBeLessThan(70_000);
  });

  it('lets a few of those that came back at their time stand in line, however many always stand there', async () => {
    const bot = rig();
    const until: number[] = [];
    let [standing, most] = [0, 0];
    const show = async (messageId: number): Promise<void> => {
      try {
        standing += 1;
        await bot.editor
          .edit({ chatId: GROUP, messageId, text: html`x`, minGapMs: 0, orLater: true })
          .finally(() => (standing -= 1));
        until.push(bot.clock.now());
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        await bot.clock.sleep(error.afterMs);
        await show(messageId);
      }
    };
    // Others stand in line from the beginning to the end, more than the pace lets through.
    for (let n = 0; n < 40; n += 1) void bot.api.editMessageText(GROUP, 1, `${n}`);
    await settle();
    const shown = Promise.all([5, 6, 7, 8, 9, 10].map(show));
    for (let at = 1000; at < 300_000; at += 1000) {
      await bot.clock.run(at);
      most = Math.max(most, standing);
      void bot.api.editMessageText(GROUP, 1, `${at}`);
    }
    await bot.clock.run();
    await shown;
    expect(until).toHaveLength(6);
    expect(most).toBeLessThanOrEqual(3);
    // The first behind the forty, and those who came meanwhile: nobody who comes later goes before them.
    expect(until[2]).toBeLessThan(600_000);
  });

  it('starves neither edits nor sends when both wait', async () => {
    const bot = rig();
    for (let n = 0; n < 15; n += 1) void bot.api.sendMessage(GROUP, `${n}`);
    for (let n = 0; n < 15; n += 1) void bot.api.editMessageText(GROUP, 1, `${n}`);
    await bot.clock.run(60_000);
    const late = bot.seen.slice(10).map((call) => call.method);
    expect(late.filter((method) => method === 'sendMessage').length).toBeGreaterThanOrEqual(5);
    expect(late.filter((method) => method === 'editMessageText').length).toBeGreaterThanOrEqual(5);
  });

  it('lets what is not a message pass at once', async () => {
    const bot = rig();
    for (let n = 0; n < 30; n += 1) void bot.api.sendMessage(GROUP, `${n}`);
    await bot.clock.run(1);
    void bot.api.answerCallbackQuery('q');
    void bot.api.deleteMessage(GROUP, 1);
    void bot.api.sendChatAction(GROUP, 'typing');
    void bot.api.getMe();
    void bot.api.getUpdates();
    await bot.clock.run(2);
    expect(
      bot.seen
        .slice(10)
        .map((call) => call.method)
        .toSorted(),
    ).toEqual(['answerCallbackQuery', 'deleteMessage', 'getMe', 'getUpdates', 'sendChatAction']);
    await bot.clock.run();
  });

  it('counts an album as its messages', async () => {
    const bot = rig();
    void bot.api.sendMediaGroup(
      7,
      Array.from({ length: 5 }, () => ({ type: 'photo', media: 'id' }) as const),
    );
    void bot.api.sendMessage(7, 'next');
    await bot.clock.run();
    expect(bot.at(7)).toEqual([0, 1000]);
  });

  it('does not forget a chat that still owes time, however many others come', async () => {
    const bot = rig();
    for (let n = 0; n < 20; n += 1) void bot.api.sendMessage(GROUP, `${n}`);
    await bot.clock.run(30_000);
    for (let chat = 1; chat <= 300; chat += 1) void bot.api.sendMessage(chat, 'x');
    await bot.clock.run(50_000);
    void bot.api.sendMessage(GROUP, 'last');
    await bot.clock.run();
    expect(bot.at(GROUP).at(-1)).toBe(60_000);
  });

  it('forgets chats that have been quiet', async () => {
    const bot = rig();
    for (let chat = 1; chat <= 3000; chat += 1) {
      void bot.api.sendMessage(chat, 'x');
      await bot.clock.run(bot.clock.now() + 1000);
    }
    await bot.clock.run();
    expect(bot.seen.length).toBe(3000);
    expect(bot.size()).toBeLessThan(200);
  });
});

describe('a flood limit', () => {
  it('holds up its own chat for as long as it says, and the same call follows', async () => {
    const bot = rig((call, nth) => (call.chat === GROUP && nth === 1 ? flood(37) : undefined));
    const first = bot.api.sendMessage(GROUP, 'first');
    void bot.api.sendMessage(GROUP, 'second');
    await bot.clock.run(5);
    void bot.api.sendMessage(OTHER_GROUP, 'other');
    await bot.clock.run();
    expect(await outcome(first)).toBe('done');
    expect(bot.seen.map((call) => `${call.at} ${call.text}`)).toEqual([
      '0 first',
      '5 other',
      '37000 first',
      '37000 second',
    ]);
  });

  it('holds up everything when it names no chat', async () => {
    const bot = rig((_call, nth) => (nth === 1 ? flood(3) : undefined));
    const answered = bot.api.answerCallbackQuery('q');
    await bot.clock.run(1);
    void bot.api.sendMessage(7, 'x');
    void bot.api.sendMessage(GROUP, 'x');
    await bot.clock.run();
    expect(await outcome(answered)).toBe('done');
    expect(bot.seen.slice(1).map((call) => call.at)).toEqual([3000, 3000, 3000]);
  });

  it('on a setting holds up that setting alone, and is reported when it is long', async () => {
    const bot = rig((call) => (call.method === 'setMyCommands' ? flood(9000) : undefined));
    const set = outcome(bot.api.setMyCommands([]));
    void bot.api.sendMessage(7, 'x');
    await bot.clock.run();
    expect(await set).toBe('too_many');
    expect(bot.at(7)).toEqual([0]);
  });

  it('is not waited for when the caller gives up', async () => {
    const bot = rig((_call, nth) => (nth === 1 ? flood(300) : undefined));
    const controller = new AbortController();
    const first = outcome(bot.api.sendMessage(7, 'first', {}, signalOf(controller)));
    const behind = outcome(bot.api.sendMessage(7, 'behind', {}, signalOf(controller)));
    await bot.clock.run(1000);
    controller.abort();
    expect(await first).toBe('surely_unsent');
    expect(await behind).toBe('surely_unsent');
    expect(bot.clock.now()).toBe(1000);
    void bot.api.sendMessage(7, 'later');
    await bot.clock.run();
    expect(bot.seen.map((call) => `${call.at} ${call.text}`)).toEqual(['0 first', '300000 later']);
  });

  it('drops a chat action, which nobody needs later', async () => {
    const bot = rig(() => flood(50));
    expect(await bot.api.sendChatAction(7, 'typing')).toBe(true);
    expect(bot.seen.length).toBe(1);
  });
});

describe('a migration', () => {
  it('repeats the call once with the new id and reports it', async () => {
    const moved: number[][] = [];
    const bot = rig(
      (call) =>
        call.chat === GROUP
          ? refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
              migrate_to_chat_id: OTHER_GROUP,
            })
          : undefined,
      {
        onMigrate(oldId, newId) {
          moved.push([oldId, newId]);
          throw new Error('the database is away');
        },
      },
    );
    expect(await outcome(bot.api.sendMessage(GROUP, 'x'))).toBe('done');
    expect(bot.seen.map((call) => [call.chat, call.text])).toEqual([
      [GROUP, 'x'],
      [OTHER_GROUP, 'x'],
    ]);
    expect(moved).toEqual([[GROUP, OTHER_GROUP]]);
    await bot.idle();
  });

  it('is written down before anybody can answer what is said under the new id', async () => {
    let write = (): void => undefined;
    const written = new Promise<void>((resolve) => {
      write = resolve;
    });
    const bot = rig(
      (call) =>
        call.chat === GROUP
          ? refuse(400, 'Bad Request: upgraded', { migrate_to_chat_id: OTHER_GROUP })
          : undefined,
      { onMigrate: async () => await written },
    );
    const said = outcome(bot.api.sendMessage(GROUP, 'x'));
    await settle();
    expect(bot.seen.map((call) => call.chat)).toEqual([GROUP]);
    write();
    expect(await said).toBe('done');
    expect(bot.seen.map((call) => call.chat)).toEqual([GROUP, OTHER_GROUP]);
  });

  it('leaves what was asked of a message undone, and names none: in the new chat its number is another message’s', async () => {
    const bot = rig((call) =>
      call.chat === GROUP
        ? refuse(400, 'Bad Request: upgraded', { migrate_to_chat_id: OTHER_GROUP })
        : undefined,
    );
    expect(await outcome(bot.api.editMessageText(GROUP, 7, 'x'))).toBe('message_gone');
    expect(await outcome(bot.api.editMessageReplyMarkup(GROUP, 7))).toBe('message_gone');
    expect(await outcome(bot.api.deleteMessage(GROUP, 7))).toBe('done');
    expect(bot.seen.map((call) => call.chat)).toEqual([GROUP, GROUP, GROUP]);
    await bot.api.sendMessage(GROUP, 'x', { reply_parameters: { message_id: 7 } });
    expect(bot.seen.slice(3).map(({ payload }) => payload['reply_parameters'])).toEqual([
      { message_id: 7 },
      undefined,
    ]);
  });

  it('is followed once only', async () => {
    const bot = rig((call) => refuse(400, 'Bad Request: upgraded', { migrate_to_chat_id: call.chat - 1 }));
    expect(await outcome(bot.api.sendMessage(GROUP, 'x'))).toBe('migrated');
    expect(bot.seen.length).toBe(2);
  });
});

describe('a repeat', () => {
  const calls: readonly (readonly [string, (api: Api) => Promise<unknown>])[] = [
    ['sendMessage', (api) => api.sendMessage(7, 'x')],
    ['sendDocument', (api) => api.sendDocument(7, 'file')],
    ['sendMediaGroup', (api) => api.sendMediaGroup(7, [])],
    ['copyMessage', (api) => api.copyMessage(7, 8, 1)],
    ['copyMessages', (api) => api.copyMessages(7, 8, [1])],
    ['forwardMessage', (api) => api.forwardMessage(7, 8, 1)],
    ['forwardMessages', (api) => api.forwardMessages(7, 8, [1])],
    ['createForumTopic', (api) => api.createForumTopic(7, 'x')],
  ];

  it.each(calls)('of %s never follows a lost answer', async (_method, call) => {
    const bot = rig(lost);
    const result = call(bot.api);
    await expect(result).rejects.toBeInstanceOf(LostAnswer);
    expect(bot.seen.length).toBe(1);
  });

  it.each(calls)('of %s never follows an error inside Telegram', async (_method, call) => {
    const bot = rig(() => refuse(502, 'Bad Gateway'));
    await expect(call(bot.api)).rejects.toBeInstanceOf(LostAnswer);
    expect(bot.seen.length).toBe(1);
  });

  it.each(calls)('of %s follows when it surely was not sent', async (_method, call) => {
    const bot = rig((_call, nth) => (nth <= 2 ? unsent() : undefined));
    const result = outcome(call(bot.api));
    await bot.clock.run();
    expect(await result).toBe('done');
    expect(bot.seen.length).toBe(3);
  });

  it('ends after a few', async () => {
    const bot = rig(unsent);
    const result = outcome(bot.api.sendMessage(7, 'x'));
    await bot.clock.run();
    expect(await result).toBe('surely_unsent');
    expect(bot.seen.length).toBe(4);
  });

  it.each<readonly [string, (api: Api) => Promise<unknown>]>([
    ['editMessageText', (api) => api.editMessageText(7, 1, 'x')],
    ['editMessageReplyMarkup', (api) => api.editMessageReplyMarkup(7, 1)],
    ['deleteMessage', (api) => api.deleteMessage(7, 1)],
    ['answerCallbackQuery', (api) => api.answerCallbackQuery('q')],
    ['getMe', (api) => api.getMe()],
    ['getChatMember', (api) => api.getChatMember(7, 1)],
    ['setMyCommands', (api) => api.setMyCommands([])],
  ])('of %s follows a lost answer, three times at most', async (_method, call) => {
    const recovering = rig((_call, nth) => (nth === 1 ? lost() : nth === 2 ? refuse(500, 'x') : undefined));
    const recovered = outcome(call(recovering.api));
    await recovering.clock.run();
    expect(await recovered).toBe('done');
    expect(recovering.seen.length).toBe(3);

    const hopeless = rig(lost);
    const failed = outcome(call(hopeless.api));
    await hopeless.clock.run();
    expect(await failed).toBe('lost_answer');
    expect(hopeless.seen.length).toBe(4);
  });

  it('does not come between a poll and whoever polls', async () => {
    const bot = rig(lost);
    expect(await outcome(bot.api.getUpdates())).toBe('lost_answer');
    expect(bot.seen.length).toBe(1);
  });
});

describe('a refusal', () => {
  it.each<readonly [string, string, (api: Api) => Promise<unknown>]>([
    ['done', 'message is not modified: it is the same', (api) => api.editMessageText(7, 1, 'x')],
    ['done', 'message is not modified: it is the same', (api) => api.editMessageReplyMarkup(7, 1)],
    ['done', 'message to delete not found', (api) => api.deleteMessage(7, 1)],
    [
      'done',
      'query is too old and response timeout expired or query ID is invalid',
      (api) => api.answerCallbackQuery('q'),
    ],
    ['message_gone', 'message to edit not found', (api) => api.editMessageText(7, 1, 'x')],
    ['message_gone', 'message to be replied not found', (api) => api.sendMessage(7, 'x')],
    ['refused', "message can't be deleted", (api) => api.deleteMessage(7, 1)],
    ['chat_gone', 'chat not found', (api) => api.sendMessage(7, 'x')],
  ])('ends as %s when Telegram says %j', async (kind, description, call) => {
    const bot = rig(() => refuse(400, `Bad Request: ${description}`));
    expect(await outcome(call(bot.api))).toBe(kind);
    expect(bot.seen.length).toBe(1);
  });
});

function kindOf(error: unknown): string {
  return telegramFailure(error).kind;
}

function show(bot: Rig, text: string, more = {}): Promise<string> {
  return bot.editor.edit({ chatId: GROUP, messageId: 5, text: html`${text}`, ...more }).catch(kindOf);
}

function edits(bot: Rig): string[] {
  return bot.seen.map((call) => `${call.at} ${call.text}`);
}

describe('the editor', () => {
  it('sends the first at once, then only the newest after the gap, and the last for certain', async () => {
    const bot = rig();
    const results: Promise<string>[] = [];
    for (let n = 0; n < 40; n += 1) {
      results.push(show(bot, `${n}`));
      await bot.clock.run(bot.clock.now() + 300);
    }
    await bot.clock.run();
    expect(edits(bot)).toEqual(['0 0', '5000 16', '10000 33', '15000 39']);
    expect(new Set(await Promise.all(results))).toEqual(new Set(['shown']));
    expect(bot.editor.size()).toBe(0);
  });

  it('sends escaped markup with its buttons and without link previews', async () => {
    const bot = rig();
    const replyMarkup = { inline_keyboard: [[{ text: 'ok', callback_data: 'x' }]] };
    void show(bot, '<a&b>', { replyMarkup });
    await bot.clock.run();
    expect(bot.seen[0]?.payload).toEqual({
      chat_id: GROUP,
      message_id: 5,
      text: '&lt;a&amp;b&gt;',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      reply_markup: replyMarkup,
    });
  });

  it('shows the newest content after a flood limit, without the buttons of the older one', async () => {
    const bot = rig((_call, nth) => (nth === 1 ? flood(200) : undefined));
    const old = show(bot, 'old', {
      replyMarkup: { inline_keyboard: [[{ text: 'ok', callback_data: 'x' }]] },
    });
    await bot.clock.run(50_000);
    void show(bot, 'newer');
    const newest = show(bot, 'newest');
    await bot.clock.run();
    expect(edits(bot)).toEqual(['0 old', '200000 newest']);
    expect(bot.seen[1]?.payload['reply_markup']).toBeUndefined();
    expect([await old, await newest]).toEqual(['shown', 'shown']);
  });

  it('settles an edit only when it, or a newer one, is shown', async () => {
    const bot = rig();
    const settled: string[] = [];
    const note = async (text: string): Promise<void> => {
      await show(bot, text);
      settled.push(`${text} ${bot.clock.now()}`);
    };
    await bot.clock.run(1);
    void note('a');
    await bot.clock.run(2);
    void note('b');
    void note('c');
    await bot.clock.run();
    expect(settled).toEqual(['a 1', 'b 5001', 'c 5001']);
  });

  it('takes the gap of the newest edit', async () => {
    const bot = rig(undefined, { editGapMs: 10_000 });
    void show(bot, 'a');
    await bot.clock.run(1000);
    void show(bot, 'b');
    await bot.clock.run(2000);
    void show(bot, 'tapped', { minGapMs: 0 });
    await bot.clock.run(3000);
    void show(bot, 'slow', { minGapMs: 30_000 });
    await bot.clock.run();
    expect(edits(bot)).toEqual(['0 a', '2000 tapped', '32000 slow']);
    expect(bot.editor.size()).toBe(0);
  });

  it('leaves out what is not to wait: in the gap, and while Telegram asks to slow down; who waits is shown it', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<Answer>();
    const bot = rig((_call, nth) => (nth === 2 ? answer : undefined));
    const later = { orLater: true };
    expect(await show(bot, 'a', later)).toBe('shown');
    await bot.clock.run(1000);
    expect(await show(bot, 'b', later)).toBe('left_out');
    await bot.clock.run(6000);
    const asked = show(bot, 'c', later);
    await bot.clock.run(6001);
    const [joined, pressed] = [show(bot, 'd', later), show(bot, 'pressed', { minGapMs: 0 })];
    resolve(flood(30));
    await bot.clock.run(7000);
    expect([await asked, await joined]).toEqual(['left_out', 'left_out']);
    expect(await show(bot, 'e', { ...later, minGapMs: 0 })).toBe('left_out');
    await bot.clock.run();
    expect(await pressed).toBe('shown');
    expect(edits(bot)).toEqual(['0 a', '6000 c', '36001 pressed']);
    expect(bot.editor.size()).toBe(0);
  });

  it('keeps messages apart', async () => {
    const bot = rig();
    void bot.editor.edit({ chatId: 7, messageId: 1, text: html`one` });
    void bot.editor.edit({ chatId: 7, messageId: 2, text: html`two` });
    void bot.editor.edit({ chatId: 8, messageId: 1, text: html`three` });
    await bot.clock.run(0);
    expect(bot.seen.map((call) => call.text).toSorted()).toEqual(['one', 'three', 'two']);
    await bot.clock.run();
  });

  it('flushes what waits for its gap', async () => {
    const bot = rig();
    void show(bot, 'a');
    await bot.clock.run(100);
    const last = show(bot, 'b');
    await bot.editor.flush();
    expect(edits(bot)).toEqual(['0 a', '100 b']);
    expect(await last).toBe('shown');
  });

  it('shows again what it has shown last: somebody else may have edited the message since', async () => {
    const bot = rig();
    expect(await show(bot, 'a')).toBe('shown');
    const again = show(bot, 'a');
    await bot.clock.run(60_000);
    expect(await again).toBe('shown');
    expect(edits(bot).map((edit) => edit.split(' ')[1])).toEqual(['a', 'a']);
  });

  it('takes an unchanged message for shown and a deleted one for gone', async () => {
    const same = rig(() => refuse(400, 'Bad Request: message is not modified: same'));
    expect(await show(same, 'x')).toBe('shown');
    const gone = rig(() => refuse(400, 'Bad Request: message to edit not found'));
    expect(await show(gone, 'x')).toBe('gone');
  });

  it('reports a failure, unless something newer comes through', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<Answer>();
    const bot = rig((_call, nth) => (nth === 1 ? answer : undefined));
    const first = show(bot, 'first');
    await bot.clock.run(1);
    const second = show(bot, 'second');
    resolve(refuse(400, 'Bad Request: message is too long'));
    await bot.clock.run();
    expect([await first, await second]).toEqual(['shown', 'shown']);

    const kicked = rig(() => refuse(403, 'Forbidden: bot was kicked from the group chat'));
    const failed = show(kicked, 'x');
    await kicked.clock.run();
    expect(await failed).toBe('kicked');
    expect(kicked.editor.size()).toBe(0);
  });
});

describe('the end', () => {
  it('waits for what is on the wire and fails what is not', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<Answer>();
    const bot = rig((call) => (call.text === 'on the wire' ? answer : undefined));
    const onWire = outcome(bot.api.sendMessage(7, 'on the wire'));
    const queued = outcome(bot.api.sendMessage(7, 'queued'));
    const edit = bot.editor.edit({ chatId: 7, messageId: 1, text: html`a` });
    await bot.clock.run(0);
    await edit;
    const pending = outcome(bot.editor.edit({ chatId: 7, messageId: 1, text: html`b` }));
    let closed = false;
    const closing = (async () => {
      await bot.close();
      closed = true;
    })();
    expect(await queued).toBe('surely_unsent');
    expect(await pending).toBe('surely_unsent');
    expect(closed).toBe(false);
    resolve({ ok: true, result: true });
    expect(await onWire).toBe('done');
    await closing;
    expect(await outcome(bot.api.sendMessage(7, 'late'))).toBe('surely_unsent');
    expect(bot.seen.map((call) => call.text)).toEqual(['on the wire', 'a']);
  });

  it('is idle when all is sent', async () => {
    const bot = rig();
    for (let n = 0; n < 8; n += 1) void bot.api.sendMessage(7, `${n}`);
    void bot.editor.edit({ chatId: 8, messageId: 1, text: html`a` });
    void bot.editor.edit({ chatId: 8, messageId: 1, text: html`b` });
    const idle = (async () => {
      await bot.idle();
      return bot.seen.length;
    })();
    await bot.clock.run();
    expect(await idle).toBe(9);
  });
});

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** The kit over real connections, in a time that passes as soon as somebody waits for it. */
async function start(
  listener: (hit: number, request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ api: Api; hits: () => number }> {
  let hits = 0;
  const server = createServer((request, response) => {
    hits += 1;
    listener(hits, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const http = createTelegramFetch();
  const api = new Api('1:canary', { apiRoot: `http://127.0.0.1:${address.port}`, fetch: http.fetch });
  let now = 0;
  const sleep = (ms: number): Promise<void> => {
    now += ms;
    return Promise.resolve();
  };
  createOutgoing({ clock: { now: () => now, sleep } }).install(api);
  cleanups.push(
    () => http.close(),
    () => server.closeAllConnections(),
    () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  );
  return { api, hits: () => hits };
}

function fine(response: ServerResponse): void {
  response.end('{"ok":true,"result":{"message_id":1}}');
}

describe('over HTTP', () => {
  it('sends a message once when the connection breaks before the answer', async () => {
    const { api, hits } = await start((_hit, request) => request.socket.resetAndDestroy());
    await expect(api.sendMessage(7, 'x')).rejects.toBeInstanceOf(LostAnswer);
    expect(hits()).toBe(1);
  });

  it('edits again when the connection breaks before the answer', async () => {
    const { api, hits } = await start((hit, request, response) => {
      if (hit === 1) request.socket.resetAndDestroy();
      else fine(response);
    });
    expect(await api.editMessageText(7, 1, 'x')).toEqual({ message_id: 1 });
    expect(hits()).toBe(2);
  });

  it('obeys a flood limit and sends again', async () => {
    const { api, hits } = await start((hit, _request, response) => {
      if (hit === 1) response.writeHead(429).end(JSON.stringify(flood(3)));
      else fine(response);
    });
    expect(await api.sendMessage(7, 'x')).toEqual({ message_id: 1 });
    expect(hits()).toBe(2);
  });
});
