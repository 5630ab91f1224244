import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BadDay, readiness, startBadDay } from '../support/bad-day.ts';
import { type LosingServer, startLosingServer } from '../support/losing-server.ts';
import { runTool } from '../support/run-tool.ts';
import {
  cardSays,
  draft,
  type GatewayAccount,
  gatewaySaw,
  harm,
  linkedPerson,
  numbers,
  PATIENT,
  says,
  until,
} from '../support/story.ts';
import { strandedRows } from '../support/stranded-rows.ts';

/* The database loses what it has confirmed, under a Peyk that goes on running: nobody gets a message twice. */

// The server is started three times.
const MANY = 1000;
const LOST =
  'commits: the database went back to an earlier state and has lost what it had confirmed since: all sends are held until peyk halt off';

let server: LosingServer;
let day: BadDay;

beforeAll(async () => {
  server = await startLosingServer();
  day = await startBadDay({ target: server.target() });
});
afterAll(async () => {
  await day.close();
  await server.close();
});

/** The wire leads to where the server listens now; connections to the one before are gone. */
async function changes(change: () => Promise<void>): Promise<void> {
  await day.wires.postgres.refuse(true);
  day.wires.postgres.cutAll();
  await change();
  const { socketDir, port } = server.target();
  day.wires.postgres.lead({ path: `${socketDir}/.s.PGSQL.${port}` });
  await day.wires.postgres.refuse(false);
}

async function holdIsOver(): Promise<void> {
  await server.ask(async (sql) => {
    await sql`update job set hold_until = now(), leaves_at = now() where state = 'holding'`;
    await sql`update graphile_worker._private_jobs set run_at = now() where key like 'send:%'`;
  });
}

async function halt(...args: readonly string[]): Promise<string> {
  const { user, database } = server.target();
  const env = {
    TELEGRAM_BOT_TOKEN: day.playground.token,
    GATEWAY_BASE_URL: day.sandbox.baseUrl,
    GATEWAY_WS_URL: day.sandbox.wsUrl,
    MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    DATABASE_URL: `postgres://${user}@127.0.0.1:${day.wires.postgres.port}/${database}`,
  };
  const { code, text } = await runTool(['halt', ...args], env, day.folder);
  expect(text).not.toMatch(/\bat .*\.ts:/u);
  expect(code).toBe(0);
  return text;
}

/** How often each number has got something from this account, as the gateway knows it. */
function arrived({ username }: GatewayAccount): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const sends = day.sandbox.ledger.sends().filter(({ account }) => account === username);
  for (const number of sends.flatMap(({ recipients }) => recipients))
    times.set(number, (times.get(number) ?? 0) + 1);
  return times;
}

test('a copy some seconds old in the middle of a send: nothing leaves twice, all is held and told, and looked for', async () => {
  const one = await day.start({ UNDO_SECONDS: '600' });
  await using peyk = one.peyk;
  await readiness(one);
  const { person, account } = await linkedPerson(day, 'Loser');
  const { message_id: after } = person.send(person, '/limits approval off');
  await day.driver.waitForMessage(person, says('Set by'), { ...PATIENT, after });
  const open = await draft(day, person, { to: '9125550002', text: 'waits for its press' });
  const card = await draft(day, person, { to: '9125550001', text: 'is sent to many' });
  await server.ask(
    async (sql) =>
      await sql`update draft set recipients = ${numbers(MANY).map((number) => `98${number}`)} where text = 'is sent to many'`,
  );
  person.tap(card, '✅ Send');
  await cardSays(day, card, 'leaving in');

  await changes(server.remember);
  await readiness(one);
  // What the copy knows to be planned leaves: some calls are accepted, one is out when the server goes down.
  const { struck, heal } = harm(day, account, { kind: 'hang', when: 'after', skip: 3, times: 1 });
  await holdIsOver();
  await struck();
  await until(() => expect(arrived(account).size).toBeGreaterThanOrEqual(800));
  await changes(server.goBack);
  await holdIsOver();
  heal();

  await readiness(one, LOST);
  await peyk.line('the database has lost commits');
  await cardSays(day, card, 'was restored from a backup');
  // What waits for a press may have had it since.
  const told = (m: Message): boolean => m.message_id === open.message_id && says('was not confirmed yet')(m);
  person.tap(open, '✅ Send');
  await day.driver.waitForMessage(person, told, PATIENT);
  const fresh = await draft(day, person, { to: '9125550003', text: 'is written after the loss' });
  person.tap(fresh, '✅ Send');
  await day.driver.waitForMessage(person, says('The sends of all chats are stopped since'), {
    ...PATIENT,
    after: fresh.message_id,
  });

  // The gateway's lists have all that left; the rest, if any, stays unknown.
  const left = arrived(account).size;
  const found = (m: Message): boolean =>
    m.message_id === card.message_id && says(`${left.toLocaleString('en')} accepted`)(m);
  await day.driver.waitForMessage(person, found, PATIENT);
  expect([...arrived(account).values()].filter((times) => times > 1)).toEqual([]);
  expect(gatewaySaw(day, account).recipients).toBe(left);
  await readiness(one, LOST);

  expect(await halt('off')).toContain('Sends are not held.');
  await readiness(one);
  const again = await draft(day, person, { to: '9125550004', text: 'is written when sends go on' });
  person.tap(again, '✅ Send');
  await cardSays(day, again, 'leaving in');
  await holdIsOver();
  await cardSays(day, again, '1 accepted');
  expect(gatewaySaw(day, account).recipients).toBe(left + 1);
  expect(await peyk.stop()).toBe(0);
  expect(await server.ask(strandedRows)).toEqual([]);
});
