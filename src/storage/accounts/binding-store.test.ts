import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import type { GatewayCredentials } from '../../ports/gateway.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const KEY = 'canary-key-7f3A/9+z=';
const PASSWORD = 'canary-password-یک';
const TOKEN = 'canary-token-5521';

function pending(
  chatId: string,
  personId: number,
  credentials: GatewayCredentials = { apiKey: new Secret(KEY) },
) {
  return storage.bindings.savePending({
    chatId,
    personId,
    credentials,
    keyTail: '9+z=',
    accountName: 'Demo',
  });
}

function activate(bindingId: string, personId: number) {
  return storage.bindings.activate({ bindingId, personId, updateId: storage.next() });
}

async function rowOf(bindingId: string) {
  const [row] = await storage.sql<{ state: string; credentials: Buffer | null }[]>`
    select state, credentials from binding where id = ${bindingId}`;
  return row;
}

describe('credentials', () => {
  test('rest sealed, and come back as they were', async () => {
    const chat = await storage.addChat();
    const personId = await storage.addPerson(chat.id, null);
    const id = await pending(chat.id, personId, {
      apiKey: new Secret(KEY),
      username: 'demo',
      password: new Secret(PASSWORD),
      token: new Secret(TOKEN),
    });
    const opened = await storage.bindings.credentials(id);
    expect(opened?.apiKey?.reveal()).toBe(KEY);
    expect(opened?.username).toBe('demo');
    expect(opened?.password?.reveal()).toBe(PASSWORD);
    expect(opened?.token?.reveal()).toBe(TOKEN);
    const [row] = await storage.sql<{ dump: string; bytes: Buffer; kinds: string[] }[]>`
      select binding::text as dump, credentials as bytes, kinds from binding where id = ${id}`;
    const stored = `${row?.dump} ${row?.bytes.toString('latin1')}`;
    for (const secret of [KEY, PASSWORD, TOKEN]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
      expect(stored).not.toContain(Buffer.from(secret).toString('base64'));
    }
    expect(row?.kinds.toSorted()).toEqual(['api_key', 'password', 'token']);
  });

  test('that are not there stay not there', async () => {
    const chat = await storage.addChat();
    const id = await pending(chat.id, await storage.addPerson(chat.id, null));
    expect(Object.keys((await storage.bindings.credentials(id)) ?? {})).toEqual(['apiKey']);
    expect(await storage.bindings.credentials('00000000-0000-4000-8000-000000000000')).toBe(null);
  });

  test('copied to another chat or another row do not open', async () => {
    const { sql } = storage;
    const [mine, theirs] = [await storage.addPlace(), await storage.addPlace()];
    await sql`
      update binding set credentials = (select credentials from binding where id = ${mine.bindingId})
      where id = ${theirs.bindingId}`;
    await expect(storage.bindings.credentials(theirs.bindingId)).rejects.toMatchObject({ code: 'crypto' });
    await sql`update binding set state = 'gone' where id = ${theirs.bindingId}`;
    await sql`update binding set chat_id = ${theirs.chat.id} where id = ${mine.bindingId}`;
    const error: unknown = await storage.bindings.credentials(mine.bindingId).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(AppError);
    await sql`update binding set chat_id = ${mine.chat.id} where id = ${mine.bindingId}`;
    expect(await storage.bindings.credentials(mine.bindingId)).not.toBe(null);
  });

  test('copied to another row of the same chat do not open', async () => {
    const chat = await storage.addChat();
    const personId = await storage.addPerson(chat.id, null);
    const [first, second] = [await pending(chat.id, personId), await pending(chat.id, personId)];
    await storage.sql`
      update binding set credentials = (select credentials from binding where id = ${first}) where id = ${second}`;
    await expect(storage.bindings.credentials(second)).rejects.toMatchObject({ code: 'crypto' });
    expect((await storage.bindings.credentials(first))?.apiKey?.reveal()).toBe(KEY);
  });

  test('changed by one bit do not open', async () => {
    const { bindingId } = await storage.addPlace();
    await storage.sql`
      update binding set credentials = set_byte(credentials, length(credentials) - 20,
        get_byte(credentials, length(credentials) - 20) # 1) where id = ${bindingId}`;
    await expect(storage.bindings.credentials(bindingId)).rejects.toMatchObject({ code: 'crypto' });
  });
});

