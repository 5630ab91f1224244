import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gregorianDayOf, jalaliDayOf } from '../../../domain/calendar.ts';
import { MOST_DATE_SENDS } from '../../../domain/date-send.ts';
import { Secret } from '../../../domain/secret.ts';
import type { GatewayCredentials, GatewayVersion } from '../../../ports/gateway.ts';
import { createDateRunner } from './runner.ts';
import { createDateSendStore } from '../../../storage/sending/date-send-store.ts';
import { openDatabase, type Database } from '../../../storage/database/database.ts';
import { createPeopleStore } from '../../../storage/people/people-store.ts';
import { openTestStorage, type TestStorage } from '../../../storage/testing.ts';

/*
 * Sends by people's dates over virtual years: the real stores on Postgres, whose `now()` is one of the story's. What leaves
 * is what was planned for a call: each message stands in one.
 */

const ZONE = 'Asia/Tehran';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const NEVER = new AbortController().signal;
/** 5 Azar 1405, 9:00 in Tehran. */
const START = Date.parse('2026-11-26T09:00:00+03:30');
const AT_TEN = START + 60 * MINUTE_MS;

let storage: TestStorage;
let virtual: Database;

beforeAll(async () => {
  storage = await openTestStorage();
  const { sql, target } = storage.database;
  await sql.unsafe(`
    create schema virtual; create table virtual.clock (at timestamptz not null);
    insert into virtual.clock values (pg_catalog.now());
    create function virtual.now() returns timestamptz stable language sql as 'select at from virtual.clock';
    alter database "${target.database}" set search_path = virtual, pg_catalog, public`);
  virtual = openDatabase({ target, max: 4 });
  // Its clocks say nothing of any other chat.
  const elsewhere = await storage.addChat();
  await sql`update chat set time_zone = 'Pacific/Kiritimati' where id = ${elsewhere.id}`;
  await sql.unsafe(`
    create table fails (at text not null);
    create function fail() returns trigger language plpgsql as $$ begin
      if exists (select from fails where at = tg_table_name) then raise exception 'cut off at %', tg_table_name; end if;
      return new; end $$`);
  for (const table of ['date_run', 'date_sent', 'draft', 'job', 'attempt', 'date_send'])
    await sql.unsafe(
      `create trigger fails before insert or update on ${table} for each row execute function fail()`,
    );
});
beforeEach(async () => {
  await virtual.sql`delete from fails`;
  await virtual.sql`update date_send set state = 'ended'`;
  await virtual.sql`update deployment set restored_at = null`;
  await storage.emptyQueue();
  await setTime(START);
});
afterAll(async () => {
  await virtual.close();
  await storage.close();
});

const setTime = async (at: number): Promise<void> => {
  await virtual.sql`update virtual.clock set at = ${new Date(at).toISOString()}`;
};

const storesOf = () => ({
  dateSends: createDateSendStore(virtual, ZONE),
  people: createPeopleStore(virtual),
});

/** A process of its own. */
const look = async (stores = storesOf(), versions: readonly GatewayVersion[] = [3]): Promise<void> => {
  const gateways = { capabilities: () => ({ versions, has: () => true, missing: () => [] }) };
  await createDateRunner({ ...stores, gateways })(NEVER);
};

const number = (at: number): string => `98912${String(at).padStart(7, '0')}`;

interface Order {
  readonly field?: string;
  readonly yearly?: boolean;
  readonly daysBefore?: number;
  readonly text?: string;
}

/** A chat with people, and an order that is on. */
async function begin(dates: readonly string[], order: Order = {}) {
  const place = await storage.addPlace();
  const chatId = place.chat.id;
  await virtual.sql`
    insert into chat_limits (chat_id, approval_parts, updated_by) values (${chatId}, null, ${place.ownerId})`;
  await virtual.sql`
    insert into contact (chat_id, number, name, fields, tags, set_by)
    select ${chatId}, number, name, jsonb_build_object('birthday', date), '{club}', ${place.ownerId}
    from json_to_recordset(${JSON.stringify(dates.map((date, at) => ({ number: number(at), name: `P${at}`, date })))}::text::json)
      as p (number text, name text, date text)`;
  const { dateSends } = storesOf();
  const doer = { chatId, personId: place.ownerId, updateId: storage.next() };
  const written = {
    ...doer,
    botId: 700,
    tag: 'club',
    field: 'birthday',
    yearly: true,
    daysBefore: 0,
    minute: 600,
    text: 'Dear {name}',
    line: '3000123456',
    lang: 'en',
    threadId: undefined,
    ...order,
  } as const;
  const proposed = await dateSends.propose(written);
  const id = proposed?.id ?? '';
  await dateSends.move('switch_on', { ...doer, id });
  return { ...place, chatId, doer, id, order: written };
}

