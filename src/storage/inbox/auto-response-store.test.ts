import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAutoResponseStore } from './auto-response-store.ts';
import { createRuleStore } from './rule-store.ts';
import { openTestStorage, type TestStorage } from '../testing.ts';
import { receiveIn } from '../testing/received.ts';
import { createTopicStore } from './topic-store.ts';

const ZONE = 'Asia/Tehran';
const BY_DAY = { timeZone: ZONE, closed: null };
const LINE = '3000123456';

let storage: TestStorage;
let autoResponses: ReturnType<typeof createAutoResponseStore>;

beforeAll(async () => {
  storage = await openTestStorage();
  autoResponses = createAutoResponseStore(storage.database, ZONE);
});
afterAll(() => storage.close());

async function placed(answer: string | null = 'Nine to five.') {
  const place = await storage.addPlace();
  if (answer !== null)
    await storage.sql`
      insert into inbox_rule (chat_id, way, words, answer, created_by)
      values (${place.chat.id}, 'contains', 'hours', ${answer}, ${place.ownerId})`;
  return { ...receiveIn(storage, place), place };
}

test('what is to be done is told as things stand: by the rule, the line and the role of who made the rule', async () => {
  const { place, message } = await placed();
  const { id } = await message('989120000001', 'opening HOURS');
  expect(await autoResponses.of(id)).toMatchObject({
    chatId: place.chat.id,
    bindingId: place.bindingId,
    isLinked: true,
    opt: null,
    answer: { text: 'Nine to five.', authorId: place.ownerId, mayAnswer: true },
  });
  await storage.sql`update member set role = 'viewer' where person_id = ${place.ownerId}`;
  expect((await autoResponses.of(id))?.answer?.mayAnswer).toBe(false);
  const eleven = await message('989120000001', '11');
  expect(await autoResponses.of(eleven.id)).toMatchObject({ opt: null, answer: null });
  await storage.sql`update account set opt_out_lines = ${[LINE]}::text[] where binding_id = ${place.bindingId}`;
  expect((await autoResponses.of(eleven.id))?.opt).toBe('out');
  expect((await autoResponses.of((await message('989120000001', '۱۲')).id))?.opt).toBe('in');
  expect(await autoResponses.of(999_999)).toBeNull();
});

test('the word of a number that holds is its last to that line, by the gateway’s time, until a person decides', async () => {
  const { place, message, notification } = await placed(null);
  const out = await message('989120000031', '11');
  const first = { id: out.id, what: 'out', isPersons: false };
  expect(await autoResponses.lastWord(out.id)).toEqual(first);
  await message('989120000031', 'why 11?');
  await message('989120000031', '12', '50001234');
  await message('989120000032', '12');
  expect(await autoResponses.lastWord(out.id)).toEqual(first);
  const back = await message('989120000031', '۱۲');
  const second = { id: back.id, what: 'in', isPersons: false };
  expect(await autoResponses.lastWord(out.id)).toEqual(second);
  expect(await autoResponses.lastWord(back.id)).toEqual(second);
  // It was listed late: the other was said after it.
  await storage.sql`
    update inbound set sent_at = now() - case when id = ${back.id} then interval '2 hours' else interval '1 hour' end
    where id in (${out.id}, ${back.id})`;
  expect(await autoResponses.lastWord(back.id)).toEqual(first);
  expect(await autoResponses.lastWord(out.id)).toEqual(first);
  await notification(out.id);
  await autoResponses.note(out.id, { opt: { what: 'out', outcome: 'unknown' } });
  expect(await autoResponses.lastWord(out.id)).toEqual(first);
  const decision = { bindingId: place.bindingId, what: 'in', line: LINE, numbers: ['989120000031'] } as const;
  await autoResponses.decided({ ...decision, numbers: ['989120000032'] });
  await autoResponses.decided({ ...decision, line: '50001234' });
  expect(await autoResponses.lastWord(out.id)).toEqual(first);
  await autoResponses.decided(decision);
  const persons = { id: out.id, what: 'in', isPersons: true };
  expect(await autoResponses.lastWord(out.id)).toEqual(persons);
  await message('989120000031', 'hello');
  expect(await autoResponses.lastWord(out.id)).toEqual(persons);
  const later = await message('989120000031', '11');
  const third = { id: later.id, what: 'out', isPersons: false };
  expect(await autoResponses.lastWord(later.id)).toEqual(third);
  expect(await autoResponses.lastWord(out.id)).toEqual(third);
});

/** Another chat that has the account of a place. */
async function besides({ place }: Awaited<ReturnType<typeof placed>>) {
  const other = await placed();
  await storage.sql`
    update binding set gateway_user = (select gateway_user from binding where id = ${place.bindingId})
    where id = ${other.place.bindingId}`;
  return other;
}

