import type { Neighbour } from '../pages/neighbour.ts';
import { createAdmin } from './admin.ts';
import { createFaults } from './striking.ts';
import type { FaultRule } from './faults.ts';
import type { Faults } from './striking.ts';
import { createGateway } from './gateway.ts';
import { jsonAnswer, listen } from './http.ts';
import type { Unreadable } from './http.ts';
import { createJournal } from './journal.ts';
import type { Exchange, Journal } from './journal.ts';
import { noteUnreadable } from './note.ts';
import { createVersion1 } from './versions/v1.ts';
import { createVersion3 } from './versions/v3.ts';
import { createVersion4 } from './versions/v4.ts';
import type { AccountSeed } from './world/account-seed.ts';
import { DEFAULT_ACCOUNTS } from './world/default-accounts.ts';
import { DEMO_ACCOUNTS, liveDemoWeek } from './world/demo-week.ts';
import { addFreshAccount } from './world/fresh-account.ts';
import { createLedger } from './world/ledger.ts';
import type { Ledger, LedgerRecord } from './world/ledger.ts';
import { refuse } from './world/refusal.ts';
import type { ShapeName } from './shapes.ts';
import type { SwitchesChange } from './world/switches.ts';
import { createWorld } from './world/world.ts';
import type { World } from './world/world.ts';

export type SandboxOptions = {
  /** Port of versions 4 and 3; 0 or absent takes a free one. */
  readonly port?: number | undefined;
  /** Port of version 1; 0 or absent takes a free one. */
  readonly wsPort?: number | undefined;
  /** Port of the admin interface and the page, which are off when this is absent; 0 takes a free one. */
  readonly adminPort?: number | undefined;
  /** Another page of this machine that the page leads to, once there is one. */
  readonly beside?: () => Neighbour | undefined;
  /** Where to listen; only this machine reaches the default, 127.0.0.1. */
  readonly host?: string | undefined;
  /** The same of the admin interface and the page; where `host` says unless given. */
  readonly adminHost?: string | undefined;
  readonly accounts?: readonly AccountSeed[] | undefined;
  /** The demo account has a week behind it: sends, what they cost, received messages. For the default accounts. */
  readonly demoWeek?: boolean;
  /** Epoch ms; the world's own clock stands on it. */
  readonly now?: () => number;
  /** Seconds from acceptance until the last recipient has settled. */
  readonly deliverySeconds?: number | undefined;
  /** Bad habits of lists, kept through a reset. */
  readonly switches?: SwitchesChange | undefined;
  /** The switch `strict`: refuses what a real gateway may refuse, as loose types, wrong credentials beside right ones, odd addresses. */
  readonly strict?: boolean | undefined;
  /** The switch `shapes`: what answers look like where the interface is silent (`shapes.ts`). */
  readonly shapes?: readonly ShapeName[] | undefined;
  /** Rules of fault injection from the start; a reset clears them. */
  readonly faults?: readonly FaultRule[] | undefined;
  /** A file that the ledger is appended to, as JSON lines; sends are synced to the disk before the answer. */
  readonly ledgerFile?: string | undefined;
  /** How many records of each kind the ledger keeps in memory, calls and recipients an account's outbox, exchanges the journal. */
  readonly keep?: { ledger?: number; messages?: number; recipients?: number; exchanges?: number };
  /** Called with every record of the ledger. */
  readonly onEvent?: (record: LedgerRecord) => void;
  /** Called with every exchange of the journal. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Called with what should never happen: an operation that threw. */
  readonly onCrash?: (error: unknown) => void;
};

export type Sandbox = {
  /** Base address of versions 4 and 3: `{baseUrl}/api/v4/…`, `{baseUrl}/api/v3/rest/…`; version 1 is served there too. */
  readonly baseUrl: string;
  /** Base address of version 1, as the service has one of its own: `{wsUrl}/api/v1/rest/…`. */
  readonly wsUrl: string;
  readonly adminUrl?: string;
  readonly world: World;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly faults: Faults;
  /** An account that no other test has, by its credentials; what is given of it stands. */
  freshAccount(given?: Parameters<typeof addFreshAccount>[1]): ReturnType<typeof addFreshAccount>;
  /** Cuts every connection, ends what hangs, closes the ledger. May be called twice. */
  close(): Promise<void>;
};

const KEEP = { ledger: 10_000, messages: 10_000, recipients: 250_000, exchanges: 1_000 };
const DELIVERY_SECONDS = 4;

/** Starts the sandbox gateway on the loopback interface: all versions, one world, no state on disk. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  const keep = { ...KEEP, ...options.keep };
  const closing = new AbortController();
  const { onCrash = () => undefined } = options;
  const ledger = createLedger({ keep: keep.ledger, file: options.ledgerFile, onRecord: options.onEvent });
  const journal = createJournal({ keep: keep.exchanges });
  if (options.onExchange !== undefined) journal.subscribe(options.onExchange);
  const opened: { close(): Promise<void> }[] = [];

  async function close(): Promise<void> {
    closing.abort();
    await Promise.all(opened.splice(0).map((server) => server.close()));
    ledger.close();
  }

  try {
    const world = createWorld({
      accounts: options.accounts ?? (options.demoWeek === true ? DEMO_ACCOUNTS : DEFAULT_ACCOUNTS),
      now: options.now ?? Date.now,
      deliveryMs: (options.deliverySeconds ?? DELIVERY_SECONDS) * 1000,
      keepMessages: keep.messages,
      keepRecipients: keep.recipients,
      ledger,
      switches: {
        ...options.switches,
        strict: options.strict ?? options.switches?.strict,
        shapes: options.shapes === undefined ? options.switches?.shapes : [...options.shapes],
      },
      lived: options.demoWeek === true ? { account: 'demo', live: liveDemoWeek } : undefined,
    });
    const [rest, ws] = [[createVersion4(), createVersion3()] as const, [createVersion1()] as const];
    const accounts = () => world.accounts().map(({ username }) => username);
    const faults = createFaults({ versions: [...rest, ...ws], accounts });
    for (const rule of options.faults ?? []) faults.add(rule);
    const serve = async (
      port: number | undefined,
      versions: Parameters<typeof createGateway>[0]['versions'],
    ) => {
      const onRequest = createGateway({ versions, world, journal, faults, closing: closing.signal, onCrash });
      const unreadable = (what: Unreadable) => {
        const refusal = refuse(what === 'too_long' ? 'address_too_long' : 'bad_request');
        const answer = versions[0].refuse(refusal);
        // What was cut short is noted where its body was read.
        if (what !== 'cut_short') noteUnreadable({ world, journal }, refusal, jsonAnswer(answer, 400));
        return answer;
      };
      const server = await listen({ host, port: port ?? 0, onRequest, unreadable });
      opened.push(server);
      return server.url;
    };
    const baseUrl = await serve(options.port, [...rest, ...ws]);
    const wsUrl = await serve(options.wsPort, ws);
    const freshAccount: Sandbox['freshAccount'] = (given) => addFreshAccount(world, given);
    const sandbox = { baseUrl, wsUrl, world, ledger, journal, faults, freshAccount, close };
    if (options.adminPort === undefined) return sandbox;
    const admin = await listen({
      host: options.adminHost ?? host,
      port: options.adminPort,
      onRequest: createAdmin({ world, ledger, journal, faults, beside: options.beside }),
      unreadable: () => ({ error: 'not an HTTP request' }),
    });
    opened.push(admin);
    return { ...sandbox, adminUrl: admin.url };
  } catch (error) {
    await close();
    throw error;
  }
}
