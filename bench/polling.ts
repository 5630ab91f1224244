import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { addAccounts, forgetAudit, linkTemplate, sleepAll, wake, type Group } from './polling-accounts.ts';
import { alertsOf, sendEvenly, sendToQuiet } from './polling-alerts.ts';
import { add, costOf, divided, type Cost } from './polling-cost.ts';
import { alertFigures, costFigures } from './polling-figures.ts';
import { Resources } from './resources.ts';
import { setStage, type Stage } from './stage.ts';

const MASS = 'mass';
const MESSAGES = 20;
const BUSY = Array.from({ length: 100 }, (_, index) => `busy${index}`);
const RARE = Array.from({ length: 200 }, (_, index) => `rare${index}`);
const FIRST = { template: 5_000_000, quiet: 5_100_000, busy: 5_200_000, rare: 5_300_000 };

/** The defaults of the settings, and what follows from them: a quiet account is asked least often. */
const INBOX_SECONDS = 15;
const PAUSE = { quiet: 285, busy: 14.25, credit: 1800, details: 21_600 };
const MESSAGE_SECONDS = 30;
const DAY_SECONDS = 86_400;

/** A session of Postgres tells within ten seconds what it has done. */
const REST_MS = 11_000;
const IDLE_SECONDS = 15;
const WINDOW_SECONDS = 50;
const ALERT_SECONDS = 75;
const QUIET_SECONDS = 25;

/**
 * What looking after an account costs in an hour, and how soon a received message is told.
 *
 * Of every hundred accounts one is busy: it gets a message every 30 s and is read every 14 s. The others got their last
 * message a day ago, so that each is read every 285 s, its credit every 30 minutes and its details every 6 hours; what is
 * due is spread evenly, as it is after some hours. 100, 1,000 and 10,000 of them run for about a minute. Ten would be read
 * twice in a minute, too little to measure: as many accounts as ten are read in two hours are read once each in its
 * stead, for the process does not remember one that was left alone for 285 s. What the bot does without any account
 * was measured before and is subtracted.
 */
export const polling: Benchmark = {
  about:
    'looking after 10, 100, 1,000 and 10,000 accounts, one of a hundred busy; from the gateway to the chat',
  async run(say) {
    await using stage = await setStage({
      accounts: [MASS, ...BUSY, ...RARE],
      countStatements: true,
      standIns: 'polling-',
    });
    for (let n = 0; n < MESSAGES; n += 1) {
      const message = {
        account: MASS,
        from: `912000000${n % 5}`,
        text: `Older ${n}`,
        ageSeconds: (n + 1) * 9000,
      };
      await stage.gateway.ask('receive', message, z.number());
    }
    const template = await linkTemplate(stage, FIRST.template, MASS);
    await sleep(REST_MS);
    const idle = await costOf(stage, () => sleep(IDLE_SECONDS * 1000));
    const fixed = divided(idle.cost, idle.seconds);

    const few = TEN.inbox + TEN.credit + TEN.details;
    await addAccounts(stage, template, groupOf('quiet', few), { keys: [MASS], inbox: true });
    await addAccounts(stage, template, groupOf('busy', TEN.busy), { keys: BUSY, inbox: false });
    await sleep(REST_MS);
    await wakeTen(stage);
    const ten = await watch(stage, { busy: TEN.busy, seconds: WINDOW_SECONDS, settleSeconds: 0 });
    say(`10 accounts: ${toldOf(ten)}`);

    await sleepAll(stage);
    await wakeAs(stage, { quiet: 99, busy: 1 });
    const hundred = await watch(stage, { busy: 1, seconds: WINDOW_SECONDS, settleSeconds: REST_MS / 1000 });
    say(`100 accounts: ${toldOf(hundred)}`);

    await sleepAll(stage);
    await addAccounts(stage, template, groupOf('quiet', 990, few), { keys: [MASS], inbox: true });
    await wakeAs(stage, { quiet: 990, busy: 10 });
    const thousand = await watch(stage, { busy: 10, seconds: WINDOW_SECONDS, settleSeconds: REST_MS / 1000 });
    say(`1,000 accounts: ${toldOf(thousand)}`);

    await sleepAll(stage);
    await addAccounts(stage, template, groupOf('quiet', 9700, 990), { keys: [MASS], inbox: true });
    await addAccounts(stage, template, groupOf('busy', 100, TEN.busy), {
      keys: BUSY.slice(TEN.busy),
      inbox: false,
    });
    const rare = groupOf('rare', RARE.length);
    await addAccounts(stage, template, rare, { keys: RARE, inbox: false });
    await wakeAs(stage, { quiet: 9700, busy: 100, rare: RARE.length });
    const most = await watch(stage, { busy: 100, seconds: ALERT_SECONDS, settleSeconds: 20 });
    say(`10,000 accounts: ${toldOf(most)}`);
    const alerts = {
      busy: await alertsOf(stage, most.sent),
      quiet: await sendToQuiet(stage, rare, RARE, { seconds: QUIET_SECONDS, baseMs: INBOX_SECONDS * 1000 }),
    };
    const { peakMb } = await stage.bot.ask('resources', {}, Resources);
    await sleepAll(stage);

    const added = (of: Watched, accountHours: number): Cost =>
      divided(add(of.cost, fixed, -of.seconds), accountHours);
    return [
      ...costFigures(divided(fixed, 1 / 3600), {
        ten: added(ten, 10 * TEN.hours),
        hundred: added(hundred, (100 * hundred.seconds) / 3600),
        thousand: added(thousand, (1000 * thousand.seconds) / 3600),
        most: added(most, (10_000 * most.seconds) / 3600),
      }),
      {
        what: '10,000, after two minutes',
        measure: 'peak memory of the bot',
        figure: peakMb,
        digits: 0,
        unit: 'MB',
        isTold: true,
      },
      ...alertFigures(alerts),
    ];
  },
};

