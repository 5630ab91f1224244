import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BadDay, startBadDay } from '../support/bad-day.ts';
import { TEST_MS } from '../support/patience.ts';
import type { PeykProcess } from '../support/peyk-process.ts';
import { linkedPerson, PATIENT, says, until } from '../support/story.ts';
import { given, plain } from '../support/talk.ts';

/* A credit that crosses its threshold again and again, looked at by two processes that are started anew now and then. */

const CROSSINGS = 100;
const RESTART_EVERY = 20;
/** Of the restarts this one is a kill: the other process then waits for the lease of the dead one to end. */
const KILLED = 40;
const LIMIT = 5_000_000;

let day: BadDay;

beforeAll(async () => {
  day = await startBadDay();
});
afterAll(async () => {
  await day.close();
});

async function start(): Promise<PeykProcess> {
  return (await day.start({ CREDIT_POLL_SECONDS: '0.05', INBOX_POLL_SECONDS: '0.2' })).peyk;
}

async function beingSaid(): Promise<number> {
  const [row] = await day.database.sql<{ n: number }[]>`
    select count(*)::int as n from notice where state in ('queued', 'sending')`;
  return row?.n ?? 0;
}

test(
  'is told once for each crossing, by whichever process, and each alert ends with its own crossing back',
  { timeout: 4 * TEST_MS },
  async () => {
    const peyks = [await start(), await start()];
    try {
      const { person, account } = await linkedPerson(day, 'Sara');
      person.send(person, `/alerts credit ${LIMIT}`);
      await day.driver.waitForMessage(person, says('Credit counts as low below'), PATIENT);
      const gateway = given(day.sandbox.world.account(account.username));
      const alerts = (): Message[] =>
        day.driver
          .messages(person)
          .filter((message) => /Credit low|Credit is up again/u.test(plain(message)));
      const isLow = (message: Message | undefined): boolean =>
        message !== undefined && plain(message).includes('Credit low');

      for (let crossing = 1; crossing <= CROSSINGS; crossing += 1) {
        gateway.credit = LIMIT - crossing;
        await until(() => {
          expect(alerts()).toHaveLength(crossing);
          expect(isLow(alerts().at(-1))).toBe(true);
        });
        // A credit that wavers just above the threshold has not crossed it back.
        gateway.credit = Math.round(LIMIT * 1.1);
        if (crossing % RESTART_EVERY === 0) {
          // One that is killed before it knows which message tells the alert may tell it again: that is another story.
          await until(async () => expect(await beingSaid()).toBe(0));
          const which = (crossing / RESTART_EVERY) % 2;
          await (crossing === KILLED ? peyks[which]?.kill() : peyks[which]?.stop());
          peyks[which] = await start();
        }
        gateway.credit = LIMIT * 10;
        await until(() => expect(alerts().filter(isLow)).toEqual([]));
      }
      expect(alerts()).toHaveLength(CROSSINGS);
      const rows = await day.database.sql<{ raised: number; open: number }[]>`
        select count(*)::int as raised, count(*) filter (where ended_at is null)::int as open
        from alarm where kind = 'credit' and subject = ''`;
      expect(rows).toEqual([{ raised: CROSSINGS, open: 0 }]);
    } finally {
      await Promise.all(peyks.map((peyk) => peyk.kill()));
    }
  },
);
