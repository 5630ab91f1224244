import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { commandOf, linkOwner, type Owner } from './people.ts';
import { setStage, type Stage } from './stage.ts';
import { percentile } from './statistics.ts';

const WARM_UP = 100;
const COMMANDS = 400;
const IDLE_SECONDS = 4;

/** What Peyk itself adds to /credit: from the update to the answer, less the gateway's own time. */
export const credit: Benchmark = {
  about: `${COMMANDS} times /credit, one at a time: from the update to sendMessage, less the gateway's time`,
  async run() {
    await using stage = await setStage({ countStatements: true });
    const owner = await linkOwner(stage, 3_000_001, 'demo');
    for (let count = 0; count < WARM_UP; count += 1) await askCredit(stage, owner);
    await stage.gateway.ask('answered', { operation: 'credit' }, z.unknown());

    const idle = await statementsWhile(stage, () => sleep(IDLE_SECONDS * 1000));
    const totals: number[] = [];
    const began = performance.now();
    const busy = await statementsWhile(stage, async () => {
      for (let count = 0; count < COMMANDS; count += 1) totals.push(await askCredit(stage, owner));
    });
    const seconds = (performance.now() - began) / 1000;
    const answered = await stage.gateway.ask('answered', { operation: 'credit' }, Answered);
    if (answered.length < COMMANDS) throw new Error(`the gateway was asked ${answered.length} times only`);
    const gateway = answered.map(({ startedAt, finishedAt }) => finishedAt - startedAt);
    // Peyk asks by itself now and then: which answer belongs to which command is not known, but how long one usually takes.
    const usual = percentile(gateway, 0.5);
    const own = totals.map((total) => total - usual);
    const what = '/credit, one at a time';
    const ms = { digits: 2, unit: 'ms' };
    return [
      { what, measure: 'own p50', figure: percentile(own, 0.5), ...ms, goal: 'credit' },
      { what, measure: 'own p99', figure: percentile(own, 0.99), ...ms },
      { what, measure: 'gateway p50', figure: percentile(gateway, 0.5), ...ms },
      {
        what,
        measure: 'statements (writing the update down and marking it done among them)',
        figure: (busy - (idle / IDLE_SECONDS) * seconds) / COMMANDS,
        isTold: true,
      },
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

async function statementsWhile(stage: Stage, work: () => Promise<unknown>): Promise<number> {
  const before = await stage.bot.ask('statements', {}, z.number());
  await work();
  return (await stage.bot.ask('statements', {}, z.number())) - before;
}