describe('linking', () => {
  test('makes the first who connects the owner, and is audited', async () => {
    const chat = await storage.addChat();
    const personId = await storage.addPerson(chat.id, null);
    const id = await pending(chat.id, personId);
    expect(await storage.bindings.live(chat.id)).toBe(null);
    expect(await storage.bindings.owners(chat.id)).toEqual([]);
    expect(await activate(id, personId)).toEqual({
      chat: {
        id: chat.id,
        telegramId: chat.telegramId,
        type: 'supergroup',
        title: 'Shop',
        lang: null,
        timeZone: null,
      },
      becameOwner: true,
      kinds: ['api_key'],
      line: null,
      answersGoOn: false,
    });
    expect(await storage.bindings.owners(chat.id)).toEqual([personId]);
    expect(await storage.bindings.live(chat.id)).toEqual({
      id,
      kinds: ['api_key'],
      keyTail: '9+z=',
      accountName: 'Demo',
      line: null,
    });
    expect((await storage.audit(chat.id)).map((row) => [row.action, row.details])).toEqual([
      ['account_linked', { becameOwner: true, kinds: ['api_key'] }],
    ]);
  });

  test('works only for the person who gave the credentials', async () => {
    const chat = await storage.addChat();
    const [sara, ali] = [await storage.addPerson(chat.id, null), await storage.addPerson(chat.id, 'admin')];
    const id = await pending(chat.id, sara);
    expect(await activate(id, ali)).toBe(null);
    expect((await rowOf(id))?.state).toBe('pending');
    expect(await activate('00000000-0000-4000-8000-000000000000', sara)).toBe(null);
  });

  test('does not work for anybody but the owner, and leaves the owner’s account alone', async () => {
    const place = await storage.addPlace();
    const admin = await storage.addPerson(place.chat.id, 'admin');
    const id = await pending(place.chat.id, admin);
    expect(await activate(id, admin)).toBe(null);
    expect((await storage.bindings.live(place.chat.id))?.id).toBe(place.bindingId);
    expect(await storage.bindings.credentials(place.bindingId)).not.toBe(null);
  });

  test('by two people at the same moment has one owner and one account', async () => {
    for (let round = 0; round < 15; round += 1) {
      const chat = await storage.addChat();
      const people = await Promise.all([1, 2, 3].map(() => storage.addPerson(chat.id, null)));
      const ids = await Promise.all(people.map((personId) => pending(chat.id, personId)));
      const linked = await Promise.all(ids.map((id, index) => activate(id, people[index] ?? 0)));
      expect(linked.filter((each) => each !== null).length).toBe(1);
      const owners = await storage.sql`select 1 from member where chat_id = ${chat.id} and role = 'owner'`;
      expect(owners).toHaveLength(1);
    }
  });

  test('pressed again after a crash answers the same, and adds nothing', async () => {
    const chat = await storage.addChat();
    const personId = await storage.addPerson(chat.id, null);
    const id = await pending(chat.id, personId);
    await activate(id, personId);
    expect(await activate(id, personId)).toMatchObject({ becameOwner: false, kinds: ['api_key'] });
    expect(await storage.audit(chat.id)).toHaveLength(1);
  });

  test('again replaces the account: the old one is wiped, its jobs stop, the line stays', async () => {
    const place = await storage.addPlace();
    await storage.bindings.setLine({
      bindingId: place.bindingId,
      line: '3000999',
      personId: place.ownerId,
      updateId: 1,
    });
    const { draftId, jobId } = await storage.addRunningJob(place);
    await storage.emptyQueue();
    const id = await pending(place.chat.id, place.ownerId);
    expect(await activate(id, place.ownerId)).toMatchObject({ becameOwner: false, line: '3000999' });
    expect(await rowOf(place.bindingId)).toEqual({ state: 'replaced', credentials: null });
    expect(await storage.bindings.credentials(place.bindingId)).toBe(null);
    expect(await storage.bindings.live(place.chat.id)).toMatchObject({ id, line: '3000999' });
    expect((await storage.drafts.card(draftId))?.job).toMatchObject({
      id: jobId,
      state: 'stopped',
      stopReason: 'not_connected',
    });
    expect([...(await storage.queued()).keys()]).toContain(`card:${draftId}`);
    expect(await activate(place.bindingId, place.ownerId)).toBe(null);
  });

  test('again by a credential of the same user lets its sends go on, also what has stopped', async () => {
    const chat = await storage.addChat();
    const ownerId = await storage.addPerson(chat.id, 'owner');
    const apiKey = new Secret('key-of-one-user-0123');
    const before = await pending(chat.id, ownerId, { apiKey });
    await activate(before, ownerId);
    const place = { chat, ownerId, bindingId: before };
    const running = await storage.addRunningJob(place);
    const stopped = await storage.addRunningJob(place, { recipients: ['989120000003'] });
    await storage.jobs.stop(stopped.jobId, 'person', ownerId, storage.next());
    const ended = await storage.addRunningJob(place, { recipients: ['989120000004'] });
    await storage.sql`update attempt set state = 'accepted' where job_id = ${ended.jobId}`;
    await storage.sql`update job set state = 'done', ended_at = now() where id = ${ended.jobId}`;

    const open = await storage.drafts.create(storage.draftIn(place, { recipients: ['989120000005'] }));

    await storage.emptyQueue();
    const now = await pending(chat.id, ownerId, { apiKey, token: new Secret('token-0123') });
    await activate(now, ownerId);
    const asked = [...(await storage.queued()).keys()].filter((each) => each.startsWith('send:'));
    expect(asked).toEqual([`send:${running.jobId}`]);
    const rows = await storage.sql<{ id: string; of: string[] }[]>`
      select coalesce(j.id, d.id) as id, array_agg(distinct b.id::text) as of
      from draft d left join job j on j.draft_id = d.id left join attempt a on a.job_id = j.id
      join binding b on b.id in (d.binding_id, j.binding_id, a.binding_id)
      where d.chat_id = ${chat.id} group by 1`;
    expect(new Map(rows.map(({ id, of }) => [id, of]))).toEqual(
      new Map([
        [running.jobId, [now]],
        [stopped.jobId, [now]],
        [ended.jobId, [before]],
        [open.id, [now]],
      ]),
    );
    const yes = { draftId: open.id, version: 1, personId: ownerId, updateId: storage.next(), undoSeconds: 0 };
    expect(await storage.drafts.confirm({ ...yes, timeZone: 'UTC' })).toMatchObject({ result: 'confirmed' });
    const reserved = await storage.jobs.reserve(running.jobId, 'process-1');
    if (!reserved.ok) throw new Error(reserved.reason);
    const [{ id, epoch, bindingId }] = reserved.attempts;
    expect([bindingId, await storage.jobs.goOnWire(id, epoch)]).toEqual([now, true]);
    const resume = { personId: ownerId, updateId: storage.next(), timeZone: 'UTC' };
    expect(await storage.jobs.resume({ jobId: stopped.jobId, ...resume })).toMatchObject({
      result: 'resumed',
    });
  });

  test('that was dropped wipes what was kept aside, and cannot be gone back on', async () => {
    const chat = await storage.addChat();
    const personId = await storage.addPerson(chat.id, null);
    const id = await pending(chat.id, personId);
    await storage.bindings.discardPending(id);
    expect(await rowOf(id)).toEqual({ state: 'gone', credentials: null });
    expect(await activate(id, personId)).toBe(null);
    const place = await storage.addPlace();
    await storage.bindings.discardPending(place.bindingId);
    expect((await rowOf(place.bindingId))?.state).toBe('live');
  });
});