test('what a person has decided in one chat of an account holds in the others', async () => {
  const ours = await placed(null);
  const theirs = await besides(ours);
  const { id } = await theirs.message('989120000051', '11');
  const foreign = await (await placed(null)).message('989120000051', '11');
  await autoResponses.decided({
    bindingId: ours.place.bindingId,
    what: 'in',
    line: LINE,
    numbers: ['989120000051'],
  });
  expect(await autoResponses.lastWord(id)).toMatchObject({ what: 'in', isPersons: true });
  expect(await autoResponses.lastWord(foreign.id)).toMatchObject({ isPersons: false });
});

test('what a person has decided holds in a chat of the account that reads the same message later', async () => {
  const [line, number] = ['50001239', '989120000052'];
  const ours = await placed(null);
  const theirs = await besides(ours);
  const first = await ours.message(number, '11', line);
  await autoResponses.decided({ bindingId: ours.place.bindingId, what: 'in', line, numbers: [number] });
  const same = await theirs.message(number, '11', line);
  await storage.sql`
    update inbound i set (key, content_sha256) = (select key, content_sha256 from inbound where id = ${first.id})
    where i.id = ${same.id}`;
  expect(await autoResponses.lastWord(same.id)).toEqual({ id: same.id, what: 'in', isPersons: true });
  // What is said after it holds, in whichever chat it is read.
  const later = await theirs.message(number, '11', line);
  expect(await autoResponses.lastWord(later.id)).toEqual({ id: later.id, what: 'out', isPersons: false });
  expect(await autoResponses.lastWord(same.id)).toMatchObject({ id: later.id, isPersons: false });
});

test('what a person decides has those looked at again that said otherwise a short while ago, where they are heeded', async () => {
  const { place, message } = await placed(null);
  const decide = async (what: 'out' | 'in') => {
    await storage.emptyQueue();
    const decision = { bindingId: place.bindingId, what, line: LINE, numbers: ['989120000071'] };
    await autoResponses.decided(decision);
    return [...(await storage.queued()).values()].map(({ payload }) => payload);
  };
  const old = await message('989120000071', '11');
  await storage.sql`update inbound set captured_at = now() - interval '5 hours' where id = ${old.id}`;
  const out = await message('989120000071', '11');
  const back = await message('989120000071', '12');
  await message('989120000071', 'hello');
  await message('989120000072', '11');
  expect(await decide('in')).toEqual([]);
  await storage.sql`update account set opt_out_lines = ${[LINE]}::text[] where binding_id = ${place.bindingId}`;
  expect(await decide('in')).toEqual([{ inboundId: out.id }]);
  expect(await decide('out')).toEqual([{ inboundId: back.id }]);
});

test('of several chats that have an account one answers a number on a line, each day and each night', async () => {
  const ours = await placed();
  const theirs = await besides(ours);
  const strangers = await placed();
  const ask = async ({ message }: Pick<typeof ours, 'message'>, line?: string) =>
    (await message('989120000061', 'hours', line)).id;
  const both = [await ask(ours), await ask(theirs)];
  const claims = await Promise.all(both.map(async (id) => await autoResponses.claimAnswer(id, BY_DAY)));
  expect(claims.toSorted()).toEqual(['claimed', 'today']);
  const [first = 0] = claims[0] === 'claimed' ? both : both.toReversed();
  const silent = claims[0] === 'claimed' ? theirs : ours;
  expect(await autoResponses.claimAnswer(await ask(silent), BY_DAY)).toBe('today');
  expect(await autoResponses.claimAnswer(first, BY_DAY)).toBe('claimed');
  expect(await autoResponses.claimAnswer(await ask(strangers), BY_DAY)).toBe('claimed');
  await storage.sql`update auto_answer set day = '2020-01-01' where inbound_id = ${first}`;
  const closed = new Date(Date.now() - 3_600_000);
  expect(await autoResponses.claimAnswer(await ask(silent), { timeZone: ZONE, closed })).toBe('closed');
  await storage.sql`update auto_answer set day = to_char(now() at time zone ${ZONE}, 'YYYY-MM-DD') where inbound_id = ${first}`;
  expect(await autoResponses.claimAnswer(await ask(silent, '50001234'), BY_DAY)).toBe('claimed');
});

