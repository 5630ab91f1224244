import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDelays } from '../../bench/scaling-delays.ts';
import { diskAfter } from '../../bench/scaling-model.ts';
import { createMessages } from '../../bench/scaling-messages.ts';
import { simulate, type Simulated } from '../../bench/scaling-simulation.ts';
import { createSpeaker } from '../../bench/scaling-speaker.ts';
import { createLine, createWheel } from '../../bench/scaling-wheel.ts';
import { countsOf, POLLING_BENCH, TEAMS } from '../../bench/scaling-workload.ts';
import { inboxPauseMs } from '../../src/domain/inbound.ts';
import { createGate, createWaiting } from '../../src/telegram/outgoing/outgoing-pace.ts';

const HOUR: Simulated = {
  accounts: 400,
  workload: TEAMS,
  from: 9,
  warmSeconds: 600,
  seconds: 3000,
  bots: 1,
  perSecond: 30,
  pollsPerSecond: 100,
  ownSeconds: 0.1,
  seed: 1,
};

function callsOf({ counts }: ReturnType<typeof simulate>): number {
  return counts.inboxReads + counts.creditReads + counts.detailReads;
}

describe('the simulation', () => {
  test('loses and doubles nothing: what came in was told, or is left', () => {
    fc.assert(
      fc.property(
        fc.record({
          accounts: fc.integer({ min: 1, max: 300 }),
          bots: fc.integer({ min: 1, max: 3 }),
          perSecond: fc.integer({ min: 1, max: 30 }),
          pollsPerSecond: fc.double({ min: 0.05, max: 50, noNaN: true }),
          from: fc.integer({ min: 0, max: 23 }),
          seed: fc.integer({ min: 1, max: 1000 }),
        }),
        (given) => {
          const { whole, delays } = simulate({ ...HOUR, warmSeconds: 0, seconds: 1500, ...given });
          expect(whole.told + whole.left).toBe(whole.received);
          expect(delays.count).toBe(whole.received);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('asks twice as often for twice as many accounts, and no pause is left out', () => {
    const once = simulate({ ...HOUR, accounts: 2000, pollsPerSecond: 1e6 });
    const twice = simulate({ ...HOUR, accounts: 4000, pollsPerSecond: 1e6, seed: 2 });
    expect(callsOf(twice) / callsOf(once)).toBeGreaterThan(1.95);
    expect(callsOf(twice) / callsOf(once)).toBeLessThan(2.05);
    expect(twice.counts.received / once.counts.received).toBeGreaterThan(1.85);
    expect(twice.counts.received / once.counts.received).toBeLessThan(2.15);
  });

  test('reads quiet inboxes as often as the rule of the product says', () => {
    const { counts } = simulate({ ...HOUR, accounts: 1000, workload: POLLING_BENCH, pollsPerSecond: 1e6 });
    const pause = (sinceInboundMs: number): number =>
      inboxPauseMs({ baseMs: 15_000, sinceInboundMs, failures: 0, random: 0.5 }) / 1000;
    // The wait until it is looked comes on top, half a second on average.
    const expected = 3000 * (990 / (pause(86_400_000) + 0.5) + 10 / (pause(0) + 0.5));
    expect(counts.inboxReads / expected).toBeGreaterThan(0.97);
    expect(counts.inboxReads / expected).toBeLessThan(1.03);
  });

  test('never says more than Telegram lets a bot say', () => {
    for (const bots of [1, 3]) {
      const { counts } = simulate({ ...HOUR, accounts: 3000, bots, perSecond: 1, pollsPerSecond: 1e6 });
      expect(counts.said).toBeLessThanOrEqual(HOUR.seconds * bots);
      // There is more to say than one may.
      if (bots === 1) expect(counts.said).toBeGreaterThan(HOUR.seconds * 0.95);
    }
  });

  test('tells later where too little can be asked or said', () => {
    const p50 = (given: Partial<Simulated>): number =>
      simulate({ ...HOUR, accounts: 3000, ...given }).delays.percentile(0.5);
    const well = p50({});
    expect(p50({ pollsPerSecond: 10 })).toBeGreaterThan(well * 2);
    expect(p50({ perSecond: 1 })).toBeGreaterThan(well * 2);
  });

  test('is the same for the same seed', () => {
    expect(simulate(HOUR).counts).toEqual(simulate(HOUR).counts);
    expect(simulate(HOUR).counts).not.toEqual(simulate({ ...HOUR, seed: 2 }).counts);
  });
});

test('a bot’s pace is that of the product’s own gate', async () => {
  const at = 1000;
  let now = 0;
  const clock = {
    now: () => now,
    sleep: (ms: number) => {
      now += ms;
      return Promise.resolve();
    },
  };
  const gate = createGate({ count: 30, windowMs: 1000, burst: 30 }, clock, createWaiting(clock));
  for (let count = 0; count < 100; count += 1) await gate.pass(1, undefined);
  const seconds = Math.floor(now / at) + 1;
  const speaker = createSpeaker({
    perSecond: 30,
    messages: createMessages(1),
    isAsked: new Uint8Array(1),
    minutes: { began: new Float32Array(1), told: new Uint8Array(1) },
    told: () => undefined,
    later: () => undefined,
  });
  speaker.other(100);
  const said: number[] = [];
  while (said.reduce((all, each) => all + each, 0) < 100) said.push(speaker.speak(said.length));
  expect(said).toHaveLength(seconds);
});

test('more than ten messages in a minute are told as one, and what waits five minutes as well', () => {
  const messages = createMessages(1);
  const again: number[] = [];
  const told: number[] = [];
  const speaker = createSpeaker({
    perSecond: 30,
    messages,
    isAsked: new Uint8Array(1),
    minutes: { began: new Float32Array(1).fill(-3600), told: new Uint8Array(1) },
    told: (at) => told.push(at),
    later: (_, second) => again.push(second),
  });
  for (let at = 0; at < 25; at += 1) messages.arrive(0, 0);
  messages.read(0, 1);
  speaker.notification(0);
  expect(speaker.speak(1)).toBe(11);
  expect(told).toHaveLength(25);
  for (let at = 0; at < 4; at += 1) messages.arrive(0, 100);
  messages.read(0, 100);
  speaker.notification(0);
  expect(speaker.speak(500)).toBe(1);
  expect(told).toHaveLength(29);
  expect(again).toEqual([]);
});

test('a wheel gives back each thing once, at its second or, when that is over, at the next', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 60, noNaN: true }), { maxLength: 200 }), (times) => {
      const wheel = createWheel(50, times.length);
      for (const [thing, time] of times.entries()) wheel.put(thing, time);
      const seen = new Map<number, number>();
      for (let second = 0; second < 50; second += 1)
        wheel.take(second, (thing) => {
          expect(seen.has(thing)).toBe(false);
          seen.set(thing, second);
        });
      const expected = times.flatMap((time, thing) =>
        Math.ceil(time) < 50 ? [[thing, Math.ceil(time)]] : [],
      );
      expect([...seen].toSorted(([a], [b]) => a - b)).toEqual(expected);
    }),
  );
});

