import { describe, expect, test } from 'vitest';
import { cardView, DRAFT } from '../../../test/support/send-card.ts';
import { newBulk } from '../../domain/bulk.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { CardView, DraftStore, Panel } from '../../ports/stores.ts';
import { plainText } from '../../telegram/html.ts';
import { LeftOut } from '../../telegram/outgoing/errors.ts';
import type { Notifier } from '../../telegram/outgoing/notifier.ts';
import { createCards } from './cards.ts';

const DRAFT_ID = DRAFT.id;
const clock: Clock = { now: () => new Date(0), monotonic: () => 0, sleep: () => Promise.resolve() };

const SILENT = {
  tell: () => Promise.resolve(),
  retire: () => Promise.resolve(),
  withdraw: () => Promise.resolve(true),
};

/** Edits that are shown, or fail, when the test says so. */
function stage() {
  const asked: { text: string; end: (error?: Error) => void }[] = [];
  const later: [string, number | undefined][] = [];
  const known = { text: 'text 1', waitMs: 0 };
  const drafts = {
    card: () => Promise.resolve(viewOf(known.text)),
    setCard: () => Promise.resolve(null),
    claimCard: () => Promise.resolve(),
    showLater: (draftId: string, ms?: number) => Promise.resolve(void later.push([draftId, ms])),
  } as unknown as DraftStore;
  const notifier: Notifier = {
    show: (_place, card) =>
      new Promise((resolve, reject) => {
        if (card.orLater === true && known.waitMs > 0) throw new LeftOut(known.waitMs);
        asked.push({
          text: plainText(card.content),
          end: (error) => (error === undefined ? resolve(9) : reject(error)),
        });
      }),
    ...SILENT,
  };
  return {
    asked,
    later,
    known,
    cards: createCards({ drafts, notifier, settle, clock, timeZone: 'UTC', undoSeconds: 0 }),
  };
}

const settle = (): Promise<void> => Promise.resolve();
const viewOf = (text: string): CardView => cardView({ draft: { text }, timeZone: null });

/** Whether a promise has ended by now: everything that can go on without the test has gone on. */
async function hasEnded(promise: Promise<unknown>): Promise<boolean> {
  let ended = false;
  void promise.then(
    () => (ended = true),
    () => (ended = true),
  );
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return ended;
}

test('a card has what its calls have come to reckoned with before it is shown', async () => {
  const known = { toSettle: true };
  const shown: string[] = [];
  const cards = createCards({
    drafts: {
      card: () =>
        Promise.resolve(
          cardView({ job: { state: known.toSettle ? 'paused' : 'done', toSettle: known.toSettle } }),
        ),
      claimCard: () => Promise.resolve(),
    } as unknown as DraftStore,
    notifier: {
      show: (_place, card) => Promise.resolve((shown.push(plainText(card.content)), 9)),
      ...SILENT,
    },
    settle: () => Promise.resolve(void (known.toSettle = false)),
    clock,
    timeZone: 'UTC',
    undoSeconds: 0,
  });
  await cards.refresh(DRAFT_ID);
  expect(shown).toHaveLength(1);
  expect(shown[0]).not.toContain('Paused');
});

