import { describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import type { AccountSettings, AccountWork } from '../../ports/inbound.ts';
import type { Condition, WaitingSend } from '../../ports/alerts.ts';
import { createEvaluator, type EvaluatorDeps } from './evaluator.ts';

const NOW = new Date('2026-11-24T08:00:00Z');

const work = (due: Partial<AccountWork['due']>): AccountWork =>
  ({
    accountId: 'a',
    chatId: 'c',
    bindingId: 'b',
    due: { inbox: false, credit: false, details: false, ...due },
  }) as unknown as AccountWork;

/** A judge over an account that a test describes, and what it finds. */
function desk(
  account: {
    readonly credit?: number;
    readonly fails?: AppError;
    readonly expiresAt?: number;
    readonly first?: number | null;
    readonly threshold?: number;
    readonly waiting?: readonly WaitingSend[];
    readonly perDay?: number;
    readonly facets?: readonly string[];
  } = {},
) {
  const found: Condition[] = [];
  const changes: Partial<AccountSettings>[] = [];
  const identified: object[] = [];
  const facets = account.facets ?? ['credit', 'account'];
  const answer = <T>(value: T): Promise<T> =>
    account.fails === undefined ? Promise.resolve(value) : Promise.reject(account.fails);
  const gateway = {
    has: (facet: string) => facets.includes(facet),
    use: () => ({
      credit: () => answer(account.credit ?? 10_000_000),
      details: () =>
        answer({
          type: 'user',
          ...(account.expiresAt === undefined ? {} : { expiresAt: account.expiresAt }),
        }),
    }),
  };
  const evaluator = createEvaluator({
    alarms: {
      find: (condition: Condition) => {
        found.push(condition);
        return Promise.resolve('same' as const);
      },
      settings: () =>
        Promise.resolve(
          account.threshold === undefined
            ? []
            : [{ kind: 'credit', threshold: account.threshold, mutedUntil: null, mutedBy: null }],
        ),
    },
    reads: { waiting: () => Promise.resolve(account.waiting ?? []) },
    accounts: {
      settings: () =>
        Promise.resolve({ firstCreditRial: account.first === undefined ? 10_000_000 : account.first }),
      change: (_: string, change: Partial<AccountSettings>) => {
        changes.push(change);
        return Promise.resolve();
      },
    },
    bindings: {
      identify: (bindingId: string, told: object) => {
        identified.push({ bindingId, ...told });
        return Promise.resolve();
      },
    },
    gauges: {
      of: () => Promise.resolve({ committed: 0, rialPerDay: account.perDay ?? null }),
      readCredit: (_: string, ask: () => Promise<number>) => ask(),
    },
    gateways: { of: () => Promise.resolve(gateway) },
    clock: { now: () => NOW },
    creditSeconds: 300,
  } as unknown as EvaluatorDeps);
  const level = (subject: string) => found.find((condition) => condition.subject === subject)?.level;
  return { evaluator, found, changes, identified, level };
}

describe('the credit of an account', () => {
  test('is remembered as it was at first, and a twentieth of that is the threshold', async () => {
    const { evaluator, changes, level } = desk({ credit: 8_000_000, first: null });
    await evaluator(work({ credit: true }));
    expect(changes).toEqual([{ firstCreditRial: 8_000_000 }]);
    expect(level('')).toBe(0);
    const low = desk({ credit: 399_999, first: 8_000_000 });
    await low.evaluator(work({ credit: true }));
    expect(low.level('')).toBe(1);
    expect(low.changes).toEqual([]);
  });

  test('between the threshold and where an alarm ends says nothing at all', async () => {
    const { evaluator, found } = desk({ credit: 5_500_000, threshold: 5_000_000 });
    await evaluator(work({ credit: true }));
    expect(found.filter(({ kind }) => kind === 'credit')).toEqual([]);
  });

  test('that will not do for a scheduled send is told apart from one that is low', async () => {
    const waiting = [{ jobId: 'j', code: 'B9', at: NOW, rial: 9_500_000 }];
    const enough = desk({ credit: 9_000_000, threshold: 1_000_000, waiting });
    await enough.evaluator(work({ credit: true }));
    expect([enough.level(''), enough.level('fit')]).toEqual([0, 1]);
    const low = desk({ credit: 900_000, threshold: 1_000_000, waiting });
    await low.evaluator(work({ credit: true }));
    expect([low.level(''), low.level('fit')]).toEqual([3, 0]);
    expect(low.found.at(-1)?.facts['unfit']).toEqual([
      { jobId: 'j', code: 'B9', at: NOW.getTime(), rial: 9_500_000 },
    ]);
  });

  test('that another chat’s sends take before it will not do either, and only its own are named', async () => {
    const waiting = [
      { jobId: 'i', code: 'A1', at: NOW, rial: 8_000_000, isElsewhere: true },
      { jobId: 'j', code: 'B9', at: NOW, rial: 2_000_000, isElsewhere: false },
    ];
    const short = desk({ credit: 9_000_000, threshold: 1_000_000, waiting });
    await short.evaluator(work({ credit: true }));
    expect(short.level('fit')).toBe(1);
    expect(short.found.at(-1)?.facts).toMatchObject({
      unfit: [{ jobId: 'j', code: 'B9' }],
      elsewhere: 8_000_000,
    });
    const theirs = desk({ credit: 7_000_000, threshold: 1_000_000, waiting });
    await theirs.evaluator(work({ credit: true }));
    expect(theirs.level('fit')).toBe(0);
  });

  test('is read less often where nothing spends any', async () => {
    expect(await desk().evaluator(work({ credit: true }))).toEqual({ creditMs: 1_800_000 });
    expect(await desk({ perDay: 5 }).evaluator(work({ credit: true }))).toEqual({ creditMs: 300_000 });
    expect(await desk({ facets: [] }).evaluator(work({ credit: true }))).toEqual({ creditMs: 86_400_000 });
  });
});

describe('the account itself', () => {
  test('is told of as its end comes near, and looked at more often then', async () => {
    const far = desk({ expiresAt: NOW.getTime() / 1000 + 40 * 86_400 });
    expect(await far.evaluator(work({ details: true }))).toEqual({ detailsMs: 21_600_000 });
    expect(far.level('expiry')).toBe(0);
    const near = desk({ expiresAt: NOW.getTime() / 1000 + 2 * 86_400 });
    expect(await near.evaluator(work({ details: true }))).toEqual({ detailsMs: 1_800_000 });
    expect(near.level('expiry')).toBe(2);
  });

  test('is known by what the gateway tells of its user each time', async () => {
    const { evaluator, identified } = desk({});
    await evaluator(work({ details: true }));
    expect(identified).toEqual([{ bindingId: work({}).bindingId, type: 'user' }]);
  });

  test('that the gateway refuses is a finding; that the gateway does not answer is not', async () => {
    const refused = new AppError('gateway_refused', 'no', { params: { table: 'user', name: 'user_locked' } });
    const locked = desk({ fails: refused });
    expect(await locked.evaluator(work({ credit: true, details: true }))).toEqual({
      creditMs: 300_000,
      detailsMs: 1_800_000,
    });
    expect(locked.found.at(-1)).toMatchObject({
      kind: 'account',
      level: 1,
      facts: { status: 'user_locked' },
    });
    const silent = desk({ fails: new AppError('gateway_no_answer', 'silence') });
    await expect(silent.evaluator(work({ credit: true }))).rejects.toThrow('silence');
    expect(silent.found).toEqual([]);
  });
});
