import type { Json } from '../json.ts';
import { writeJson } from '../json.ts';
import type { ApiVersion, Described } from '../versions/api-version.ts';
import { BLOCKED, EXAMPLE_TIME, LINE, NUMBER } from '../versions/shapes.ts';
import { DEFAULT_ACCOUNTS } from '../world/default-accounts.ts';
import { createLedger } from '../world/ledger.ts';
import { isRefusal } from '../world/refusal.ts';
import { sendForeign } from '../world/send.ts';
import { createWorld } from '../world/world.ts';
import type { World } from '../world/world.ts';

const SETTLED_MS = 60_000;

/** The call of an example. `path` has all before the host, `body` is there where the method has one. */
export type ExampleCall = {
  readonly method: Described['method'];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, Json>>;
  readonly body?: string;
};

/** The clock of the examples' sandbox, epoch ms. */
export const exampleNow = (): number => EXAMPLE_TIME * 1000;

/** What an example finds in a new sandbox: a message that was delivered, whose id this gives, and a blocked number. */
export function prepareExample(world: World): bigint {
  const account = world.account('demo');
  if (account === undefined) throw new Error('examples need the account demo');
  const request = { from: LINE, recipients: [NUMBER], message: 'Hello', flash: false };
  const sent = sendForeign(world, account, request);
  if (isRefusal(sent)) throw new Error(`the first message was refused: ${sent.refused}`);
  account.blacklist.add(LINE, [BLOCKED], { setter: account.username, at: world.now() });
  world.advance(SETTLED_MS);
  return sent.firstId;
}

/** The call of an operation's example, as its version writes it, with the credentials of `demo`. */
export function exampleCall(version: ApiVersion, row: Described, messageId: bigint): ExampleCall {
  const { example = {} } = row;
  const parameters = typeof example === 'function' ? example(messageId) : example;
  const inPath = new Set<string>();
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(plain(parameters[name] ?? ''));
  });
  const rest = Object.entries(parameters).filter(([name]) => !inPath.has(name));
  const credential = version.version === 1 ? 'sandbox-token-demo' : 'sandbox-key-demo';
  const [[place] = []] = version.table.credentialPlaces;
  if (place === undefined) throw new Error('a version has credentials');
  const key = place.in === 'query' ? [[place.name, credential]] : [];
  const fields = row.method === 'GET' ? rest.map(([name, value]) => [name, plain(value)]) : [];
  const query = new URLSearchParams([...key, ...fields]).toString();
  return {
    method: row.method,
    path: `/${version.prefix.join('/')}${path}${query === '' ? '' : `?${query}`}`,
    headers: place.in === 'header' ? { [place.name.toLowerCase()]: credential } : {},
    parameters,
    ...(row.method === 'GET' || rest.length === 0 ? {} : { body: writeJson(Object.fromEntries(rest)) }),
  };
}

/** Runs the example of an operation in a world of its own, where it is always the same time. */
export function runExample(version: ApiVersion, row: Described): { call: ExampleCall; answer: Json } {
  const keep = { keepMessages: 10, keepRecipients: 10 };
  const world = createWorld({
    accounts: DEFAULT_ACCOUNTS,
    now: exampleNow,
    deliveryMs: 1000,
    ledger: createLedger({ keep: 1 }),
    ...keep,
  });
  const call = exampleCall(version, row, prepareExample(world));
  const { pathname, searchParams } = new URL(call.path, 'http://gateway');
  const request = {
    method: call.method,
    path: pathname.split('/').slice(1 + version.prefix.length),
    query: searchParams,
    headers: call.headers,
    loose: [],
  };
  const { answer, refused } = version.open(world, request).execute(call.body ?? '');
  if (refused !== null) throw new Error(`the example of ${row.name} is refused: ${refused.refused}`);
  return { call, answer };
}

/** A value as a query has it. */
function plain(value: Json): string {
  return [value]
    .flat()
    .map((one) => (typeof one === 'string' ? one : writeJson(one)))
    .join(',');
}
