import { AppError } from '../../src/domain/errors.ts';
import type {
  BlacklistResult,
  DeliveryState,
  Facets,
  FacetName,
  SendAnswer,
  SendHooks,
  SendRequest,
  SentMessage,
  SmsGateway,
} from '../../src/ports/gateway.ts';
import type { Gateways } from '../../src/ports/gateways.ts';
import type { Draws } from './draws.ts';
import { EPOCH_MS, type Scheduler } from './scheduler.ts';

/** A message that the gateway has taken: what really happened. */
export interface Taken {
  readonly account: string;
  readonly call: number;
  readonly id: string;
  readonly line: string;
  readonly recipient: string;
  readonly text: string;
  readonly flash: boolean;
  /** In ms since the simulation began. */
  readonly at: number;
  /** When lists show it. */
  readonly listedAt: number;
  readonly endsAt: number;
  readonly ending: 'delivered' | 'failed';
}

/** How the gateway behaves in one play. */
export interface GatewayTemper {
  /** How likely an answer to a send, or the call itself, is lost; a connection is refused; a call is refused; a read fails. */
  readonly loses: number;
  readonly refusesConnections: number;
  readonly refusesCalls: number;
  readonly failsReads: number;
  /** Ids are given to each recipient, and not once to a call. */
  readonly idEach: boolean;
  /** Its clock is ahead by so many seconds. */
  readonly aheadSeconds: number;
  /** A list has at most so many rows. */
  readonly listed: number;
  /** So many messages of other programs leave by each account meanwhile. */
  readonly others: number;
  readonly countsRecipients: boolean;
  /** The account can read what it has sent. */
  readonly hasLists: boolean;
  /** For so long its lists and counts stay as they were: somebody reads from a copy that lags behind. In ms. */
  readonly stale: { readonly at: number; readonly ms: number } | null;
  readonly blocked: readonly string[];
}

export interface SimulatedGateway {
  readonly taken: readonly Taken[];
  /** Who was told that a call was accepted, and of what. */
  readonly told: readonly {
    readonly owner: string;
    readonly leftAt: number;
    readonly rows: readonly Taken[];
  }[];
  /** The accounts as one process reaches them. */
  for(owner: string): Gateways;
  /** From now on it answers everything, at once and truly. */
  calm(): void;
}

/** A process, and the account by which it calls. */
interface Caller {
  readonly owner: string;
  readonly account: string;
}

/** What an account without version 3 or 4 cannot read. */
const LISTS: ReadonlySet<FacetName> = new Set(['outbox', 'details', 'counts', 'blacklist']);
const FENCE_MS = 2000;
const DEADLINE_MS = 60_000;
/** What lists show late, and when a call that nobody waits for has come to its end: the product counts on 120 s. */
const LAG_MS = 90_000;

const STATES: Record<'waiting' | 'delivered' | 'failed', DeliveryState> = {
  waiting: { raw: 1, text: '', kind: 'waiting' },
  delivered: { raw: 10, text: '', kind: 'delivered' },
  failed: { raw: 5, text: '', kind: 'failed' },
};

