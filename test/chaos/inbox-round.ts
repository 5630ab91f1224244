import type { Message } from '@grammyjs/types';
import type { Finding } from './checks.ts';
import { runArrivals, runBlocks, runReadings, type Arrived } from './inbox-arrivals.ts';
import { checkInbox, type InboxTally } from './inbox-checks.ts';
import { chatsOf, readChats, readInboxFacts } from './inbox-facts.ts';
import type { ListedMessage } from './inbox-oracle.ts';
import { untilCaptured } from './inbox-quiet.ts';
import type { InboxPlan } from './inbox-schedule.ts';
import type { Watch } from './logs.ts';
import { heal, noBlows, strikeAll, type Blows } from './nemesis.ts';
import type { Place } from './people.ts';
import { untilStill } from './quiet.ts';
import type { Stand } from './stand.ts';

export interface InboxContext {
  readonly stand: Stand;
  /** Places whose inbox can be read. */
  readonly places: readonly Place[];
  /** Accounts in which Peyk may mark messages read, by their user name. */
  readonly marking: ReadonlySet<string>;
  readonly watch: Watch;
  readonly signal: AbortSignal;
  readonly patienceMs: number;
  /** What has been looked at already. */
  readonly seen: {
    inbound: number;
    readonly messages: Map<number, number>;
    readonly fetches: Map<string, number>;
  };
}

export interface InboxRoundResult {
  readonly round: number;
  readonly blows: Blows;
  readonly tally: InboxTally;
  /** From the gateway to the database, in milliseconds, of each message. */
  readonly storedAfterMs: readonly number[];
  /** From the first message to the last. */
  readonly arrivingMs: number;
  /** Fetched, and so marked read, by another program. */
  readonly fetchedByOthers: number;
  /** Fetches of Peyk, in accounts where it may. */
  readonly fetchedByPeyk: number;
  /** How often a place could not be reached for a while. */
  readonly blocked: number;
  /** From the heal until everything was stored and told. */
  readonly quietMs: number;
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

/** Plays one round: people write and another program reads while blows fall; then the heal, the quiet and the checks. */
export async function playInboxRound(context: InboxContext, plan: InboxPlan): Promise<InboxRoundResult> {
  const { stand, places, watch, signal, seen } = context;
  const began = performance.now();
  const blows = noBlows();
  const collecting = setInterval(() => void stand.telegram.collect().catch(() => undefined), 1000);
  try {
    await stand.gateway.setSwitches(plan.switches);
    const arriving = runArrivals(stand, places, plan, signal);
    const reading = runReadings(stand, places, plan.readings, signal);
    const blocking = runBlocks(stand, places, plan.blocks, signal);
    for (const acting of [arriving, reading, blocking]) acting.catch(() => undefined);
    await strikeAll(stand, plan, 0, blows, signal);
    const arrived = await arriving;
    await blocking;
    await heal(stand);
    const healed = performance.now();
    const ids = arrived.map(({ id }) => id);
    const stuck = await untilCaptured(stand, ids, { signal, patienceMs: context.patienceMs });
    const quietMs = Math.round(performance.now() - healed);
    const findings: Finding[] = [];
    if (stuck !== null)
      findings.push({ kind: 'stuck', count: 1, what: `it does not become quiet: ${JSON.stringify(stuck)}` });
    const fetchedByOthers = await reading;
    await untilStill(stand);

    const facts = await readInboxFacts(stand, seen.inbound);
    const chats = await readChats(stand, chatsOf(places, facts.destinations), seen.messages);
    const { findings: found, ...told } = checkInbox(await dated(context, arrived), facts, chats);
    const marks = checkMarks(context);
    const logs = watch.look(stand.telegram.takeCalls());
    findings.push(...found, ...marks.findings, ...logs.findings);
    remember(context, facts.stored.at(-1)?.id, chats);
    return {
      round: plan.round,
      blows,
      ...told,
      arrivingMs: (arrived.at(-1)?.at ?? 0) - (arrived[0]?.at ?? 0),
      fetchedByOthers,
      fetchedByPeyk: marks.fetched,
      blocked: plan.blocks.length,
      quietMs,
      findings,
      seconds: Math.round((performance.now() - began) / 100) / 10,
    };
  } finally {
    clearInterval(collecting);
  }
}

/** The messages with the times that the gateway's own list gives them. */
export async function dated(
  { stand, places }: Pick<InboxContext, 'stand' | 'places'>,
  arrived: readonly Arrived[],
): Promise<Arrived[]> {
  const listed = new Map<string, ListedMessage>();
  for (const { account } of places)
    for (const message of await stand.inbox.list(account)) listed.set(message.id, message);
  return arrived.map((message) => {
    const found = listed.get(message.id);
    return found === undefined ? message : { ...message, date: found.date };
  });
}

/** Only where a team wants it, Peyk fetches: everywhere else others would lose what they have not read. */
function checkMarks({ stand, marking, seen }: InboxContext): { findings: Finding[]; fetched: number } {
  const findings: Finding[] = [];
  let fetched = 0;
  for (const [account, count] of stand.inbox.fetchesOfPeyk()) {
    const more = count - (seen.fetches.get(account) ?? 0);
    seen.fetches.set(account, count);
    if (marking.has(account)) fetched += more;
    else if (more > 0)
      findings.push({ kind: 'marked', count: more, what: `${more} fetches in ${account}, where it is off` });
  }
  return { findings, fetched };
}

function remember(
  { seen }: InboxContext,
  inbound: number | undefined,
  chats: ReadonlyMap<number, readonly Message[]>,
): void {
  seen.inbound = inbound ?? seen.inbound;
  for (const [chat, messages] of chats) {
    const last = messages.at(-1)?.message_id;
    if (last !== undefined) seen.messages.set(chat, last);
  }
}