/** What was planned to leave, and what asks instead: the numbers of each. */
async function made(chatId: string) {
  const rows = await virtual.sql<{ code: string; state: string; reason: string | null; numbers: string[] }[]>`
    select d.code, j.state, j.stop_reason as reason, array_agg(r.number order by r.number) as numbers
    from job j join draft d on d.id = j.draft_id join attempt a on a.job_id = j.id, unnest(a.recipients) as r(number)
    where j.chat_id = ${chatId} group by 1, 2, 3 order by substring(d.code from 2)::int`;
  return rows.map(({ state, reason, numbers }) => [state, reason, numbers]);
}

/** How often each number is in a call, by number. */
async function times(chatId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await virtual.sql<{ number: string; times: number }[]>`
    select r.number, count(*)::int as times from attempt a join job j on j.id = a.job_id, unnest(a.recipients) as r(number)
    where j.chat_id = ${chatId} group by 1`;
  return new Map(rows.map((row) => [row.number, row.times]));
}

const jalali = (at: number): string => {
  const { year, month, day } = jalaliDayOf(new Date(at), ZONE);
  return `${year}/${month}/${day}`;
};

describe('an order that is on', () => {
  test('writes at its time, to those whose day it is, and to nobody twice', async () => {
    const { chatId } = await begin(['1370/9/5', '80/09/05', '9/6', 'unknown']);
    await look();
    expect(await made(chatId)).toEqual([]);
    await setTime(AT_TEN);
    await look();
    await look();
    expect(await made(chatId)).toEqual([['scheduled', null, [number(0), number(1)]]]);
    await setTime(AT_TEN + DAY_MS);
    await Promise.all([look(), look(), look()]);
    expect(await made(chatId)).toEqual([
      ['scheduled', null, [number(0), number(1)]],
      ['scheduled', null, [number(2)]],
    ]);
    expect((await storage.audit(chatId)).map(({ action, person_id: by }) => [action, by === null])).toEqual(
      expect.arrayContaining([
        ['date_send_on', false],
        ['send_by_date', true],
      ]),
    );
  });

  test('says what it was changed to, also where its people were gathered before, and nothing changes it once it has ended', async () => {
    const { chatId, doer, id, order } = await begin(['9/5', '9/5']);
    const other = await begin(['9/5']);
    const stores = storesOf();
    const { dateSends } = stores;
    const change = async (text: string) => {
      const by = { ...doer, updateId: storage.next() };
      const proposed = await dateSends.propose({ ...order, ...by, text, isChange: true });
      expect(
        await dateSends.change({ ...by, chatId: other.chatId, id: other.id, by: proposed?.id ?? '' }),
      ).toBeNull();
      const changed = await dateSends.change({ ...by, id, by: proposed?.id ?? '' });
      expect(await dateSends.change({ ...by, id, by: proposed?.id ?? '' })).toBeNull();
      return changed?.text ?? null;
    };
    await setTime(AT_TEN);
    const leave: typeof dateSends.leave = async (run) => {
      await change('Hello {name}');
      return await dateSends.leave(run);
    };
    await look({ ...stores, dateSends: { ...dateSends, leave } });
    expect(await made(chatId)).toEqual([]);
    await look();
    expect(await made(chatId)).toEqual([['scheduled', null, [number(0), number(1)]]]);
    const [draft] = await virtual.sql<{ details: { rows: { text: string }[] } }[]>`
      select details from draft where chat_id = ${chatId}`;
    expect(draft?.details.rows.map(({ text }) => text)).toEqual(['Hello P0', 'Hello P1']);
    await dateSends.move('pause', { ...doer, id });
    expect(await change('Dear {name}')).toBe('Dear {name}');
    // As after a restore, until somebody resumes it.
    await virtual.sql`update date_send set confirmed_by = null where id = ${id}`;
    expect(await change('Hello {name}')).toBe('Hello {name}');
    const [of] = await virtual.sql`select confirmed_by, state from date_send where id = ${id}`;
    expect(of).toEqual({ confirmed_by: null, state: 'paused' });
    await dateSends.move('end', { ...doer, id });
    expect(await change('Hello {name}')).toBeNull();
  });

  test('is changed by what was proposed for it, in its own chat, and nothing else is', async () => {
    const { dateSends } = storesOf();
    const [mine, second, other] = [await begin([]), await begin([]), await begin([])];
    const { chatId, doer, id, order } = mine;
    await virtual.sql`update date_send set chat_id = ${chatId} where id = ${second.id}`;
    const propose = async (of = mine) =>
      (
        await dateSends.propose({
          ...of.order,
          text: 'Hello',
          line: '3000654321',
          lang: 'fa',
          updateId: storage.next(),
          isChange: true,
        })
      )?.id ?? '';
    const by = await propose();
    const theirs = await propose(other);
    const refused = [
      { ...other.doer, id, by },
      { ...other.doer, id: other.id, by },
      { ...doer, id: other.id, by },
      { ...doer, id, by: theirs },
      { ...doer, id, by: second.id },
    ];
    for (const each of refused) expect(await dateSends.change(each)).toBeNull();
    await dateSends.move('end', { ...second.doer, chatId, id: second.id });
    expect(await dateSends.change({ ...doer, id: second.id, by })).toBeNull();

    const personId = other.ownerId;
    const changed = await dateSends.change({ ...doer, personId, id, by });
    expect(changed).toMatchObject({ id, text: 'Hello', line: '3000654321', lang: 'fa', state: 'on' });
    const rows = await virtual.sql`
      select id, state, text, confirmed_by, ended_at is not null as ended from date_send where id in ${virtual.sql([id, by, theirs, second.id, other.id])}`;
    const of = (one: string) => rows.find((row) => row['id'] === one);
    expect([id, by, theirs, second.id, other.id].map(of)).toEqual([
      { id, state: 'on', text: 'Hello', confirmed_by: personId, ended: false },
      { id: by, state: 'ended', text: 'Hello', confirmed_by: null, ended: true },
      { id: theirs, state: 'proposed', text: 'Hello', confirmed_by: null, ended: false },
      { id: second.id, state: 'ended', text: order.text, confirmed_by: second.ownerId, ended: true },
      { id: other.id, state: 'on', text: order.text, confirmed_by: other.ownerId, ended: false },
    ]);
    expect(await dateSends.one(chatId, id)).toMatchObject({ id, confirmedByName: 'Sara' });
    for (const [chat, one] of [
      [other.chatId, id],
      [chatId, other.id],
      [chatId, by],
    ] as const)
      expect(await dateSends.one(chat, one)).toBeNull();
    // A day whose messages were in another language is not done with.
    await dateSends.done(
      { id, day: '2026-11-26', by: { ...order, text: 'Hello', line: '3000654321' } },
      null,
    );
    const [done] = await virtual.sql`select done_on from date_send where id = ${id}`;
    expect(done).toEqual({ done_on: '2026-11-25' });
  });

  test('leaves from the line and with the text that it was given while its people were gathered', async () => {
    const { chatId, doer, id, order } = await begin(['9/5', '9/5']);
    const stores = storesOf();
    const { dateSends } = stores;
    const changeOnce = (to: { readonly text?: string; readonly line?: string }) => {
      let isChanged = false;
      return async () => {
        if (isChanged) return;
        isChanged = true;
        const by = { ...doer, updateId: storage.next() };
        const proposed = await dateSends.propose({ ...order, ...by, ...to, isChange: true });
        await dateSends.change({ ...by, id, by: proposed?.id ?? '' });
      };
    };
    const lines = async () =>
      await virtual.sql<{ line: string; text: string }[]>`
        select r ->> 'line' as line, r ->> 'text' as text from draft d, jsonb_array_elements(d.details -> 'rows') as r
        where d.chat_id = ${chatId} order by d.created_at, 2`;
    await setTime(AT_TEN);
    const toLine = changeOnce({ line: '3000654321' });
    const leave: typeof dateSends.leave = async (run) => {
      await toLine();
      return await dateSends.leave(run);
    };
    await look({ ...stores, dateSends: { ...dateSends, leave } });
    await look();
    expect(await lines()).toEqual([
      { line: '3000654321', text: 'Dear P0' },
      { line: '3000654321', text: 'Dear P1' },
    ]);

    // Of those whose day is the next, nobody has what the text says; it is changed before the day is done with.
    await virtual.sql`update contact set fields = '{"birthday": "9/6", "code": ""}' where chat_id = ${chatId}`;
    await virtual.sql`update date_send set text = '{code}' where id = ${id}`;
    await setTime(AT_TEN + DAY_MS);
    const toText = changeOnce({ text: 'Hello {name}', line: '3000654321' });
    const done: typeof dateSends.done = async (...of) => {
      await toText();
      await dateSends.done(...of);
    };
    await virtual.sql`delete from date_sent where order_id = ${id}`;
    await look({ ...stores, dateSends: { ...dateSends, done } });
    await look();
    expect((await lines()).slice(2).map(({ text }) => text)).toEqual(['Hello P0', 'Hello P1']);
  });

  test('begins tomorrow when it is switched on after its time', async () => {
    await setTime(AT_TEN + MINUTE_MS);
    const { chatId } = await begin(['9/5', '9/6']);
    await look();
    expect(await made(chatId)).toEqual([]);
    await setTime(AT_TEN + DAY_MS);
    await look();
    expect(await made(chatId)).toEqual([['scheduled', null, [number(1)]]]);
  });

  test('leaves out whoever lacks a field of the text, and says so on its send; where that is everybody it is told', async () => {
    const { chatId, doer } = await begin(['9/5', '9/5', '9/6'], { text: 'Dear {name} of {city}' });
    const people = createPeopleStore(storage.database);
    await people.set(doer, number(0), { fields: { city: 'Rasht' } });
    await setTime(AT_TEN);
    await look();
    const [draft] = await virtual.sql<
      { invalid: unknown; details: { rows: { text: string }[]; byDate: unknown } }[]
    >`
      select invalid, details from draft where chat_id = ${chatId}`;
    expect(draft?.invalid).toEqual([{ raw: 'P1 0912•••0001', reason: 'missing' }]);
    expect(draft?.details.rows.map(({ text }) => text)).toEqual(['Dear P0 of Rasht']);
    expect(draft?.details.byDate).toEqual({ tag: 'club', field: 'birthday' });
    await setTime(AT_TEN + DAY_MS);
    await look();
    expect(await made(chatId)).toHaveLength(1);
    const told = [...(await storage.queued()).values()].filter(({ task }) => task === 'nobody-fits');
    expect(told.map(({ payload }) => [payload['count'], payload['reason']])).toEqual([[1, 'missing']]);
  });

  test('makes several sends of many people', async () => {
    const { chatId } = await begin(Array.from({ length: 2300 }, () => '9/5'));
    await setTime(AT_TEN);
    await look();
    expect((await made(chatId)).map(([state, , numbers]) => [state, numbers?.length])).toEqual([
      ['scheduled', 1000],
      ['scheduled', 1000],
      ['scheduled', 300],
    ]);
    expect([...(await times(chatId)).values()].every((count) => count === 1)).toBe(true);
  });

  test('does nothing while it is paused, and does not catch up on that when it is resumed', async () => {
    const { chatId, doer, id } = await begin(['9/5', '9/6', '9/7']);
    const { dateSends } = storesOf();
    await setTime(AT_TEN);
    await look();
    const first = ['scheduled', null, [number(0)]];
    expect(await dateSends.move('pause', { ...doer, id })).toMatchObject({ state: 'paused' });
    expect(await dateSends.move('pause', { ...doer, id })).toBeNull();
    await setTime(AT_TEN + DAY_MS);
    await look();
    await dateSends.move('resume', { ...doer, id });
    await look();
    expect(await made(chatId)).toEqual([first]);
    await setTime(AT_TEN + 2 * DAY_MS);
    await look();
    expect(await made(chatId)).toEqual([first, ['scheduled', null, [number(2)]]]);
    await dateSends.move('end', { ...doer, id });
    expect(await dateSends.move('resume', { ...doer, id })).toBeNull();
  });

  test('goes on, after a clock that was far ahead', async () => {
    const { chatId } = await begin(['9/5', '9/6']);
    await setTime(AT_TEN + 300 * DAY_MS);
    await look();
    await setTime(AT_TEN);
    await look();
    await setTime(AT_TEN + DAY_MS);
    await look();
    expect(await made(chatId)).toEqual([
      ['scheduled', null, [number(0)]],
      ['scheduled', null, [number(1)]],
    ]);
  });

  test('goes on with a day that a pause has cut off, when it is resumed', async () => {
    const { chatId, doer, id } = await begin(Array.from({ length: 1500 }, () => '9/5'));
    await setTime(AT_TEN);
    const stores = storesOf();
    const dateSends = {
      ...stores.dateSends,
      leave: async (...run: Parameters<typeof stores.dateSends.leave>) => {
        const left = await stores.dateSends.leave(...run);
        await stores.dateSends.move('pause', { ...doer, id });
        return left;
      },
    };
    await look({ ...stores, dateSends });
    expect((await times(chatId)).size).toBe(1000);
    await stores.dateSends.move('resume', { ...doer, id });
    await look();
    expect((await made(chatId)).map(([state, , numbers]) => [state, numbers?.length])).toEqual([
      ['scheduled', 1000],
      ['scheduled', 500],
    ]);
  });

  test('tells of whoever lacks a field where all others have had theirs this year', async () => {
    const { chatId, doer, id } = await begin(['9/5', '9/6']);
    const people = createPeopleStore(storage.database);
    await setTime(AT_TEN);
    await look();
    await people.set(doer, number(0), { fields: { birthday: '9/6' } });
    await people.name(chatId, number(1), null, doer.personId);
    await setTime(AT_TEN + DAY_MS);
    await look();
    expect(await made(chatId)).toHaveLength(1);
    const told = [...(await storage.queued()).values()].filter(
      ({ task, payload }) => task === 'nobody-fits' && payload['orderId'] === id,
    );
    expect(told.map(({ payload }) => [payload['count'], payload['reason']])).toEqual([[1, 'missing']]);
  });

  test('goes by the same field when all people were taken out and came again from a file that spells it otherwise', async () => {
    const { chatId } = await begin(['9/5'], { field: 'تاریخ تولد' });
    await virtual.sql`
      update contact set fields = jsonb_build_object('تاريخ تولد', fields -> 'birthday') where chat_id = ${chatId}`;
    await setTime(AT_TEN);
    await look();
    expect(await made(chatId)).toEqual([['scheduled', null, [number(0)]]]);
  });

  test('reads what nobody has said of somebody as empty, whatever the field is called', async () => {
    const { chatId, doer } = await begin(['9/5', '9/5'], { text: 'Dear {name}: {constructor}' });
    await createPeopleStore(storage.database).set(doer, number(0), { fields: { constructor: 'Ali' } });
    await setTime(AT_TEN);
    await look();
    expect(await made(chatId)).toEqual([['scheduled', null, [number(0)]]]);
  });
});

