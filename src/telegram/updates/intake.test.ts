import type { Update } from '@grammyjs/types';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemoryLog, type MemoryLog } from '../../../test/support/memory-log.ts';
import { NO_METRICS } from '../../../test/support/no-metrics.ts';
import { until } from '../../../test/support/until.ts';
import type { Stores } from '../../storage/stores.ts';
import { openTestStorage, type TestStorage } from '../../storage/testing.ts';
import { createIntake, type Intake } from './intake.ts';

let storage: TestStorage;
let botId: number;
let log: MemoryLog;

beforeAll(async () => {
  storage = await openTestStorage();
});
beforeEach(() => {
  botId = storage.next();
  log = createMemoryLog();
});
afterAll(() => storage.close());

const user = { id: 5, is_bot: false, first_name: 'Sara' };

function message(id: number, chatId = -1, text = `text ${id}`): Update {
  const chat = { id: chatId, type: 'supergroup' as const, title: 'Shop' };
  return { update_id: id, message: { message_id: id, date: 1, chat, from: user, text } };
}

function press(id: number, chatId = -1): Update {
  const chat = { id: chatId, type: 'supergroup' as const, title: 'Shop' };
  return {
    update_id: id,
    callback_query: {
      id: String(id),
      from: user,
      chat_instance: 'x',
      data: 'p1:x',
      message: { message_id: 1, date: 1, chat, from: user, text: 'card' },
    },
  };
}

/** An intake whose handler notes its order and can be held at chosen updates. */
function intakeWith(
  more: {
    updates?: Partial<Stores['updates']>;
    fail?: (id: number) => boolean;
    leads?: () => boolean;
    mostInHand?: number;
  } = {},
) {
  const begun: number[] = [];
  const ended: number[] = [];
  const arrived: number[] = [];
  const held = new Map<number, PromiseWithResolvers<void>>();
  const waiting: { id: number; resolve: () => void }[] = [];
  const intake: Intake = createIntake({
    botId,
    updates: { ...storage.updates, ...more.updates },
    sealer: storage.sealer,
    leads: more.leads ?? (() => true),
    mostInHand: more.mostInHand,
    arrived: ({ update_id: id }) => arrived.push(id),
    metrics: NO_METRICS,
    log,
    handle: async ({ update_id: id }) => {
      begun.push(id);
      for (const each of waiting.filter((one) => one.id === id)) each.resolve();
      await held.get(id)?.promise;
      if (more.fail?.(id) === true) throw new Error('it failed');
      ended.push(id);
    },
  });
  return {
    intake,
    begun,
    ended,
    arrived,
    hold: (id: number) => held.set(id, Promise.withResolvers()),
    free: (id: number) => held.get(id)?.resolve(),
    begins: async (id: number) => {
      if (begun.includes(id)) return;
      await new Promise<void>((resolve) => waiting.push({ id, resolve }));
    },
  };
}

async function rows() {
  return await storage.sql<{ update_id: number; done: boolean; empty: boolean }[]>`
    select update_id, done_at is not null as done, payload is null as empty from update
    where bot_id = ${botId} order by update_id`;
}

