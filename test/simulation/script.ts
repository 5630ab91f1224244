import type { Draws } from './draws.ts';
import type { GatewayTemper } from './gateway.ts';

/** What people do, and what befalls the processes, at its time in ms. Any of them can be left out. */
export type Act = { readonly at: number } & (
  | {
      readonly does: 'prepare';
      readonly chat: number;
      readonly text: number;
      readonly recipients: readonly string[];
      /** To leave so many ms later; null: as soon as it is confirmed. */
      readonly later: number | null;
    }
  /** Somebody presses a button that stands in the chat, `sure`ly the one that goes on with the send; `twice`: and the press is brought to two processes. */
  | { readonly does: 'press'; readonly sure: boolean; readonly second: boolean; readonly twice: boolean }
  | { readonly does: 'halt' | 'go' }
  | Strike
  /** Nobody reaches the database. */
  | { readonly does: 'away'; readonly ms: number }
  | Loss
);

/** What befalls one process; `cut`: it alone does not reach the database, and its locks are free. */
export type Strike = { readonly process: number } & (
  | { readonly does: 'kill' | 'stop' }
  | { readonly does: 'freeze' | 'cut'; readonly ms: number }
);

/**
 * From the next statement of a name on the database loses everything, as it is seen so long after that: under who lives,
 * or the operator brings a copy back.
 */
export interface Loss {
  readonly at: number;
  readonly does: 'lose';
  readonly from: string;
  readonly ms: number;
  readonly by: 'failover' | 'operator';
  /** After that the operator lets sends go on. */
  readonly heldMs: number;
}

/** One play: everything that is given; all else follows from the seed. */
export interface Script {
  readonly seed: number;
  readonly processes: number;
  readonly loses: { readonly database: number; readonly telegram: number };
  readonly temper: GatewayTemper;
  readonly approvalParts: number | null;
  /** Another chat, and whether both have the same account at the gateway. */
  readonly secondChat: 'none' | 'same account' | 'own account';
  /** How far the clock of a process is off, in ms. */
  readonly skewMs: readonly number[];
  /** How long a send can be undone. */
  readonly undoSeconds: number;
  readonly acts: readonly Act[];
}

const NUMBERS: readonly string[] = Array.from(
  { length: 220 },
  (_, n) => `98912${String(n).padStart(7, '0')}`,
);
/** Most of what happens falls into the time in which calls are made. */
const LAST_ACT_MS = 60_000;

/** Draws a play. Most are short: what goes wrong mostly needs little, and a short history can be read. */
export function drawScript(seed: number, draws: Draws): Script {
  const often = (name: string): number => (draws.happens(`${name}?`, 0.5) ? draws.of(name) * 0.6 : 0);
  const at = (name: string): number => Math.floor(draws.of(name) ** 1.5 * LAST_ACT_MS);
  const processes = 1 + draws.below('processes', 3);
  const drafts = draws.pick('drafts', [1, 1, 1, 2, 2, 3]);
  const secondChat = draws.pick('second chat', ['none', 'none', 'same account', 'own account'] as const);
  const acts: Act[] = [];
  for (let n = 0; n < drafts; n += 1) {
    const many = draws.happens('many', 0.05) ? 201 + draws.below('how many', 5) : 1 + draws.below('few', 3);
    const from = draws.below('from', 3);
    acts.push({
      at: n === 0 ? 0 : at('prepare'),
      does: 'prepare',
      chat: secondChat === 'none' ? 0 : draws.below('chat', 2),
      text: draws.below('text', 2),
      recipients: NUMBERS.slice(from, from + many),
      later: draws.happens('later', 0.1) ? 60_000 + draws.below('later ms', 300_000) : null,
    });
  }
  const presses = drafts + draws.below('presses', 6);
  for (let n = 0; n < presses; n += 1) {
    const [second, twice] = [draws.happens('second', 0.3), draws.happens('twice', 0.1)];
    // Somebody goes on with what was prepared, sooner or later; what they do then is anything.
    const sure = n < drafts;
    acts.push({ at: 500 + at('press') * (sure ? 0.3 : 1), does: 'press', sure, second, twice });
  }
  if (draws.happens('switch', 0.1))
    acts.push({ at: at('halt'), does: 'halt' }, { at: at('go') + 5000, does: 'go' });
  const strikes = draws.happens('calm', 0.2) ? 0 : 1 + draws.below('strikes', 4);
  for (let n = 0; n < strikes; n += 1) {
    const does = draws.pick('strike', ['kill', 'kill', 'stop', 'freeze', 'cut', 'away'] as const);
    const ms = Math.floor(1000 + draws.of('strike ms') ** 3 * 100_000);
    const process = draws.below('struck', processes);
    const when = { at: at('strike at') };
    if (does === 'kill' || does === 'stop') acts.push({ ...when, does, process });
    else if (does === 'away') acts.push({ ...when, does, ms });
    else acts.push({ ...when, does, process, ms });
  }
  if (draws.happens('loss', 0.1)) {
    const lostAt = Math.floor(draws.of('lost at') ** 3 * LAST_ACT_MS);
    acts.push({
      at: lostAt,
      does: 'lose',
      from: draws.pick('lost from', [
        'fence',
        'fence',
        'fence',
        'reserve',
        'reserve',
        'record',
        'record reports',
        'look',
        'take',
        'take',
        'start',
      ]),
      ms: Math.floor(draws.of('lost ms') ** 3 * 10_000),
      by: draws.happens('a copy', 0.25) ? 'operator' : 'failover',
      heldMs: 3000 + draws.below('held ms', 60_000),
    });
    // And afterwards people go on.
    for (let n = 0; n < 4; n += 1) {
      const when = { at: lostAt + draws.below('pressed after', 120_000) };
      acts.push({
        ...when,
        does: 'press',
        sure: n < 2,
        second: draws.happens('second after', 0.3),
        twice: false,
      });
    }
  }
  return {
    seed,
    processes,
    loses: { database: often('database') / 12, telegram: often('telegram') },
    temper: {
      loses: often('gateway'),
      refusesConnections: often('connections'),
      refusesCalls: often('calls') / 4,
      failsReads: often('reads') / 2,
      idEach: draws.happens('id each', 0.5),
      aheadSeconds: draws.happens('ahead', 0.3) ? draws.below('ahead by', 600) - 300 : 0,
      listed: draws.happens('cut short', 0.3) ? 1 + draws.below('listed', 3) : 200,
      hasLists: !draws.happens('no lists', 0.15),
      others: draws.happens('others', 0.3) ? 1 + draws.below('how many others', 6) : 0,
      countsRecipients: draws.happens('counts', 0.7),
      stale: draws.happens('stale', 0.2)
        ? { at: draws.below('stale at', 60_000), ms: 200_000 + draws.below('stale ms', 90_000) }
        : null,
      blocked: draws.happens('blocked', 0.2) ? NUMBERS.slice(1, 2) : [],
    },
    secondChat,
    approvalParts: draws.happens('approval', 0.2) ? 1 : null,
    skewMs: Array.from({ length: processes }, () =>
      draws.happens('skewed', 0.2) ? draws.below('skew', 4000) - 2000 : 0,
    ),
    undoSeconds: draws.pick('undo', [0, 3, 10]),
    acts: acts.toSorted((one, other) => one.at - other.at),
  };
}