describe('an order', () => {
  const all = { skip: 0, limit: 10 };

  test('is written down once for an update, and known in its own chat alone', async () => {
    const { dateSends } = storesOf();
    const [{ chatId, doer, id, chat, order }, elsewhere] = [await begin([]), await begin([])];
    const again = await dateSends.propose(order);
    expect(again).toMatchObject({ id, state: 'on', confirmedByName: 'Sara' });
    for (const other of [{ updateId: storage.next() }, { botId: 701 }])
      expect((await dateSends.propose({ ...order, ...other }))?.id).not.toBe(id);
    expect(await dateSends.move('pause', { ...elsewhere.doer, id })).toBeNull();
    expect(await dateSends.list(chatId, all)).toEqual({ orders: [again], all: 1 });
    expect(await dateSends.move('pause', { ...doer, id })).toMatchObject({ state: 'paused' });
    expect(await dateSends.placeOf(id)).toEqual({
      tag: 'club',
      field: 'birthday',
      lang: 'en',
      chatId,
      threadId: null,
      chatTelegramId: chat.telegramId,
    });
    expect(await dateSends.move('end', { ...doer, id })).toMatchObject({ state: 'ended' });
    expect(await dateSends.list(chatId, all)).toEqual({ orders: [], all: 0 });
    const rows = await virtual.sql`
      select id from date_send where (state = 'ended') <> (ended_at is not null) and chat_id in (${chatId}, ${elsewhere.chatId})`;
    expect(rows).toEqual([]);
  });

  test('is one of a few that a chat may have on or paused, which are shown the oldest first', async () => {
    const { dateSends } = storesOf();
    const elsewhere = await begin([]);
    const { chatId, doer, id, order } = await begin([]);
    const late = await dateSends.propose({ ...order, updateId: storage.next() });
    const ids = [id];
    while (ids.length < MOST_DATE_SENDS) {
      const next = await dateSends.propose({ ...order, updateId: storage.next() });
      await dateSends.move('switch_on', { ...doer, id: next?.id ?? '' });
      ids.push(next?.id ?? '');
    }
    const another = () => dateSends.propose({ ...order, updateId: storage.next() });
    expect(await another()).toBeNull();
    const tooMany = { id: late?.id ?? '' };
    expect(await dateSends.move('switch_on', { ...doer, ...tooMany })).toMatchObject({
      ...tooMany,
      state: 'proposed',
    });
    expect(await dateSends.move('switch_on', { ...doer, id })).toBeNull();
    expect(await dateSends.move('switch_on', { ...elsewhere.doer, ...tooMany })).toBeNull();
    const theirs = await dateSends.propose({ ...elsewhere.order, updateId: storage.next() });
    expect(await dateSends.move('switch_on', { ...doer, id: theirs?.id ?? '' })).toBeNull();
    await dateSends.move('pause', { ...doer, id });
    expect(await another()).toBeNull();
    const { orders, all: count } = await dateSends.list(chatId, { skip: 1, limit: 2 });
    expect([orders.map((each) => each.id), count]).toEqual([ids.slice(1, 3), MOST_DATE_SENDS]);
    await dateSends.move('end', { ...doer, id });
    expect(await another()).toMatchObject({ state: 'proposed', confirmedByName: null });
  });
});

