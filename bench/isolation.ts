import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { tapToWire } from './confirm.ts';
import { askCredit } from './credit.ts';
import { inPairs, ratioOf, type Pair } from './pairs.ts';
import { commandOf, draftAndTap, linkOwner, type Owner } from './people.ts';
import { setStage, type Stage } from './stage.ts';
import { median, percentile } from './statistics.ts';

const COMMANDS = 300;
const PAIRS = 5;
const CONFIRM_PAIRS = 3;
const NEIGHBOUR_GAP_MS = 25;
const HANGING_SENDS = 40;
const CONFIRMED = 40;
const PATIENCE_MS = 15_000;

/** What a chat feels of another chat whose gateway does not answer. */
export const isolation: Benchmark = {
  about: 'chat B while chat A asks a gateway that answers, and one that hangs',
  async run(say) {
    const asked = await askedBeside(say);
    const confirmed: Pair[] = [];
    for (let count = 0; count < CONFIRM_PAIRS; count += 1) confirmed.push(await confirmedBeside(say));
    const what = 'isolation';
    return [
      {
        what,
        measure: "p99 of B's /credit, A's gateway hangs ÷ answers",
        ...ratioOf(asked),
        goal: 'isolation',
      },
      {
        what,
        measure: `B's confirm to wire while ${HANGING_SENDS} sends of A hang ÷ while none does, p50 (waits ${PATIENCE_MS / 1000} s at most)`,
        ...ratioOf(confirmed),
        goal: 'isolation-confirm',
      },
    ];
  },
};

type Say = (progress: string) => void;

async function askedBeside(say: Say): Promise<Pair[]> {
  // A new neighbour for each measurement: what hangs of one must not reach into the next.
  const names = Array.from({ length: PAIRS * 2 }, (_, index) => `anna${index}`);
  await using stage = await setStage({ accounts: ['bob', ...names] });
  const neighbours: Neighbour[] = [];
  for (const [index, account] of names.entries())
    neighbours.push({ account, owner: await linkOwner(stage, 4_000_002 + index, account) });
  const bob = await linkOwner(stage, 4_000_001, 'bob');
  for (let count = 0; count < 200; count += 1) await askCredit(stage, bob);
  const p99 = async (hangs: boolean): Promise<number> => {
    const times = await timesBeside(stage, bob, neighbours.pop(), hangs);
    say(`A's gateway ${hangs ? 'hangs' : 'answers'}: p99 ${percentile(times, 0.99).toFixed(1)} ms`);
    return percentile(times, 0.99);
  };
  return await inPairs(PAIRS, { product: () => p99(true), peer: () => p99(false) });
}

/** First while nothing hangs, for what hangs stays. */
async function confirmedBeside(say: Say): Promise<Pair> {
  await using stage = await setStage({ accounts: ['anna', 'bob'] });
  const anna = await linkOwner(stage, 4_000_002, 'anna');
  const bob = await linkOwner(stage, 4_000_001, 'bob');
  for (let nonce = 1; nonce <= 20; nonce += 1) await tapToWire(stage, bob, nonce);
  const calm: number[] = [];
  for (let nonce = 1; nonce <= CONFIRMED; nonce += 1) calm.push(await tapToWire(stage, bob, 1000 + nonce));
  await stage.gateway.ask('fault', { kind: 'hang', account: 'anna' }, z.unknown());
  for (let nonce = 1; nonce <= HANGING_SENDS; nonce += 1) {
    const { tap } = await draftAndTap(stage, anna, 10_000 + nonce);
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
  const pair = { product: median(beside), peer: median(calm) };
  say(`confirm to wire: ${pair.product.toFixed(1)} ms, while nothing hangs ${pair.peer.toFixed(1)} ms`);
  return pair;
}

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
