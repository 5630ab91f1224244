import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { tapToWire } from './confirm.ts';
import { askCredit } from './credit.ts';
import { commandOf, draftAndTap, linkOwner, type Owner } from './people.ts';
import { setStage, type Stage } from './stage.ts';
import { percentile } from './statistics.ts';

const COMMANDS = 300;
const ROUNDS = 3;
const NEIGHBOUR_GAP_MS = 25;
const HANGING_SENDS = 40;
const CONFIRMED = 40;
const PATIENCE_MS = 15_000;

/** What a chat feels of another chat whose gateway does not answer. */
export const isolation: Benchmark = {
  about: 'chat B while chat A asks a gateway that answers, and one that hangs',
  async run(say) {
    // A new neighbour for each measurement: what hangs of one must not reach into the next.
    const names = Array.from({ length: ROUNDS * 2 + 1 }, (_, index) => `anna${index}`);
    await using stage = await setStage({ accounts: ['bob', ...names] });
    const neighbours: Neighbour[] = [];
    for (const [index, account] of names.entries()) {
      neighbours.push({ account, owner: await linkOwner(stage, 4_000_002 + index, account) });
    }
    const bob = await linkOwner(stage, 4_000_001, 'bob');
    for (let count = 0; count < 200; count += 1) await askCredit(stage, bob);

    const healthy: number[] = [];
    const hanging: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      healthy.push(...(await timesBeside(stage, bob, neighbours[round * 2], false)));
      hanging.push(...(await timesBeside(stage, bob, neighbours[round * 2 + 1], true)));
      say(`round ${round + 1} of ${ROUNDS}`);
    }
    const anna = neighbours.at(-1);
    if (anna === undefined) throw new Error('no neighbour is left');

    const calm: number[] = [];
    for (let nonce = 1; nonce <= CONFIRMED; nonce += 1) calm.push(await tapToWire(stage, bob, nonce));
    await stage.gateway.ask('fault', { kind: 'hang', account: anna.account }, z.unknown());
    for (let nonce = 1; nonce <= HANGING_SENDS; nonce += 1) {
      const { tap } = await draftAndTap(stage, anna.owner, 10_000 + nonce);
      await stage.telegram.ask('throwIn', tap, z.unknown());
    }
    await sleep(2000);
    const beside: number[] = [];
    for (let nonce = 1; nonce <= CONFIRMED; nonce += 1) {
      const tapped = tapToWire(stage, bob, 5000 + nonce);
      beside.push(await Promise.race([tapped, sleep(PATIENCE_MS, PATIENCE_MS, { ref: false })]));
      // It waits behind the sends that hang, and so would the next.
      if (beside.at(-1) === PATIENCE_MS) break;
    }
    const what = 'isolation';
    const ms = { digits: 1, unit: 'ms' };
    return [
      {
        what,
        measure: "p99 of B's /credit, A's gateway hangs ÷ answers",
        figure: percentile(hanging, 0.99) / percentile(healthy, 0.99),
        goal: 'isolation',
      },
      { what, measure: 'p99, answers', figure: percentile(healthy, 0.99), ...ms },
      { what, measure: 'p99, hangs', figure: percentile(hanging, 0.99), ...ms },
      { what, measure: "B's confirm to wire, p50", figure: percentile(calm, 0.5), ...ms },
      {
        what,
        measure: `the same while ${HANGING_SENDS} sends of A hang ÷ that, p50 (waits ${PATIENCE_MS / 1000} s at most)`,
        figure: percentile(beside, 0.5) / percentile(calm, 0.5),
        goal: 'isolation-confirm',
      },
    ];
  },
};

interface Neighbour {
  readonly account: string;
  readonly owner: Owner;
}

/** Bob's /credit, one after the other, while the neighbour asks for hers forty times a second. */
async function timesBeside(
  stage: Stage,
  bob: Owner,
  neighbour: Neighbour | undefined,
  hangs: boolean,
): Promise<number[]> {
  if (neighbour === undefined) throw new Error('no neighbour is left');
  if (hangs) await stage.gateway.ask('fault', { kind: 'hang', account: neighbour.account }, z.unknown());
  const timer = setInterval(() => {
    void stage.telegram.ask('throwIn', commandOf(neighbour.owner, '/credit'), z.unknown());
  }, NEIGHBOUR_GAP_MS);
  const times: number[] = [];
  try {
    for (let count = 0; count < COMMANDS; count += 1) times.push(await askCredit(stage, bob));
  } finally {
    clearInterval(timer);
  }
  await sleep(300);
  return times;
}