test('a day is done with for its own order, once, and while that is on', async () => {
  const { dateSends } = storesOf();
  const [one, other] = [await begin([]), await begin([])];
  const day = '2026-11-26';
  const doneOn = async () => {
    const rows = await virtual.sql<{ id: string; done_on: string }[]>`
      select id, done_on from date_send where id in (${one.id}, ${other.id})`;
    return [one, other].map(({ id }) => rows.find((row) => row.id === id)?.done_on);
  };
  await dateSends.done({ id: one.id, day, by: one.order }, { count: 1, reason: 'missing' });
  expect(await doneOn()).toEqual([day, '2026-11-25']);
  await dateSends.move('pause', { ...other.doer, id: other.id });
  await dateSends.done({ id: other.id, day, by: other.order }, { count: 1, reason: 'missing' });
  expect(await doneOn()).toEqual([day, '2026-11-25']);
  expect([...(await storage.queued()).keys()].filter((key) => key.startsWith('nobody'))).toEqual([
    `nobody-fits:${one.id}`,
  ]);
  await storage.emptyQueue();
  for (const again of [day, '2026-11-24'])
    await dateSends.done({ id: one.id, day: again, by: one.order }, { count: 1, reason: 'missing' });
  expect([await doneOn(), (await storage.queued()).size]).toEqual([[day, '2026-11-25'], 0]);
});