/** What ten accounts do in two hours, by their pauses; a tenth of a busy one for so long is fourteen for the window. */
const TEN = { hours: 2, inbox: 250, credit: 40, details: 3, busy: 14 };

interface Watched {
  readonly cost: Cost;
  readonly seconds: number;
  readonly sent: Awaited<ReturnType<typeof sendEvenly>>;
  /** Accounts that had been due for a while in the end. */
  readonly late: number;
}

/** Has messages come in for the busy ones, lets things settle, and measures. */
async function watch(
  stage: Stage,
  of: { readonly busy: number; readonly seconds: number; readonly settleSeconds: number },
): Promise<Watched> {
  const accounts = BUSY.slice(0, of.busy);
  const send = async (seconds: number) =>
    await sendEvenly(stage, accounts, { seconds, every: MESSAGE_SECONDS });
  await send(of.settleSeconds);
  let sent: Watched['sent'] = new Map();
  const measured = await costOf(stage, async () => {
    sent = await send(of.seconds);
  });
  const [row] = await stage.database.sql<{ late: number }[]>`
    select count(*)::int as late from account where due_at < now() - interval '5 seconds' and lease_owner is null`;
  return { ...measured, sent, late: row?.late ?? 0 };
}

function toldOf({ cost, seconds, late }: Watched): string {
  return `${cost.calls} calls of the gateway in ${seconds.toFixed(0)} s, ${late} accounts late at the end`;
}

function groupOf(name: keyof typeof FIRST, to: number, from = 0): Group {
  return { firstId: FIRST[name] + from, count: to - from };
}

/** As if they had been looked after for long. */
async function wakeAs(
  stage: Stage,
  counts: { readonly quiet: number; readonly busy: number; readonly rare?: number },
): Promise<void> {
  const { quiet, busy, credit, details } = PAUSE;
  await wake(stage, groupOf('busy', counts.busy), { inbox: busy, credit, details, sinceInbound: 0 });
  for (const [name, count] of [
    ['quiet', counts.quiet],
    ['rare', counts.rare ?? 0],
  ] as const)
    await wake(stage, groupOf(name, count), { inbox: quiet, credit, details, sinceInbound: DAY_SECONDS });
}

async function wakeTen(stage: Stage): Promise<void> {
  const { inbox, credit, details } = TEN;
  const seconds = WINDOW_SECONDS;
  const quiet = { sinceInbound: DAY_SECONDS };
  await wake(stage, groupOf('busy', TEN.busy), { inbox: PAUSE.busy, sinceInbound: 0 });
  await wake(stage, groupOf('quiet', inbox), { inbox: seconds, ...quiet });
  await wake(stage, groupOf('quiet', inbox + credit, inbox), { credit: seconds, ...quiet });
  await wake(stage, groupOf('quiet', inbox + credit + details, inbox + credit), {
    details: seconds,
    ...quiet,
  });
  await forgetAudit(stage, groupOf('quiet', inbox));
}
