import { Secret } from '../../src/domain/secret.ts';
import type { Facets } from '../../src/ports/gateway.ts';

export const KEY = 'canary-key-7f3A/9+z=';
const LINE = '3000123456';
const RECIPIENTS = ['989121110001', '989121110002'];
const TEXT = 'سلام، a text of \u06f2 lines\nand {braces} 😀';

/** What the operations are about; the sandbox has other ids than the ones that stand here. */
export interface Known {
  readonly id: string;
  readonly bookId: string;
}

const [RECIPIENT = ''] = RECIPIENTS;
const send = { line: LINE, recipients: RECIPIENTS, text: TEXT, flash: false };
const at = { year: '1405', month: '12', day: '1', hour: '10', minute: '30' };
const user = {
  userName: 'newuser1',
  password: new Secret('canary-Password-1'),
  parent: 'demo',
  mobile: RECIPIENT,
  nationalCode: '0012345679',
  packageId: '1',
  reseller: false,
};
const range = { from: 1_699_970_000, to: 1_700_030_000 };

type Operation = (facets: Partial<Facets>, known: Known) => Promise<unknown> | undefined;

/** Every call that Peyk makes, where an adapter has it. */
export const OPERATIONS = {
  send: (f) => f.sending?.send(send),
  sendMany: (f) => f.multi?.sendMany(RECIPIENTS.map((recipient) => ({ ...send, recipient }))),
  pattern: (f) =>
    f.pattern?.sendPattern({
      line: LINE,
      recipients: RECIPIENTS,
      patternId: '1',
      variables: { name: 'a' },
      flash: false,
    }),
  later: (f) => f.futureSend?.sendLater({ ...send, at }),
  toBook: (f, { bookId }) => f.phonebookSend?.sendToBook({ ...send, bookId }),
  credit: (f) => f.credit?.credit(),
  account: (f) => f.account?.details(),
  latest: (f) => f.reports?.latest(),
  status: (f, { id }) => f.reports?.status([id]),
  details: (f, { id }) => f.details?.byIds([id]),
  outbox: (f) => f.outbox?.inRange(range),
  newest: (f) => f.outbox?.newest(),
  byNumber: (f) => f.outbox?.byNumber({ recipient: RECIPIENT, since: range.from }),
  sent: (f) => f.counts?.sent(range),
  received: (f) => f.counts?.received(range),
  inbox: (f) => f.inbox?.fromOffset(),
  inboxPage: (f) => f.inbox?.page(),
  receive: (f) => f.inbox?.receive(),
  books: (f) => f.phonebookRead?.list(),
  bookByName: (f) => f.phonebookRead?.byName('friends'),
  bookNumbers: (f, { bookId }) => f.phonebookRead?.numbers(bookId),
  bookAdd: (f, { bookId }) => f.phonebookWrite?.addNumbers(bookId, RECIPIENTS),
  bookRemoveNumbers: (f, { bookId }) => f.phonebookWrite?.removeNumbers(bookId, RECIPIENTS),
  bookMake: (f) => f.phonebookWrite?.create({ name: 'friends', numbers: RECIPIENTS, flag: 'f' }),
  bookRemove: (f, { bookId }) => f.phonebookWrite?.remove(bookId),
  blocked: (f) => f.blacklist?.list({ line: LINE }),
  block: (f) => f.blacklist?.add(LINE, RECIPIENTS),
  isBlocked: (f) => f.blacklist?.check(LINE, RECIPIENTS),
  unblock: (f) => f.blacklist?.remove(LINE, RECIPIENT),
  register: (f) => f.registration?.register(user),
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as [OperationName, ...OperationName[]];

/** Those whose outcome is an answer, never an error: they cost money. */
export const SENDS: ReadonlySet<OperationName> = new Set(['send', 'sendMany', 'pattern', 'later', 'toBook']);