describe('what may not leave by itself asks', () => {
  test('when it is more than half an hour late, and of each of the last seven days', async () => {
    const { chatId } = await begin(
      Array.from({ length: 12 }, (_, at) => jalali(START + at * DAY_MS)),
      {
        yearly: false,
      },
    );
    await setTime(AT_TEN + 29 * MINUTE_MS);
    await look();
    await setTime(AT_TEN + 11 * DAY_MS + 31 * MINUTE_MS);
    await look();
    expect(await made(chatId)).toEqual([
      ['scheduled', null, [number(0)]],
      ...[4, 5, 6, 7, 8, 9, 10, 11].map((at) => ['missed', 'late', [number(at)]]),
    ]);
    await look();
    expect(await made(chatId)).toHaveLength(9);
  });

  test('when whoever has switched it on may not send any more: of whoever is there who may', async () => {
    const { chatId, doer, id } = await begin(['9/5', '9/6']);
    const adminId = await storage.addPerson(chatId, 'admin');
    const operatorId = await storage.addPerson(chatId, 'operator');
    await storesOf().dateSends.move('pause', { ...doer, id });
    await storesOf().dateSends.move('resume', { ...doer, personId: operatorId, id });
    await virtual.sql`update member set role = 'viewer' where person_id in (${operatorId}, ${doer.personId})`;
    await setTime(AT_TEN);
    await look();
    expect(await made(chatId)).toEqual([['missed', 'role', [number(0)]]]);
    const drafts = await virtual.sql<
      { author_id: number }[]
    >`select author_id from draft where chat_id = ${chatId}`;
    expect(drafts.map((each) => each.author_id)).toEqual([adminId]);
    await virtual.sql`update member set role = 'viewer' where chat_id = ${chatId}`;
    await setTime(AT_TEN + DAY_MS);
    await look();
    expect(await made(chatId)).toHaveLength(1);
    await virtual.sql`update member set role = 'operator' where chat_id = ${chatId} and person_id = ${operatorId}`;
    await look();
    expect((await made(chatId)).at(-1)).toEqual(['scheduled', null, [number(1)]]);
  });

  test('of what was due before a backup was brought back', async () => {
    const { chatId } = await begin(['9/5', '9/6']);
    await setTime(AT_TEN + 10 * MINUTE_MS);
    await virtual.sql`update deployment set restored_at = now()`;
    await look();
    expect(await made(chatId)).toEqual([['missed', 'restored', [number(0)]]]);
    await setTime(AT_TEN + DAY_MS);
    await look();
    expect((await made(chatId)).at(-1)).toEqual(['scheduled', null, [number(1)]]);
  });

  test.each(['resume', 'change'] as const)(
    'where another account was linked since, until somebody agrees by a %s',
    async (how) => {
      const { chatId, doer, id, ownerId, order } = await begin(['9/5', '9/6']);
      const { dateSends } = storesOf();
      expect(await dateSends.one(chatId, id)).toMatchObject({ isOfOther: false });
      await storage.link(chatId, ownerId);
      await setTime(AT_TEN);
      await look();
      expect(await made(chatId)).toEqual([['missed', 'not_connected', [number(0)]]]);
      const by = await dateSends.propose({ ...order, updateId: storage.next(), isChange: true });
      await dateSends.move('pause', { ...doer, id });
      expect(await dateSends.one(chatId, id)).toMatchObject({ isOfOther: true });
      if (how === 'change') await dateSends.change({ ...doer, id, by: by?.id ?? '' });
      expect(await dateSends.one(chatId, id)).toMatchObject({ isOfOther: how === 'resume' });
      await dateSends.move('resume', { ...doer, id });
      await setTime(AT_TEN + DAY_MS);
      await look();
      expect((await made(chatId)).at(-1)).toEqual(['scheduled', null, [number(1)]]);
    },
  );

  test('not where the account has other credentials now, or is there again, or is not known', async () => {
    const { chatId, doer, id, ownerId: personId } = await begin(['9/5', '9/6', '9/7']);
    const { dateSends } = storesOf();
    const by = { chatId, personId, keyTail: 'tail', accountName: 'Demo' };
    const link = async (credentials: GatewayCredentials): Promise<void> => {
      const bindingId = await storage.bindings.savePending({ ...by, credentials });
      await storage.bindings.activate({ bindingId, personId, updateId: storage.next() });
    };
    const apiKey = new Secret(`key-of-${id}`);
    const user = { username: `user-${id}`, password: new Secret('a pass') };
    await link({ apiKey });
    await dateSends.move('pause', { ...doer, id });
    await dateSends.move('resume', { ...doer, id });
    // The first and the last have nothing in common but what is between them.
    await link({ apiKey, ...user });
    await link(user);
    const leaves = async (day: number): Promise<void> => {
      await setTime(AT_TEN + day * DAY_MS);
      await look();
      expect((await made(chatId))[day]).toEqual(['scheduled', null, [number(day)]]);
    };
    await leaves(0);
    await storage.bindings.disconnect(chatId, personId, storage.next());
    // Resumed while there is no account, it stands for the one before.
    await dateSends.move('pause', { ...doer, id });
    await dateSends.move('resume', { ...doer, id });
    await link(user);
    await leaves(1);
    await storage.link(chatId, personId);
    expect(await dateSends.one(chatId, id)).toMatchObject({ isOfOther: true });
    await virtual.sql`update date_send set binding_id = null where id = ${id}`;
    await leaves(2);
  });

  test('and waits while no account is linked', async () => {
    const { chatId, bindingId, ownerId } = await begin(['9/5']);
    await virtual.sql`update binding set state = 'gone' where id = ${bindingId}`;
    await setTime(AT_TEN);
    await look();
    expect(await made(chatId)).toEqual([]);
    await storage.link(chatId, ownerId);
    await setTime(AT_TEN + DAY_MS);
    await look();
    expect(await made(chatId)).toEqual([['missed', 'late', [number(0)]]]);
  });
});

