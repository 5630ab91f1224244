import type { Message } from '@grammyjs/types';
import type { Finding } from './checks.ts';
import { runArrivals, runReadings, type Arrived } from './inbox-arrivals.ts';
import { checkInbox, type InboxTally } from './inbox-checks.ts';
import { chatsOf, readChats, readInboxFacts } from './inbox-facts.ts';
import type { ListedMessage } from './inbox-oracle.ts';
import { untilCaptured, untilRead } from './inbox-quiet.ts';
import type { InboxPlan } from './inbox-schedule.ts';
import { createWatch, type Watch } from './logs.ts';
import { heal, noBlows, strikeAll, totalOf } from './nemesis.ts';
import { hears, linkPlaces, type Place, secretOf } from './people.ts';
import { untilStill } from './quiet.ts';
import { secondsSince } from './round.ts';
import type { Played } from './run.ts';
import type { Stand } from './stand.ts';

/** Marks read at the gateway what it has captured. */
const MARKING = 1;
/** How long everything may take to be stored and told after a storm. */
const PATIENCE_MS = 90_000;

export interface InboxContext {
  readonly stand: Stand;
  /** Places whose inbox can be read. */
  readonly places: readonly Place[];
  /** Accounts in which Peyk may mark messages read, by their user name. */
  readonly marking: ReadonlySet<string>;
  readonly watch: Watch;
  readonly signal: AbortSignal;
  /** What has been looked at already. */
  readonly seen: {
    inbound: number;
    readonly messages: Map<number, number>;
    readonly fetches: Map<string, number>;
  };
}

/** The people of the run, their accounts linked and read once; the first has a second place where messages are told. */
export async function openInbox(stand: Stand, signal: AbortSignal): Promise<InboxContext> {
  const linked = await linkPlaces(stand);
  const places = linked.filter(({ account }) => account.apiKey !== undefined);
  const [first] = places;
  const marking = places[MARKING];
  if (first === undefined || marking === undefined) throw new Error('nobody has an inbox');
  const [owner] = first.people;
  const group = await stand.telegram.group('Messages', owner, []);
  const said = await stand.telegram.say(owner, first.chat, `/alerts ${group}`);
  await hears(stand, first.chat, owner, said.message_id, () => true);
  await stand.postgres.ask(async (sql) => {
    await sql`
      update account set marks_read = true from chat c where c.id = chat_id and c.telegram_id = ${marking.chat}`;
  });
  await untilRead(stand, signal);
  const { destinations, stored } = await readInboxFacts(stand, 0);
  if (destinations.filter(({ home }) => home === first.chat).length !== 2)
    throw new Error('the first place has no second place for its messages');
  return {
    stand,
    places,
    marking: new Set([marking.account.username]),
    watch: createWatch(
      stand,
      linked.map(({ account }) => secretOf(account)),
    ),
    signal,
    seen: { inbound: stored.at(-1)?.id ?? 0, messages: new Map(), fetches: new Map() },
  };
}

/** Plays one round: people write and another program reads while blows fall; then the heal, the quiet and the checks. */
export async function playInboxRound(
  context: InboxContext,
  plan: InboxPlan,
  patienceMs = PATIENCE_MS,
): Promise<Played> {
  const { stand, places, watch, signal, seen } = context;
  const began = performance.now();
  const blows = noBlows();
  const collecting = stand.telegram.collecting();
  try {
    await stand.gateway.setSwitches(plan.switches);
    const arriving = runArrivals(stand, places, plan, signal);
    const reading = runReadings(stand, places, plan.readings, signal);
    for (const acting of [arriving, reading]) acting.catch(() => undefined);
    await strikeAll(stand, plan, 0, blows, signal);
    const arrived = await arriving;
    await heal(stand);
    const healed = performance.now();
    const ids = arrived.map(({ id }) => id);
    const findings = await untilCaptured(stand, ids, { signal, patienceMs });
    const quietMs = Math.round(performance.now() - healed);
    const fetchedByOthers = await reading;
    await untilStill(stand);

    const facts = await readInboxFacts(stand, seen.inbound);
    const chats = await readChats(stand, chatsOf(places, facts.destinations), seen.messages);
    const checked = checkInbox(await dated(context, arrived), facts, chats);
    const marks = checkMarks(context);
    const logs = watch.look(stand.telegram.takeCalls());
    findings.push(...checked.findings, ...marks.findings, ...logs.findings);
    remember(context, facts.stored.at(-1)?.id, chats);
    const { tally, storedAfterMs } = checked;
    return {
      round: plan.round,
      seconds: secondsSince(began),
      findings,
      counts: {
        ...blows,
        ...inboxCounts(tally),
        '… of these fetched by another program': fetchedByOthers,
        'fetches where marking read is on': marks.fetched,
      },
      times: {
        'ms from the gateway to the database in a storm': storedAfterMs,
        'ms until all is stored and told after it': [quietMs],
      },
      told: `${totalOf(blows)} blows, ${tally.stored} of ${tally.arrived} stored, ${tally.byCard} told by card, ${tally.byDigest} in digests, ${tally.again} again, quiet after ${quietMs} ms`,
    };
  } finally {
    clearInterval(collecting);
  }
}

/** By the names of the report. */
export function inboxCounts({ arrived, stored, due, byCard, byDigest, again, doubtful }: InboxTally) {
  return {
    'messages received (the gateway’s ledger)': arrived,
    '… stored': stored,
    'to be told, counted for each place': due,
    '… told by a card': byCard,
    '… told in a digest': byDigest,
    'told again': again,
    '… that Peyk knows may be': doubtful,
  };
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
