import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild, type Child } from './child.ts';
import type { GoalName } from './goals.ts';
import { ratioOf } from './pairs.ts';
import { seedOwners } from './people.ts';
import { Resources } from './resources.ts';
import { setStage, type Stage } from './stage.ts';
import { median } from './statistics.ts';

const CHATS = 2000;
const FIRST_CHAT = 1_000_001;
const SLOW_MS = 50;
const ROUNDS = 5;

interface Peer {
  readonly kind: 'undici' | 'durable' | 'grammy' | 'sequential' | 'telegraf';
  readonly title: string;
  /** How many updates make a round of a second or two, where Telegram answers at once, and where it takes its time. */
  readonly flood: number;
  readonly slow?: number;
  readonly goal?: GoalName;
  readonly slowGoal?: GoalName;
}

const PEERS: readonly Peer[] = [
  { kind: 'grammy', title: "grammY, concurrent, on Peyk's HTTP client", flood: 40_000, goal: 'intake' },
  { kind: 'durable', title: 'a loop that commits each batch', flood: 40_000, goal: 'intake-durable' },
  { kind: 'undici', title: 'raw undici loop', flood: 60_000, slow: 6000, slowGoal: 'intake-slow' },
  { kind: 'sequential', title: 'grammY, `start()`', flood: 4000 },
  { kind: 'telegraf', title: 'Telegraf 4, `launch()`', flood: 8000 },
];
const BOT = { title: 'bot', flood: 20_000, slow: 6000 };

interface Contestant extends Omit<Peer, 'kind'> {
  readonly telegram: Child;
  readonly process: Child;
}

/** Updates a second of the whole bot, each answered with one message, over those of bots and loops that do less. */
export const intake: Benchmark = {
  about: 'updates that are each answered with one sendMessage, from 2,000 chats with linked accounts',
  async run(say) {
    await using stage = await setStage();
    await seedOwners(stage, FIRST_CHAT, CHATS);
    const started: Child[] = [];
    try {
      const contestants: Contestant[] = [{ ...BOT, telegram: stage.telegram, process: stage.bot }];
      for (const { kind, ...peer } of PEERS) {
        const telegram = startChild('telegram-child.ts');
        const process = startChild('raw-child.ts');
        started.push(process, telegram);
        const apiRoot = await telegram.ask('listen', {}, z.string());
        await process.ask('start', { kind, apiRoot, target: stage.target }, z.unknown());
        contestants.push({ ...peer, telegram, process });
      }
      for (const each of contestants) await flood(each, each.flood, 0);
      await settle(stage);
      say('warm');
      const slow = contestants.filter((each) => each.slow !== undefined);
      return [
        ...figuresOf(await compare(stage, contestants, 0, say), 'at once', ({ goal }) => goal),
        ...figuresOf(
          await compare(stage, slow, SLOW_MS, say),
          `after ${SLOW_MS} ms`,
          (each) => each.slowGoal,
        ),
        {
          what: 'all of it',
          measure: 'peak memory of the bot',
          figure: (await stage.bot.ask('resources', {}, Resources)).peakMb,
          digits: 0,
          unit: 'MB',
          isTold: true,
        },
      ];
    } finally {
      for (const child of started) await child.stop();
    }
  },
};

interface Rounds extends Contestant {
  readonly rates: number[];
  readonly cpuUs: number[];
}

/** All take turns in each round, and none begins before the one before it has come to rest. The bot is the first. */
async function compare(
  stage: Stage,
  contestants: readonly Contestant[],
  delayMs: number,
  say: (progress: string) => void,
): Promise<Rounds[]> {
  const seen = contestants.map((each): Rounds => ({ ...each, rates: [], cpuUs: [] }));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const each of round % 2 === 1 ? seen : seen.toReversed()) {
      const count = delayMs === 0 ? each.flood : (each.slow ?? each.flood);
      const before = await each.process.ask('resources', {}, Resources);
      const ms = await flood(each, count, delayMs);
      await settle(stage);
      const after = await each.process.ask('resources', {}, Resources);
      each.rates.push((count / ms) * 1000);
      each.cpuUs.push(((after.cpuMs - before.cpuMs) / count) * 1000);
      say(`${delayMs} ms, round ${round}: ${each.title} ${Math.round((count / ms) * 1000)} updates/s`);
    }
  }
  return seen;
}

/** Until every update is marked as done, and a moment more for the database. Else one pays for the other's rest. */
async function settle({ database }: Stage): Promise<void> {
  for (;;) {
    const [row] = await database.sql<{ open: number }[]>`
      select count(*)::int as open from update where done_at is null`;
    if (row?.open === 0) break;
    await sleep(100);
  }
  await sleep(1000);
}

function figuresOf(
  seen: readonly Rounds[],
  answer: string,
  goalOf: (peer: Rounds) => GoalName | undefined,
): Figure[] {
  const [bot, ...peers] = seen;
  if (bot === undefined) throw new Error('the bot is not among them');
  const what = `Bot API answering ${answer}`;
  return [
    ...peers.map((peer): Figure => {
      const goal = goalOf(peer);
      const pairs = bot.rates.map((product, round) => ({ product, peer: peer.rates[round] ?? Number.NaN }));
      const ratio = { what, measure: `bot ÷ ${peer.title}`, ...ratioOf(pairs) };
      return goal === undefined ? { ...ratio, isTold: true } : { ...ratio, goal };
    }),
    ...seen.flatMap(({ title, rates, cpuUs }): Figure[] => [
      { what, measure: title, figure: median(rates), digits: 0, unit: 'updates/s' },
      { what, measure: `CPU, ${title}`, figure: median(cpuUs), digits: 0, unit: 'µs/update', isTold: true },
    ]),
  ];
}

async function flood({ telegram }: Contestant, count: number, delayMs: number): Promise<number> {
  return await telegram.ask(
    'flood',
    { count, chats: CHATS, firstChat: FIRST_CHAT, text: '/whoami', delayMs },
    z.number(),
  );
}