describe('whatever is cut short', () => {
  test.each(['date_run', 'date_sent', 'draft', 'job', 'attempt', 'date_send'])(
    'at the row of %s is done by the next look, once',
    async (table) => {
      const { chatId } = await begin(Array.from({ length: 1200 }, () => '9/5'));
      await setTime(AT_TEN);
      await virtual.sql`insert into fails values (${table})`;
      await expect(look()).rejects.toThrow('cut off');
      await virtual.sql`delete from fails`;
      await look();
      await look();
      const all = await times(chatId);
      expect(all.size).toBe(1200);
      expect([...all.values()].every((count) => count === 1)).toBe(true);
    },
  );

  test('between two sends of a day goes on with the rest', async () => {
    const { chatId } = await begin(Array.from({ length: 2500 }, () => '9/5'));
    await setTime(AT_TEN);
    const stores = storesOf();
    let left = 2;
    const dateSends = {
      ...stores.dateSends,
      leave: async (...run: Parameters<typeof stores.dateSends.leave>) => {
        if ((left -= 1) < 0) throw new Error('killed');
        return await stores.dateSends.leave(...run);
      },
    };
    await expect(look({ ...stores, dateSends })).rejects.toThrow('killed');
    expect((await times(chatId)).size).toBe(2000);
    await look();
    const all = await times(chatId);
    expect(all.size).toBe(2500);
    expect([...all.values()].every((count) => count === 1)).toBe(true);
  });

  test('and one order that fails keeps no other', async () => {
    const [bad, good] = [await begin(['9/5']), await begin(['9/5'])];
    await setTime(AT_TEN);
    const stores = storesOf();
    const dateSends = {
      ...stores.dateSends,
      leave: async (...run: Parameters<typeof stores.dateSends.leave>) => {
        if (run[0].orderId === bad.id) throw new Error('broken');
        return await stores.dateSends.leave(...run);
      },
    };
    await expect(look({ ...stores, dateSends })).rejects.toThrow('broken');
    expect([(await times(bad.chatId)).size, (await times(good.chatId)).size]).toEqual([0, 1]);
  });
});