test('a message of before that the gateway lists under a new id asks for nothing', async () => {
  const { place, message } = await placed();
  await storage.sql`update account set opt_out_lines = ${[LINE]}::text[] where binding_id = ${place.bindingId}`;
  for (const text of ['hours', '11']) {
    const first = await message('989120000041', text);
    const again = await message('989120000041', text);
    await storage.sql`
      update inbound set content_sha256 = ${Buffer.from(text)}, sent_at = '2026-01-01T10:00:00Z' where id in (${first.id}, ${again.id})`;
    // Nobody says a thing twice in a second; a gateway may list it twice, and either may be heeded.
    expect(await autoResponses.of(again.id)).not.toBeNull();
    await storage.sql`
      update inbound set captured_at = now() - interval '1 day' where id = ${first.id}`;
    expect(await autoResponses.of(again.id)).toBeNull();
    expect(await autoResponses.of(first.id)).not.toBeNull();
  }
});

test('each number gets one answer a day, and the message that got it may ask again', async () => {
  const { message } = await placed();
  const first = await message('989120000001', 'hours');
  const second = await message('989120000001', 'hours again');
  const other = await message('989120000002', 'hours');
  expect(await autoResponses.claimAnswer(first.id, BY_DAY)).toBe('claimed');
  expect(await autoResponses.claimAnswer(second.id, BY_DAY)).toBe('today');
  expect(await autoResponses.claimAnswer(first.id, BY_DAY)).toBe('claimed');
  expect(await autoResponses.claimAnswer(other.id, BY_DAY)).toBe('claimed');
  await storage.sql`update auto_answer set day = '2020-01-01' where inbound_id = ${first.id}`;
  expect(await autoResponses.claimAnswer(second.id, BY_DAY)).toBe('claimed');
});

test('whoever writes while nobody is at the desk gets one answer until it opens, whichever days that takes', async () => {
  const { place, message } = await placed(null);
  const { sql } = storage;
  const press = { chatId: place.chat.id, personId: place.ownerId, updateId: 1 };
  const rules = createRuleStore(storage.database);
  const [row] = await sql<{ at: number }[]>`
    select (extract(hour from l) * 60 + extract(minute from l))::int as at from (select now() at time zone ${ZONE} as l) x`;
  const minute = (from: number) => ((row?.at ?? 0) + from + 1440) % 1440;
  await rules.answerClosed({ ...press, answer: 'We are closed.' });
  const first = await message('989120000009', 'hello?');
  const answer = async (id: number) => (await autoResponses.of(id))?.answer ?? null;
  // Nobody has said when somebody is there.
  expect(await answer(first.id)).toBeNull();
  // It closed an hour ago and opens in one.
  await rules.setDeskHours({ ...press, hours: { from: minute(60), to: minute(-60), days: null } });
  const closed = (await answer(first.id))?.closedSince ?? null;
  expect(await answer(first.id)).toMatchObject({ text: 'We are closed.', authorId: place.ownerId });
  expect(closed?.getTime()).toBeGreaterThan(Date.now() - 62 * 60_000);
  expect(await answer((await message('989120000009', '11')).id)).toBeNull();

  const claim = async (id: number) => await autoResponses.claimAnswer(id, { timeZone: ZONE, closed });
  const second = await message('989120000009', 'hello again');
  expect([await claim(first.id), await claim(second.id), await claim(first.id)]).toEqual([
    'claimed',
    'closed',
    'claimed',
  ]);
  await sql`update auto_answer set day = '2020-01-01' where inbound_id = ${first.id}`;
  expect(await claim(second.id)).toBe('closed');
  // That was in the night before.
  await sql`update inbound set captured_at = now() - interval '2 hours' where id = ${first.id}`;
  expect(await claim(second.id)).toBe('claimed');
  // What came before it closed, and what comes when somebody is there, is not answered so.
  expect(await answer(first.id)).toBeNull();
  await rules.setDeskHours({ ...press, hours: { from: minute(-60), to: minute(60), days: null } });
  expect(await answer(second.id)).toBeNull();
});

test('of two messages that ask at once one is answered', async () => {
  const { message } = await placed();
  const both = [await message('989120000003', 'hours'), await message('989120000003', 'hours')];
  const claims = await Promise.all(both.map(async ({ id }) => await autoResponses.claimAnswer(id, BY_DAY)));
  expect(claims.toSorted()).toEqual(['claimed', 'today']);
});

test('an answer is not answered, whichever chat it comes from', async () => {
  const { message } = await placed('Ask for hours at noon.');
  const loop = await message('989120000001', ' ask for HOURS at noon. ');
  expect(await autoResponses.claimAnswer(loop.id, BY_DAY)).toBe('loop');
  const other = await placed('Our hours are long.');
  const foreign = await other.message('989120000001', 'Ask for hours at noon.');
  expect(await autoResponses.claimAnswer(foreign.id, BY_DAY)).toBe('loop');
});

