import type { Sending } from './sending.ts';
import { nameOf, type Wanted } from './wanted.ts';
import { keyOf, short, type AttemptFact, type DraftFact, type Line } from './facts.ts';
import type { Acceptance } from './gateway-oracle.ts';

/** What must never be: each with words for whoever looks into it. */
export interface Finding {
  readonly kind:
    | 'lost'
    | 'doubled'
    | 'wrong'
    /** What left although nobody had ordered it yet, somebody had taken the order back, or a rule of the chat forbids it. */
    | 'unordered'
    | 'stuck'
    | 'card'
    | 'replay'
    | 'secret'
    | 'crash'
    /** A row in a state that nothing leads out of: not in a count, behind no button, never sent. */
    | 'stranded'
    /** A command that was taken in, and led to nothing: no draft, no word, no log of a word that got lost. */
    | 'silent'
    /** A card of an open draft whose Send does nothing, pressed in the calm. */
    | 'dead'
    /** A received message that was stored, and that a place was never told of. */
    | 'untold'
    /** Marked read at the gateway although nobody wants that. */
    | 'marked'
    /** Work that a killed process left, and that nobody took up for half a minute. */
    | 'slow'
    /** A call whose outcome nobody knows although nothing but orderly stops has happened. */
    | 'unknown'
    /** A process that did not end in order, or one that did not become ready. */
    | 'restart'
    /** What should have happened while a job was under way, and the job had ended before. */
    | 'early'
    /** A round in which nobody sent anything: it shows nothing. */
    | 'idle';
  /** Recipients, or one. */
  readonly count: number;
  readonly what: string;
}

export interface Tally {
  confirmed: number;
  accepted: number;
  unknown: number;
  /** Of the unknown ones, those that the gateway has. */
  unknownTaken: number;
  notSent: number;
}

const TAKEN: ReadonlySet<string> = new Set(['accepted', 'sent']);
const ENDED: ReadonlySet<string> = new Set(['done', 'stopped', 'undone']);
const NOT_TAKEN: ReadonlySet<string> = new Set(['rejected', 'not_sent', 'planned']);

/** Holds what the database says of a round's sends against what people asked for and what the gateway's ledger has. */
export function checkSends(
  sendings: readonly Sending[],
  drafts: readonly DraftFact[],
  acceptances: readonly Acceptance[],
): { findings: Finding[]; tally: Tally } {
  const findings: Finding[] = [];
  const find = (kind: Finding['kind'], count: number, what: string): void => {
    if (count > 0) findings.push({ kind, count, what });
  };
  const commands = countBy(sendings, ({ wanted }) => nameOf(wanted));
  for (const [name, asked] of commands) {
    const made = drafts.filter(({ says, aside }) => says.includes(name) && !aside).length;
    find('doubled', made - asked, `${made} drafts of ${asked} commands «${name}»`);
  }

  const accountOf = new Map(sendings.map(({ place }) => [place.chat, place.account.username]));
  const wantedOf = new Map(sendings.map(({ wanted }) => [nameOf(wanted), wanted]));
  for (const draft of drafts) {
    if (draft.job === null) continue;
    const wanted = [...wantedOf].find(([name]) => draft.says.includes(name))?.[1] ?? [];
    compareLines(find, wanted, accountOf.get(draft.chat) ?? '', draft.job);
    if (ENDED.has(draft.job.state)) continue;
    find('lost', wanted.length, `job ${draft.job.id} is ${draft.job.state} for ever`);
  }

  const byKey = groupByKey(drafts, accountOf, ({ state }) => state !== 'closed');
  const taken = timesByKey(acceptances);
  const tally: Tally = { confirmed: 0, accepted: 0, unknown: 0, unknownTaken: 0, notSent: 0 };
  for (const [key, held] of byKey) {
    const times = taken.get(key) ?? [];
    const said = held.filter(({ state }) => TAKEN.has(state));
    const refused = held.filter(({ state }) => NOT_TAKEN.has(state));
    const unknown = held.length - said.length - refused.length;
    tally.confirmed += held.length;
    tally.accepted += said.length;
    tally.notSent += refused.length;
    tally.unknown += unknown;
    tally.unknownTaken += Math.min(unknown, Math.max(0, times.length - said.length));
    find(
      'doubled',
      times.length - held.length,
      `accepted ${times.length} times, wanted ${held.length}: ${key}`,
    );
    find('wrong', said.length - times.length, `called accepted, and the gateway has it not: ${key}`);
    const most = said.length + unknown;
    if (times.length <= held.length && times.length > most)
      find('wrong', times.length - most, `called ${refused[0]?.state}, and the gateway has it: ${key}`);
    checkWriteAhead(find, key, held, times);
  }
  for (const [key, times] of taken) {
    if (!byKey.has(key)) find('wrong', times.length, `the gateway has what nobody confirmed: ${key}`);
  }
  return { findings, tally };
}