describe('unlinking', () => {
  test('wipes the credentials, stops the jobs, and tells once', async () => {
    const place = await storage.addPlace();
    const { draftId } = await storage.addRunningJob(place);
    expect(await storage.bindings.disconnect(place.chat.id, place.ownerId, 77)).toBe(true);
    expect(await storage.bindings.disconnect(place.chat.id, place.ownerId, 78)).toBe(false);
    expect(await rowOf(place.bindingId)).toEqual({ state: 'gone', credentials: null });
    expect(await storage.bindings.live(place.chat.id)).toBe(null);
    expect((await storage.drafts.card(draftId))?.job?.state).toBe('stopped');
    const told = (await storage.audit(place.chat.id)).filter((row) => row.action === 'account_unlinked');
    expect(told.map((row) => row.update_id)).toEqual([77]);
  });
});

describe('recognising a credential', () => {
  test('finds every kind that was ever linked here, also after it was wiped', async () => {
    const chat = await storage.addChat();
    const personId = await storage.addPerson(chat.id, null);
    const id = await pending(chat.id, personId, {
      apiKey: new Secret('known-key'),
      username: 'known-user',
      password: new Secret('known-password'),
      token: new Secret('known-token'),
    });
    await storage.bindings.discardPending(id);
    const elsewhere = await storage.addChat();
    for (const known of ['known-key', 'known-token']) {
      expect(await storage.bindings.knowsAny(elsewhere.telegramId, ['hello', known]), known).toBe(true);
    }
    expect(
      await storage.bindings.knowsAny(chat.telegramId, ['hello', 'known-user', 'known-ke', 'KNOWN-KEY']),
    ).toBe(false);
    expect(await storage.bindings.knowsAny(chat.telegramId, [])).toBe(false);
    // A password can be guessed: another chat must not tell whether a guess was right.
    expect(await storage.bindings.knowsAny(chat.telegramId, ['known-password'])).toBe(true);
    expect(await storage.bindings.knowsAny(elsewhere.telegramId, ['known-password'])).toBe(false);
    const together: [number, string, boolean][] = [
      [chat.telegramId, 'known-password', true],
      [elsewhere.telegramId, 'known-password', false],
      [elsewhere.telegramId, 'known-token', true],
      [chat.telegramId, 'hello-everybody', false],
    ];
    const known = await Promise.all(
      together.map(async ([where, word]) => await storage.bindings.knowsAny(where, [word])),
    );
    expect(known).toEqual(together.map(([, , isKnown]) => isKnown));
  });
});

