import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FRESH_LINE, START, startBench, type Bench } from '../../../../test/contract/accounts.ts';
import { resolve } from '../../../domain/reconcile.ts';
import { Secret } from '../../../domain/secret.ts';
import type { SmsGateway } from '../../../ports/gateway.ts';
import type { Clock } from '../../../ports/runtime.ts';
import type { AcceptedCall } from '../../../ports/reconcile.ts';
import { studyGateway } from './gateway-habits.ts';
import { lookAtNumbers, lookIntoOutbox } from './outbox-evidence.ts';

/* The sandbox stands for a gateway with bad habits: late, capped and shuffled lists, a clock that is off, and others who send. */

let bench: Bench;
let now = START;
let accounts = 0;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const clock: Clock = {
  now: () => new Date(now * 1000),
  monotonic: () => now * 1000,
  sleep: () => Promise.resolve(),
};

function pass(seconds: number): void {
  now += seconds;
  bench.advance(seconds);
}

const R = ['989120000010', '989120000020', '989120000030'];
const OFF = {
  lagMs: 0,
  cap: null,
  shuffled: false,
  dateOffsetSeconds: 0,
  textSuffix: '',
  countsCalls: false,
};

async function freshGateway(version: 3 | 4 = 3): Promise<SmsGateway> {
  accounts += 1;
  const name = `evidence${accounts}`;
  await bench.admin('/accounts', {
    username: name,
    password: 'p',
    apiKey: `key-${name}`,
    lines: [FRESH_LINE],
    credit: 1_000_000_000,
  });
  return bench.open({ version, credentials: { apiKey: new Secret(`key-${name}`) } });
}

const foreign = (ageSeconds: number, recipients: readonly string[], message = 'Hello') =>
  bench.admin('/foreign', {
    account: `evidence${accounts}`,
    line: FRESH_LINE,
    recipients,
    message,
    ageSeconds,
  });

async function send(gateway: SmsGateway, recipients: readonly string[], text = 'Hello'): Promise<string> {
  const answer = await gateway.use('sending').send({ line: FRESH_LINE, recipients, text, flash: false });
  if (answer.outcome !== 'accepted') throw new Error(answer.outcome);
  return answer.messageIds[0].id;
}

function sampled(messageId: string, recipients: readonly string[]): AcceptedCall {
  return {
    messageId,
    from: now,
    to: now + 1,
    line: FRESH_LINE,
    text: null,
    recipients: recipients.length,
    ids: 1,
  };
}

describe('a look into the outbox', () => {
  test.each([3, 4] as const)(
    'finds everything of the span over version %i, and knows it',
    async (version) => {
      await bench.admin('/switches', OFF);
      const gateway = await freshGateway(version);
      await send(gateway, R);
      await foreign(30, ['989120000099'], 'other');
      const look = await lookIntoOutbox(
        gateway,
        { from: now - 100, to: now },
        { clock, countsRecipients: true },
      );
      expect(look.complete).toBe(true);
      expect(look.rows.map(({ recipient }) => recipient).toSorted()).toEqual([...R, '989120000099']);
      expect(look.rows.every(({ line }) => line === FRESH_LINE)).toBe(true);
    },
  );

  test('of a span without messages is complete and empty', async () => {
    const gateway = await freshGateway();
    expect(
      await lookIntoOutbox(gateway, { from: now - 100, to: now }, { clock, countsRecipients: true }),
    ).toEqual({
      rows: [],
      complete: true,
    });
    const old = { from: now - 200_000, to: now - 100_000 };
    expect(await lookIntoOutbox(gateway, old, { clock, countsRecipients: true })).toEqual({
      rows: [],
      complete: true,
    });
  });

  test('through lists that hold less than there is says so, or finds the rest in smaller pieces', async () => {
    const gateway = await freshGateway();
    for (let n = 0; n < 8; n += 1) {
      await send(gateway, [`98912000${String(n).padStart(4, '0')}`]);
      pass(100);
    }
    pass(1000);
    await bench.admin('/switches', { cap: 3 });
    const span = { from: now - 2000, to: now };
    const halved = await lookIntoOutbox(gateway, span, { clock, countsRecipients: true });
    expect(halved).toMatchObject({ complete: true });
    expect(halved.rows).toHaveLength(8);
    await bench.admin('/switches', { cap: 0 });
    expect(await lookIntoOutbox(gateway, span, { clock, countsRecipients: true })).toEqual({
      rows: [],
      complete: false,
    });
    await bench.admin('/switches', OFF);
  });

  test('over a span longer than a day reads it in days', async () => {
    const gateway = await freshGateway();
    await send(gateway, R);
    pass(3 * 86_400);
    const look = await lookIntoOutbox(
      gateway,
      { from: now - 4 * 86_400, to: now },
      { clock, countsRecipients: true },
    );
    expect(look.complete).toBe(true);
    expect(look.rows).toHaveLength(3);
  });
});

describe('the clocks', () => {
  test('are compared by what was surely accepted, however far they are apart', async () => {
    for (const offset of [0, 12_600, -300]) {
      await bench.admin('/switches', { ...OFF, dateOffsetSeconds: offset });
      const gateway = await freshGateway();
      const calls: AcceptedCall[] = [];
      for (let n = 0; n < 3; n += 1) {
        calls.push(sampled(await send(gateway, R), R));
        pass(10);
      }
      const { clock: compared } = await studyGateway(gateway, calls);
      expect(compared.known).toBe(true);
      expect(Math.abs(compared.ahead - offset)).toBeLessThanOrEqual(compared.give);
    }
    await bench.admin('/switches', OFF);
  });

  test('are a guess with a wide margin when nothing was accepted yet', async () => {
    const gateway = await freshGateway();
    const guess = { ahead: 0, give: 300, known: false };
    expect(await studyGateway(gateway, [])).toMatchObject({ clock: guess, countsRecipients: false });
    expect((await studyGateway(gateway, [sampled('999999', R)])).clock).toEqual(guess);
  });
});

