import { inspect } from 'node:util';

import { afterEach, expect, test } from 'vitest';

import { Secret } from '../domain/secret.ts';
import { createGateway } from './compose.ts';
import { createScrubber } from './scrub.ts';
import { SEND, TEST_KEY } from './testing/accounts.ts';
import { answer, startRawServer } from './testing/raw-server.ts';
import type { Behaviour } from './testing/raw-server.ts';

const PASSWORD = 'canary p@ss/word';
const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  encodeURIComponent(secret).toLowerCase(),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('hex').toUpperCase(),
  Array.from(secret).toReversed().join(''),
  Array.from(secret, (character) => `&#${character.codePointAt(0)};`).join(''),
];
const NEW_PASSWORD = 'canary nëw/password';
const NEW_USER = {
  userName: 'newUser',
  password: new Secret(NEW_PASSWORD),
  parent: 'demo',
  mobile: '989120000001',
  nationalCode: '0012345679',
  packageId: '1',
  reseller: false,
};
const canaries = [TEST_KEY, PASSWORD, NEW_PASSWORD].flatMap(spellings);

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Everything that a log or a crash report could print of a value, the chain of causes included. */
function everythingOf(value: unknown): string {
  const parts = [inspect(value, { depth: 20, showHidden: true, getters: true }), JSON.stringify(value) ?? ''];
  for (let error = value; error instanceof Error; error = error.cause) {
    parts.push(error.message, error.stack ?? '', String(error));
  }
  return parts.join('\n');
}

/** Whether a request carries a secret, as it is or in its address. */
const holds = (request: string, secret: string): boolean => {
  const sent = Buffer.from(request, 'latin1').toString();
  return sent.includes(secret) || sent.includes(encodeURIComponent(secret));
};

const echo = (request: string): string => request.replaceAll('\r\n', ' ');

const faults: readonly (readonly [string, Behaviour])[] = [
  [
    'repeats the request in a refusal',
    {
      onRequest: (socket, request) =>
        answer(
          200,
          JSON.stringify({
            status: 400,
            message: echo(request),
            return: { status: 400, message: echo(request) },
          }),
        )(socket),
    },
  ],
  [
    'repeats the request as a page',
    { onRequest: (socket, request) => answer(500, `<pre>${request}</pre>`)(socket) },
  ],
  ['repeats the request as a broken answer', { onRequest: (socket, request) => socket.end(request) }],
  [
    'repeats the request in a header',
    {
      onRequest: (socket, request) => answer(302, '', { location: echo(request).slice(0, 300) })(socket),
    },
  ],
  [
    'spells the credentials otherwise',
    {
      onRequest: (socket, request) => {
        const known = [TEST_KEY, PASSWORD, NEW_PASSWORD].filter((secret) => holds(request, secret));
        const message = known.flatMap(spellings).join(' ');
        answer(200, JSON.stringify({ status: 401, return: { status: 401, message }, message }))(socket);
      },
    },
  ],
  ['resets', { onRequest: (socket) => socket.resetAndDestroy() }],
  ['hangs', { onRequest: () => {} }],
  ['closes at once', { onConnection: (socket) => socket.end() }],
];

test.each(faults)(
  'no credential is found in errors, answers and logs when the gateway %s',
  async (_title, behaviour) => {
    const server = await startRawServer(behaviour);
    closers.push(server.close);
    const printed: string[] = [];

    for (const version of [4, 3, 1] as const) {
      for (const withKey of [true, false]) {
        const pair = { username: 'demo', password: new Secret(PASSWORD) };
        const single = version === 1 ? { token: new Secret(TEST_KEY) } : { apiKey: new Secret(TEST_KEY) };
        if (version === 4 && !withKey) continue;
        const gateway = createGateway({
          baseUrl: server.url,
          wsUrl: server.url,
          versions: [version],
          credentials: withKey ? single : pair,
          log: (record) => printed.push(everythingOf(record)),
          timeouts: { readMs: 200, sendMs: 200 },
          random: () => 0,
        });
        closers.push(gateway.close);
        printed.push(everythingOf(gateway));
        printed.push(everythingOf(await gateway.use('sending').send(SEND)));
        const work = [
          gateway.use('credit').credit(),
          gateway.use('account').details(),
          gateway.use('reports').status(['1']),
          gateway.use('reports').latest(),
          gateway.use('registration').register(NEW_USER),
          ...(gateway.has('inbox') ? [gateway.use('inbox').receive()] : []),
        ];
        for (const settled of await Promise.allSettled(work)) {
          printed.push(everythingOf(settled.status === 'rejected' ? settled.reason : settled));
        }
      }
    }

    const all = printed.join('\n');
    for (const canary of canaries) expect(all).not.toContain(canary);
    expect(all).toContain('outcome');
  },
);

test('a credential that cannot travel is refused without being repeated', () => {
  const act = () =>
    createGateway({
      baseUrl: 'http://127.0.0.1:1',
      versions: [3],
      credentials: { apiKey: new Secret(`${TEST_KEY}\r\nx: y`) },
    });
  expect(act).toThrow(
    expect.objectContaining({ code: 'bad_input', params: { field: 'api_key', reason: 'not_printable' } }),
  );
  expect(act).not.toThrow(TEST_KEY);
});

test('scrubbing removes every spelling and leaves the rest', () => {
  const scrub = createScrubber([TEST_KEY, PASSWORD, NEW_PASSWORD].map((secret) => new Secret(secret)));
  expect(scrub(`before ${canaries.join(' | ')} after`)).toMatch(/^before (?:\*\*\* \| )+\*\*\* after$/);
});
