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
const SLOW_FLOOD = 6000;
const ROUNDS = { flood: 7, slow: 3 };

interface Contestant {
  readonly name: 'raw' | 'grammy' | 'bot';
  /** How many updates make a round long enough: about two seconds. */
  readonly flood: number;
  readonly telegram: Child;
  readonly process: Child;
}

/** Updates a second of the whole bot, each answered with one message, over those of a bare loop on the same client. */
export const intake: Benchmark = {
  about: 'updates that are each answered with one sendMessage, from 2,000 chats with linked accounts',
  async run(say) {
    await using stage = await setStage();
    await seedOwners(stage, FIRST_CHAT, CHATS);
    const started: Child[] = [];
    try {
      const bare = async (name: 'raw' | 'grammy', kind: 'undici' | 'grammy'): Promise<Contestant> => {
        const telegram = startChild('telegram-child.ts');
        const process = startChild('raw-child.ts');
        started.push(process, telegram);
        await process.ask(
          'start',
          { kind, apiRoot: await telegram.ask('listen', {}, z.string()) },
          z.unknown(),
        );
        return { name, flood: 60_000, telegram, process };
      };
      const contestants: Contestant[] = [
        await bare('raw', 'undici'),
        await bare('grammy', 'grammy'),
        { name: 'bot', flood: 20_000, telegram: stage.telegram, process: stage.bot },
      ];
      for (const each of contestants) await flood(each, each.flood, 0);
      await settle(stage);
      say('warm');
      const floods = await compare(stage, contestants, 0, ROUNDS.flood, say);
      const slow = await compare(stage, contestants, 50, ROUNDS.slow, say);
      return [...figuresOf(floods, 0, 0.65), ...figuresOf(slow, 50, 0.5), ...(await memory(contestants))];
    } finally {
      for (const child of started) await child.stop();
    }
  },
};

type Rounds = Readonly<Record<Contestant['name'], { readonly rate: number; readonly cpuUs: number }[]>>;

/** All take turns in each round, and none begins before the one before it has come to rest. */
async function compare(
  stage: Stage,
  contestants: readonly Contestant[],
  delayMs: number,
  rounds: number,
  say: (progress: string) => void,
): Promise<Rounds> {
  const seen: Rounds = { raw: [], grammy: [], bot: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const each of contestants) {
      const count = delayMs === 0 ? each.flood : SLOW_FLOOD;
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

function figuresOf({ raw, grammy, bot }: Rounds, delayMs: number, goal: number): Figure[] {
  const what = delayMs === 0 ? 'intake' : `intake, Bot API answering after ${delayMs} ms`;
  const ratios = (over: Rounds['raw'], under: Rounds['raw']): number[] =>
    over.map(({ rate }, round) => rate / (under[round]?.rate ?? Number.NaN));
  const against = ratios(bot, raw);
  const rate = (name: string, of: Rounds['raw']): Figure => ({
    what,
    measure: name,
    figure: median(of.map((round) => round.rate)),
    digits: 0,
    unit: 'updates/s',
  });
  const cpu = (name: string, of: Rounds['raw']): Figure => ({
    what,
    measure: `CPU, ${name}`,
    figure: median(of.map((round) => round.cpuUs)),
    digits: 0,
    unit: 'µs/update',
  });
  return [
    { what, measure: 'bot ÷ bare loop', figure: median(against), goal: { atLeast: goal } },
    { what, measure: 'the same, lowest round', figure: Math.min(...against) },
    { what, measure: 'the same, highest round', figure: Math.max(...against) },
    {
      what,
      measure: 'CPU of the bare loop ÷ CPU of the bot',
      figure: median(raw.map((r) => r.cpuUs)) / median(bot.map((r) => r.cpuUs)),
    },
    { what, measure: 'bare grammY ÷ bare loop', figure: median(ratios(grammy, raw)) },
    { what, measure: 'bot ÷ bare grammY', figure: median(ratios(bot, grammy)) },
    rate('bare loop', raw),
    rate('bare grammY', grammy),
    rate('bot', bot),
    cpu('bare loop', raw),
    cpu('bare grammY', grammy),
    cpu("the bot's process", bot),
  ];
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
    contestants.map(async ({ name, process }) => ({
      what: 'intake',
      measure: `peak memory, ${name}`,
      figure: (await process.ask('resources', {}, Resources)).peakMb,
      digits: 0,
      unit: 'MB',
    })),
  );
}
