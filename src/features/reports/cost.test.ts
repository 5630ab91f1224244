import { describe, expect, it } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { createJobCosts } from './cost.ts';

const JOB = { id: 'job', endedAt: new Date(), called: { from: 100, to: 160 }, parts: 8 };
const never = { sleep: () => new Promise<void>(() => undefined) };
const at = (parts: number, cost = parts * 10) => ({ messages: parts, parts, cost });

function countsOf(...answers: readonly (ReturnType<typeof at> | AppError)[]) {
  const asked: unknown[] = [];
  const sent = async (span: unknown) => {
    const answer = answers[asked.length] ?? answers.at(-1) ?? at(0);
    asked.push(span);
    if (answer instanceof AppError) throw answer;
    return answer;
  };
  return { asked, counts: () => Promise.resolve({ sent }) };
}

describe('what a send was charged', () => {
  it('is exact where just its parts were charged while it left, and then asked no more', async () => {
    const costs = createJobCosts(never);
    const { asked, counts } = countsOf(at(8));
    for (let time = 0; time < 3; time += 1)
      expect(await costs.of(counts, JOB)).toEqual({ kind: 'exact', cost: 80 });
    expect(asked).toEqual([{ from: 100, to: 160 }]);
  });

  it('is not known apart where others left too, and not all there where some are missing', async () => {
    const costs = createJobCosts(never);
    const { asked, counts } = countsOf(at(5), at(12), at(8));
    expect(await costs.of(counts, JOB)).toEqual({ kind: 'early', parts: 5, cost: 50 });
    expect(await costs.of(counts, JOB)).toEqual({ kind: 'shared', parts: 12, cost: 120 });
    expect(await costs.of(counts, JOB)).toEqual({ kind: 'exact', cost: 80 });
    expect(asked).toHaveLength(3);
  });

  it('is not asked of what has not ended or not left, nor where nobody can count', async () => {
    const costs = createJobCosts(never);
    const { asked, counts } = countsOf(at(8));
    expect(await costs.of(counts, { ...JOB, endedAt: null })).toBeNull();
    expect(await costs.of(counts, { ...JOB, called: null })).toBeNull();
    expect(await costs.of(counts, { ...JOB, parts: 0 })).toBeNull();
    expect(await costs.of(() => Promise.resolve(null), JOB)).toBeNull();
    expect(asked).toEqual([]);
  });

  it('says why there is no answer, and waits for one no longer than a moment', async () => {
    const refused = new AppError('gateway_refused', 'no', { params: { name: 'user_locked' } });
    expect(await createJobCosts(never).of(countsOf(refused).counts, JOB)).toEqual({
      kind: 'gap',
      gap: { reason: 'refused', refusal: 'user_locked' },
    });
    const silent = () => Promise.resolve({ sent: () => new Promise<never>(() => undefined) });
    expect(await createJobCosts({ sleep: () => Promise.resolve() }).of(silent, JOB)).toEqual({
      kind: 'gap',
      gap: { reason: 'no_answer' },
    });
  });
});
