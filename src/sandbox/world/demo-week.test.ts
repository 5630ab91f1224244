import { expect, test } from 'vitest';
import { DEMO_ACCOUNTS, liveDemoWeek } from './demo-week.ts';
import { createLedger } from './ledger.ts';
import { rowsOf } from './outbox.ts';
import { createWorld } from './world.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 24, 4, 20);

function demo(now: number) {
  const ledger = createLedger({ keep: 10 });
  const keep = { keepMessages: 1000, keepRecipients: 100_000 };
  const here = createWorld({
    accounts: DEMO_ACCOUNTS,
    now: () => now,
    deliveryMs: 6000,
    ...keep,
    ledger,
    lived: { account: 'demo', live: liveDemoWeek },
  });
  const account = here.account('demo');
  if (account === undefined) throw new Error('no demo account');
  return { here, account };
}

/** All that lists and reports tell of what was sent and received. */
function told({ here, account }: ReturnType<typeof demo>) {
  const sent = account.outbox.all().map((message) => ({
    at: message.sentAt,
    what: `${message.firstId} ${message.line} ${message.text}`,
    states: rowsOf(message).map((row) => `${row.recipient} ${here.stateOf(row)}`),
  }));
  const received = account.inbox.map(({ receivedAt, messageId, from, text }) => ({
    at: receivedAt,
    what: `${messageId} ${from} ${text}`,
  }));
  return [...sent, ...received];
}

test('every day of the demo week has sends, received messages and a price, and nothing is yet to come', () => {
  const { here, account } = demo(NOW);
  const days = (times: readonly number[]) => new Set(times.map((at) => Math.floor((NOW - at) / DAY_MS)));
  const sent = account.outbox.all();
  const all = new Set([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(days(sent.map(({ sentAt }) => sentAt))).toEqual(all);
  expect(days(account.inbox.map(({ receivedAt }) => receivedAt))).toEqual(all);
  expect(account.credit).toBe(400_000_000 - sent.reduce((sum, { cost }) => sum + cost, 0));
  const states = new Set(sent.flatMap(rowsOf).map(here.stateOf));
  expect([...states].toSorted()).toEqual([
    'delivered',
    'not_delivered',
    'not_sent',
    'on_the_way',
    'returned',
  ]);
  expect(account.inbox.map(({ read }) => read).lastIndexOf(true)).toBe(account.inbox.length - 4);
  expect(here.ledger.totals().sends).toBe(0);
});

test.each([60_000, DAY_MS, 3 * DAY_MS])(
  'a start %i ms later tells the same of the days that both know',
  (later) => {
    const [first, second] = [told(demo(NOW)), told(demo(NOW + later))];
    const oldest = Math.min(...second.map(({ at }) => at));
    const both = first.filter(({ at }) => at >= oldest);
    expect(both.length).toBeGreaterThan(20);
    expect(second.filter(({ at }) => at < NOW)).toEqual(both);
  },
);

test('a message can be found by its id, and a reset brings the week back', () => {
  const { here, account } = demo(NOW);
  for (const message of account.outbox.all())
    expect(account.outbox.find(message.firstId)[0]?.message).toBe(message);
  const before = account.outbox.all().length;
  here.reset();
  expect(here.account('demo')?.outbox.all()).toHaveLength(before);
});