test('two lines of this deployment that are mobiles do not answer each other in turn', async () => {
  const [one, two] = [await placed(), await placed('We open at hours nine.')];
  const [lineOne, lineTwo] = ['09127770001', '09127770002'];
  // What the second line wrote was answered by the first.
  const asked = await one.message('989127770002', 'hours?', lineOne);
  expect(await autoResponses.claimAnswer(asked.id, BY_DAY)).toBe('claimed');
  // The answer arrives at the second, in other words than any rule has.
  const back = await two.message('989127770001', 'hours, in other words', lineTwo);
  expect(await autoResponses.claimAnswer(back.id, BY_DAY)).toBe('loop');
  await storage.sql`update inbound set captured_at = now() - interval '2 hours' where id = ${asked.id}`;
  expect(await autoResponses.claimAnswer(back.id, BY_DAY)).toBe('claimed');
});

test('a note is kept on every card of the message, which are shown anew', async () => {
  const { message, notification, facts } = await placed();
  const { id } = await message('989120000001', 'hours');
  await notification(id);
  await storage.emptyQueue();
  await autoResponses.note(id, { opt: { what: 'out', outcome: 'unknown' } });
  await autoResponses.note(id, { opt: { what: 'out', outcome: 'done' } });
  await autoResponses.note(id, { undo: { by: 'Sara', outcome: 'done' } });
  expect((await facts(id))?.facts).toEqual({
    opt: { what: 'out', outcome: 'done' },
    undo: { by: 'Sara', outcome: 'done' },
  });
  expect([...(await storage.queued()).values()].map(({ task }) => task)).toEqual(['renotice']);
});

test('a card that is just being said is shown once more in a while', async () => {
  const { message, notification } = await placed();
  const { id } = await message('989120000001', 'hours');
  await notification(id, 'sending');
  await storage.emptyQueue();
  await autoResponses.note(id, { unanswered: 'today' });
  const waits = [...(await storage.queued()).values()].map(({ in_ms: ms }) => Math.round(ms / 1000));
  expect(waits.length).toBe(3);
  expect(Math.max(...waits)).toBeGreaterThan(5);
});

test('what is tried again replaces what waits for it', async () => {
  const { message } = await placed();
  const { id } = await message('989120000001', 'hours');
  await storage.emptyQueue();
  await autoResponses.again(id, 1, 5000);
  await autoResponses.again(id, 2, 60_000);
  const queued = [...(await storage.queued()).values()];
  expect(queued.map(({ payload }) => payload)).toEqual([{ inboundId: id, tries: 2 }]);
});

test('a confirmed answer stands on the cards of the message, and counts for its correspondent when a person gave it', async () => {
  const { place, message, notification, facts } = await placed();
  const { id, talkId } = await message('989120000001', 'hours');
  await notification(id);
  const send = async (isAuto: boolean) => {
    const draft = storage.draftIn(place, {
      recipients: ['989120000001'],
      answers: { inboundId: id, isAuto },
    });
    const made = await storage.drafts.create(draft);
    expect((await facts(id))?.draft_id).not.toBe(made.id);
    const press = { draftId: made.id, version: 1, personId: place.ownerId, updateId: storage.next() };
    expect((await storage.drafts.confirm({ ...press, undoSeconds: 0, timeZone: ZONE })).result).toBe(
      'confirmed',
    );
    expect((await facts(id))?.draft_id).toBe(made.id);
    expect((await storage.drafts.card(made.id))?.draft.answers).toEqual({ inboundId: id, isAuto });
  };
  const answeredBy = async () =>
    (await storage.sql<{ by: number | null }[]>`select answered_by as by from talk where id = ${talkId}`)[0]
      ?.by ?? null;
  await send(true);
  expect(await answeredBy()).toBeNull();
  await send(false);
  expect(await answeredBy()).toBe(place.ownerId);
});

test('a topic is kept for one correspondent; of two that were made the first counts, and a lost one is replaced', async () => {
  const { place, message } = await placed();
  const { talkId } = await message('989120000001', 'hours');
  const topics = createTopicStore(storage.database);
  const [destination] = await storage.sql<{ id: string }[]>`
    update sink set topics = true where chat_id = ${place.chat.id} returning id`;
  const destinationId = destination?.id ?? '';
  expect(await topics.of(destinationId, talkId)).toBeNull();
  expect(await topics.keep(destinationId, talkId, 10, null)).toBe(10);
  expect(await topics.keep(destinationId, talkId, 11, null)).toBe(10);
  expect(await topics.keep(destinationId, talkId, 12, 10)).toBe(12);
  expect(await topics.of(destinationId, talkId)).toBe(12);
  expect(await topics.talkIn(destinationId, 12)).toBe(talkId);
  expect(await topics.talkIn(destinationId, 10)).toBeNull();
  expect([await topics.giveUp(destinationId), await topics.giveUp(destinationId)]).toEqual([true, false]);
});
