import { Secret } from '../../src/domain/secret.ts';
import { createGateway } from '../../src/gateway/compose.ts';
import type { GatewayCredentials, GatewayVersion, SmsGateway } from '../../src/ports/gateway.ts';
import { startSandbox } from '../../src/sandbox/server.ts';

export interface Account {
  readonly title: string;
  readonly version: GatewayVersion;
  readonly credentials: GatewayCredentials;
}

const freshKey = { apiKey: new Secret('fresh-key') };
const freshToken = { token: new Secret('fresh-token') };
const freshPair = { username: 'fresh', password: new Secret('fresh-pass') };

/** An account without messages, phonebooks or blocked numbers, by the same roads as {@link ACCOUNTS}. */
export const FRESH: readonly Account[] = [
  { title: 'version 3 by key', version: 3, credentials: freshKey },
  { title: 'version 3 by user name', version: 3, credentials: freshPair },
  { title: 'version 4 by key', version: 4, credentials: freshKey },
  { title: 'version 1 by token', version: 1, credentials: freshToken },
  { title: 'version 1 by user name', version: 1, credentials: freshPair },
];

/** Its lines. */
export const FRESH_LINE = '300044441';
export const FRESH_LINE_2 = '300044442';

const key = { apiKey: new Secret('sandbox-key-demo') };
const pair = { username: 'demo', password: new Secret('demo-pass') };
const token = { token: new Secret('sandbox-token-demo') };

/** Every version with every kind of credential that the interface lists for it. */
export const ACCOUNTS: readonly Account[] = [
  { title: 'version 3 by key', version: 3, credentials: key },
  { title: 'version 3 by user name', version: 3, credentials: pair },
  { title: 'version 4 by key', version: 4, credentials: key },
  { title: 'version 1 by token', version: 1, credentials: token },
  { title: 'version 1 by user name', version: 1, credentials: pair },
];

/** Versions 3 and 4, which alone have listings, counts, inbox and blacklist. */
export const FRESH_REST = FRESH.filter(({ version }) => version !== 1);

/** The same for the account that is locked. */
export const LOCKED: readonly Account[] = [
  { title: 'version 3', version: 3, credentials: { apiKey: new Secret('sandbox-key-locked') } },
  { title: 'version 4', version: 4, credentials: { apiKey: new Secret('sandbox-key-locked') } },
  { title: 'version 1', version: 1, credentials: { token: new Secret('sandbox-token-locked') } },
];

/** The clock of a new bench, in epoch seconds. */
export const START = 1_700_000_000;

export interface Bench {
  open(account: Pick<Account, 'version' | 'credentials'>): SmsGateway;
  /** An account by each of the roads of a table, with credentials of its own. */
  openAll(
    roads: readonly Account[],
    account: {
      readonly username: string;
      readonly password: string;
      readonly apiKey: string;
      readonly token: string;
    },
  ): readonly SmsGateway[];
  /** Moves the gateway's clock forward. */
  advance(seconds: number): void;
  /** Sends that the gateway accepted since the last call. */
  acceptedSends(): Promise<readonly { readonly text: string; readonly recipients: readonly string[] }[]>;
  admin(path: string, body: object): Promise<void>;
  /** Makes the account of {@link FRESH}. */
  addFresh(): Promise<void>;
  close(): Promise<void>;
}

/** A sandbox gateway of its own, with a clock that stands still until it is moved. */
export async function startBench(): Promise<Bench> {
  let clock = START * 1_000;
  let seen = 0;
  const sandbox = await startSandbox({ port: 0, wsPort: 0, adminPort: 0, now: () => clock });
  const adminUrl = sandbox.adminUrl ?? '';
  const opened: SmsGateway[] = [];
  const admin = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${adminUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`admin ${path}: ${await answer.text()}`);
  };
  const open: Bench['open'] = ({ version, credentials }) => {
    const { baseUrl, wsUrl } = sandbox;
    const gateway = createGateway({ baseUrl, wsUrl, versions: [version], credentials });
    opened.push(gateway);
    return gateway;
  };
  return {
    open,
    openAll: (roads, { username, password, apiKey, token }) =>
      roads.map(({ version, credentials }) =>
        open({
          version,
          credentials: {
            ...(credentials.apiKey === undefined ? {} : { apiKey: new Secret(apiKey) }),
            ...(credentials.token === undefined ? {} : { token: new Secret(token) }),
            ...(credentials.username === undefined ? {} : { username, password: new Secret(password) }),
          },
        }),
      ),
    advance(seconds) {
      clock += seconds * 1_000;
    },
    async acceptedSends() {
      const answer = await fetch(`${adminUrl}/ledger?kind=send`);
      const body: unknown = await answer.json();
      const all = sendsIn(body);
      const fresh = all.slice(seen);
      seen = all.length;
      return fresh;
    },
    admin,
    async addFresh() {
      await admin('/accounts', {
        username: 'fresh',
        password: 'fresh-pass',
        apiKey: 'fresh-key',
        token: 'fresh-token',
        lines: [FRESH_LINE, FRESH_LINE_2],
        credit: 1_000_000,
      });
    },
    async close() {
      await Promise.all(opened.map((gateway) => gateway.close()));
      await sandbox.close();
    },
  };
}

function sendsIn(body: unknown): { text: string; recipients: readonly string[] }[] {
  const records = Array.isArray(body)
    ? body
    : Object.values(body ?? {}).find((value) => Array.isArray(value));
  return (records ?? []) as { text: string; recipients: readonly string[] }[];
}
