import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import { type BadDay, startBadDay } from '../support/bad-day.ts';
import {
  cardSays,
  draft,
  gatewaySaw,
  type GatewayAccount,
  harm,
  linkedPerson,
  shownOn,
  until,
} from '../support/story.ts';
import { readReported } from '../support/reported.ts';
import type { Row } from '../../src/storage/row.ts';

/* Whoever looks for a send whose outcome is unknown is told to end meanwhile, or has a clock that is wrong by days. */

// Processes are started and ended in each test.
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const STEP = pathToFileURL(join(import.meta.dirname, '../support/stepped-clock-child.ts')).href;
const TO = '9125550061 9125550062';

let day: BadDay;

beforeAll(async () => {
  day = await startBadDay();
});
afterAll(async () => {
  await day.close();
});

interface Doubt {
  readonly state: string;
  readonly checks: number;
}

/** What is written of the newest call with this text. */
async function doubtOf(text: string): Promise<Doubt | undefined> {
  const [row] = await day.database.sql<Doubt[]>`
    select a.state, a.checks from attempt a join job j on j.id = a.job_id join draft d on d.id = j.draft_id
    where d.text = ${text} order by a.on_wire_at desc limit 1`;
  return row;
}

/** The next look is due now. */
async function lookNow(): Promise<void> {
  await day.database.sql`
    update graphile_worker._private_jobs set run_at = now() where key like 'reconcile:%' and locked_at is null`;
}

/** Resolves when this call has been looked for so many times more, and nothing has been concluded. */
async function lookedFor(text: string, times: number): Promise<void> {
  const before = (await doubtOf(text))?.checks ?? 0;
  await until(async () => {
    await lookNow();
    const now = await doubtOf(text);
    expect(now).toMatchObject({ state: 'unknown' });
    expect(now?.checks).toBeGreaterThanOrEqual(before + times);
  });
}

/** A send whose answer is lost on its way. */
async function unclear(
  { person, account }: { readonly person: Person; readonly account: GatewayAccount },
  fault: FaultRule,
  order: { readonly to: string; readonly text: string },
): Promise<Message> {
  const { heal } = harm(day, account, { ...fault, times: 1 });
  const card = await draft(day, person, order);
  person.tap(card, '✅');
  await cardSays(day, card, '2 unknown');
  heal();
  return card;
}

/** The ids under which each call of an account went out, in the order of the calls. */
function idsOf({ username }: GatewayAccount): (readonly string[])[] {
  return day.sandbox.ledger.sends().flatMap((send) => (send.account === username ? [send.messageIds] : []));
}

describe('processes that are told to end, one after the other, while they look for an unknown send', () => {
  test.each([
    // It waits for the lists in vain, and knows nothing in the end.
    { how: 'that never answers', fault: { kind: 'hang', when: 'before' }, knows: 'unknown' },
    // What it has asked for is brought to an end before its own.
    { how: 'that answers late', fault: { kind: 'delay', when: 'before', ms: 3000 }, knows: 'sent' },
  ] as const)(
    'at a gateway $how: each ends with 0, the message is found, and no other message is taken for it',
    async ({ how, fault, knows }) => {
      await using first = (await day.start()).peyk;
      const linked = await linkedPerson(day, 'Ending');
      const { person, account } = linked;
      const order = { to: TO, text: `looked for at a gateway ${how}` };
      // An equal one that is known stands in the same lists.
      const known = await draft(day, person, order);
      person.tap(known, '✅');
      await cardSays(day, known, '2 accepted');
      const card = await unclear(linked, { kind: 'reset', when: 'after' }, order);

      const { struck, heal } = harm(day, account, { ...fault, operation: 'latestoutbox' });
      await lookNow();
      await struck();
      await using second = (await day.start()).peyk;
      expect(await first.stop()).toBe(0);
      expect(await doubtOf(order.text)).toMatchObject({ state: knows });
      // Nothing is left to the second one when the first has found it.
      if (knows === 'unknown') {
        await lookNow();
        await struck(2);
      }
      await using third = (await day.start()).peyk;
      expect(await second.stop()).toBe(0);
      expect(await doubtOf(order.text)).toMatchObject({ state: knows });
      heal();
      if (knows === 'unknown') await lookNow();
      const shown = await cardSays(day, card, '2 accepted by the gateway');
      expect(shown.text).not.toContain('unknown');
      expect(await third.stop()).toBe(0);

      expect(gatewaySaw(day, account)).toEqual({ calls: 2, sends: 2, recipients: 4 });
      const [job] = await day.database.sql<Row<'attempt', 'job_id'>[]>`
        select a.job_id from attempt a join job j on j.id = a.job_id join draft d on d.id = j.draft_id
        where d.text = ${order.text} and a.state = 'sent'`;
      const claims = await readReported(day.database.sql, job?.job_id ?? '');
      const [id] = idsOf(account)[1] ?? [];
      expect(claims).toMatchObject(
        TO.split(' ').map((number) => ({ recipient: `98${number}`, message_id: id })),
      );
    },
  );
});

test('a clock that jumps a day ahead, and then two back, while sends are unknown: none is given up or called absent, and what went through is found', async () => {
  const settings = { NODE_OPTIONS: `--import=${STEP}`, CLOCK_STEPS: `${DAY_MS},${-DAY_MS}` };
  await using only = (await day.start(settings)).peyk;
  const linked = await linkedPerson(day, 'Wrong by days');
  const { person, account } = linked;
  // From what is known of this one, the gateway's clock and counts are.
  const known = await draft(day, person, { to: TO, text: 'known before the jumps' });
  person.tap(known, '✅');
  await cardSays(day, known, '2 accepted');

  for (const [index, ms] of [DAY_MS, -DAY_MS].entries()) {
    const went = { to: TO, text: `went through before jump ${index}` };
    const never = { to: '9125550063 9125550064', text: `never came before jump ${index}` };
    const found = await unclear(linked, { kind: 'reset', when: 'after' }, went);
    const open = await unclear(linked, { kind: 'drop', when: 'before' }, never);
    day.sandbox.world.setSwitches({ lagMs: HOUR_MS });
    process.kill(only.pid, 'SIGUSR2');
    await only.line(`the clock is ${ms} ms ahead now`);
    for (const { text } of [went, never]) await lookedFor(text, 2);

    day.sandbox.world.setSwitches({ lagMs: 0 });
    await lookNow();
    await cardSays(day, found, '2 accepted by the gateway');
    await lookedFor(never.text, 1);
    for (const text of [...shownOn(day, found), ...shownOn(day, open)])
      expect(text).not.toMatch(/not sent|lists do not tell|Not in the gateway/u);
  }
  expect(gatewaySaw(day, account)).toEqual({ calls: 5, sends: 3, recipients: 6 });
});
