import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALLOWANCES, createRateLimits, type Act, type LimitedKind, type RateLimits } from './rate-limits.ts';

const act = (more: Partial<Act> = {}): Act => ({
  kinds: ['command'],
  person: 7,
  chat: -7,
  urgent: false,
  ...more,
});
const KINDS = ['command', 'press', 'read', 'upload'] as const satisfies readonly LimitedKind[];
const SCOPES = ['person', 'chat', 'deployment'] as const;

describe('the limits on what people ask', () => {
  test.each(KINDS)('of a person, a chat and all together hold for each %s', (kind) => {
    for (const scope of SCOPES) {
      const limits = createRateLimits(1);
      const { burst } = ALLOWANCES[scope][kind];
      const nth = (n: number): Act =>
        act({
          kinds: [kind],
          person: scope === 'person' ? 7 : 1000 + n,
          chat: scope === 'deployment' || scope === 'person' ? -1000 - n : -7,
        });
      for (let n = 0; n < burst; n += 1) expect(limits.judge(nth(n), 0)).toBe(null);
      expect(limits.judge(nth(burst), 0)).toMatchObject({
        scope,
        kind,
        waitMs: expect.closeTo(60_000 / ALLOWANCES[scope][kind].perMinute),
        mayBeUrgent: false,
      });
    }
  });

  test('let nobody do more than is theirs, whoever does what and where, and what is refused takes no tokens', () => {
    const acts = fc.record({
      kinds: fc.constantFrom<Act['kinds']>(
        ['command'],
        ['press'],
        ['command', 'read'],
        ['command', 'upload'],
      ),
      person: fc.integer({ min: 1, max: 4 }),
      chat: fc.integer({ min: -3, max: -1 }),
      pause: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 3000 })),
    });
    fc.assert(
      fc.property(fc.array(acts, { minLength: 300, maxLength: 600 }), (all) => {
        const limits = createRateLimits(0.1);
        let now = 0;
        const done = new Map<string, number>();
        for (const { kinds, person, chat, pause } of all) {
          now += pause;
          const asked = SCOPES.flatMap((scope) =>
            kinds.map((kind) => {
              const key = scope === 'person' ? person : scope === 'chat' ? chat : 0;
              const { burst, perMinute } = ALLOWANCES[scope][kind];
              const most = Math.max(1, burst * 0.1) + (now / 60_000) * perMinute * 0.1;
              return { name: `${scope} ${kind} ${key}`, most };
            }),
          );
          const refusal = limits.judge({ kinds, person, chat, urgent: false }, now);
          if (refusal !== null) {
            expect(refusal.waitMs).toBeGreaterThan(0);
            continue;
          }
          for (const { name, most } of asked) {
            const count = (done.get(name) ?? 0) + 1;
            done.set(name, count);
            expect(count).toBeLessThanOrEqual(most + 1e-3);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('that are over are told once in a while, however much comes', () => {
    const limits = createRateLimits(1);
    let told = 0;
    for (let now = 0; now < 120_000; now += 20) if (limits.judge(act(), now)?.tell === true) told += 1;
    expect(told).toBeGreaterThan(1);
    expect(told).toBeLessThanOrEqual(5);
  });

  /** Whether each of these is told that it is refused, after so many were let through. */
  const toldAfter = (before: readonly Act[], acts: readonly Act[]) => {
    const limits = createRateLimits(1);
    for (const each of before) expect(limits.judge(each, 0)).toBe(null);
    return acts.map((each) => limits.judge(each, 0)?.tell);
  };
  const by = (count: number, more: (n: number) => Partial<Act>): Act[] =>
    Array.from({ length: count }, (_, n) => act(more(n)));
  const press: Partial<Act> = { kinds: ['press'] };

  test('are told to a person wherever they write, and once more for what they press', () => {
    expect(
      toldAfter(
        [...by(40, () => ({})), ...by(80, () => press)],
        [act(), act({ chat: -8 }), act(press), act(press)],
      ),
    ).toEqual([true, false, true, false]);
  });

  test('on a chat are told there once, but to each who presses', () => {
    expect(
      toldAfter(
        [...by(120, (n) => ({ person: 100 + n })), ...by(240, (n) => ({ ...press, person: 100 + n }))],
        [act(), act({ person: 8 }), act(press), act({ ...press, person: 8 })],
      ),
    ).toEqual([true, false, true, true]);
  });

  test('on all together are told to each chat once, and to no more than sixty at a time', () => {
    const [here, again, elsewhere, ...others] = toldAfter(
      by(6000, (n) => ({ person: 100 + n, chat: -100 - n })),
      [act(), act({ person: 8 }), act({ chat: -8 }), ...by(70, (n) => ({ chat: -9 - n }))],
    );
    expect([here, again, elsewhere]).toEqual([true, false, true]);
    expect(others.filter(Boolean)).toHaveLength(58);
  });

  test('are told with the longest wait of all that an act is', () => {
    const limits = createRateLimits(1);
    const reading = act({ kinds: ['command', 'read', 'upload'] });
    while (limits.judge(reading, 0) === null);
    while (limits.judge(act(), 0) === null);
    expect(limits.judge(reading, 0)).toMatchObject({ kind: 'upload', waitMs: expect.closeTo(5000) });
  });

  test('let somebody without a role be answered once a minute in each chat', () => {
    const answersAt = (limits: RateLimits) =>
      [act(), act(), act({ person: 8 }), act({ chat: -8 })].map((who) => limits.answersWithoutRole(who, 0));
    const limits = createRateLimits(1);
    expect(answersAt(limits)).toEqual([true, false, true, true]);
    expect(limits.answersWithoutRole(act(), 59_999)).toBe(false);
    expect(limits.answersWithoutRole(act(), 60_000)).toBe(true);
    expect(limits.size()).toBe(3);
    expect(answersAt(createRateLimits(0))).toEqual([true, true, true, true]);
  });

  test('never hold up what is urgent because of a chat, of all together, or of what else the person does', () => {
    const limits = createRateLimits(1);
    while (limits.judge(act(), 0) === null);
    while (limits.judge(act({ kinds: ['press'] }), 0) === null);
    expect(limits.judge(act({ urgent: true }), 0)).toBe(null);
    expect(limits.judge(act({ kinds: ['press'], urgent: 'perhaps' }), 0)).toMatchObject({
      mayBeUrgent: true,
    });
    let count = 2;
    while (limits.judge(act({ urgent: true }), 0) === null) count += 1;
    expect(count).toBeGreaterThanOrEqual(300);
    expect(limits.judge(act({ kinds: ['press'], urgent: 'perhaps' }), 0)).toMatchObject({
      scope: 'person',
      kind: 'press',
      waitMs: expect.closeTo(100),
      mayBeUrgent: false,
    });
    expect(limits.judge(act({ urgent: true, person: 8 }), 0)).toBe(null);
  });

  test('a person who taps ▶ as fast as it comes back, and thirty who answer at once, never meet', () => {
    const limits = createRateLimits(1);
    const press = act({ kinds: ['press'], urgent: 'perhaps' });
    for (let n = 0; n < 100; n += 1) expect(limits.judge(press, n * 330)).toBe(null);
    const group = createRateLimits(1);
    for (let person = 1; person <= 30; person += 1) {
      for (let n = 0; n < 4; n += 1) expect(group.judge(act({ person, chat: -1 }), 0)).toBe(null);
      for (let n = 0; n < 8; n += 1)
        expect(group.judge(act({ kinds: ['press'], urgent: 'perhaps', person, chat: -1 }), 0)).toBe(null);
    }
    for (let person = 1; person <= 30; person += 1)
      for (let n = 0; n < 2; n += 1)
        expect(group.judge(act({ kinds: ['command', 'read'], person, chat: -2 }), 0)).toBe(null);
  });

  test('are off with a factor of 0, and larger with a larger one', () => {
    const off = createRateLimits(0);
    for (let n = 0; n < 10_000; n += 1) expect(off.judge(act(), 0)).toBe(null);
    expect(off.size()).toBe(0);
    const twice = createRateLimits(2);
    let count = 0;
    while (twice.judge(act(), 0) === null) count += 1;
    expect(count).toBe(ALLOWANCES.person.command.burst * 2);
  });

  test('remember no more of a flood from a hundred thousand ids than of one from ten thousand', () => {
    const limits = createRateLimits(100);
    let most = 0;
    for (let n = 0; n < 100_000; n += 1) {
      limits.judge(
        act({ kinds: ['command', 'read', 'upload'], person: n, chat: -n, urgent: 'perhaps' }),
        n / 10,
      );
      if (n % 10_000 === 0) most = Math.max(most, limits.size());
    }
    expect(most).toBeLessThanOrEqual(14 * 10_000);
    expect(limits.size()).toBeGreaterThan(10_000);
  });
});
