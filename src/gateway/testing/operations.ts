import { Secret } from '../../domain/secret.ts';
import type { Facets, GatewayVersion } from '../../ports/gateway.ts';
import { createCalls } from '../calls.ts';
import { createScrubber } from '../scrub.ts';
import { createV1Adapter } from '../v1/adapter.ts';
import { createV3Adapter } from '../v3/adapter.ts';
import { createV4Adapter } from '../v4/adapter.ts';
import { SEND, TEST_KEY } from './accounts.ts';

export const NEW_PASSWORD = 'canary-new-password';

const { line, recipients, text } = SEND;
const [recipient = ''] = recipients;
const range = { from: 0, to: 1 };
const at = { year: '1404', month: '1', day: '1', hour: '1', minute: '1' };
const pattern = { line, recipients: [recipient], patternId: '1', variables: {}, flash: false };
const book = { name: 'n', numbers: recipients, flag: 'f' };
const user = {
  userName: 'u',
  password: new Secret(NEW_PASSWORD),
  parent: 'demo',
  mobile: recipient,
  nationalCode: '0012345679',
  packageId: '1',
  reseller: false,
};
const messages = recipients.map((number) => ({ line, recipient: number, text, flash: false }));

/** Every operation by the name that logs and errors have, on an adapter that has it. */
export const OPERATIONS: readonly [string, (facets: Partial<Facets>) => Promise<unknown> | undefined][] = [
  ['send', (f) => f.sending?.send(SEND)],
  ['credit', (f) => f.credit?.credit()],
  ['account', (f) => f.account?.details()],
  ['latest', (f) => f.reports?.latest()],
  ['status', (f) => f.reports?.status(['7001', '7002'])],
  ['details', (f) => f.details?.byIds(['7001'])],
  ['multi', (f) => f.multi?.sendMany(messages)],
  ['pattern', (f) => f.pattern?.sendPattern(pattern)],
  ['future', (f) => f.futureSend?.sendLater({ ...SEND, at })],
  ['book_send', (f) => f.phonebookSend?.sendToBook({ ...SEND, bookId: '1' })],
  ['outbox', (f) => f.outbox?.inRange(range)],
  ['newest', (f) => f.outbox?.newest()],
  ['by_number', (f) => f.outbox?.byNumber({ recipient, since: 0 })],
  ['count_sent', (f) => f.counts?.sent(range)],
  ['count_received', (f) => f.counts?.received(range)],
  ['inbox', (f) => f.inbox?.fromOffset()],
  ['inbox_page', (f) => f.inbox?.page()],
  ['receive', (f) => f.inbox?.receive()],
  ['books', (f) => f.phonebookRead?.list()],
  ['book_by_name', (f) => f.phonebookRead?.byName('n')],
  ['book_numbers', (f) => f.phonebookRead?.numbers('1')],
  ['book_create', (f) => f.phonebookWrite?.create(book)],
  ['book_delete', (f) => f.phonebookWrite?.remove('1')],
  ['book_add', (f) => f.phonebookWrite?.addNumbers('1', recipients)],
  ['book_remove', (f) => f.phonebookWrite?.removeNumbers('1', recipients)],
  ['blacklist', (f) => f.blacklist?.list({ line })],
  ['blacklist_add', (f) => f.blacklist?.add(line, recipients)],
  ['blacklist_remove', (f) => f.blacklist?.remove(line, recipient)],
  ['blacklist_check', (f) => f.blacklist?.check(line, recipients)],
  ['blacklist_check', (f) => f.blacklist?.blocked(line, recipients)],
  ['register', (f) => f.registration?.register(user)],
];

/** What a version offers over a transport of the test. */
export function adapterOf(
  version: GatewayVersion,
  parts: Pick<Parameters<typeof createCalls>[0], 'transport' | 'log'>,
): Partial<Facets> {
  const scrub = createScrubber([new Secret(TEST_KEY)]);
  const calls = createCalls({ version, scrub, ...parts });
  if (version === 1) return createV1Adapter(calls, {});
  return version === 3 ? createV3Adapter(calls, {}) : createV4Adapter(calls, new Secret(TEST_KEY));
}
