import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import type { Blacklist, BlacklistResult } from '../../ports/gateway.ts';
import { block, type BlockOutcome } from './blocker.ts';

type Call = 'ok' | 'refused' | 'lost_before' | 'lost_after' | 'half';

/** A gateway that fails as it is told, one word for each call; when they are used up, every call goes well. */
function gatewayThat(script: readonly Call[], blocked: Set<string>) {
  const calls = [...script];
  const failure = (code: 'gateway_refused' | 'gateway_no_answer', mayHaveActed: boolean) =>
    new AppError(code, 'as told', { params: { mayHaveActed, name: 'server_error' } });
  const answer = (how: Call, effect: () => BlacklistResult[]): BlacklistResult[] => {
    if (how === 'refused') throw failure('gateway_refused', false);
    if (how === 'lost_before') throw failure('gateway_no_answer', true);
    const results = effect();
    if (how === 'lost_after') throw failure('gateway_no_answer', true);
    return how === 'half' ? results.slice(0, results.length / 2) : results;
  };
  const result = (number: string, status: BlacklistResult['status']) => ({ number, status, raw: status });
  const add: Blacklist['add'] = async (_line, numbers) =>
    answer(calls.shift() ?? 'ok', () =>
      numbers.map((number) => {
        const status = blocked.has(number) ? 'duplicate' : 'added';
        blocked.add(number);
        return result(number, status);
      }),
    );
  const check: Blacklist['check'] = async (_line, numbers) =>
    answer(calls.shift() ?? 'ok', () =>
      numbers.map((number) => result(number, blocked.has(number) ? 'active' : 'unknown')),
    );
  return { add, check } as unknown as Blacklist;
}

const numbersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `98912${String(index).padStart(7, '0')}`);
const withVerdict = ({ verdicts }: BlockOutcome, wanted: string): string[] =>
  verdicts.filter(({ verdict }) => verdict === wanted).map(({ number }) => number);

test('claims only what is so, whatever fails, and repeating ends with every number on the list', async () => {
  const script = fc.array(fc.constantFrom<Call>('ok', 'refused', 'lost_before', 'lost_after', 'half'), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 700 }),
      script,
      fc.nat({ max: 700 }),
      async (count, script, known) => {
        const numbers = numbersOf(count);
        const blocked = new Set(numbers.slice(0, known));
        const blacklist = gatewayThat(script, blocked);
        const settled = new Set<string>();
        let open = numbers;
        let doubtful: string[] | undefined;
        for (let round = 0; open.length > 0; round += 1) {
          expect(round).toBeLessThanOrEqual(script.length + 1);
          const before = new Set(blocked);
          const outcome = await block(blacklist, {
            line: '3000123456',
            numbers: open,
            ...(doubtful === undefined ? {} : { doubtful }),
          });
          expect(outcome.verdicts.map(({ number }) => number)).toEqual(open);
          for (const number of withVerdict(outcome, 'added')) {
            expect(before.has(number)).toBe(false);
            expect(blocked.has(number)).toBe(true);
            settled.add(number);
          }
          for (const number of withVerdict(outcome, 'already')) {
            expect(blocked.has(number)).toBe(true);
            settled.add(number);
          }
          // What is called not added was surely not added, by this order or those before it.
          for (const number of withVerdict(outcome, 'not_added'))
            expect(blocked.has(number)).toBe(numbers.indexOf(number) < known);
          doubtful = withVerdict(outcome, 'unknown');
          open = [...doubtful, ...withVerdict(outcome, 'not_added')];
        }
        expect(settled).toEqual(new Set(numbers));
        expect(blocked).toEqual(new Set([...numbers, ...numbersOf(count).slice(0, known)]));
      },
    ),
    { numRuns: 200 },
  );
});

test('throws what is no failure of a call', async () => {
  const blacklist = {
    add: async () => await Promise.reject(new AppError('not_connected', 'gone')),
  } as unknown as Blacklist;
  await expect(block(blacklist, { line: '1', numbers: numbersOf(1) })).rejects.toMatchObject({
    code: 'not_connected',
  });
});