describe('a card that the queue asks for', () => {
  test('keeps the buttons that somebody looks at, in every process, until somebody does something with it', async () => {
    const known: { panel: Panel } = { panel: null };
    let labels: string[] = [];
    const outgoing = { ...newBulk({ name: 'people.csv', reference: 'x' }), step: 'review' } as const;
    const process = () =>
      createCards({
        drafts: {
          card: () =>
            Promise.resolve(
              cardView({
                draft: { outgoing, ...(known.panel === null ? {} : { panel: known.panel }) },
              }),
            ),
          turn: (_draftId: string, panel: Panel) => Promise.resolve(void (known.panel = panel)),
          claimCard: () => Promise.resolve(),
        } as unknown as DraftStore,
        notifier: {
          show: (_place, { buttons }) => {
            labels = buttons.flat().flatMap((each) => (each ? [each.label] : []));
            return Promise.resolve(9);
          },
          ...SILENT,
        },
        settle,
        clock,
        timeZone: 'UTC',
        undoSeconds: 0,
      });
    const [one, other] = [process(), process()];
    await one.turn(DRAFT_ID, 'edit');
    await other.follow(DRAFT_ID);
    expect(labels).toContain('⬅ Back');
    await other.refresh(DRAFT_ID);
    expect(labels).not.toContain('⬅ Back');
    await one.follow(DRAFT_ID);
    expect(labels).not.toContain('⬅ Back');
  });

  test('is asked for again, and nobody waits, while Telegram lets nobody edit it', async () => {
    const { asked, later, known, cards } = stage();
    known.waitMs = 3000;
    await cards.follow(DRAFT_ID);
    expect([asked, later]).toEqual([[], [[DRAFT_ID, 3000]]]);
    // Whoever presses a button sees it as soon as it can be shown.
    const pressed = cards.refresh(DRAFT_ID);
    await hasEnded(pressed);
    asked[0]?.end();
    await pressed;
  });

  test('does not take the place of what somebody has pressed, and what was read before it', async () => {
    const pressed = Promise.withResolvers<void>();
    const shown: string[] = [];
    const cards = createCards({
      drafts: {
        card: () => Promise.resolve(viewOf('text 1')),
        setCard: () => Promise.resolve(null),
        claimCard: () => Promise.resolve(),
        showLater: () => Promise.resolve(),
      } as unknown as DraftStore,
      notifier: {
        show: async (_place, { content, goAhead, orLater }) => {
          if (orLater !== true) await pressed.promise;
          if (!goAhead()) return null;
          if (orLater === true) throw new LeftOut(3000);
          shown.push(plainText(content));
          return 9;
        },
        ...SILENT,
      },
      settle,
      clock,
      timeZone: 'UTC',
      undoSeconds: 0,
    });
    const press = cards.refresh(DRAFT_ID);
    await hasEnded(press);
    await cards.follow(DRAFT_ID);
    pressed.resolve();
    await press;
    expect(shown).toHaveLength(1);
  });

  test('comes to the end of the chat also where it was edited meanwhile by whoever had read it later', async () => {
    const held = Promise.withResolvers<void>();
    const readings = [held.promise];
    const view = viewOf('text 1');
    const done: string[] = [];
    const cards = createCards({
      drafts: {
        card: async () => {
          await readings.shift();
          return { ...view, place: { ...view.place, messageId: 1 } };
        },
        setCard: () => Promise.resolve(null),
        claimCard: () => Promise.resolve(),
        showLater: () => Promise.resolve(),
      } as unknown as DraftStore,
      notifier: {
        show: ({ messageId }, { goAhead }) => {
          if (!goAhead()) return Promise.resolve(null);
          done.push(messageId === null ? 'sent' : 'edited');
          return Promise.resolve(messageId ?? 9);
        },
        ...SILENT,
      },
      settle,
      clock,
      timeZone: 'UTC',
      undoSeconds: 0,
    });
    const brought = cards.bring(DRAFT_ID, { pressedMessageId: null, threadId: undefined, isAway: false });
    await hasEnded(brought);
    await cards.follow(DRAFT_ID);
    held.resolve();
    await brought;
    expect(done).toEqual(['edited', 'sent']);
  });

  test('is looked at once more when something newer came up while it was shown, and only then', async () => {
    const { asked, later, known, cards } = stage();
    const first = cards.follow(DRAFT_ID);
    await hasEnded(first);
    asked[0]?.end();
    await first;
    expect(later).toEqual([]);
    const second = cards.follow(DRAFT_ID);
    await hasEnded(second);
    known.text = 'text 2';
    asked[1]?.end();
    await second;
    expect(later).toEqual([[DRAFT_ID, undefined]]);
  });

  test('fails with its edit, so that the queue tries again, and does not hold up another one', async () => {
    const { asked, cards } = stage();
    const one = cards.follow(DRAFT_ID);
    const other = cards.follow('00000000-0000-4000-8000-000000000002');
    await hasEnded(one);
    asked[1]?.end();
    expect(await hasEnded(other)).toBe(true);
    expect(await hasEnded(one)).toBe(false);
    asked[0]?.end(new Error('the network is gone'));
    await expect(one).rejects.toThrow('the network is gone');
  });
});

