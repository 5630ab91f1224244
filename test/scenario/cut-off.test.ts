import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { type FaultyProxy, startFaultyProxy } from '../chaos/proxy.ts';
import { type BadDay, startBadDay } from '../support/bad-day.ts';
import { strandedRows } from '../support/stranded-rows.ts';
import {
  cardSays,
  draft,
  gatewaySaw,
  type GatewayAccount,
  harm,
  hasButton,
  HELD,
  linkedPeople,
  linkedPerson,
  says,
  until,
} from '../support/story.ts';

/*
 * A process is cut off from the database while its calls are out. Another one takes its work over, the gateway's lists tell
 * nothing, people decide; then the first one is back, and knows what became of its calls.
 */

const FENCE_LOCK = 20_261_122;

let day: BadDay;
/** The way of the process that is not cut off. */
let whole: FaultyProxy;

beforeAll(async () => {
  day = await startBadDay();
  const { socketDir, port } = day.database.target;
  whole = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
});
afterAll(async () => {
  await day.close();
  await whole.close();
});

async function startBeside() {
  const { user, database } = day.database.target;
  return await day.start({ DATABASE_URL: `postgres://${user}@127.0.0.1:${whole.port}/${database}` });
}

async function cutOff(): Promise<void> {
  await day.wires.postgres.refuse(true);
  day.wires.postgres.cutAll();
}

/** The looks come after minutes, hours and days: all of them are over now. */
async function givesUpLooking(): Promise<void> {
  await day.database.sql`
    update attempt set on_wire_at = on_wire_at - interval '90000 seconds', ended_at = ended_at - interval '90000 seconds'
    where state = 'unknown'`;
  await day.database.sql`
    update graphile_worker._private_jobs set run_at = now() where key like 'reconcile:%' and locked_at is null`;
}

/** A send whose call the gateway takes, and answers when it is healed. */
async function sendWithin(
  { person, account }: { readonly person: Person; readonly account: GatewayAccount },
  to: string,
) {
  const { heal } = harm(day, account, { ...HELD, when: 'after', times: 1 });
  const card = await draft(day, person, { to, text: 'Are you there?' });
  person.tap(card, '✅');
  return { card, heal };
}

test('an answer that is heard late ends the question, and is told to whoever has decided otherwise', async () => {
  await using first = (await day.start()).peyk;
  const { Open, Said, Again } = await linkedPeople(day, ['Open', 'Said', 'Again']);
  const calls = await Promise.all([
    sendWithin(Open, '9126660001 9126660002'),
    sendWithin(Said, '9126660003 9126660004'),
    sendWithin(Again, '9126660005 9126660006'),
  ]);
  await until(() => {
    for (const { account } of [Open, Said, Again]) expect(gatewaySaw(day, account).sends).toBe(1);
  });
  await cutOff();
  for (const { heal } of calls) heal();
  const [open, said, again] = [calls[0].card, calls[1].card, calls[2].card];
  await using second = (await startBeside()).peyk;
  for (const card of [open, said, again]) await cardSays(day, card, '2 unknown');
  day.sandbox.world.setSwitches({ lagMs: 3_600_000 });
  await givesUpLooking();
  const [, askedSaid, askedAgain] = await Promise.all(
    [open, said, again].map(async (card) => await cardSays(day, card, '2 unknown', 'lists do not tell')),
  );
  if (askedSaid === undefined || askedAgain === undefined) throw new Error('nobody was asked');
  Said.person.tap(askedSaid, '✖ They were not sent');
  Again.person.tap(askedAgain, '🔁 Send 2 again');
  const other = await day.driver.waitForMessage(
    Again.person,
    (m) => m.message_id > again.message_id && hasButton(m, '✅ Send 2'),
  );
  Again.person.tap(other, '✅ Send 2');
  await cardSays(day, other, '2 accepted');
  await cardSays(day, again, '2 without a clear outcome were sent again with another card');
  // A draft to those that are counted as failures waits for its answer.
  const settled = await cardSays(day, said, '2 not sent');
  Said.person.tap(settled, '🔁 Resend');
  const failures = await day.driver.waitForMessage(
    Said.person,
    (m) => m.message_id > said.message_id && hasButton(m, '✅ Send 2'),
  );

  await day.wires.postgres.refuse(false);
  const answered = await cardSays(day, open, '2 accepted by the gateway');
  expect(answered.text).not.toMatch(/unknown|lists do not tell/u);
  expect(hasButton(answered, '✔ They were sent')).toBe(false);
  await cardSays(day, said, '2 accepted by the gateway');
  await day.driver.waitForMessage(Said.person, says('had marked as not sent were accepted after all'));
  await cardSays(day, failures, 'cancelled');
  await cardSays(day, again, '2 accepted by the gateway');
  await day.driver.waitForMessage(Again.person, says('had been accepted the first time'));
  // Nobody is told about a question that nobody has answered: its card says all.
  expect(day.driver.messages(Open.person).filter(({ text = '' }) => text.includes('came late'))).toHaveLength(
    0,
  );
  for (const [{ account }, sends] of [
    [Open, 1],
    [Said, 1],
    [Again, 2],
  ] as const)
    expect(gatewaySaw(day, account).sends).toBe(sends);
  const late = await day.database.sql<{ details: { recipients: number; sent: boolean } }[]>`
    select details from audit where action = 'send_heard_late'`;
  expect(late.map(({ details }) => details)).toEqual([
    expect.objectContaining({ recipients: 2, sent: true }),
    expect.objectContaining({ recipients: 2, sent: true }),
  ]);
  expect(await strandedRows(day.database.sql)).toEqual([]);
  expect(await second.stop()).toBe(0);
  expect(await first.stop()).toBe(0);
});