describe('of the days that are due', () => {
  /** What is asked of the stores for an order on the days from 30 to 31 December 2011, where people have these dates. */
  async function asked(dates: readonly string[], left: 'made' | 'off') {
    const seen: string[] = [];
    const dateSends = {
      due: () =>
        Promise.resolve([
          {
            id: 'o',
            chatId: 'c',
            bindingId: 'b',
            timeZone: 'Pacific/Apia',
            doneOn: '2011-12-29',
            upTo: '2012-01-01',
            tag: 'club',
            field: 'birthday',
            yearly: true,
            daysBefore: 0,
            minute: 600,
            text: 'Dear {name}',
            line: '3000123456',
            lang: 'en',
          },
        ]),
      leave: ({ day, rows }: { day: string; rows: readonly unknown[] }) => {
        seen.push(`${rows.length} on ${day}`);
        return Promise.resolve(left);
      },
      done: ({ id, day }: { id: string; day: string }, nobodyFits: unknown) =>
        Promise.resolve(void seen.push(`${id} done with ${day} ${String(nobodyFits)}`)),
    };
    const people = dates.map((birthday, at) => ({
      number: number(at),
      name: 'P',
      fields: { birthday },
      tags: [],
    }));
    await look({
      dateSends,
      people: {
        async *each() {
          yield await Promise.resolve(people);
        },
        fieldNames: () => Promise.resolve(['birthday']),
      },
    } as never);
    return seen;
  }

  test('one that the clocks of a place left out is done with, and those behind it are not lost', async () => {
    expect(await asked(['1390/10/9', '1390/10/10', '1390/10/11'], 'made')).toEqual([
      'o done with 2011-12-30 null',
      '1 on 2011-12-31',
      'o done with 2011-12-31 null',
      '1 on 2012-01-01',
      'o done with 2012-01-01 null',
    ]);
  });

  test('none is gone on with once the order is off', async () => {
    const many = Array.from({ length: 1001 }, () => '1390/10/10');
    for (const dates of [
      ['1390/10/10', '1390/10/11'],
      [...many, '1390/10/11'],
    ])
      expect(await asked(dates, 'off')).toEqual([
        'o done with 2011-12-30 null',
        `${Math.min(dates.length - 1, 1000)} on 2011-12-31`,
      ]);
  });
});