describe('sender lines', () => {
  test.each([
    ['Demo', ['3000999', '3000777']],
    ['Other', []],
  ])(
    'of the chat and its topics stay when an account %s is linked instead: %j',
    async (accountName, lines) => {
      const { chat, ownerId, bindingId } = await storage.addPlace();
      const set = { bindingId, personId: ownerId, updateId: 1 };
      await storage.bindings.setLine({ ...set, line: '3000999' });
      await storage.bindings.setLine({ ...set, line: '3000777', threadId: 5 });
      const id = await storage.bindings.savePending({
        chatId: chat.id,
        personId: ownerId,
        credentials: { apiKey: new Secret(`key-${storage.next()}-abcdefgh`) },
        keyTail: 'efgh',
        accountName,
      });
      const linked = await activate(id, ownerId);
      const topics = await storage.sql<
        { line: string }[]
      >`select line from topic_line where chat_id = ${chat.id}`;
      expect([linked?.line, ...topics.map(({ line }) => line)].filter((line) => line !== null)).toEqual(
        lines,
      );
    },
  );

  test('are set on a live account alone, remembered, and audited', async () => {
    const place = await storage.addPlace();
    const set = (line: string) =>
      storage.bindings.setLine({ bindingId: place.bindingId, line, personId: place.ownerId, updateId: 1 });
    await storage.bindings.learnLines(place.bindingId, ['3000111', '3000111', '3000222'].toSpliced(1, 1));
    await storage.bindings.learnLines(place.bindingId, []);
    await set('3000333');
    expect((await storage.bindings.live(place.chat.id))?.line).toBe('3000333');
    expect((await storage.bindings.lines(place.bindingId))[0]).toBe('3000333');
    expect((await storage.bindings.lines(place.bindingId)).toSorted()).toEqual([
      '3000111',
      '3000222',
      '3000333',
    ]);
    await storage.bindings.disconnect(place.chat.id, place.ownerId, 2);
    await set('3000444');
    expect((await storage.audit(place.chat.id)).map((row) => row.action)).toEqual([
      'account_linked',
      'line_set',
      'account_unlinked',
    ]);
  });
});
