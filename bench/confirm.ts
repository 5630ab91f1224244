import { z } from 'zod';
import type { Benchmark, Figure } from './benchmark.ts';
import { draftAndTap, linkOwner, type Owner } from './people.ts';
import { setStage, type Stage } from './stage.ts';
import { percentile } from './statistics.ts';

const WARM_UP = 30;
const DRAFTS = 300;

/** Milliseconds from the moment in which Telegram hands out a tap on Send to the request's arrival at the gateway. */
export const confirm: Benchmark = {
  about: `from the tap to the gateway, undo hold 0, ${DRAFTS} drafts one after the other`,
  async run() {
    await using stage = await setStage();
    const owner = await linkOwner(stage, 2_000_001, 'demo');
    const times: number[] = [];
    for (let nonce = 1; nonce <= WARM_UP + DRAFTS; nonce += 1) {
      const ms = await tapToWire(stage, owner, nonce);
      if (nonce > WARM_UP) times.push(ms);
    }
    return figuresOf(times);
  },
};

const Pushed = z.object({ handedAt: z.number(), sentAt: z.number() });

/** One draft of one recipient, confirmed. */
export async function tapToWire(stage: Stage, owner: Owner, nonce: number): Promise<number> {
  const { tap } = await draftAndTap(stage, owner, nonce);
  const arrival = stage.gateway.ask('next', { operation: 'send' }, z.number());
  const { handedAt } = await stage.telegram.ask(
    'push',
    { update: tap, until: 'handed', chat: owner.id },
    Pushed,
  );
  return (await arrival) - handedAt;
}

function figuresOf(times: readonly number[]): Figure[] {
  const what = 'confirm to wire';
  return [
    { what, measure: 'p50', figure: percentile(times, 0.5), digits: 1, unit: 'ms', goal: 'confirm-p50' },
    { what, measure: 'p99', figure: percentile(times, 0.99), digits: 1, unit: 'ms', goal: 'confirm-p99' },
    { what, measure: 'worst', figure: Math.max(...times), digits: 1, unit: 'ms' },
  ];
}
