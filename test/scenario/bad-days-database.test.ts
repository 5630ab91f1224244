import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BadDay, comeDue, readiness, startBadDay, upcoming } from '../support/bad-day.ts';
import {
  arrives,
  cardSays,
  draft,
  gatewaySaw,
  harm,
  inboxLookedAt,
  linkedPerson,
  PATIENT,
  says,
  shownOn,
  until,
} from '../support/story.ts';

/* The database is away, takes no writes, or is locked: what the user sees, and what becomes of sends. */

// Each test starts a process.
const MINUTES = 60_000;

let day: BadDay;

beforeAll(async () => {
  day = await startBadDay();
});
afterAll(async () => {
  await day.close();
});

/** New sessions read what the database says; those that are there end. */
async function takesWrites(does: boolean): Promise<void> {
  const { database } = day.database.target;
  await day.database.sql.begin('read write', async (tx) => {
    await tx.unsafe(`alter database ${database} set default_transaction_read_only = ${does ? 'off' : 'on'}`);
  });
  day.wires.postgres.cutAll();
}

test('a database that takes no writes: people are told, nothing leaves, and what they asked is done afterwards', async () => {
  const one = await day.start({ UNDO_SECONDS: '60' });
  await using peyk = one.peyk;
  await readiness(one);
  const { person, account } = await linkedPerson(day, 'Reader');
  await inboxLookedAt(day, account);
  const pressed = await draft(day, person, { to: '9125550001', text: 'pressed meanwhile' });
  const waiting = await draft(day, person, { to: '9125550002', text: 'due meanwhile' });
  person.tap(waiting, '✅ Send');
  await cardSays(day, waiting, 'leaving in');

  await takesWrites(false);
  await readiness(one, 'database: it takes no writes');
  const query = person.tap(pressed, '✅ Send');
  expect((await day.driver.waitForAnswer(query, PATIENT)).text).toContain(
    'I cannot save anything right now, so this press has done nothing yet.',
  );
  arrives(day, account, 'received meanwhile');
  const typed = person.send(person, '/credit');
  const told = await day.driver.waitForMessage(person, says('I cannot save anything right now'), PATIENT);
  expect(told.message_id).toBeGreaterThan(typed.message_id);
  expect(told.text).toContain('I will do it by myself as soon as I can');
  await readiness(
    one,
    'database: it takes no writes',
    'telegram: what it brings cannot be written down: the database takes no writes',
  );
  await comeDue(day, 'due meanwhile');
  expect(gatewaySaw(day, account)).toEqual({ calls: 0, sends: 0, recipients: 0 });

  await takesWrites(true);
  await cardSays(day, pressed, 'leaving in');
  await comeDue(day, 'pressed meanwhile');
  await cardSays(day, pressed, '1 accepted');
  await cardSays(day, waiting, '1 accepted');
  await day.driver.waitForMessage(person, says('💰'), { ...PATIENT, after: typed.message_id });
  await readiness(one);
  expect(gatewaySaw(day, account)).toEqual({ calls: 2, sends: 2, recipients: 2 });
  const said = day.driver.messages(person).filter(({ message_id: id }) => id > typed.message_id);
  expect(said.filter(says('💰'))).toHaveLength(1);
  expect(said.filter(says('I cannot save anything'))).toHaveLength(1);
  await day.driver.waitForMessage(person, says('received meanwhile'), PATIENT);
  for (const card of [pressed, waiting])
    for (const text of shownOn(day, card)) expect(text).not.toMatch(/unknown|not sent/u);
  expect(await peyk.stop()).toBe(0);
});

test('a database that is down for ten minutes: what was typed and pressed is done afterwards, once, and cards keep working', async () => {
  const one = await day.start();
  await using peyk = one.peyk;
  await readiness(one);
  const { person, account } = await linkedPerson(day, 'Patient');
  await inboxLookedAt(day, account);
  const { person: doubtful, account: doubted } = await linkedPerson(day, 'Doubtful');
  const { heal } = harm(day, doubted, { kind: 'drop', when: 'after', times: 1 });
  const lost = await draft(day, doubtful, { to: '9125550014', text: 'its answer is lost before' });
  doubtful.tap(lost, '✅ Send');
  await cardSays(day, lost, '1 unknown');
  heal();
  const pressed = await draft(day, person, { to: '9125550011', text: 'pressed while it was down' });
  const later = await draft(day, person, { to: '9125550012', text: 'pressed when it was back' });
  person.send(person, '/schedule in 9 minutes 9125550013 came due while it was down');
  const scheduled = await day.driver.waitForMessage(person, says('came due while it was down'), PATIENT);
  person.tap(scheduled, '✅ Send');
  await cardSays(day, scheduled, 'Scheduled for');

  await day.wires.postgres.refuse(true);
  day.wires.postgres.cutAll();
  await readiness(one, 'database: it does not answer');
  const typed = person.send(person, '/credit');
  person.tap(pressed, '✅ Send');
  arrives(day, account, 'received while it was down');
  // Nobody asks for updates who cannot write them down: they stay with Telegram.
  await peyk.line('lock was lost');
  // Ten minutes go by, for the database and for Telegram.
  await day.database.sql`update draft set expires_at = expires_at - interval '10 minutes'`;
  await day.database.sql`update button set expires_at = expires_at - interval '10 minutes'`;
  await day.database
    .sql`update job set hold_until = hold_until - interval '10 minutes', leaves_at = leaves_at - interval '10 minutes'`;
  await day.database.sql`
    update graphile_worker._private_jobs set run_at = run_at - interval '10 minutes' where run_at > now()`;
  day.later(10 * MINUTES);
  expect(gatewaySaw(day, account).calls).toBe(0);

  await day.wires.postgres.refuse(false);
  await day.driver.waitForMessage(person, says('💰'), { ...PATIENT, after: typed.message_id });
  await cardSays(day, pressed, '1 accepted');
  await cardSays(day, scheduled, '1 accepted');
  person.tap(later, '✅ Send');
  await cardSays(day, later, '1 accepted');
  await day.driver.waitForMessage(person, says('received while it was down'), PATIENT);
  await cardSays(day, lost, '1 accepted');
  expect(gatewaySaw(day, doubted).calls).toBe(1);
  await readiness(one);
  expect(gatewaySaw(day, account)).toEqual({ calls: 3, sends: 3, recipients: 3 });
  const said = day.driver.messages(person).filter(({ message_id: id }) => id > typed.message_id);
  expect(said.filter(says('💰'))).toHaveLength(1);
  expect(said.some(says('went wrong'))).toBe(false);
  expect(await peyk.stop()).toBe(0);
});