test('over two years each person has one message a year, leap days included, through restarts and wrong clocks', async () => {
  // Nobody's day lies where the two years meet, and 1408 is the leap year.
  const first = gregorianDayOf({ year: 1407, month: 1, day: 1 });
  const from = Date.UTC(first?.year ?? 0, (first?.month ?? 1) - 1, first?.day ?? 1, 4, 30);
  const dates = ['1370/1/1', '12/29', '12/30', '1399/12/30', '6/31', '7/30', '10/11', '1380/12/28'];
  await setTime(from);
  const { chatId, id } = await begin(dates);
  const early = await begin(dates, { daysBefore: 3 });
  let seed = 7;
  const chance = (of: number): boolean => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % of === 0;
  for (let day = 0; day < 366 + 365; day += 1) {
    const at = from + day * DAY_MS + 2 * 3_600_000 + 1000;
    await setTime(at);
    await look();
    if (chance(9)) await look();
    // A clock that is a day or an hour behind for a while.
    if (chance(11)) {
      await setTime(at - (chance(2) ? DAY_MS : 3_600_000));
      await look();
    }
    // A process that was away over the time of the next day.
    if (chance(40)) day += 1;
  }
  const ledger = await virtual.sql<{ order_id: string; occasion: number; people: number; times: number }[]>`
    select order_id, occasion, count(distinct number)::int as people, count(*)::int as times from date_sent
    where order_id in (${id}, ${early.id}) group by 1, 2 order by 1, 2`;
  const of = (order: string) =>
    ledger
      .filter((row) => row.order_id === order)
      .map(({ occasion, people, times: all }) => [occasion, people, all]);
  expect(of(id)).toEqual([
    [1407, 8, 8],
    [1408, 8, 8],
  ]);
  // Three days before: who is greeted for 1 Farvardin was so before the first day, and is again on one of the last.
  expect(of(early.id)).toEqual([
    [1407, 7, 7],
    [1408, 8, 8],
    [1409, 1, 1],
  ]);
  expect([...(await times(chatId)).values()]).toEqual(Array.from({ length: 8 }, () => 2));
});