/** A round has to show something: one in which nothing was confirmed is a failure of the storm, or of Peyk. */
export function checkBusy({ confirmed }: Tally): Finding[] {
  return confirmed > 0 ? [] : [{ kind: 'idle', count: 1, what: 'nothing was confirmed' }];
}

/** Every acceptance follows the commit that let it out. */
function checkWriteAhead(
  find: (kind: Finding['kind'], count: number, what: string) => void,
  key: string,
  held: readonly AttemptFact[],
  times: readonly number[],
): void {
  const commits = held.flatMap(({ onWireMs }) => (onWireMs === null ? [] : [onWireMs])).sort((a, b) => a - b);
  // What comes beyond is doubled, and counted as that.
  const acceptances = [...times].sort((a, b) => a - b).slice(0, held.length);
  // The ledger's clock has whole milliseconds.
  const bare = acceptances.filter((at, index) => Math.floor(commits[index] ?? Number.POSITIVE_INFINITY) > at);
  find('wrong', bare.length, `accepted before it was committed as on the wire: ${key}`);
}

function compareLines(
  find: (kind: Finding['kind'], count: number, what: string) => void,
  wanted: readonly Wanted[],
  account: string,
  job: NonNullable<DraftFact['job']>,
): void {
  const keys = (line: Line): string => keyOf(account, line);
  const had = countBy(
    job.attempts.flatMap(({ lines }) => lines),
    keys,
  );
  const asked = countBy(wanted, keys);
  // Who is blocked stands in it until the moment in which it would leave.
  const due = countBy(
    wanted.filter(({ blocked }) => blocked !== true),
    keys,
  );
  const missing = [...due].filter(([key, count]) => (had.get(key) ?? 0) < count);
  const extra = [...had].filter(([key, count]) => (asked.get(key) ?? 0) < count);
  find('lost', missing.length, `job ${job.id} has no attempt for ${missing[0]?.[0]}`);
  find('doubled', extra.length, `job ${job.id} has more than was asked for: ${extra[0]?.[0]}`);
}

/** When the gateway accepted each message, epoch ms. */
function timesByKey(acceptances: readonly Acceptance[]): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const { account, recipients, at, ...message } of acceptances) {
    for (const recipient of recipients) {
      const key = keyOf(account, { ...message, recipient: short(recipient) });
      times.set(key, [...(times.get(key) ?? []), at]);
    }
  }
  return times;
}

function groupByKey(
  drafts: readonly DraftFact[],
  accountOf: ReadonlyMap<number, string>,
  fits: (attempt: AttemptFact) => boolean,
): Map<string, AttemptFact[]> {
  const groups = new Map<string, AttemptFact[]>();
  for (const { chat, job } of drafts) {
    const account = accountOf.get(chat) ?? '';
    for (const attempt of job?.attempts.filter(fits) ?? []) {
      for (const line of attempt.lines) {
        const key = keyOf(account, line);
        groups.set(key, [...(groups.get(key) ?? []), attempt]);
      }
    }
  }
  return groups;
}

function countBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}
