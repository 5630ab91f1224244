import { describe, expect, test, vi } from 'vitest';
import { PLACES } from './places.ts';
import { createRandom } from './random.ts';
import { planRound, planRounds, withFullDisk } from './schedule.ts';

const PROCESSES = 3;

function plans(seed: string, rounds = 40) {
  const random = createRandom(seed);
  return Array.from({ length: rounds }, (_, index) => planRound(random, index + 1, PROCESSES));
}

describe('a seed', () => {
  test('is the whole schedule, round by round, in whatever order they are asked for', () => {
    expect(plans('one')).toEqual(plans('one'));
    expect(planRound(createRandom('one'), 7, PROCESSES)).toEqual(plans('one')[6]);
    expect([...planRounds('one', 40, PROCESSES)]).toEqual(plans('one'));
  });

  test('is the same schedule whatever the clock and the dice of the machine say', () => {
    const before = plans('one');
    vi.useFakeTimers({ now: 0 });
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    expect(plans('one')).toEqual(before);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('that differs makes another schedule', () => {
    expect(plans('one')).not.toEqual(plans('two'));
    expect(plans('one')[0]?.acts).not.toEqual(plans('one')[1]?.acts);
  });
});

describe('the nemesis', () => {
  test('kills at least four times in every round, strikes in every other way, and restarts the database in most', () => {
    const ways = ['kill', 'pause', 'wire', 'partition', 'gateway', 'telegram', 'replay'];
    const all = plans('ways');
    for (const { strikes } of all)
      expect(strikes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(ways));
    for (const { strikes } of all)
      expect(strikes.filter(({ kind }) => kind === 'kill').length).toBeGreaterThanOrEqual(4);
    expect(all.some(({ strikes }) => strikes.some(({ kind }) => kind === 'blackout'))).toBe(true);
    expect(all.some(({ strikes }) => strikes.some((each) => each.kind === 'pause' && each.cut))).toBe(true);
    const restarted = all.filter(({ strikes }) => strikes.some(({ kind }) => kind === 'postgres'));
    expect(restarted.length).toBeGreaterThan(all.length / 3);
  });

  test('leaves 0.2 to 2 seconds between two blows', () => {
    const gaps = plans('gaps').flatMap(({ strikes }) =>
      strikes.slice(1).map(({ at }, index) => at - (strikes[index]?.at ?? 0)),
    );
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2000);
  });

  test('fills the disk once where there is one, and restarts no database that could not start then', () => {
    for (const plan of plans('disk').map(withFullDisk)) {
      const kinds = plan.strikes.map(({ kind }) => kind);
      expect(kinds.filter((kind) => ['disk', 'postgres', 'blackout'].includes(kind))).toEqual(['disk']);
    }
  });

  test('never has the gateway say that it refused what it took', () => {
    const rules = plans('truth', 300)
      .flatMap(({ strikes }) => strikes)
      .flatMap((strike) =>
        strike.kind === 'gateway' && strike.rule['when'] === 'after' ? [strike.rule] : [],
      );
    expect(rules.length).toBeGreaterThan(300);
    const codes = new Set(rules.map((rule) => rule['code'] ?? rule['status']));
    expect(
      [...codes]
        .map(Number)
        .filter(Boolean)
        .toSorted((one, other) => one - other),
    ).toEqual([27, 429, 500, 1000]);
  });
});

describe('the people', () => {
  test('send to one, to a phonebook and to a file of several calls, press in every way, and ask', () => {
    const acts = plans('people').flatMap((plan) => plan.acts);
    const sends = acts.filter((act) => act.kind !== 'ask' && act.kind !== 'halt');
    expect(new Set(sends.map(({ press }) => press)).size).toBe(11);
    expect(sends.some(({ messages }) => messages === 1)).toBe(true);
    expect(new Set(sends.filter(({ kind }) => kind === 'book').map(({ messages }) => messages))).toEqual(
      new Set([401, 1001]),
    );
    expect(sends.some(({ again }) => again)).toBe(true);
    expect(new Set(acts.map(({ kind }) => kind))).toEqual(
      new Set(['send', 'multi', 'book', 'bulk', 'ask', 'halt']),
    );
  });

  test('hold, take back, limit and share in every round', () => {
    for (const { acts } of plans('orders')) {
      const sends = acts.filter((act) => act.kind !== 'ask' && act.kind !== 'halt');
      const presses = sends.map(({ press }) => press);
      expect(presses).toEqual(expect.arrayContaining(['undo', 'stop', 'pause', 'approve', 'reject']));
      const halts = acts.flatMap((act) => (act.kind === 'halt' ? [act.chat] : []));
      expect(new Set(halts)).toEqual(new Set([PLACES.slow, null]));
      expect(sends.some(({ blocked = 0 }) => blocked > 0)).toBe(true);
      expect(presses).toContain('often');
      expect(sends.filter(({ isHasty }) => isHasty).length).toBeGreaterThan(10);
      expect(sends.some(({ flash }) => flash)).toBe(true);
      expect(sends.some(({ chat }) => chat === PLACES.shared)).toBe(true);
      const times = sends.filter(({ inHours }) => inHours !== undefined);
      expect(times.filter(({ thenHours }) => thenHours !== undefined)).toHaveLength(times.length - 1);
    }
  });
});
