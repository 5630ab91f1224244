import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Inbox, ReceivedMessage } from '../../ports/gateway.ts';
import type { NewInbound } from '../../ports/inbound.ts';
import type { Stores } from '../../storage/stores.ts';
import { capture } from './capture.ts';
import type { InboxState } from './scan.ts';

/* What is stored when others add, delete and read messages between any two steps, and the process dies at any. */

type Order = 'newest first' | 'oldest first' | 'none';

class Crash extends Error {}

/** Steps of others, and crashes, that happen one at each await of a scan. */
type Event = 'nothing' | 'crash' | { readonly add: number } | { readonly remove: number };

function createModel(order: Order, ids: 'own' | 'missing') {
  let list: ReceivedMessage[] = [];
  let last = 0;
  let shift = 0;
  const stored = new Map<string, NewInbound>();
  const seen = new Set<string>();
  let pages = 0;
  return {
    get all(): readonly ReceivedMessage[] {
      return list;
    },
    get pages() {
      return pages;
    },
    stored,
    /** Texts of all messages that a scan has listed and that were then kept. */
    seen,
    add(count: number): void {
      for (let n = 0; n < count; n += 1) {
        last += 1;
        const message = {
          text: `m${last}`,
          sender: '989121110001',
          line: '3000',
          date: 1_790_000_000 + last,
        };
        list.push(ids === 'own' ? { id: String(last), ...message } : message);
      }
    },
    remove(at: number): void {
      if (list.length > 0) list = list.toSpliced(at % list.length, 1);
    },
    page: async ({ page = 1, pageSize = 200 }: Parameters<Inbox['page']>[0] = {}) => {
      pages += 1;
      shift += 7;
      const shown =
        order === 'oldest first'
          ? list
          : order === 'newest first'
            ? list.toReversed()
            : list.toSorted((a, b) => ((Number(a.date) * shift) % 11) - ((Number(b.date) * shift) % 11));
      return {
        messages: shown.slice((page - 1) * pageSize, page * pageSize),
        paging: {
          totalCount: list.length,
          currentPage: page,
          totalPages: Math.ceil(list.length / pageSize),
          pageSize,
        },
      };
    },
    keep: async (_: string, messages: readonly NewInbound[]): ReturnType<Stores['inbound']['keep']> => {
      const fresh = messages.filter(({ key }) => !stored.has(key));
      for (const message of messages) {
        stored.set(message.key, message);
        seen.add(message.text);
      }
      return { stored: fresh.map((_, index) => index), changed: 0 };
    },
  };
}

type Model = ReturnType<typeof createModel>;

/** One poll: what a crash leaves behind is no total, as a lease that was not given back says. */
async function poll(
  model: Model,
  state: InboxState & { readonly hasRead: boolean },
  events: Iterator<Event>,
): Promise<InboxState & { readonly hasRead: boolean }> {
  const step = (): void => {
    const { value, done } = events.next();
    if (done === true || value === 'nothing') return;
    if (value === 'crash') throw new Crash();
    if ('add' in value) model.add(value.add);
    else model.remove(value.remove);
  };
  const around = <A extends unknown[], T>(work: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      step();
      const result = await work(...args);
      step();
      return result;
    };
  };
  try {
    const captured = await capture({
      inbox: { page: around(model.page) },
      inbound: { keep: around(model.keep) },
      work: {
        accountId: 'a',
        inboxReadAt: state.hasRead ? new Date(0) : null,
        sinceInboxOkMs: 0,
        ...state,
      },
      mayGoOn: around(async () => true),
      pageSize: 3,
    });
    if (captured === null) throw new Error('nobody else has it');
    return { ...captured, hasRead: state.hasRead || captured.all };
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return { ...state, inboxTotal: null };
  }
}