describe('that the gateway counts recipients', () => {
  test.each([false, true])(
    'is learned from a call to several numbers (it counts calls: %s)',
    async (countsCalls) => {
      await bench.admin('/switches', { ...OFF, countsCalls });
      const gateway = await freshGateway();
      const alone = sampled(await send(gateway, R.slice(0, 1)), R.slice(0, 1));
      expect((await studyGateway(gateway, [alone])).countsRecipients).toBe(false);
      pass(10);
      const { countsRecipients } = await studyGateway(gateway, [sampled(await send(gateway, R), R), alone]);
      expect(countsRecipients).toBe(!countsCalls);
      pass(700);
      const look = await lookIntoOutbox(gateway, { from: now - 1000, to: now }, { clock, countsRecipients });
      expect(look).toMatchObject({ complete: !countsCalls });
      expect(look.rows).toHaveLength(4);
      await bench.admin('/switches', OFF);
    },
  );

  test('is not learned from a list that leaves something out', async () => {
    await bench.admin('/switches', { ...OFF, cap: 2 });
    const gateway = await freshGateway();
    expect((await studyGateway(gateway, [sampled(await send(gateway, R), R)])).countsRecipients).toBe(false);
    await bench.admin('/switches', OFF);
  });
});

test('an ending counts as the line’s own when it was seen often enough', async () => {
  await bench.admin('/switches', { ...OFF, textSuffix: '\nلغو11' });
  const gateway = await freshGateway();
  const calls: AcceptedCall[] = [];
  for (let n = 0; n < 3; n += 1) {
    expect((await studyGateway(gateway, calls)).endings.get(FRESH_LINE) ?? []).toEqual([]);
    calls.push({ ...sampled(await send(gateway, R, `Hello ${n}`), R), text: `Hello ${n}` });
  }
  expect((await studyGateway(gateway, calls)).endings.get(FRESH_LINE)).toEqual(['\nلغو11']);
  await bench.admin('/switches', OFF);
});

test('single numbers are looked up one by one, without a line', async () => {
  const gateway = await freshGateway();
  const id = await send(gateway, R);
  const rows = await lookAtNumbers(gateway, [R[0] ?? '', '989129999999'], now - 10);
  expect(rows).toMatchObject([{ id, line: null, recipient: R[0], text: 'Hello' }]);
});

test('what is proved absent was never accepted, and what was accepted is found once the lists are whole', async () => {
  let [proved, found, open] = [0, 0, 0];
  const traffic = fc.array(
    fc.record({
      ageSeconds: fc.nat(300),
      to: fc.subarray([...R, '989120000099'], { minLength: 1 }),
      same: fc.boolean(),
    }),
    { maxLength: 5 },
  );
  const world = fc.record({
    accepted: fc.boolean(),
    traffic,
    version: fc.constantFrom(3 as const, 4 as const),
    samples: fc.nat(2),
    switches: fc.record({
      lagMs: fc.constantFrom(0, 60_000),
      cap: fc.constantFrom(null, 0, 1, 3, 100),
      shuffled: fc.boolean(),
      dateOffsetSeconds: fc.constantFrom(0, 7, -120, 12_600),
      countsCalls: fc.boolean(),
    }),
    waits: fc.array(fc.constantFrom(10, 60, 400, 700), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ accepted, traffic: others, version, samples, switches, waits }) => {
      await bench.admin('/switches', { ...OFF, ...switches });
      const gateway = await freshGateway(version);
      const calls: AcceptedCall[] = [];
      const some = ['989120000077', '989120000078'];
      for (let n = 0; n < samples; n += 1) {
        calls.push(sampled(await send(gateway, some, 'sample'), some));
        pass(5);
      }
      for (const { ageSeconds, to, same } of others) await foreign(ageSeconds, to, same ? 'Hello' : 'other');
      const wire = { from: now, to: now + 2 };
      const id = accepted ? await send(gateway, R) : null;
      pass(2);
      for (const seconds of waits) {
        pass(seconds);
        const { clock: offset, countsRecipients } = await studyGateway(gateway, calls);
        const window = {
          from: Math.floor(wire.from + offset.ahead - offset.give - 5),
          to: Math.ceil(wire.to + offset.ahead + offset.give + 120),
        };
        const look = await lookIntoOutbox(gateway, window, { clock, countsRecipients });
        const settlement = resolve(
          {
            messages: new Map(R.map((r) => [r, { line: FRESH_LINE, text: 'Hello' }])),
            window,
            callSeconds: 2,
          },
          {
            ...look,
            clockKnown: offset.known,
            settled: now + offset.ahead > window.to,
            exhausted: false,
            claimed: () => false,
            unnamed: [],
            endings: [],
            blocked: new Set(),
          },
        );
        if (settlement.kind === 'asked' && settlement.proven) {
          proved += 1;
          expect(accepted).toBe(false);
        } else if (settlement.kind === 'sent') {
          found += 1;
          // Not ours: then everybody had it from somebody else in the same minutes.
          if (id === null) expect(others.some(({ same }) => same)).toBe(true);
        } else {
          open += 1;
        }
      }
    }),
    { numRuns: 120, endOnFailure: true },
  );
  await bench.admin('/switches', OFF);
  expect(proved).toBeGreaterThan(5);
  expect(found).toBeGreaterThan(20);
  expect(open).toBeGreaterThan(20);
});
