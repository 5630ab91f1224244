import type { Figure } from './benchmark.ts';
import type { Result } from './result.ts';
import { figureOf, MESSAGES_PER_ACCOUNT_HOUR, type UnitCosts } from './scaling-costs.ts';
import { createDelays } from './scaling-delays.ts';
import { simulate } from './scaling-simulation.ts';
import { POLLING_BENCH } from './scaling-workload.ts';

const SECONDS = 3600;
const WARM_SECONDS = 900;
/** So many accounts in all, so that chance does not decide. */
const ENOUGH = 10_000;
/** Unit costs are those of the largest size: what they say of the others is a statement, if a weak one. */
const SIZES = [
  { accounts: 100, name: '100, per account and hour' },
  { accounts: 1000, name: '1,000, per account and hour' },
  { accounts: 10_000, name: '10,000, per account and hour' },
] as const;
/** How far the model may be off: counts, CPU (which falls with the number of accounts), and delays. */
const TOLERANCE = { calls: 0.15, statements: 0.15, cpu: 0.75, p50: 0.25, p99: 0.35 };

/** The model beside what the benchmark `polling` measured, for the load that it makes. */
export function checkModel(units: UnitCosts, polling: Result | null): Figure[] {
  const told: Figure[] = [];
  const compare = (row: string, model: number, measured: number | null, tolerance: number): void => {
    const measure = measured === null ? `${row} (not measured)` : row;
    told.push({ what: 'model', measure, figure: model, isTold: true });
    if (measured === null) return;
    const off = model / measured - 1;
    told.push(
      { what: 'measured', measure, figure: measured, isTold: true },
      { what: 'difference', measure, figure: off * 100, digits: 0, unit: '%', isTold: true },
      { what: 'allowed', measure, figure: tolerance * 100, digits: 0, unit: '%', isTold: true },
      { what: 'too much', measure, figure: Math.abs(off) > tolerance ? 1 : 0, digits: 0, isTold: true },
    );
  };
  const delays = createDelays();
  for (const { accounts, name } of SIZES) {
    const repeats = ENOUGH / accounts;
    let calls = 0;
    for (let seed = 1; seed <= repeats; seed += 1) {
      const { counts } = simulate({
        accounts,
        workload: POLLING_BENCH,
        from: 0,
        warmSeconds: WARM_SECONDS,
        seconds: SECONDS,
        bots: 1,
        perSecond: Number.POSITIVE_INFINITY,
        pollsPerSecond: Number.POSITIVE_INFINITY,
        ownSeconds: units.ownSeconds,
        seed,
        ...(accounts === ENOUGH ? { delays } : {}),
      });
      calls += (counts.inboxReads + counts.creditReads + counts.detailReads) / accounts / repeats;
    }
    const { poll, message } = units;
    const cost = (of: 'statements' | 'botMs' | 'postgresMs'): number =>
      calls * poll[of] + MESSAGES_PER_ACCOUNT_HOUR * message[of];
    const measured = (measure: string): number | null => figureOf(polling, name, measure);
    compare(`${name}: calls`, calls, measured('calls of the gateway'), TOLERANCE.calls);
    compare(`${name}: statements`, cost('statements'), measured('statements'), TOLERANCE.statements);
    compare(`${name}: ms of the bot`, cost('botMs'), measured('CPU of the bot'), TOLERANCE.cpu);
    compare(`${name}: ms of Postgres`, cost('postgresMs'), measured('CPU of Postgres'), TOLERANCE.cpu);
  }
  for (const share of ['p50', 'p99'] as const) {
    const row = polling?.figures.find(
      ({ measure }) => /^read every 15 s: .*/u.test(measure) && measure.endsWith(share),
    );
    const model = delays.percentile(share === 'p50' ? 0.5 : 0.99);
    compare(`message to chat, read every 15 s, ${share}, s`, model, row?.figure ?? null, TOLERANCE[share]);
  }
  return told;
}
