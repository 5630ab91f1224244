import type { Finding } from './checks.ts';
import { hastenInbox } from './hasten-inbox.ts';
import { readInboxFacts } from './inbox-facts.ts';
import { untilRead } from './inbox-quiet.ts';
import { playInboxRound, type InboxContext, type InboxRoundResult } from './inbox-round.ts';
import type { InboxPlan } from './inbox-schedule.ts';
import { toInboxLine } from './inbox-report.ts';
import { settleInbox } from './inbox-settle.ts';
import { createWatch, lastWords } from './logs.ts';
import { hears, linkPlaces } from './people.ts';
import { applyPatches, copySource, type Patch } from './source-copy.ts';
import { startStand, type Stand } from './stand.ts';

export interface InboxRunOptions {
  readonly plans: Iterable<InboxPlan>;
  readonly processes: number;
  readonly root: string;
  /** Breaks the copy that runs. */
  readonly patches?: readonly Patch[];
  readonly keep: boolean;
  /** How long everything may take to be stored and told after a storm; 90 s. */
  readonly patienceMs?: number;
  /** Whether a round's findings end the run. */
  readonly enough: (findings: readonly Finding[]) => boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface InboxRunResult {
  readonly rounds: readonly InboxRoundResult[];
  readonly findings: readonly Finding[];
}

/** How many places have an inbox that can be read. */
export const INBOXES = 4;
/** Marks read at the gateway what it has captured. */
const MARKING = 1;
const PATIENCE_MS = 90_000;
const TOLD = 8;
const ENV = { INBOX_POLL_SECONDS: '0.25', CREDIT_POLL_SECONDS: '5' };

/** Plays rounds of the inbox on one stand, with a copy of the source in which time is short. */
export async function runInboxRounds(options: InboxRunOptions): Promise<InboxRunResult> {
  const { signal, say, processes } = options;
  const copy = copySource(options.root);
  const rounds: InboxRoundResult[] = [];
  const findings: Finding[] = [];
  const find = (found: readonly Finding[]): void => {
    findings.push(...found);
    for (const { kind, what } of found.slice(0, TOLD)) say(`  ${kind}: ${what}`);
    if (found.length > TOLD) say(`  … and ${found.length - TOLD} more`);
  };
  let stand: Stand | undefined;
  let keep = true;
  try {
    applyPatches(copy, 'a broken copy', options.patches ?? []);
    hastenInbox(copy);
    stand = await startStand({ source: copy.source, processes, env: ENV });
    say(`logs and ledgers are in ${stand.folder}`);
    const context = { ...(await createLoader(stand, signal)), patienceMs: options.patienceMs ?? PATIENCE_MS };
    for (const plan of options.plans) {
      signal.throwIfAborted();
      const result = await playInboxRound(context, plan);
      rounds.push(result);
      say(toInboxLine(result));
      find(result.findings);
      if (options.enough(result.findings)) break;
    }
    if (options.patches === undefined) find(await settleInbox(context));
    find(await context.watch.finish(say));
    keep = options.keep || (findings.length > 0 && options.patches === undefined);
    return { rounds, findings };
  } finally {
    await stand?.close(keep && !signal.aborted);
    copy.remove();
  }
}

/** The people of the run, their accounts linked and read once; the first has a second place where messages are told. */
async function createLoader(stand: Stand, signal: AbortSignal): Promise<Omit<InboxContext, 'patienceMs'>> {
  const linked = await linkPlaces(stand).catch((cause: unknown) => {
    throw new Error(`nobody could be linked; Peyk's last words: ${lastWords(stand)}`, { cause });
  });
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
  const keys = linked.map(({ account }) => account.apiKey ?? account.token ?? '');
  return {
    stand,
    places,
    marking: new Set([marking.account.username]),
    watch: createWatch(stand, keys),
    signal,
    seen: { inbound: stored.at(-1)?.id ?? 0, messages: new Map(), fetches: new Map() },
  };
}
