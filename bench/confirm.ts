import { z } from 'zod';
import { setBare, timed } from './bare.ts';
import type { Benchmark } from './benchmark.ts';
import { inPairs, ratioOf } from './pairs.ts';
import { draftAndTap, linkOwner, type Owner } from './people.ts';
import { setStage, type Stage } from './stage.ts';
import { median, percentile } from './statistics.ts';

const PAIRS = 5;
const DRAFTS = 60;

/** Milliseconds from the moment in which Telegram hands out a tap on Send to the request's arrival at the gateway. */
export const confirm: Benchmark = {
  about: `from the tap to the gateway, undo hold 0, ${PAIRS} times ${DRAFTS} drafts one after the other`,
  async run(say) {
    await using stage = await setStage();
    await using bare = await setBare(stage);
    const owner = await linkOwner(stage, 2_000_001, 'demo');
    const all: number[] = [];
    let nonce = 0;
    const usual = async (once: () => Promise<number>): Promise<number[]> => {
      const times: number[] = [];
      for (let count = 0; count < DRAFTS; count += 1) times.push(await once());
      return times;
    };
    const product = async (): Promise<number> => {
      const times = await usual(() => tapToWire(stage, owner, (nonce += 1)));
      all.push(...times);
      return median(times);
    };
    const peer = async (): Promise<number> =>
      median(
        await usual(() =>
          timed(async () => {
            await bare.commit();
            await bare.commit();
            await bare.dial();
          }),
        ),
      );
    await product();
    await peer();
    all.length = 0;
    const pairs = await inPairs(PAIRS, { product, peer });
    for (const pair of pairs)
      say(`tap to wire ${pair.product.toFixed(2)} ms, its parts ${pair.peer.toFixed(2)} ms`);
    const p99 = percentile(all, 0.99);
    const what = 'confirm to wire';
    const ms = { digits: 1, unit: 'ms', isTold: true };
    return [
      { what, measure: 'p50 ÷ two durable commits and a dial', ...ratioOf(pairs), goal: 'confirm-p50' },
      { what, measure: 'p99 ÷ p50', figure: p99 / median(all), goal: 'confirm-p99' },
      { what, measure: 'p50', figure: median(all), ...ms },
      { what, measure: 'p99', figure: p99, ...ms },
    ];
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