describe('accepting', () => {
  test('writes down before it returns, sealed, and empties what is done', async () => {
    const { intake, hold, free, begins } = intakeWith();
    hold(1);
    await intake.accept([message(1, -1, 'a secret: canary-5521')]);
    await begins(1);
    const [row] = await storage.sql<
      { payload: Buffer }[]
    >`select payload from update where bot_id = ${botId}`;
    expect(row?.payload.toString('latin1')).not.toContain('canary');
    expect(await rows()).toEqual([{ update_id: 1, done: false, empty: false }]);
    free(1);
    await intake.idle();
    expect(await rows()).toEqual([{ update_id: 1, done: true, empty: true }]);
  });

  test('of what was accepted before has no second effect: in a batch, beside it, later, in another process', async () => {
    const { intake, ended } = intakeWith();
    await intake.accept([message(1), message(1), message(2)]);
    await Promise.all([intake.accept([message(2), message(3)]), intake.accept([message(3)])]);
    await intake.idle();
    await intake.accept([message(1), message(2), message(3)]);
    const second = intakeWith();
    await second.intake.accept([message(1), message(2)]);
    await second.intake.resume();
    await Promise.all([intake.idle(), second.intake.idle()]);
    expect(ended.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    expect(second.ended).toEqual([]);
  });

  test('by a process that does not lead writes it down and announces it, and the leader handles it', async () => {
    const announced: number[] = [];
    const announce: Stores['updates']['announce'] = (id) => {
      announced.push(id);
      return Promise.resolve();
    };
    const { intake, ended } = intakeWith({ leads: () => false, updates: { announce } });
    await intake.accept([message(1), message(2)]);
    await intake.accept([message(2)]);
    await intake.idle();
    expect([ended, announced]).toEqual([[], [botId]]);
    const leader = intakeWith();
    await leader.intake.resume();
    await leader.intake.idle();
    expect(leader.ended).toEqual([1, 2]);
  });

  test('of a press that nobody made holds up nobody', async () => {
    const { intake, ended } = intakeWith();
    const stray = { update_id: 1, callback_query: { id: '1', chat_instance: 'x' } } as unknown as Update;
    await intake.accept([stray, message(2)]);
    await intake.idle();
    expect(ended.toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  test('that cannot be announced is accepted all the same', async () => {
    const announce = () => Promise.reject(new Error('away'));
    const { intake } = intakeWith({ leads: () => false, updates: { announce } });
    await intake.accept([message(1)]);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
    expect((await rows()).map(({ done }) => done)).toEqual([false]);
  });

  test('beside a sweep handles each update once', async () => {
    const { intake, ended } = intakeWith();
    const all: Promise<void>[] = [];
    for (let id = 1; id <= 40; id += 1) all.push(intake.accept([message(id, -id)]), intake.resume());
    await Promise.all(all);
    await intake.idle();
    expect(ended.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  test('fails when nothing could be written down, and can be asked again', async () => {
    let broken = true;
    const accept: Stores['updates']['accept'] = async (...args) => {
      if (broken) throw new Error('the database is away');
      return await storage.updates.accept(...args);
    };
    const { intake, ended } = intakeWith({ updates: { accept } });
    await expect(intake.accept([message(1)])).rejects.toThrow('away');
    expect(ended).toEqual([]);
    broken = false;
    await intake.accept([message(1)]);
    await intake.idle();
    expect(ended).toEqual([1]);
  });
});

describe('order', () => {
  test('of one chat is kept, also when an earlier one takes long', async () => {
    const { intake, begun, ended, hold, free, begins } = intakeWith();
    hold(1);
    await intake.accept([message(1), message(2)]);
    await intake.accept([message(3)]);
    await begins(1);
    expect(begun).toEqual([1]);
    free(1);
    await intake.idle();
    expect(ended).toEqual([1, 2, 3]);
  });

  test('of one chat is kept for edits and posts of channels too, and no other chat waits for them', async () => {
    const { intake, begun, hold, free, begins } = intakeWith();
    const as = (kind: keyof Update, { update_id: id, message: said }: Update): Update => ({
      update_id: id,
      [kind]: said,
    });
    hold(1);
    hold(3);
    await intake.accept([message(1), as('edited_message', message(2))]);
    await intake.accept([as('channel_post', message(3, -2)), as('edited_channel_post', message(4, -2))]);
    await intake.accept([as('edited_message', message(5, -3))]);
    await begins(5);
    expect(begun).toEqual([1, 3, 5]);
    free(1);
    free(3);
    await intake.idle();
    expect(begun.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  });

  test('goes on for others, not for the person themselves, once an answer waits for the pace', async () => {
    const { intake, begun, hold, free, begins } = intakeWith();
    const by = (id: number, update: Update): Update => {
      if (update.message !== undefined) update.message.from = { ...user, id };
      return update;
    };
    for (const n of [1, 4]) hold(n);
    await intake.accept([by(1, message(1)), by(1, message(2)), by(2, message(3)), by(2, message(4))]);
    await intake.accept([by(3, message(5)), by(3, message(6, -2))]);
    await Promise.all([begins(1), begins(6)]);
    expect(begun).toEqual([1, 6]);
    intake.letOn(1);
    await begins(4);
    expect(begun).toEqual([1, 6, 3, 4]);
    intake.letOn(4);
    await begins(5);
    // Nobody else waits for 1 any more, whatever else comes of its person.
    free(1);
    free(4);
    await intake.idle();
    expect(begun).toEqual([1, 6, 3, 4, 5, 2]);
  });

  test('of different chats is none: a slow one holds nobody else up', async () => {
    const { intake, ended, hold, free, begins } = intakeWith();
    hold(1);
    await intake.accept([message(1, -1), message(2, -2), message(3, -3)]);
    await Promise.all([begins(1), begins(2), begins(3)]);
    expect(ended.toSorted((a, b) => a - b)).toEqual([2, 3]);
    free(1);
    await intake.idle();
    expect(ended).toHaveLength(3);
  });

  test('a press comes after the messages before it, and a message after the presses before it', async () => {
    const { intake, ended } = intakeWith();
    await intake.accept([message(1), press(2), message(3), press(4)]);
    await intake.idle();
    expect(ended).toEqual([1, 2, 3, 4]);
  });

  test('a press passes a message that hangs, after a moment', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { intake, begun, hold, free, begins } = intakeWith();
      hold(1);
      await intake.accept([message(1), press(2)]);
      await begins(1);
      await vi.advanceTimersByTimeAsync(1000);
      expect(begun).toEqual([1]);
      await vi.advanceTimersByTimeAsync(600);
      await begins(2);
      expect(begun).toEqual([1, 2]);
      free(1);
      await intake.idle();
    } finally {
      vi.useRealTimers();
    }
  });

  test('an update of a kind without a chat is handled too', async () => {
    const { intake, ended } = intakeWith();
    await intake.accept([{ update_id: 9, inline_query: { id: '1', from: user, query: '', offset: '' } }]);
    await intake.idle();
    expect(ended).toEqual([9]);
  });
});

describe('resuming', () => {
  test('takes up what a process left: what it wrote down, what it was in the middle of, in its order', async () => {
    const dead = intakeWith();
    for (const id of [1, 4]) dead.hold(id);
    await dead.intake.accept([message(1), message(2), press(3), message(4, -2), message(5, -3)]);
    await dead.begins(5);
    await until(async () => expect((await rows()).filter((row) => row.done)).toHaveLength(1));
    const next = intakeWith();
    await next.intake.resume();
    await next.intake.idle();
    expect(next.ended.filter((id) => id !== 4)).toEqual([1, 2, 3]);
    expect(next.ended).toContain(4);
    expect((await rows()).every((row) => row.done && row.empty)).toBe(true);
    await next.intake.resume();
    await next.intake.idle();
    expect(next.ended).toHaveLength(4);
  });

  test('leaves alone what is in hand', async () => {
    const { intake, begun, hold, free, begins } = intakeWith();
    hold(1);
    await intake.accept([message(1)]);
    await begins(1);
    await intake.resume();
    free(1);
    await intake.idle();
    await intake.resume();
    await intake.idle();
    expect(begun).toEqual([1]);
  });

  test('tries again what failed, fifteen times, and then gives it up aloud', async () => {
    const { intake, begun, ended } = intakeWith({ fail: (id) => id === 1 });
    await intake.accept([message(1), message(2)]);
    await intake.idle();
    expect(ended).toEqual([2]);
    for (let sweep = 0; sweep < 18; sweep += 1) {
      await intake.resume();
      await intake.idle();
    }
    expect(begun.filter((id) => id === 1)).toHaveLength(1 + 15);
    expect((await rows()).map((row) => [row.done, row.empty])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(log.lines.map((line) => line.message)).toContain(
      'an update is given up: it ended the process again and again',
    );
  });

  test('gives up what ended the process, and not what waited behind it', async () => {
    const seal = (update: Update): { id: number; payload: Uint8Array } => ({
      id: update.update_id,
      payload: storage.sealer.sealShort(JSON.stringify(update), {
        purpose: 'update',
        bot: String(botId),
        update: String(update.update_id),
      }),
    });
    await storage.updates.accept(botId, [message(1), message(2), message(3, -2)].map(seal));
    for (let process = 0; process < 15; process += 1) await storage.updates.reopen(botId, [], 10);
    const { intake, ended } = intakeWith();
    await intake.resume();
    await intake.idle();
    expect(ended).toEqual([2]);
    expect((await rows()).map(({ done }) => done)).toEqual([true, true, true]);
  });

  test('that succeeds at a later try is done', async () => {
    let failures = 2;
    const { intake, ended } = intakeWith({ fail: () => (failures -= 1) >= 0 });
    await intake.accept([message(1)]);
    for (let sweep = 0; sweep < 4; sweep += 1) {
      await intake.idle();
      await intake.resume();
    }
    await intake.idle();
    expect(ended).toEqual([1]);
  });

  test('is not stopped by one that cannot be read', async () => {
    await storage.updates.accept(botId, [{ id: 1, payload: Buffer.from('not sealed') }]);
    await storage.updates.accept(botId, [
      {
        id: 2,
        payload: storage.sealer.sealShort(JSON.stringify(message(2)), {
          purpose: 'update',
          bot: String(botId),
          update: '2',
        }),
      },
      {
        // Sealed for another id: a row that was copied.
        id: 3,
        payload: storage.sealer.sealShort(JSON.stringify(message(2)), {
          purpose: 'update',
          bot: String(botId),
          update: '2',
        }),
      },
    ]);
    const { intake, ended } = intakeWith();
    await intake.resume();
    await intake.idle();
    expect(ended).toEqual([2]);
    expect(log.lines.filter((line) => line.message === 'an open update cannot be read')).toHaveLength(2);
  });
});

describe('in hand', () => {
  const NEVER = new AbortController().signal;

  test('are no more than so many: the rest waits in the database, and is handled in its order', async () => {
    const ids = Array.from({ length: 23 }, (_, n) => n + 1);
    const standby = intakeWith({ leads: () => false, mostInHand: 10 });
    await standby.intake.accept(ids.slice(0, 9).map((id) => message(id)));
    expect(await standby.intake.isFull()).toBe(false);
    await standby.intake.accept(ids.slice(9, 20).map((id) => message(id)));
    expect(await standby.intake.isFull()).toBe(true);

    const { intake, arrived, ended, hold, free, begins } = intakeWith({ mostInHand: 5 });
    hold(1);
    await intake.resume();
    await begins(1);
    expect(await intake.isFull()).toBe(true);
    // What comes now has to wait behind what waits already.
    await intake.accept([message(21), message(22), message(23)]);
    await intake.resume();
    expect(arrived).toEqual([1, 2, 3, 4, 5]);
    let hasRoom = false;
    const room = intake.room(NEVER)?.then(() => (hasRoom = true));
    await Promise.resolve();
    expect(hasRoom).toBe(false);
    free(1);
    // Without anybody asking for it: what is done makes room.
    await room;
    await until(() => expect(ended).toHaveLength(23));
    await intake.idle();
    expect([ended, arrived]).toEqual([ids, ids]);
    expect(await intake.isFull()).toBe(false);
    expect((await rows()).every((row) => row.done)).toBe(true);
    expect(await standby.intake.isFull()).toBe(false);
  });

  test('so many keep no more from being asked for, until one is done, has failed, or nobody waits any longer', async () => {
    const { intake, hold, free, begins } = intakeWith({ mostInHand: 2, fail: (id) => id === 1 });
    for (const id of [1, 2]) hold(id);
    expect(intake.room(NEVER)).toBe(null);
    await intake.accept([message(1, -1), message(2, -2)]);
    await begins(1);
    const stop = new AbortController();
    const [left, waited] = [intake.room(stop.signal), intake.room(NEVER)];
    stop.abort();
    await left;
    expect(await intake.isFull()).toBe(true);
    free(1);
    await waited;
    expect(await intake.isFull()).toBe(false);
    free(2);
    await intake.idle();
  });
});

test('what could not be marked as done is marked later, and not handled again', async () => {
  let broken = true;
  const done: Stores['updates']['done'] = async (...args) => {
    if (broken) throw new Error('the database is away');
    await storage.updates.done(...args);
  };
  const { intake, begun } = intakeWith({ updates: { done } });
  await intake.accept([message(1)]);
  await intake.idle();
  expect((await rows()).map((row) => row.done)).toEqual([false]);
  broken = false;
  await intake.resume();
  await intake.idle();
  expect(begun).toEqual([1]);
  expect((await rows()).map((row) => row.done)).toEqual([true]);
});

test('whatever ends while others are being marked as done is marked as well', async () => {
  const { intake } = intakeWith();
  for (let round = 0; round < 20; round += 1) {
    const ids = Array.from({ length: 10 }, (_, n) => round * 10 + n + 1);
    await intake.accept(ids.map((id) => message(id, -id)));
  }
  await intake.idle();
  expect((await rows()).filter((row) => !row.done)).toEqual([]);
});
