import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild, type Child } from './child.ts';
import { Resources } from './resources.ts';
import { seedOwners } from './people.ts';
import { setStage, type Stage } from './stage.ts';
import { median } from './statistics.ts';

const CHATS = 2000;
const FIRST_CHAT = 1_000_001;
const SLOW_MS = 50;
const ROUNDS = { flood: 5, slow: 3 };

/** How many updates make a round of a second or two, where Telegram answers at once and where it takes its time. */
const PEERS = {
  raw: { kind: 'undici', title: 'raw undici loop', flood: 60_000, slow: 6000 },
  grammy: { kind: 'grammy', title: "grammY, concurrent, on Peyk's HTTP client", flood: 40_000, slow: 6000 },
  sequential: { kind: 'sequential', title: 'grammY, `start()`', flood: 4000, slow: 40 },
  telegraf: { kind: 'telegraf', title: 'Telegraf 4, `launch()`', flood: 8000, slow: 2000 },
} as const;
const BOT = { title: 'bot', flood: 20_000, slow: 6000 } as const;

type Name = keyof typeof PEERS | 'bot';

interface Contestant {
  readonly name: Name;
  readonly title: string;
  readonly flood: number;
  readonly slow: number;
  readonly telegram: Child;
  readonly process: Child;
}

/** Updates a second of the whole bot, each answered with one message, over those of a bare loop on the same client. */
export const intake: Benchmark = {
  about: 'updates that are each answered with one sendMessage, from 2,000 chats with linked accounts',
  async run(say) {
    await using stage = await setStage({ countStatements: true });
    await seedOwners(stage, FIRST_CHAT, CHATS);
    const started: Child[] = [];
    try {
      const contestants: Contestant[] = [];
      for (const name of ['raw', 'grammy', 'sequential', 'telegraf'] as const) {
        const telegram = startChild('telegram-child.ts');
        const process = startChild('raw-child.ts');
        started.push(process, telegram);
        const { kind, ...peer } = PEERS[name];
        const apiRoot = await telegram.ask('listen', {}, z.string());
        await process.ask('start', { kind, apiRoot }, z.unknown());
        contestants.push({ name, ...peer, telegram, process });
      }
      contestants.push({ name: 'bot', ...BOT, telegram: stage.telegram, process: stage.bot });
      for (const each of contestants) await flood(each, each.flood, 0);
      await settle(stage);
      say('warm');
      const floods = await compare(stage, contestants, 0, ROUNDS.flood, say);
      const slow = await compare(stage, contestants, SLOW_MS, ROUNDS.slow, say);
      return [
        ...figuresOf(floods, 'at once', 'intake'),
        await statementsOf(stage, contestants),
        ...figuresOf(slow, `after ${SLOW_MS} ms`, 'intake-slow'),
        ...(await memory(contestants)),
      ];
    } finally {
      for (const child of started) await child.stop();
    }
  },
};

type Rounds = Readonly<Record<Name, { readonly rate: number; readonly cpuUs: number }[]>>;

/** All take turns in each round, and none begins before the one before it has come to rest. */
async function compare(
  stage: Stage,
  contestants: readonly Contestant[],
  delayMs: number,
  rounds: number,
  say: (progress: string) => void,
): Promise<Rounds> {
  const seen: Rounds = { raw: [], grammy: [], sequential: [], telegraf: [], bot: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const each of contestants) {
      const count = delayMs === 0 ? each.flood : each.slow;
      const before = await each.process.ask('resources', {}, Resources);
      const ms = await flood(each, count, delayMs);
      await settle(stage);
      const after = await each.process.ask('resources', {}, Resources);
      const rate = (count / ms) * 1000;
      seen[each.name].push({ rate, cpuUs: ((after.cpuMs - before.cpuMs) / count) * 1000 });
      say(`${delayMs} ms, round ${round}: ${each.name} ${Math.round(rate)} updates/s`);
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

function figuresOf(rounds: Rounds, answer: string, goal: 'intake' | 'intake-slow'): Figure[] {
  const { raw, bot } = rounds;
  const what = `Bot API answering ${answer}`;
  const ratios = (over: Rounds[Name], under: Rounds[Name]): number[] =>
    over.map(({ rate }, round) => rate / (under[round]?.rate ?? Number.NaN));
  const against = ratios(bot, raw);
  const peers = keysOf(PEERS);
  const titles: Readonly<Record<Name, string>> = {
    raw: PEERS.raw.title,
    grammy: PEERS.grammy.title,
    sequential: PEERS.sequential.title,
    telegraf: PEERS.telegraf.title,
    bot: BOT.title,
  };
  const all = [...peers, 'bot'] as const;
  return [
    { what, measure: 'bot ÷ bare loop', figure: median(against), goal },
    { what, measure: 'the same, lowest round', figure: Math.min(...against) },
    { what, measure: 'the same, highest round', figure: Math.max(...against) },
    ...peers.slice(1).map((name) => ({
      what,
      measure: `bot ÷ ${titles[name]}`,
      figure: median(ratios(bot, rounds[name])),
      isTold: true,
    })),
    ...all.map((name) => ({
      what,
      measure: titles[name],
      figure: median(rounds[name].map(({ rate }) => rate)),
      digits: 0,
      unit: 'updates/s',
      isTold: true,
    })),
    ...all.map((name) => ({
      what,
      measure: `CPU of the process, ${titles[name]}`,
      figure: median(rounds[name].map(({ cpuUs }) => cpuUs)),
      digits: 0,
      unit: 'µs/update',
      isTold: goal === 'intake',
    })),
  ];
}

/** What the bot has Postgres execute for an update of a flood: most statements are those of a batch. */
async function statementsOf(stage: Stage, contestants: readonly Contestant[]): Promise<Figure> {
  const bot = contestants.find(({ name }) => name === 'bot');
  if (bot === undefined) throw new Error('the bot is not among them');
  const before = await stage.bot.ask('statements', {}, z.number());
  await flood(bot, bot.flood, 0);
  await settle(stage);
  const after = await stage.bot.ask('statements', {}, z.number());
  return {
    what: 'Bot API answering at once',
    measure: 'statements of the bot for an update',
    figure: (after - before) / bot.flood,
    digits: 3,
    isTold: true,
  };
}

async function flood({ telegram }: Contestant, count: number, delayMs: number): Promise<number> {
  return await telegram.ask(
    'flood',
    { count, chats: CHATS, firstChat: FIRST_CHAT, text: '/whoami', delayMs },
    z.number(),
  );
}

async function memory(contestants: readonly Contestant[]): Promise<Figure[]> {
  return await Promise.all(
    contestants.map(async ({ title, process }) => ({
      what: 'all of it',
      measure: `peak memory, ${title}`,
      figure: (await process.ask('resources', {}, Resources)).peakMb,
      digits: 0,
      unit: 'MB',
      isTold: true,
    })),
  );
}

function keysOf<T extends object>(value: T): (keyof T & string)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of our own, with no other keys
  return Object.keys(value) as (keyof T & string)[];
}