/** A gateway that loses, delays and refuses, and keeps a ledger of what it has taken. */
export function createGateway(
  scheduler: Scheduler,
  draws: Draws,
  temper: GatewayTemper,
  {
    accounts,
    accountOf,
    leaves,
  }: {
    readonly accounts: readonly [string, ...string[]];
    /** The gateway's user of a binding. */
    readonly accountOf: (bindingId: string) => string;
    /** The first byte of a call is written. */
    readonly leaves: (account: string, request: SendRequest) => void;
  },
): SimulatedGateway {
  const taken: Taken[] = [];
  const told: { readonly owner: string; readonly leftAt: number; readonly rows: readonly Taken[] }[] = [];
  const others: Taken[] = [];
  let [isCalm, calls] = [false, 0];

  const goesWrong = (name: string, likely: number): boolean => draws.happens(name, likely) && !isCalm;
  const soon = (name: string): number => 20 + draws.of(name) ** 4 * (isCalm ? 300 : 3000);
  const seconds = (ms: number): number => Math.floor((EPOCH_MS + ms) / 1000) + temper.aheadSeconds;

  /** The call is carried out, whoever still waits for it. */
  function take(account: string, { line, recipients, text, flash }: SendRequest, call: number): Taken[] {
    const at = scheduler.now();
    const listedAt = at + (draws.happens('lag', 0.3) && !isCalm ? draws.of('lag-ms') * LAG_MS : 0);
    return recipients.map((recipient, nth): Taken => {
      const id = String(2_000_000_000_000_000_000n + BigInt(call * 1000 + (temper.idEach ? nth : 0)));
      const ending = draws.happens('ending', 0.1) ? 'failed' : 'delivered';
      const endsAt = at + 2000 + draws.of('ending-ms') ** 3 * 40_000;
      return { account, call, id, line, recipient, text, flash, at, listedAt, endsAt, ending };
    });
  }

  async function send(
    { owner, account }: Caller,
    request: SendRequest,
    { beforeWrite }: SendHooks,
  ): Promise<SendAnswer> {
    await scheduler.wait(owner, soon('dial'), 'dial');
    if (goesWrong('dials', temper.refusesConnections)) return { outcome: 'not_sent', reason: 'refused' };
    if (beforeWrite !== undefined && !(await passes(owner, beforeWrite)))
      return { outcome: 'not_sent', reason: 'fence' };
    leaves(account, request);
    const leftAt = scheduler.now();
    calls += 1;
    const call = calls;
    const lost = goesWrong('lost', temper.loses);
    const fate = lost
      ? draws.pick('fate', ['never', 'taken', 'late', 'garbage'])
      : goesWrong('refused', temper.refusesCalls)
        ? 'refused'
        : 'answered';
    const effectMs = fate === 'late' ? draws.of('late-ms') * LAG_MS : soon('effect');
    const raw = '';
    if (fate === 'refused') {
      await scheduler.wait(owner, effectMs, 'a refusal');
      const name = draws.pick('why', ['invalid_line', 'no_recipient', 'insufficient_credit'] as const);
      const code = { invalid_line: 23, no_recipient: 25, insufficient_credit: 22 }[name];
      return { outcome: 'rejected', code, table: 'sending', name, text: '', raw };
    }
    let rows: Taken[] = [];
    if (fate !== 'never' && (fate !== 'garbage' || draws.happens('garbage', 0.5)))
      scheduler.after(null, effectMs, 'a call is carried out', () =>
        taken.push(...(rows = take(account, request, call))),
      );
    const answerMs = fate === 'answered' ? effectMs + soon('answer') : soon('answer') * 20;
    if (fate === 'late' || fate === 'never' || answerMs > DEADLINE_MS) {
      await scheduler.wait(
        owner,
        fate === 'never' ? Math.min(answerMs, DEADLINE_MS) : DEADLINE_MS,
        'no answer',
      );
      return { outcome: 'unknown', reason: 'timeout', stage: 'answer', raw };
    }
    await scheduler.wait(owner, Math.max(answerMs, effectMs + 1), 'an answer');
    if (fate !== 'answered')
      return {
        outcome: 'unknown',
        reason: fate === 'garbage' ? 'unreadable' : 'reset',
        stage: 'complete',
        raw,
      };
    const [first, ...others] = temper.idEach
      ? rows.map(({ id, recipient }) => ({ id, recipient }))
      : rows.slice(0, 1).map(({ id }) => ({ id }));
    if (first === undefined) throw new Error('an accepted call has an id');
    told.push({ owner, leftAt, rows });
    return { outcome: 'accepted', messageIds: [first, ...others], raw };
  }

  /** As the client asks the fence: for two seconds at most, and it comes back when the answer has come all the same. */
  async function passes(owner: string, beforeWrite: () => Promise<boolean>): Promise<boolean> {
    const began = scheduler.now();
    const asked = beforeWrite().catch(() => false);
    const inTime = await Promise.race([asked, scheduler.wait(owner, FENCE_MS, 'the fence')]);
    // One that was frozen meanwhile finds its answer, and its time over.
    if (inTime !== undefined) return inTime && scheduler.now() - began <= FENCE_MS;
    await Promise.race([asked, scheduler.wait(owner, DEADLINE_MS - FENCE_MS, 'the fence, late')]);
    return false;
  }

  async function read<T>(owner: string, name: string, look: () => T): Promise<T> {
    await scheduler.wait(owner, soon(name) / 2, name);
    if (goesWrong(`${name} fails`, temper.failsReads))
      throw new AppError('gateway_no_answer', 'the simulated gateway does not answer');
    const seen = look();
    await scheduler.wait(owner, soon(name) / 2, name);
    return seen;
  }

  const listed = (account: string): Taken[] =>
    [...others, ...taken]
      .filter((row) => row.account === account && row.listedAt <= shownUntil())
      .toSorted((one, other) => one.at - other.at);
  const shownUntil = (): number => {
    const [now, { stale }] = [scheduler.now(), temper];
    return stale !== null && now >= stale.at && now < stale.at + stale.ms ? stale.at : now;
  };
  const toMessage = ({ id, line, recipient, text, at, ...row }: Taken): SentMessage => ({
    id,
    line,
    recipient,
    text,
    date: seconds(at),
    state: STATES[row.endsAt <= scheduler.now() ? row.ending : 'waiting'],
  });
  const within = (account: string, from: number, to: number): Taken[] =>
    listed(account).filter(({ at }) => seconds(at) >= from && seconds(at) <= to);

  const facetsOf = ({ owner, account }: Caller): Partial<Facets> => ({
    sending: { send: async (request, hooks = {}) => await send({ owner, account }, request, hooks) },
    reports: {
      status: async (ids) =>
        await read(owner, 'status', () =>
          taken
            .filter((each) => each.account === account && ids.includes(each.id))
            .map((row) => toMessage(row)),
        ),
      latest: async () => await Promise.resolve(undefined),
    },
    details: {
      byIds: async (ids) =>
        await read(owner, 'details', () =>
          listed(account)
            .filter(({ id }) => ids.includes(id))
            .map(toMessage),
        ),
    },
    outbox: {
      inRange: async ({ from, to }) =>
        await read(owner, 'range', () => within(account, from, to).slice(0, temper.listed).map(toMessage)),
      newest: async (limit = 200) =>
        await read(owner, 'newest', () =>
          listed(account).toReversed().slice(0, Math.min(limit, temper.listed)).map(toMessage),
        ),
      byNumber: async ({ recipient, since }) =>
        await read(owner, 'by number', () =>
          within(account, since, Infinity)
            .filter((row) => row.recipient === recipient)
            .slice(-temper.listed)
            .map(toMessage),
        ),
    },
    counts: {
      sent: async ({ from, to }) =>
        await read(owner, 'count', () => {
          const rows = within(account, from, to);
          const messages = temper.countsRecipients ? rows.length : new Set(rows.map(({ id }) => id)).size;
          return { parts: rows.length, messages, cost: 0 };
        }),
      received: async () => await Promise.resolve(0),
    },
    blacklist: {
      blocked: async (_line, numbers) =>
        await read(owner, 'blacklist', () => numbers.filter((number) => temper.blocked.includes(number))),
      check: async () => await Promise.resolve([] as BlacklistResult[]),
      add: async () => await Promise.resolve([]),
      remove: async () => await Promise.resolve(),
      list: async () => await Promise.reject(new AppError('gateway_unsupported', 'not simulated')),
    },
  });

  const SOMEBODY = { line: '3000999999', recipients: ['989129999999'], text: 'Not ours', flash: false };
  for (let nth = 0; nth < temper.others; nth += 1)
    scheduler.after(null, draws.of('others') * 90_000, 'others send', () => {
      calls += 1;
      others.push(...take(draws.pick('whose', accounts), SOMEBODY, calls));
    });

  return {
    taken,
    told,
    calm: () => void (isCalm = true),
    for(owner) {
      const open = (account: string): SmsGateway => {
        const facets = facetsOf({ owner, account });
        return {
          has: (facet) => facet in facets && (temper.hasLists || !LISTS.has(facet)),
          use<F extends FacetName>(facet: F): Facets[F] {
            const found = facets[facet];
            if (found === undefined) throw new AppError('gateway_unsupported', 'not simulated');
            return found;
          },
          expect: () => undefined,
          versions: [3],
          close: async () => await Promise.resolve(),
        };
      };
      return {
        capabilities: () => ({ versions: [], has: () => true, missing: () => [] }),
        accepted: () => [],
        of: async (bindingId) => await Promise.resolve(open(accountOf(bindingId))),
        probe: () => open(''),
      };
    },
  };
}