test('tables that somebody holds locked: nothing is half done, and it goes on when they are free', async () => {
  const one = await day.start({ UNDO_SECONDS: '60' });
  await using peyk = one.peyk;
  await readiness(one);
  const { person, account } = await linkedPerson(day, 'Locked');
  const { person: writer } = await linkedPerson(day, 'Writer');
  const pressed = await draft(day, person, { to: '9125550021', text: 'pressed at a locked table' });
  const waiting = await draft(day, person, { to: '9125550022', text: 'due at a locked table' });
  person.tap(waiting, '✅ Send');
  await cardSays(day, waiting, 'leaving in');
  const comesDue = await upcoming(day, 'due at a locked table');
  writer.send(writer, '/send 09125550023');
  await day.driver.waitForMessage(writer, says('What should the message say?'), PATIENT);
  const free = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = day.database.sql.begin(async (tx) => {
    await tx`lock table draft, attempt in access exclusive mode`;
    locked.resolve();
    await free.promise;
  });
  await locked.promise;
  writer.send(writer, 'answered at a locked table');
  // Each waits for ten seconds, and gives up with nothing done.
  await readiness(one, 'telegram: what it brought waits: something holds a lock in the database');
  person.tap(pressed, '✅ Send');
  await comesDue();
  await peyk.line('55P03');
  expect(gatewaySaw(day, account).calls).toBe(0);
  free.resolve();
  await holding;

  // The question still stands for its answer.
  const written = await day.driver.waitForMessage(writer, says('#A'), PATIENT);
  expect(written.text).toContain('answered at a locked table');
  await cardSays(day, pressed, 'leaving in');
  await comeDue(day, 'pressed at a locked table');
  await cardSays(day, pressed, '1 accepted');
  await cardSays(day, waiting, '1 accepted');
  expect(gatewaySaw(day, account)).toEqual({ calls: 2, sends: 2, recipients: 2 });
  for (const each of [person, writer])
    for (const words of ['went wrong', 'I act on commands'])
      expect(day.driver.messages(each).some(says(words))).toBe(false);
  for (const card of [pressed, waiting])
    for (const text of shownOn(day, card)) expect(text).not.toMatch(/unknown|not sent/u);
  expect(await peyk.stop()).toBe(0);
});

test('a database that goes away with commands in hand: each is done afterwards, and none is taken for one too many', async () => {
  const one = await day.start({ RATE_LIMIT: '0.2' });
  await using peyk = one.peyk;
  await readiness(one);
  const person = day.driver.user({ first_name: 'Quick', language_code: 'en' });
  const free = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = day.database.sql.begin(async (tx) => {
    await tx`lock table person in access exclusive mode`;
    locked.resolve();
    await free.promise;
  });
  await locked.promise;
  // Eight would be one too many.
  const COMMANDS = 6;
  for (let n = 0; n < COMMANDS; n += 1) person.send(person, '/whoami');
  await until(async () => {
    const [open] = await day.database.sql<{ n: number; waits: boolean }[]>`
      select count(*)::int as n, exists (select from pg_locks where not granted) as waits from update where done_at is null`;
    expect(open).toEqual({ n: COMMANDS, waits: true });
  });
  await day.wires.postgres.refuse(true);
  day.wires.postgres.cutAll();
  await until(() => {
    const failed = peyk.lines.filter((line) => line.includes('an update could not be handled'));
    expect(failed).toHaveLength(COMMANDS);
  });
  free.resolve();
  await holding;
  await day.wires.postgres.refuse(false);
  await until(() => {
    const said = day.driver.messages(person).map(({ text = '' }) => text);
    expect(
      said.filter((text) => /Quick.* · id/u.test(text)),
      said.join('\n'),
    ).toHaveLength(COMMANDS);
  });
  expect(day.driver.messages(person).filter(says('Send it again in'))).toEqual([]);
  expect(await peyk.stop()).toBe(0);
});
