import { describe, expect, test } from 'vitest';
import { planInboxRounds } from './inbox-schedule.ts';

const PLACES = 4;
const plans = (seed: string, rounds = 30) => planInboxRounds(seed, rounds, 3);

describe('the schedule of the inbox', () => {
  test('is the same for the same seed, however many rounds are asked for', () => {
    expect(plans('one', 5)).toEqual(plans('one').slice(0, 5));
    expect(plans('one')).not.toEqual(plans('two'));
  });

  test('has 20 messages a second, to every place and line, some of them equal to another', () => {
    for (const { arrivals } of plans('rate')) {
      const seconds = (arrivals.at(-1)?.at ?? 0) / 1000;
      expect(arrivals.length / seconds).toBeCloseTo(20, -0.5);
      expect(new Set(arrivals.map(({ text }) => text)).size).toBeLessThan(arrivals.length);
    }
    const all = plans('rate').flatMap(({ arrivals }) => arrivals);
    expect(new Set(all.map(({ place, line }) => `${place} ${line}`)).size).toBe(PLACES * 2);
  });

  test('strikes in every way in every round, and holds a poller still for longer than its lease', () => {
    for (const { strikes } of plans('ways').filter(({ round }) => round % 3 !== 0)) {
      const kinds = new Set(strikes.map(({ kind }) => kind));
      expect([...kinds]).toEqual(
        expect.arrayContaining(['kill', 'holder', 'pause', 'gateway', 'telegram', 'wire', 'refuse']),
      );
      const frozen = strikes.filter((strike) => strike.kind === 'holder' && strike.how === 'pause');
      expect(frozen).toHaveLength(1);
      for (const strike of frozen) expect('ms' in strike ? strike.ms : 0).toBeGreaterThan(2500);
    }
    const all = plans('ways').flatMap(({ strikes }) => strikes);
    expect(all.some(({ kind }) => kind === 'blackout')).toBe(true);
    expect(all.some(({ kind }) => kind === 'postgres')).toBe(true);
  });

  test('lets the gateway go away in every third round, from before the first message on, and nobody die meanwhile', () => {
    for (const { strikes, arrivals } of plans('tides').filter(({ round }) => round % 3 === 0)) {
      const away = strikes.filter(({ kind }) => kind === 'refuse');
      expect(away).toHaveLength(3);
      expect(away[0]?.at).toBe(0);
      const deaths = strikes.filter(
        ({ kind }) => kind === 'kill' || kind === 'holder' || kind === 'blackout',
      );
      expect(deaths.map(({ at }) => at > 8000)).toEqual([true]);
      const byPlace = Map.groupBy(arrivals, ({ place }) => place);
      expect(Math.max(...[...byPlace.values()].map(({ length }) => length))).toBeGreaterThan(100);
    }
  });

  test('has another program fetch messages of every place', () => {
    for (const { readings } of plans('readings'))
      expect(new Set(readings.map(({ place }) => place)).size).toBe(PLACES);
  });
});
