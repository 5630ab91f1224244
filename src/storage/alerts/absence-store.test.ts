import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAbsenceStore } from './absence-store.ts';
import { createLimitsStore } from '../sending/limits-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const absence = () => createAbsenceStore(storage.database);
const limits = () => createLimitsStore(storage.database);

/** A chat with a send that runs, and the change that removes the bot from it. */
async function place() {
  const made = await storage.addPlace();
  const { jobId } = await storage.addRunningJob(made);
  const change = { chatTelegramId: made.chat.telegramId, personId: 4242, updateId: 7 };
  const state = async () => {
    const [row] = await storage.database.sql<
      { state: string; stop_reason: string | null; by: number | null }[]
    >`
      select state, stop_reason, stopped_by as by from job where id = ${jobId}`;
    return row;
  };
  return { ...made, jobId, change, state };
}

describe('a chat that the bot was removed from', () => {
  test('has its switch thrown by nobody of the chat, once, and keeps its limits', async () => {
    const { chat, ownerId, change, state } = await place();
    const press = { chatId: chat.id, personId: ownerId, updateId: 1 };
    await limits().change({ ...press, to: { approvalParts: 7, cap: { unit: 'parts', parts: 9 } } });
    await absence().left(change);
    await absence().left({ ...change, updateId: 8 });
    expect(await state()).toEqual({ state: 'paused', stop_reason: 'halted', by: null });
    expect(await limits().of(chat.id)).toMatchObject({
      approvalParts: 7,
      cap: { unit: 'parts', parts: 9 },
      halted: { byName: null },
    });
    expect(await absence().heldIn(chat.id)).toMatchObject({
      chat: { telegramId: chat.telegramId, type: 'supergroup', title: 'Shop' },
      paused: 1,
      scheduled: 0,
      owners: [ownerId],
    });
    const told = (await storage.audit(chat.id)).filter(({ action }) => action === 'sends_halted');
    expect(told).toMatchObject([{ details: { paused: 1, removed: true } }]);
  });

  test('stays so when the bot is back while something waits, until a person lets it go', async () => {
    const { chat, ownerId, change, state } = await place();
    await absence().left(change);
    await absence().back(change);
    expect(await state()).toMatchObject({ state: 'paused' });
    const press = { chatId: chat.id, personId: ownerId, updateId: 1 };
    expect(await limits().go({ ...press, timeZone: 'UTC' })).toMatchObject({ resumed: 1, kept: 0 });
    expect(await state()).toMatchObject({ state: 'running' });
    expect(await absence().heldIn(chat.id)).toBeNull();
  });

  test('is as before when nothing has waited', async () => {
    const { chat, change, jobId } = await place();
    await storage.database.sql`update job set state = 'done', ended_at = now() where id = ${jobId}`;
    await absence().left(change);
    expect((await limits().of(chat.id)).halted).not.toBeNull();
    await absence().back(change);
    expect((await limits().of(chat.id)).halted).toBeNull();
  });

  test('is shown what became known of its sends meanwhile, and nothing else', async () => {
    const { sql } = storage.database;
    const { change, ...made } = await place();
    const [found, told, known] = [
      await storage.addRunningJob(made),
      await storage.addRunningJob(made),
      await storage.addRunningJob(made),
    ];
    await sql`update job set state = 'done', ended_at = now() - interval '1 hour' where chat_id = ${made.chat.id}`;
    await sql`
      update attempt set state = 'accepted', on_wire_at = now() - interval '1 hour', ended_at = now() - interval '1 hour'
      where job_id in (select id from job where chat_id = ${made.chat.id})`;
    await absence().left(change);
    // The lists had the one, and the gateway reported about the other.
    await sql`update attempt set state = 'sent', checks = 1 where job_id = ${found.jobId}`;
    await sql`
      insert into delivery (attempt_id, recipient, message_id, kind, checked_at)
      select id, recipients[1], '77', 'delivered', now() from attempt where job_id = ${told.jobId}`;
    await sql`
      insert into delivery (attempt_id, recipient, message_id, kind, checked_at)
      select id, recipients[1], '78', 'delivered', now() - interval '50 minutes' from attempt where job_id = ${known.jobId}`;
    await storage.emptyQueue();
    await absence().back(change);
    const keys = [...(await storage.queued()).keys()];
    expect(keys.toSorted()).toEqual([`card:${found.draftId}`, `card:${told.draftId}`].toSorted());
  });

  test('keeps the switch that a person has thrown', async () => {
    const { chat, ownerId, change } = await place();
    await limits().halt({ chatId: chat.id, personId: ownerId, updateId: 1 });
    await absence().left(change);
    await absence().back(change);
    expect((await limits().of(chat.id)).halted?.byName).not.toBeNull();
    expect(await absence().heldIn(chat.id)).toBeNull();
  });

  test('without an account, or unknown, has nothing to hold', async () => {
    const chat = await storage.addChat();
    await absence().left({ chatTelegramId: chat.telegramId, personId: 1, updateId: 1 });
    await absence().left({ chatTelegramId: -999_999, personId: 1, updateId: 1 });
    await absence().back({ chatTelegramId: -999_999, personId: 1, updateId: 1 });
    expect((await limits().of(chat.id)).halted).toBeNull();
  });
});
