import type { Message } from '@grammyjs/types';
import type { Sending } from './sending.ts';
import { strandedRows } from '../support/stranded-rows.ts';
import { runActs } from './acts.ts';
import { checkCards } from './card-check.ts';
import { checkBusy, checkSends, type Finding, type Tally } from './checks.ts';
import { checkPressedAgain, pressAgain } from './calm.ts';
import { readFacts } from './facts.ts';
import { checkHeard, type Heard } from './heard.ts';
import type { Watch } from './logs.ts';
import { heal, noBlows, strikeAll, type Blows } from './nemesis.ts';
import type { Place } from './people.ts';
import { probe, untilQuiet, untilStill } from './quiet.ts';
import { countOrders } from './order-counts.ts';
import { checkOrders } from './orders.ts';
import { comeDue, passDay } from './passing-time.ts';
import { HOURS, type Plan } from './schedule.ts';
import type { Stand } from './stand.ts';
import { slowGateway } from './strikes.ts';

/** It comes an hour after a question that nobody has answered, also in the middle of a later round. */
const REMINDER = 'still waits for your word';

export interface RoundResult {
  /** What people prepared, for later checks. */
  readonly sendings: readonly Sending[];
  readonly round: number;
  readonly blows: Blows;
  readonly tally: Tally;
  /** What was held, taken back, limited or shared, by name. */
  readonly orders: Readonly<Record<string, number>>;
  /** From the heal until a new command was answered, and until nothing was open any more. */
  readonly answeredMs: number;
  readonly quietMs: number;
  readonly findings: readonly Finding[];
  /** Cards beyond the first of a draft: Telegram's answer was lost, or two processes sent one. */
  readonly extraCards: number;
  /** What became of commands that led to no card. */
  readonly heard: Omit<Heard, 'findings'>;
  /** Drafts whose presses in the storm had no effect. */
  readonly pressedAgain: readonly string[];
  /** Updates that came once more in the calm. */
  readonly replayed: number;
  /** Answers 409 of getUpdates: two processes that asked at the same time. */
  readonly conflicts: number;
  /** Lines of the log that are no records. */
  readonly stray: number;
  readonly seconds: number;
}

export interface RoundContext {
  readonly stand: Stand;
  readonly places: readonly Place[];
  readonly prober: number;
  readonly watch: Watch;
  readonly signal: AbortSignal;
}

/** Plays one round: people and the nemesis at once, then the heal, the quiet, a replay of everything, and the checks. */
export async function playRound(context: RoundContext, plan: Plan): Promise<RoundResult> {
  const { stand, places, prober, watch, signal } = context;
  const began = performance.now();
  await passDay(stand, places);
  const first = (await stand.telegram.updates()).at(-1)?.id ?? 0;
  const blows = noBlows();
  const collecting = setInterval(() => void stand.telegram.collect().catch(() => undefined), 1000);
  try {
    const acting = runActs(stand, places, plan, signal);
    acting.catch(() => undefined);
    await strikeAll(stand, plan, first, blows, signal, () => acceptancesOf(stand, plan.round).length > 0);
    await heal(stand);
    // Where sends are stopped the gateway goes on being slow until everybody has done what they wanted.
    await stand.gateway.fault(slowGateway.rule);
    const healed = performance.now();
    await probe(stand, prober, signal);
    const answeredMs = Math.round(performance.now() - healed);
    const { sendings, haltings } = await acting;
    await stand.gateway.clearFaults();
    const stuck = await untilQuiet(stand, prober, signal);
    const quietMs = Math.round(performance.now() - healed);
    const findings: Finding[] = [];
    if (stuck !== null) {
      findings.push({ kind: 'stuck', count: 1, what: `it does not become quiet: ${JSON.stringify(stuck)}` });
      // Perhaps only those processes cannot: what others find then is held against the rest of the checks.
      await Promise.all(stand.peyks.map((peyk) => peyk.strike(0)));
      await untilQuiet(stand, prober, signal);
    }
    const said = await stand.telegram.updates(first);
    const unheard = await pressAgain(stand, sendings, await readFacts(stand, [plan.round]), said);
    await untilQuiet(stand, prober, signal);
    for (const hours of [HOURS.first, HOURS.later]) {
      if (await comeDue(stand, sendings, plan.round, hours)) await untilQuiet(stand, prober, signal);
    }
    const replay = await replayAll(context, plan, first);
    findings.push(...replay.findings);

    const stranded = await stand.postgres.ask(strandedRows);
    findings.push(...stranded.map((what): Finding => ({ kind: 'stranded', count: 1, what })));
    const drafts = await readFacts(stand, [plan.round]);
    const acceptances = acceptancesOf(stand, plan.round);
    const sends = checkSends(sendings, drafts, acceptances);
    await stand.telegram.collect();
    const calls = stand.telegram.takeCalls();
    const cards = await checkCards(stand, places, [plan.round], calls);
    const logs = watch.look(calls);
    const heard = await checkHeard(stand, sendings, drafts, said, { calls, notes: logs.notes });
    const orders = {
      sendings,
      haltings,
      drafts,
      acceptances,
      calls,
      notes: logs.notes,
      said,
      blind: logs.blind,
    };
    findings.push(
      ...checkBusy(sends.tally),
      ...sends.findings,
      ...checkOrders(orders),
      ...cards.findings,
      ...logs.findings,
    );
    findings.push(...heard.findings, ...checkPressedAgain(unheard, drafts));
    const polls = calls.filter((call) => call.method.toLowerCase() === 'getupdates');
    return {
      sendings,
      round: plan.round,
      blows,
      tally: sends.tally,
      orders: countOrders(orders),
      answeredMs,
      quietMs,
      findings,
      extraCards: cards.extra,
      heard: { cardsLost: heard.cardsLost, told: heard.told, untold: heard.untold },
      pressedAgain: unheard.map(({ name }) => name),
      replayed: replay.count,
      conflicts: polls.filter((call) => call.error_code === 409).length,
      stray: logs.stray,
      seconds: Math.round((performance.now() - began) / 100) / 10,
    };
  } finally {
    clearInterval(collecting);
  }
}