/** The same draft for several processes: what each puts on which message, in order. */
function shared({
  hasButtons,
  losesNew = false,
}: {
  readonly hasButtons: boolean;
  readonly losesNew?: boolean;
}) {
  const edits: string[] = [];
  const messages = new Map<number, string>([[1, 'the first']]);
  const known = {
    text: 'text 1',
    shownBy: null as string | null,
    messageId: 1 as number | null,
    later: 0,
    /** What the answers to the next readings wait for, that have been read by then. */
    answers: [] as Promise<undefined>[],
  };
  /** What the next readings wait for, each in its turn. */
  const slow: Promise<void>[] = [];
  const drafts = {
    card: async () => {
      await slow.shift();
      const view = viewOf(known.text);
      const state = hasButtons ? ('open' as const) : ('cancelled' as const);
      const read = {
        ...view,
        draft: { ...view.draft, state, code: known.text },
        place: { ...view.place, messageId: known.messageId, shownBy: known.shownBy },
      };
      await known.answers.shift();
      return read;
    },
    setCard: (_id: string, { messageId }: { messageId: number }, shownBy: string) => {
      const { messageId: until } = known;
      Object.assign(known, { messageId, shownBy });
      return Promise.resolve(until);
    },
    claimCard: (_id: string, shownBy: string | null) => {
      known.shownBy = shownBy;
      return Promise.resolve();
    },
    showLater: () => Promise.resolve(void (known.later += 1)),
  } as unknown as DraftStore;
  const process = (whileShown: () => Promise<void> = () => Promise.resolve()) =>
    createCards({
      drafts,
      settle,
      clock,
      timeZone: 'UTC',
      undoSeconds: 0,
      notifier: {
        show: async (place, card) => {
          edits.push(plainText(card.content));
          await whileShown();
          if (place.messageId !== null && !messages.has(place.messageId)) return (card.onGone?.(), null);
          const messageId = place.messageId ?? Math.max(...messages.keys()) + 1;
          messages.set(messageId, plainText(card.content));
          return losesNew && place.messageId === null ? null : messageId;
        },
        retire: ({ messageId }, content) => {
          if (messageId !== null) messages.set(messageId, plainText(content));
          return Promise.resolve();
        },
        tell: () => Promise.resolve(),
        withdraw: () => Promise.resolve(true),
      },
    });
  return { edits, messages, known, slow, process };
}