test('a line gives back numbers in their order, however long it becomes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3, max: 2000 }), { maxLength: 60 }), (steps) => {
      const line = createLine();
      const model: number[] = [];
      for (const step of steps) {
        for (let n = 0; n < step; n += 1) {
          line.push(n);
          model.push(n);
        }
        if (step < 0 && model.length > 0) expect(line.shift()).toBe(model.shift());
        expect(line.length).toBe(model.length);
      }
      while (model.length > 0) expect(line.shift()).toBe(model.shift());
    }),
    { numRuns: 30 },
  );
});

test('a percentile of delays is right to two percent', () => {
  const delays = createDelays();
  for (let each = 1; each <= 1000; each += 1) delays.add(each);
  for (const share of [0.01, 0.5, 0.99]) {
    expect(delays.percentile(share) / (1000 * share)).toBeGreaterThan(0.98);
    expect(delays.percentile(share) / (1000 * share)).toBeLessThan(1.02);
  }
  expect(createDelays().percentile(0.5)).toBeNaN();
});

test('a byte is kept as long as the settings say', () => {
  const nothing = { statements: 0, botMs: 0, postgresMs: 0, bytes: { atOnce: 0, month: 0, year: 0 } };
  const units = {
    poll: nothing,
    message: nothing,
    command: nothing,
    send: nothing,
    recipient: { ...nothing, bytes: { atOnce: 100, month: 10, year: 1 } },
    idle: nothing,
    ownSeconds: 0,
    memory: { baseMb: 0, openKb: 0 },
    assumed: [],
  };
  const disk = (days: number): number => diskAfter(days, TEAMS, 1e9, units);
  const perDay = disk(1) / 100;
  expect(disk(8) / perDay).toBeCloseTo(800);
  expect(disk(30) / perDay).toBeCloseTo(800 + 22 * 10);
  expect(disk(401) / perDay).toBeCloseTo(800 + 392 * 10 + 1);
  expect(disk(2000) / perDay).toBeCloseTo(800 + 392 * 10 + 700);
});

test('every account is of one kind, as many of each as its share', () => {
  expect(countsOf(TEAMS, 1000)).toEqual([700, 250, 50]);
  for (const accounts of [1, 2, 7, 100])
    expect(countsOf(TEAMS, accounts).reduce((sum, each) => sum + each, 0)).toBe(accounts);
});
