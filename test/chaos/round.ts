import type { Message } from '@grammyjs/types';
import { strandedRows } from '../support/stranded-rows.ts';
import { runActs } from './acts.ts';
import { checkPressedAgain, pressAgain } from './calm.ts';
import { checkCards } from './card-check.ts';
import { checkBusy, checkSends, type Finding, type Tally } from './checks.ts';
import { readFacts } from './facts.ts';
import { checkHeard } from './heard.ts';
import { createWatch, type Watch } from './logs.ts';
import { heal, noBlows, strikeAll, totalOf } from './nemesis.ts';
import { checkCaps, countOrders } from './orders.ts';
import { comeDue, passDay } from './passing-time.ts';
import { linkPlaces, type Place, secretOf } from './people.ts';
import { linkMorePlaces } from './places.ts';
import { probe, untilQuiet, untilStill } from './quiet.ts';
import type { Played } from './run.ts';
import { HOURS, type Plan } from './schedule.ts';
import type { Sending } from './sending.ts';
import type { Stand } from './stand.ts';
import { slowGateway } from './strikes.ts';

/** It comes an hour after a question that nobody has answered, also in the middle of a later round. */
const REMINDER = 'still waits for your word';

/** The people of a run, and who watches over what Peyk says. */
export interface RoundContext {
  readonly stand: Stand;
  readonly places: readonly Place[];
  readonly prober: number;
  readonly watch: Watch;
  readonly signal: AbortSignal;
}

/** Of these places; without any, of all that a round of sends needs. */
export async function openRound(
  stand: Stand,
  signal: AbortSignal,
  linked?: readonly Place[],
): Promise<RoundContext> {
  const first = linked ?? (await linkPlaces(stand));
  const places = linked ?? [...first, ...(await linkMorePlaces(stand, first))];
  const prober = await stand.telegram.user('Prober');
  await stand.telegram.start(prober, await stand.telegram.botName());
  const keys = places.map(({ account }) => secretOf(account));
  return { stand, places, prober, watch: createWatch(stand, keys), signal };
}

/** Plays one round: people and the nemesis at once, then the heal, the quiet, a replay of everything, and the checks. */
export async function playRound(context: RoundContext, plan: Plan): Promise<Played> {
  const { stand, places, prober, signal } = context;
  const began = performance.now();
  await passDay(stand, places);
  const first = (await stand.telegram.updates()).at(-1)?.id ?? 0;
  const blows = noBlows();
  const collecting = stand.telegram.collecting();
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
    const sendings = await acting;
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
    const stranded = await stand.postgres.ask(strandedRows);
    const judged = await judge(context, plan.round, sendings, first);
    const { drafts, tally, calls } = judged;
    const happened = countOrders({ ...judged, sendings });
    findings.push(
      ...replay.findings,
      ...stranded.map((what): Finding => ({ kind: 'stranded', count: 1, what })),
      ...checkBusy(tally),
      ...judged.findings,
      ...checkCaps(sendings, judged.acceptances),
      ...checkPressedAgain(unheard, drafts),
    );
    const missing = Object.entries(happened).flatMap(([name, count]) => (count === 0 ? [name] : []));
    const polls = calls.filter((call) => call.method.toLowerCase() === 'getupdates');
    return {
      round: plan.round,
      seconds: secondsSince(began),
      findings,
      counts: {
        ...blows,
        'updates repeated in the calm': replay.count,
        ...judged.counts,
        ...Object.fromEntries(Object.entries(happened).map(([name, count]) => [`sends ${name}`, count])),
        'presses without effect in the storm': unheard.length,
        'conflicts of getUpdates': polls.filter((call) => call.error_code === 409).length,
      },
      times: { 'ms to an answer after the storm': [answeredMs], 'ms to quiet after the storm': [quietMs] },
      told: `${totalOf(blows)} blows, ${tally.confirmed} confirmed, ${tally.unknown} unknown, quiet after ${quietMs} ms${missing.length === 0 ? '' : `, did not happen: ${missing.join(', ')}`}`,
    };
  } finally {
    clearInterval(collecting);
  }
}

/** Holds the sends of a round against the ledgers, the cards and the logs. `first`: the last update before it. */
export async function judge(
  { stand, places, watch }: Omit<RoundContext, 'prober' | 'signal'>,
  round: number,
  sendings: readonly Sending[],
  first: number,
) {
  const drafts = await readFacts(stand, [round]);
  const acceptances = acceptancesOf(stand, round);
  const { findings, tally } = checkSends(sendings, drafts, acceptances);
  await stand.telegram.collect();
  const calls = stand.telegram.takeCalls();
  const cards = await checkCards(stand, places, [round], calls);
  const logs = watch.look(calls);
  const said = await stand.telegram.updates(first);
  const heard = await checkHeard(stand, sendings, drafts, said, { calls, notes: logs.notes });
  return {
    findings: [...findings, ...cards.findings, ...logs.findings, ...heard.findings],
    drafts,
    acceptances,
    tally,
    calls,
    counts: {
      ...countsOf(tally),
      'duplicate cards in Telegram': cards.extra,
      'cards that Telegram lost': heard.cardsLost.length,
      'commands answered with an error': heard.told.length,
      '… whose words Telegram lost': heard.untold.length,
      'commands left out as too many at once': heard.limited.length,
      'lines that are no log records': logs.stray,
    },
  };
}

export function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 100) / 10;
}

/** By the names of the report. */
function countsOf({ confirmed, accepted, notSent, unknown, unknownTaken }: Tally): Record<string, number> {
  return {
    'recipients confirmed': confirmed,
    '… accepted': accepted,
    '… not sent': notSent,
    '… unknown after the round': unknown,
    '… … that the gateway has': unknownTaken,
  };
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
  const findings = Object.entries(after).flatMap(([name, count]): Finding[] => {
    const more = count - (before[name] ?? 0);
    return more > 0 ? [{ kind: 'replay', count: more, what: `${more} more ${name} after a replay` }] : [];
  });
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