const FIRST = { inboxTotal: null, newestFirst: null, hasRead: false };
const none = (): Iterator<Event> => [][Symbol.iterator]();

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('nothing' as const) },
  { weight: 1, arbitrary: fc.constant('crash' as const) },
  { weight: 2, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat(40) }) },
);
const story = fc.record({
  ids: fc.constantFrom('own' as const, 'missing' as const),
  before: fc.nat(14),
  polls: fc.array(
    fc.record({ meanwhile: fc.array(event, { maxLength: 4 }), events: fc.array(event, { maxLength: 30 }) }),
    { minLength: 1, maxLength: 6 },
  ),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** What once lost a message: a deletion moved it onto a page that was passed on the way to the end. */
const MET: Story[] = [
  {
    ids: 'own',
    before: 4,
    polls: [
      { meanwhile: [], events: [] },
      {
        meanwhile: [{ add: 3 }],
        events: [...Array<Event>(10).fill('nothing'), { remove: 0 }, { add: 4 }],
      },
    ],
  },
];

async function tell(order: Order, { ids, before, polls }: Story) {
  const model = createModel(order, ids);
  model.add(before);
  let state: Awaited<ReturnType<typeof poll>> = FIRST;
  for (const { meanwhile, events } of polls) {
    for (const each of meanwhile) {
      if (typeof each === 'string') continue;
      if ('add' in each) model.add(each.add);
      else model.remove(each.remove);
    }
    state = await poll(model, state, events[Symbol.iterator]());
  }
  return { model, state };
}

describe('a capture that is disturbed at every step', () => {
  test.each(['newest first', 'oldest first'] as const)(
    'of a list with the %s has all that is there once it is quiet, each once',
    async (order) => {
      await fc.assert(
        fc.asyncProperty(story, async (given) => {
          const { model, state } = await tell(order, given);
          const quiet = await poll(model, state, none());
          await poll(model, quiet, none());
          const stored = [...model.stored.values()].map(({ text }) => text);
          expect(new Set(stored).size).toBe(stored.length);
          for (const { text } of model.all) expect(stored).toContain(text);
          for (const text of model.seen) expect(stored).toContain(text);
        }),
        { numRuns: 1000, examples: MET.map((met) => [met]) },
      );
    },
  );

  test('of a list in no order has all that any of its pages showed, each once', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (given) => {
        const { model } = await tell('none', given);
        const stored = [...model.stored.values()].map(({ text }) => text);
        expect(new Set(stored).size).toBe(stored.length);
        for (const text of model.seen) expect(stored).toContain(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a look at an inbox', () => {
  const counted = async (order: Order, size: number, then: (model: Model) => void) => {
    const model = createModel(order, 'own');
    model.add(size);
    const state = await poll(model, await poll(model, FIRST, none()), none());
    const before = model.pages;
    then(model);
    await poll(model, state, none());
    if (order !== 'none') expect(model.stored.size).toBeGreaterThanOrEqual(model.all.length);
    return model.pages - before;
  };
  const nothing = () => undefined;

  test.each([
    ['newest first', 1],
    ['oldest first', 1],
  ] as const)('with the %s costs %i call when nothing has come', async (order, calls) => {
    expect(await counted(order, 30, nothing)).toBe(calls);
    expect(await counted(order, 2, nothing)).toBe(calls);
    expect(await counted(order, 0, nothing)).toBe(calls);
  });

  test.each(['newest first', 'oldest first'] as const)(
    'with the %s reads on by a page or two where something new has come, and everything where something is gone',
    async (order) => {
      expect(await counted(order, 30, (model) => model.add(1))).toBeLessThanOrEqual(4);
      expect(await counted(order, 30, (model) => model.remove(5))).toBeGreaterThanOrEqual(10);
    },
  );

  test('reads a list in no order as a whole each time', async () => {
    expect(await counted('none', 30, nothing)).toBeGreaterThanOrEqual(10);
  });

  test('finds the other order when a gateway changes it', async () => {
    const model = createModel('newest first', 'own');
    model.add(20);
    const state = await poll(model, FIRST, none());
    expect(state.newestFirst).toBe(true);
    const turned = createModel('oldest first', 'own');
    turned.add(21);
    for (const [key, value] of model.stored) turned.stored.set(key, value);
    const found = await poll(turned, state, none());
    expect(found.newestFirst).toBe(false);
    expect(turned.stored.size).toBe(21);
  });

  test('asks for smaller pages where the gateway gives fewer messages than it says', async () => {
    const model = createModel('newest first', 'own');
    model.add(25);
    const cut = {
      ...model,
      page: async (query: Parameters<Inbox['page']>[0]) => {
        const { messages, paging } = await model.page(query);
        return { messages: messages.slice(0, 2), paging };
      },
    };
    await poll(cut, FIRST, none());
    expect(model.stored.size).toBe(25);
  });

  test('ends, whatever a gateway says of its pages', async () => {
    const strange = fc.record({
      totalCount: fc.nat(50),
      currentPage: fc.nat(5),
      totalPages: fc.nat(12),
      pageSize: fc.nat(10),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(strange, { minLength: 1, maxLength: 8 }),
        fc.nat(9),
        async (pagings, size) => {
          const model = createModel('none', 'own');
          model.add(size);
          let calls = 0;
          const page = async (query: Parameters<Inbox['page']>[0]) => {
            const { messages } = await model.page(query);
            const paging = pagings[(calls += 1) % pagings.length];
            if (paging === undefined) throw new Error('no paging');
            return { messages, paging };
          };
          let state = await poll({ ...model, page }, FIRST, none());
          state = await poll({ ...model, page }, { ...state, newestFirst: true, hasRead: true }, none());
          await poll({ ...model, page }, { ...state, newestFirst: false, hasRead: true }, none());
          expect(calls).toBeLessThan(500);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('ends where the account has gone to somebody else, and leaves the rest to them', async () => {
    const model = createModel('newest first', 'own');
    model.add(20);
    let pages = 0;
    const captured = await capture({
      inbox: model,
      inbound: model,
      work: { accountId: 'a', inboxReadAt: null, sinceInboxOkMs: null, inboxTotal: null, newestFirst: null },
      mayGoOn: async () => (pages += 1) <= 2,
      pageSize: 3,
    });
    expect(captured).toBeNull();
    expect(model.stored.size).toBe(6);
  });
});
