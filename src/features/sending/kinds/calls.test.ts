import { describe, expect, test } from 'vitest';
import { newBulk, type BulkSummary } from '../../../domain/bulk.ts';
import type { Outgoing } from '../../../domain/kinds/index.ts';
import type { OutgoingRow } from '../../../domain/kinds/kind.ts';
import type { Facets, SendAnswer, SmsGateway } from '../../../ports/gateway.ts';
import type { AttemptView } from '../../../ports/jobs.ts';
import { callOf, facetOf } from './calls.ts';

const ANSWER: SendAnswer = { outcome: 'accepted', messageIds: [{ id: '7' }], raw: '' };
const ROW: OutgoingRow = { line: '50001234', recipient: '989120000001', text: 'one', flash: true };
const LOCAL = { year: '1405', month: '09', day: '03', hour: '10', minute: '00' };

function attempt(outgoing: Outgoing, more: Partial<AttemptView> = {}): AttemptView {
  return {
    id: 'a',
    jobId: 'j',
    bindingId: 'b',
    state: 'reserved',
    epoch: 1,
    line: '3000123456',
    recipients: ['989120000001', '989120000002'],
    text: 'Hello',
    flash: true,
    outgoing,
    messages: null,
    tries: 0,
    ...more,
  };
}

/** Makes the call of an attempt and gives what was asked of which facet. */
async function made(of: AttemptView): Promise<unknown[]> {
  const seen: unknown[] = [];
  const hooks = { beforeWrite: () => Promise.resolve(true) };
  const gateway = {
    use: (facet: keyof Facets) =>
      new Proxy(
        {},
        {
          get: (_target, method) => (asked: unknown, given: unknown) => {
            seen.push(facet, String(method), asked, given === hooks);
            return Promise.resolve(ANSWER);
          },
        },
      ),
  } as unknown as SmsGateway;
  expect(await callOf(of, gateway)(of, hooks)).toBe(ANSWER);
  return seen;
}

const TEXT = { line: '3000123456', recipients: ['989120000001', '989120000002'], text: 'Hello', flash: true };

describe('each kind of draft', () => {
  const pattern: Outgoing = { kind: 'pattern', patternId: '12', variables: { code: '1' }, perCall: 200 };
  const counted: BulkSummary = {
    recipients: 2,
    skipped: [],
    blockedIsKnown: true,
    missing: 0,
    lengths: [],
    personal: false,
    perCall: 200,
    digest: '',
  };
  const file = newBulk({ name: 'people.csv', reference: 'f' });
  const book: Outgoing = { kind: 'book', bookId: '9', title: 'VIP', way: 'call' };

  test.each<[Outgoing, Partial<AttemptView>, keyof Facets, string, unknown]>([
    [{ kind: 'text' }, {}, 'sending', 'send', TEXT],
    [{ kind: 'multi', rows: [ROW, ROW] }, { messages: [ROW] }, 'multi', 'sendMany', [ROW]],
    [{ ...file, summary: counted }, {}, 'sending', 'send', TEXT],
    [{ ...file, summary: { ...counted, personal: true } }, { messages: [ROW] }, 'multi', 'sendMany', [ROW]],
    [
      pattern,
      {},
      'pattern',
      'sendPattern',
      {
        line: '3000123456',
        recipients: TEXT.recipients,
        patternId: '12',
        variables: { code: '1' },
        flash: true,
      },
    ],
    [
      { kind: 'future', at: 1, local: LOCAL },
      {},
      'futureSend',
      'sendLater',
      { line: '3000123456', recipients: TEXT.recipients, text: 'Hello', at: LOCAL },
    ],
    [
      book,
      {},
      'phonebookSend',
      'sendToBook',
      { line: '3000123456', bookId: '9', recipients: [], text: 'Hello', flash: true },
    ],
    [{ ...book, way: 'expanded' }, {}, 'sending', 'send', TEXT],
  ])('makes its one call behind the fence: %j', async (outgoing, more, facet, method, asked) => {
    expect(await made(attempt(outgoing, more))).toEqual([facet, method, asked, true]);
    expect(facetOf(attempt(outgoing))).toBe(facet);
  });

  test('is known to be impossible before anything is asked, where the account cannot make the call', () => {
    const refuse = new Error('no such facet');
    const gateway = {
      use: () => {
        throw refuse;
      },
    } as unknown as SmsGateway;
    expect(() => callOf(attempt(pattern), gateway)).toThrow(refuse);
  });
});
