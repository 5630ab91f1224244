import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLedger } from './ledger.ts';
import { countParts } from './parts.ts';
import { isRefusal } from './refusal.ts';
import { sendMessage } from './send.ts';
import { createWorld } from './world.ts';

const ORIGIN = { version: 3, operation: 'send' };
const SEED = { username: 'one', password: 'p', lines: ['10001'], credit: 1_000_000 };

function world(accounts = [SEED], now = () => 1_700_000_000_000) {
  const ledger = createLedger({ keep: 1000 });
  return createWorld({ accounts, now, deliveryMs: 1000, keepMessages: 100, keepRecipients: 1000, ledger });
}

test('credit falls by parts × recipients × price of the encoding, and never below zero', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'س', '€', '😀'), minLength: 1, maxLength: 300 });
  const call = fc.record({ text, count: fc.integer({ min: 1, max: 200 }) });
  const price = fc.record({ gsm7: fc.nat(5000), ucs2: fc.nat(5000) });
  fc.assert(
    fc.property(price, fc.array(call, { maxLength: 20 }), (prices, calls) => {
      const here = world([{ ...SEED, price: prices } as typeof SEED]);
      const account = here.account('one');
      if (account === undefined) throw new Error('no account');
      let spent = 0;
      for (const { text: message, count } of calls) {
        const recipients = Array.from({ length: count }, (_, index) => String(9_120_000_000 + index));
        const before = account.credit;
        const sent = sendMessage(here, account, ORIGIN, { from: '10001', recipients, message, flash: false });
        const unit = /[س😀]/u.test(message) ? prices.ucs2 : prices.gsm7;
        const cost = countParts(message).parts * count * unit;
        const fits = cost <= before;
        expect(isRefusal(sent) ? sent.refused : sent.cost).toBe(fits ? cost : 'insufficient_credit');
        expect(account.credit).toBe(fits ? before - cost : before);
        if (fits) spent += cost;
      }
      expect(account.credit).toBe(SEED.credit - spent);
      expect(account.credit).toBeGreaterThanOrEqual(0);
      expect(here.ledger.totals().cost).toBe(spent);
    }),
    { numRuns: 50 },
  );
});

test('message ids are odd, grow, lie above 2^53 and below 2^63, and lose digits as doubles', () => {
  const here = world();
  let last = 0n;
  for (const count of [1, 200, 1, 3]) {
    const id = here.takeIds(count);
    expect(id).toBeGreaterThan(last);
    expect(id).toBeGreaterThan(2n ** 53n);
    expect(id).toBeLessThan(2n ** 63n);
    expect(BigInt(Number(id))).not.toBe(id);
    last = id;
  }
});

test('a sandbox that starts later never gives an id that an earlier one gave', () => {
  const earlier = world([SEED], () => 1_700_000_000_000);
  for (let calls = 0; calls < 2000; calls += 1) earlier.takeIds(200);
  const later = world([SEED], () => 1_700_000_000_001);
  expect(later.takeIds(1)).toBeGreaterThan(earlier.takeIds(1));
});

test('a reset restores credit, clock and messages but repeats no message id', () => {
  const here = world();
  const account = here.account('one');
  if (account === undefined) throw new Error('no account');
  const request = { from: '10001', recipients: ['9121111111'], message: 'x', flash: false };
  sendMessage(here, account, ORIGIN, request);
  here.advance(5000);
  const id = here.takeIds(1);
  here.reset();
  expect(here.account('one')?.credit).toBe(1_000_000);
  expect(here.account('one')?.outbox.all()).toEqual([]);
  expect(here.now()).toBe(1_700_000_000_000);
  expect(here.takeIds(1)).toBeGreaterThan(id);
});

test('two accounts may not share a user name, a key or a token', () => {
  const here = world([{ ...SEED, apiKey: 'k1' } as typeof SEED]);
  expect(() => here.addAccount({ username: 'one', password: 'p' })).toThrow('username');
  expect(() => here.addAccount({ username: 'two', password: 'p', apiKey: 'k1' })).toThrow('apiKey');
  expect(here.addAccount({ username: 'two', password: 'p', apiKey: 'k2' }).credit).toBe(0);
});

test('the default inbox of an account is received before now, oldest first, with its read flags', () => {
  const inbox = [
    { from: '9121110001', line: '10001', message: 'a', ageSeconds: 60 },
    { from: '9121110001', line: '10001', message: 'b', read: true },
  ];
  const received = world([{ ...SEED, inbox } as typeof SEED]).account('one')?.inbox;
  expect(received?.map(({ text, receivedAt, read }) => [text, receivedAt, read])).toEqual([
    ['a', 1_699_999_940_000, false],
    ['b', 1_700_000_000_000, true],
  ]);
});
