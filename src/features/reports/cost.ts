import type { Counts, Rial } from '../../ports/gateway.ts';
import type { ReportedJob } from '../../ports/reports.ts';
import type { Clock } from '../../ports/runtime.ts';
import { counted, countSent, type Counted, type SentCount } from './counting.ts';
import type { Gap } from './outbox-reading.ts';

/** What a job was charged, as far as the gateway's counts tell: they are of a time, not of a send. */
export type Charged =
  /** Just its parts were charged while it left. */
  | { readonly kind: 'exact'; readonly cost: Rial }
  /** Other sends left in the same time. */
  | { readonly kind: 'shared'; readonly parts: number; readonly cost: Rial }
  /** Fewer than its own: the gateway is not done counting. */
  | { readonly kind: 'early'; readonly parts: number; readonly cost: Rial }
  | { readonly kind: 'gap'; readonly gap: Gap };

type AskedOf = Pick<ReportedJob, 'id' | 'endedAt' | 'called' | 'parts'>;

/** So many answers that cannot change any more are kept. */
const KEPT = 500;
/** All else in a report is known without asking: it waits no longer for this. */
const PATIENCE_MS = 2000;

/** Asks what jobs were charged; an exact answer holds for good and is asked for once. */
export function createJobCosts(clock: Pick<Clock, 'sleep'>) {
  const known = new Map<string, Rial>();
  return {
    /** Null where nothing can be said of it: it has not ended, nothing left, or its parts are not known. */
    async of(counts: () => Promise<Pick<Counts, 'sent'> | null>, job: AskedOf): Promise<Charged | null> {
      const { id, endedAt, called, parts } = job;
      if (endedAt === null || called === null || parts === 0) return null;
      const cost = known.get(id);
      if (cost !== undefined) return { kind: 'exact', cost };
      const asked = await counts();
      if (asked === null) return null;
      const answer = await soon(clock, counted(countSent(asked, called)));
      if ('gap' in answer) return { kind: 'gap', gap: answer.gap };
      const charged = chargedOf(answer.value, parts);
      if (charged.kind === 'exact') {
        known.set(id, charged.cost);
        for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
      }
      return charged;
    },
  };
}

async function soon<T>(clock: Pick<Clock, 'sleep'>, answer: Promise<Counted<T>>): Promise<Counted<T>> {
  const done = new AbortController();
  const late = clock.sleep(PATIENCE_MS, done.signal).then(tooLate, tooLate);
  const first = await Promise.race([answer, late]);
  done.abort();
  return first;
}

function tooLate(): { readonly gap: Gap } {
  return { gap: { reason: 'no_answer' } };
}

function chargedOf({ parts, cost }: SentCount, own: number): Charged {
  if (parts === own) return { kind: 'exact', cost };
  return { kind: parts > own ? 'shared' : 'early', parts, cost };
}