describe('a card that shows what it would show', () => {
  const withoutButtons = { hasButtons: false };

  test('is not edited again by the process that has shown it', async () => {
    const { edits, known, process } = shared(withoutButtons);
    const cards = process();
    await cards.refresh(DRAFT_ID);
    known.text = 'text 2';
    await cards.follow(DRAFT_ID);
    await cards.follow(DRAFT_ID);
    expect(edits).toHaveLength(2);
    known.text = 'text 3';
    await cards.follow(DRAFT_ID);
    expect(edits).toHaveLength(3);
  });

  test('is edited again after a process has died whose edit may have come last', async () => {
    const { edits, known, process } = shared(withoutButtons);
    const [dead, cards] = [process(() => new Promise(() => undefined)), process()];
    void dead.refresh(DRAFT_ID);
    await hasEnded(Promise.resolve());
    known.text = 'text 2';
    await cards.refresh(DRAFT_ID);
    expect(edits).toHaveLength(2);
    // The queue has the work of the dead done once more.
    await cards.follow(DRAFT_ID);
    await cards.follow(DRAFT_ID);
    expect(edits).toHaveLength(3);
  });

  test('is edited again for whoever does the work of a process that has died, whatever was shown since', async () => {
    const { edits, known, process } = shared(withoutButtons);
    const [dead, cards] = [process(() => new Promise(() => undefined)), process()];
    void dead.refresh(DRAFT_ID);
    await hasEnded(Promise.resolve());
    for (const text of ['text 2', 'text 3']) {
      known.text = text;
      await cards.follow(DRAFT_ID);
    }
    await cards.follow(DRAFT_ID);
    expect(edits).toHaveLength(3);
    await cards.follow(DRAFT_ID, { isAgain: true });
    expect(edits).toHaveLength(4);
  });

  test('is edited again for somebody who has pressed something: they saw another', async () => {
    const { edits, process } = shared(withoutButtons);
    const cards = process();
    for (let times = 0; times < 3; times += 1) await cards.follow(DRAFT_ID);
    expect(edits).toHaveLength(2);
    await cards.refresh(DRAFT_ID);
    expect(edits).toHaveLength(3);
  });

  test('is not sent twice by whoever has read it before it was sent', async () => {
    const { messages, known, process } = shared({ hasButtons: true });
    const [first, late] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const cards = process();
    known.messageId = null;
    known.answers.push(first.promise, late.promise);
    const [one, other] = [cards.refresh(DRAFT_ID), cards.refresh(DRAFT_ID)];
    first.resolve(undefined);
    await one;
    late.resolve(undefined);
    await other;
    expect([...messages.keys()]).toEqual([1, 2]);
  });

  test('is edited once when it is asked for twice at once', async () => {
    const { edits, process } = shared(withoutButtons);
    const cards = process();
    await Promise.all([cards.refresh(DRAFT_ID), cards.refresh(DRAFT_ID), cards.refresh(DRAFT_ID)]);
    expect(edits).toHaveLength(1);
  });

  test('is edited again once another process has edited it', async () => {
    const { edits, known, process } = shared(withoutButtons);
    const [one, other] = [process(), process()];
    await one.refresh(DRAFT_ID);
    known.text = 'text 2';
    await other.refresh(DRAFT_ID);
    known.text = 'text 1';
    await one.refresh(DRAFT_ID);
    await other.refresh(DRAFT_ID);
    expect(edits).toHaveLength(4);
  });

  test('is edited where it stands by now, whatever was shown where it stood', async () => {
    const { edits, messages, known, process } = shared(withoutButtons);
    // While it is edited another process, which found no message, has sent one of its own.
    let moves = false;
    const cards = process(async () => {
      if (!moves) return;
      messages.set(2, 'from before');
      known.messageId = 2;
      await Promise.resolve();
    });
    await cards.refresh(DRAFT_ID);
    [known.text, moves] = ['text 2', true];
    await cards.refresh(DRAFT_ID);
    moves = false;
    await cards.refresh(DRAFT_ID);
    expect(edits).toHaveLength(3);
    expect(messages.get(2)).toContain('text 2');
  });

  test('is taken for shown by nobody after two processes have edited it at once', async () => {
    const { edits, known, process } = shared(withoutButtons);
    const other = process();
    // While the first edit is on its way, the draft changes and another process shows the change.
    let first = true;
    const one = process(async () => {
      if (!first) return;
      first = false;
      known.text = 'text 2';
      await other.refresh(DRAFT_ID);
    });
    await one.refresh(DRAFT_ID);
    expect(known).toMatchObject({ shownBy: null, later: 1 });
    await other.refresh(DRAFT_ID);
    expect(edits).toHaveLength(3);
  });

  test('is to be looked at again, and is nobody’s, where nobody could look after an edit', async () => {
    const { known, slow, process } = shared(withoutButtons);
    const away = Promise.reject(new Error('the database is away'));
    slow.push(Promise.resolve(), away);
    await expect(process().refresh(DRAFT_ID)).rejects.toThrow('away');
    await hasEnded(away.catch(() => undefined));
    expect(known).toMatchObject({ shownBy: null, later: 1 });
  });

  test('is edited again after one that had asked later had read before, and came last', async () => {
    const { messages, known, slow, process } = shared(withoutButtons);
    const [read, edited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const editing = [edited.promise];
    const cards = process(async () => await editing.shift());
    slow.push(read.promise);
    const asked = cards.refresh(DRAFT_ID);
    const overtakes = cards.refresh(DRAFT_ID);
    await hasEnded(overtakes);
    known.text = 'text 2';
    read.resolve();
    await asked;
    edited.resolve();
    await overtakes;
    expect([messages.get(1), known.later]).toEqual([expect.stringContaining('text 1'), 1]);
    await cards.follow(DRAFT_ID);
    expect(messages.get(1)).toContain('text 2');
  });

  test('is edited again while its own edit is under way, when another one may have come after that', async () => {
    const { edits, known, process } = shared(withoutButtons);
    const answered = Promise.withResolvers<void>();
    let isFirst = true;
    const other = process(async () => {
      if (isFirst) await answered.promise;
      isFirst = false;
    });
    let isShown: Promise<void> = Promise.resolve();
    const one = process(async () => {
      known.text = 'text 2';
      isShown = other.refresh(DRAFT_ID);
      await hasEnded(isShown);
    });
    await one.refresh(DRAFT_ID);
    expect(known).toMatchObject({ shownBy: null, later: 1 });
    const again = other.follow(DRAFT_ID);
    await hasEnded(again);
    answered.resolve();
    await Promise.all([isShown, again]);
    expect(edits).toHaveLength(3);
  });
});

describe('a card that is brought to somebody', () => {
  const typed = { pressedMessageId: null, threadId: undefined, isAway: false };
  const pressed = (pressedMessageId: number) => ({ ...typed, pressedMessageId });
  const live = /^✉️ Draft/u;
  const below = /^⬇️/u;

  test('stays where it is when they have pressed it', async () => {
    const { messages, process } = shared({ hasButtons: true });
    await process().bring(DRAFT_ID, pressed(1));
    expect([...messages]).toEqual([[1, expect.stringMatching(live)]]);
  });

  test.each([
    ['typed something', typed],
    ['pressed something else', pressed(7)],
  ])('comes below when they have %s, and one line stays', async (_, what) => {
    const { messages, known, process } = shared({ hasButtons: true });
    await process().bring(DRAFT_ID, what);
    expect([...messages]).toEqual([
      [1, expect.stringMatching(below)],
      [2, expect.stringMatching(live)],
    ]);
    expect(known.messageId).toBe(2);
  });

  test('is shown where it stood when nobody knows whether it has come', async () => {
    const { known, process } = shared({ hasButtons: true, losesNew: true });
    await process().bring(DRAFT_ID, typed);
    expect(known).toMatchObject({ messageId: 1, later: 1 });
  });

  test('takes along what changes on its way', async () => {
    const { messages, known, process } = shared({ hasButtons: true });
    const cards = process(async () => {
      if (known.text !== 'text 1') return;
      known.text = 'text 2';
      void cards.refresh(DRAFT_ID);
      await hasEnded(Promise.resolve());
    });
    await cards.bring(DRAFT_ID, typed);
    await cards.refresh(DRAFT_ID);
    expect([...messages]).toEqual([
      [1, expect.stringMatching(below)],
      [2, expect.stringContaining('text 2')],
    ]);
  });

  test('is live in one message alone, whatever two processes do at once', async () => {
    const { messages, known, process } = shared({ hasButtons: true });
    const other = process();
    const one = process(async () => {
      if (known.messageId === 1) await other.bring(DRAFT_ID, typed);
    });
    // It was edited where it stood while the other moved it.
    await one.refresh(DRAFT_ID);
    await one.bring(DRAFT_ID, typed);
    const lively = [...messages].filter(([, text]) => live.test(text));
    expect(lively.map(([id]) => id)).toEqual([known.messageId]);
    expect(messages.size).toBe(3);
  });

  test('is live in one message alone, also where two processes send the first one', async () => {
    const { messages, known, process } = shared({ hasButtons: true });
    messages.clear();
    messages.set(0, '/send');
    known.messageId = null;
    const { promise: isSent, resolve: send } = Promise.withResolvers<void>();
    const slow = process(() => isSent).refresh(DRAFT_ID);
    await hasEnded(slow);
    await process().refresh(DRAFT_ID);
    send();
    await slow;
    expect([...messages].slice(1)).toEqual([
      [1, expect.stringMatching(below)],
      [2, expect.stringMatching(live)],
    ]);
    expect(known.messageId).toBe(2);
  });

  test('that is gone is sent once, whoever finds out first', async () => {
    const { messages, known, process } = shared({ hasButtons: true });
    messages.delete(1);
    messages.set(1000, '/send');
    const answered = Promise.withResolvers<void>();
    const editing = [answered.promise];
    const cards = process(async () => await editing.shift());
    const slow = cards.refresh(DRAFT_ID);
    await hasEnded(slow);
    // Its chat has moved, and the messages there are numbered anew.
    known.messageId = null;
    await cards.refresh(DRAFT_ID);
    answered.resolve();
    await slow;
    expect([...messages.keys()]).toEqual([1000, 1001]);
    await cards.refresh(DRAFT_ID);
    expect(known).toMatchObject({ messageId: 1001 });
    messages.delete(1001);
    await cards.refresh(DRAFT_ID);
    expect([...messages]).toEqual([
      [1000, '/send'],
      [1001, expect.stringMatching(live)],
    ]);
  });
});
