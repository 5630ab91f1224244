import { z } from 'zod';
import { setBare, timed } from './bare.ts';
import type { Benchmark } from './benchmark.ts';
import { inPairs, ratioOf } from './pairs.ts';
import { commandOf, linkOwner, type Owner } from './people.ts';
import { setStage, type Stage } from './stage.ts';
import { median } from './statistics.ts';

const WARM_UP = 100;
const PAIRS = 5;
const COMMANDS = 80;

/** What Peyk itself adds to /credit: from the update to the answer, less the gateway's own time. */
export const credit: Benchmark = {
  about: `${PAIRS} times ${COMMANDS} /credit, one at a time: from the update to sendMessage, less the gateway's time`,
  async run(say) {
    await using stage = await setStage();
    await using bare = await setBare(stage);
    const owner = await linkOwner(stage, 3_000_001, 'demo');
    /** The usual of so many, less what the gateway usually took: it is asked by others too, so which answer was whose is not known. */
    const own = async (once: () => Promise<number>, count = COMMANDS): Promise<number> => {
      await stage.gateway.ask('answered', { operation: 'credit' }, z.unknown());
      const times: number[] = [];
      for (let done = 0; done < count; done += 1) times.push(await once());
      const answered = await stage.gateway.ask('answered', { operation: 'credit' }, Answered);
      if (answered.length < count) throw new Error(`the gateway was asked ${answered.length} times only`);
      return median(times) - median(answered.map(({ startedAt, finishedAt }) => finishedAt - startedAt));
    };
    const product = () => own(() => askCredit(stage, owner));
    const peer = () =>
      own(() =>
        timed(async () => {
          await bare.select();
          await bare.commit();
          await bare.askGateway();
          await bare.askTelegram();
        }),
      );
    await own(() => askCredit(stage, owner), WARM_UP);
    await peer();
    const pairs = await inPairs(PAIRS, { product, peer });
    for (const pair of pairs)
      say(`/credit ${pair.product.toFixed(2)} ms, its parts ${pair.peer.toFixed(2)} ms`);
    const what = '/credit, one at a time';
    const ms = { digits: 2, unit: 'ms', isTold: true };
    return [
      { what, measure: 'own part, p50 ÷ its parts by themselves', ...ratioOf(pairs), goal: 'credit' },
      { what, measure: 'own part, p50', figure: median(pairs.map((pair) => pair.product)), ...ms },
    ];
  },
};

const Answered = z.array(z.object({ startedAt: z.number(), finishedAt: z.number() }));
const Pushed = z.object({ handedAt: z.number(), sentAt: z.number() });

/** Milliseconds from the handing out of the command to the arrival of its answer. */
export async function askCredit(stage: Stage, owner: Owner): Promise<number> {
  const update = commandOf(owner, '/credit');
  const { handedAt, sentAt } = await stage.telegram.ask(
    'push',
    { update, until: 'sent', chat: owner.id },
    Pushed,
  );
  return sentAt - handedAt;
}