/** Acceptances whose text names this round. */
function acceptancesOf(stand: Stand, round: number) {
  return stand.gateway.acceptances().filter(({ text }) => text.startsWith(`chaos r${round} s`));
}

/** In the calm after the storm every update of the round comes once more, and must have no effect at all. */
async function replayAll(
  context: RoundContext,
  plan: Plan,
  first: number,
): Promise<{ findings: Finding[]; count: number }> {
  const { stand, signal, prober } = context;
  await untilStill(stand);
  const before = await countEffects(context, plan.round);
  const updates = await stand.telegram.updates(first);
  for (const { id } of updates) await stand.telegram.replay(id);
  await untilQuiet(stand, prober, signal);
  await untilStill(stand);
  const after = await countEffects(context, plan.round);
  const findings = Object.entries(after)
    .map(([name, count]) => ({ name, more: count - (before[name] ?? 0) }))
    .filter(({ more }) => more > 0)
    .map(({ name, more }): Finding => ({
      kind: 'replay',
      count: more,
      what: `${more} more ${name} after a replay`,
    }));
  return { findings, count: updates.length };
}

async function countEffects({ stand, places }: RoundContext, round: number): Promise<Record<string, number>> {
  const drafts = await readFacts(stand, [round]);
  const messages = await Promise.all(
    places.map(({ chat, people }) => stand.telegram.messages(chat, people[0])),
  );
  const alerts = await alertsSaid(stand);
  const isAnswer = (message: Message): boolean =>
    message.from?.is_bot === true &&
    !alerts.has(`${message.chat.id} ${message.message_id}`) &&
    message.text?.includes(REMINDER) !== true;
  return {
    drafts: drafts.length,
    jobs: drafts.filter(({ job }) => job !== null).length,
    'accepted calls': acceptancesOf(stand, round).length,
    'messages of the bot': messages.flat().filter(isAnswer).length,
  };
}

/** Messages that came by themselves: no update asked for them. */
async function alertsSaid({ postgres }: Stand): Promise<ReadonlySet<string>> {
  const rows = await postgres.ask(
    async (sql) =>
      await sql<{ chat: number; message: number }[]>`
        select coalesce(s.telegram_id, c.telegram_id) as chat, n.message_id as message
        from notice n join sink s on s.id = n.sink_id join chat c on c.id = s.chat_id where n.message_id is not null`,
  );
  return new Set(rows.map(({ chat, message }) => `${chat} ${message}`));
}