test('what surely was not sent, and is heard of when the send has ended, is not sent, and goes again by the usual button', async () => {
  day.sandbox.world.setSwitches({ lagMs: 0 });
  await using first = (await day.start()).peyk;
  const { person, account } = await linkedPerson(day, 'Fenced');
  const card = await draft(day, person, { to: '9126660007 9126660008', text: 'Nobody gets this' });
  // The commit of the fence waits for the test, and its answer is lost. The session does not look whether anybody still
  // waits for that answer: else it gives the fence up, and what follows is another story.
  await day.database.sql.unsafe(`
    create function hold_fence() returns trigger language plpgsql as $$
      begin
        perform set_config('client_connection_check_interval', '0', true), set_config('lock_timeout', '0', true);
        perform pg_advisory_xact_lock(${FENCE_LOCK});
        return new;
      end $$;
    create trigger hold_fence before update on attempt for each row
      when (old.state = 'reserved' and new.state = 'on_wire') execute function hold_fence()`);
  const [held, cut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = day.database.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${FENCE_LOCK})`;
    held.resolve();
    await cut.promise;
  });
  await held.promise;
  person.tap(card, '✅');
  await until(async () => {
    const waiting = await day.database.sql`
      select 1 from pg_locks where locktype = 'advisory' and objid = ${FENCE_LOCK} and not granted`;
    expect(waiting).toHaveLength(1);
  });
  await cutOff();
  cut.resolve();
  await holding;
  await using second = (await startBeside()).peyk;
  await cardSays(day, card, '2 unknown');
  await until(async () => {
    const [job] = await day.database.sql`
      select j.state from job j join draft d on d.id = j.draft_id where d.text = 'Nobody gets this'`;
    expect(job).toEqual({ state: 'done' });
  });
  expect(await strandedRows(day.database.sql)).toEqual([]);

  await day.wires.postgres.refuse(false);
  const told = await cardSays(day, card, '2 not sent');
  expect(told.text).not.toContain('unknown');
  expect(await strandedRows(day.database.sql)).toEqual([]);
  expect(gatewaySaw(day, account)).toMatchObject({ calls: 0, sends: 0 });
  person.tap(told, '🔁');
  const again = await day.driver.waitForMessage(
    person,
    (m) => m.message_id > card.message_id && hasButton(m, '✅ Send 2'),
  );
  person.tap(again, '✅ Send 2');
  await cardSays(day, again, '2 accepted');
  expect(gatewaySaw(day, account)).toMatchObject({ calls: 1, sends: 1, recipients: 2 });
  expect(await second.stop()).toBe(0);
  expect(await first.stop()).toBe(0);
});
