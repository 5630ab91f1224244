import { describe, expect, test } from 'vitest';
import { quietRequest } from '../../../../test/support/features.ts';
import { cardView } from '../../../../test/support/send-card.ts';
import { stripBidi } from '../../../i18n/format.ts';
import { parseHtml } from '../../../playground/text/entities-html.ts';
import type { Unsent } from '../../../ports/unsent.ts';
import type { CardView, Earlier } from '../../../ports/stores.ts';
import { createTables } from '../../../tables/tables.ts';
import type { Html } from '../../../telegram/html.ts';
import { createJobActions, type JobActionDeps } from './job-actions.ts';

const JOB = '0190a0b0-0000-7000-8000-000000000001';
const tables = createTables();

interface Sent {
  readonly name: string;
  readonly caption: string;
  readonly bytes: number;
  readonly isPlain: boolean;
  readonly rows: readonly (readonly string[])[];
}

const phoneOf = (index: number): string => `98912${String(index).padStart(7, '0')}`;

/** A rest of so many rows, a block at a time, each with a text of its own. */
function restOf(rows: number, { perBlock, text }: { perBlock: number; text: string | null }) {
  return async function* (): AsyncGenerator<Unsent[]> {
    for (let from = 0; from < rows; from += perBlock) {
      const length = Math.min(perBlock, rows - from);
      yield Array.from({ length }, (_, at) => ({
        recipient: phoneOf(from + at),
        why: 'stopped',
        line: '3000123456',
        text: text === null ? null : `${from + at} ${text}`,
      }));
    }
  };
}

/** What the button of a card gives out. */
async function press(unsent: () => AsyncIterable<readonly Unsent[]>, chatId = 'c') {
  const said: string[] = [];
  const sent: Sent[] = [];
  const view = { draft: { chatId, code: 'A1' }, job: null } as unknown as CardView;
  const deps = {
    drafts: { card: () => Promise.resolve(view) },
    jobs: { draftOf: () => Promise.resolve('d') },
    rests: { unsent },
    tables,
    cards: {},
  } as unknown as JobActionDeps;
  const ctx = quietRequest('en', {
    say: (content) => Promise.resolve(said.push(plain(content))),
    sendFile: async ({ name, content }, { caption } = {}) => {
      if (typeof content === 'function') throw new Error('a file as a whole');
      const [header, ...rows] = await tables.read({ name, content }, { rows: 1_000_000 });
      expect(header).toEqual(['number', 'why', 'line', 'text']);
      const told = caption === undefined ? '' : plain(caption);
      const isPlain = Buffer.from(content).includes('09120000000');
      return sent.push({ name, caption: told, bytes: content.length, isPlain, rows });
    },
  });
  const action = createJobActions(deps).find(({ name }) => name === 'job.rest');
  await action?.run(ctx, { jobId: JOB });
  return { said, sent };
}

const plain = ({ markup }: Html): string => stripBidi(parseHtml(markup).text);

/** As much as a bot may send in one file. */
const MAX_BYTES = 50 * 1024 * 1024;

describe('those whom a send has not left for', () => {
  test('are one file where it is not too long', async () => {
    const { sent, said } = await press(restOf(1000, { perBlock: 300, text: 'سلام' }));
    expect(said).toEqual([]);
    expect(sent).toMatchObject([
      { name: 'rest-A1.csv', caption: '1,000 of #A1 had not been sent when this file was made.' },
    ]);
    expect(sent[0]?.rows).toHaveLength(1000);
    expect(sent[0]?.rows.at(-1)).toEqual(['09120000999', 'its turn did not come', '3000123456', '999 سلام']);
  });

  test('are several files where one would be too long, each row in one of them, in order', async () => {
    const text = 'متن '.repeat(220).trim();
    const { sent } = await press(restOf(20_000, { perBlock: 3000, text }));
    expect(sent.map(({ name }) => name)).toEqual(['rest-A1-1.csv', 'rest-A1-2.csv', 'rest-A1-3.csv']);
    const rows = sent.flatMap((file) => file.rows);
    expect(rows).toHaveLength(20_000);
    const wrong = rows.findIndex(
      ([number, , , own], at) => number !== `0${phoneOf(at).slice(2)}` || own !== `${at} ${text}`,
    );
    expect(wrong).toBe(-1);
    for (const { rows: own, caption, bytes } of sent) {
      expect(caption).toBe(
        `${own.length.toLocaleString('en')} of #A1 had not been sent when this file was made.`,
      );
      expect(bytes).toBeLessThan(MAX_BYTES / 2);
    }
  });

  test('have no text of their own where all got the same, in a file that any program opens', async () => {
    const { sent } = await press(restOf(3, { perBlock: 2, text: null }));
    expect(sent.map(({ rows }) => rows.map((row) => row[3] ?? ''))).toEqual([['', '', '']]);
    expect(sent.map(({ isPlain }) => isPlain)).toEqual([true]);
  });

  test('are one file too where it is full with the last of them', async () => {
    const { sent } = await press(restOf(10_000, { perBlock: 10_000, text: 'x'.repeat(880) }));
    expect(sent.map(({ name }) => name)).toEqual(['rest-A1.csv']);
  });

  test('are nobody, and that is told', async () => {
    const { sent, said } = await press(restOf(0, { perBlock: 1, text: null }));
    expect(sent).toEqual([]);
    expect(said).toEqual(['Nobody is left: it was sent to all of them.']);
  });

  test('are given out in the chat of the send alone', async () => {
    const { sent, said } = await press(restOf(10, { perBlock: 10, text: null }), 'another');
    expect([sent, said]).toEqual([[], []]);
  });
});

describe('a press on a send', () => {
  const WORDS = {
    undo: 'Too late to undo: sending has started. The card says what is known.',
    stop: 'There is nothing to stop.',
    pause: 'There is nothing to pause.',
  } as const;
  const LEFT = '⬇ rest.csv has the rest, for a new send.';

  /** What one of its buttons does where the store answers so. */
  async function pressed(
    name: string,
    answer: unknown,
    more: {
      left?: number;
      told?: Earlier;
      linked?: boolean;
      gone?: boolean;
      views?: Readonly<Record<string, CardView>>;
    } = {},
  ) {
    const seen = {
      said: new Array<string>(),
      asked: new Array<unknown>(),
      cards: new Array<string>(),
      ways: new Array<unknown>(),
    };
    const ask = async (...given: unknown[]): Promise<unknown> => {
      seen.asked.push(...given);
      return await Promise.resolve(answer);
    };
    const view = { draft: { chatId: 'c', code: 'A1' }, job: null } as unknown as CardView;
    const { views = { d: view } } = more;
    const shown = (what: string) => (id: string) => Promise.resolve(seen.cards.push(`${what} ${id}`));
    const deps = {
      drafts: {
        card: (id: string) => {
          expect(id).not.toBeNull();
          return Promise.resolve(views[id] ?? null);
        },
        findByCode: (chatId: string, code: string) =>
          Promise.resolve(
            Object.values(views).find(({ draft }) => draft.chatId === chatId && draft.code === code)?.draft
              .id ?? null,
          ),
      },
      clock: { now: () => new Date(0) },
      jobs: {
        draftOf: () => Promise.resolve(more.gone === true ? null : 'd'),
        undo: ask,
        stop: ask,
        pause: ask,
        resume: ask,
      },
      rests: { resend: ask },
      cards: { refresh: shown('fresh'), bring: shown('fresh'), heard: shown('heard') },
    } as unknown as JobActionDeps;
    const ctx = quietRequest('en', {
      say: async (content, { replyTo, buttons } = {}) => {
        seen.ways.push(replyTo, JSON.stringify(buttons));
        return await Promise.resolve(seen.said.push(plain(content)));
      },
      ...(more.linked === false ? { binding: null } : {}),
    });
    await createJobActions(deps)
      .find((each) => each.name === `job.${name}`)
      ?.run(ctx, { jobId: JOB, ...(more.left === undefined ? {} : { left: more.left, told: more.told }) });
    return seen;
  }

  test.each(['undo', 'stop', 'pause'] as const)(
    'to %s that comes to nothing says so, below which is the card',
    async (name) => {
      const { said, cards } = await pressed(name, false);
      expect([said, cards]).toEqual([[WORDS[name]], ['heard d', 'fresh d']]);
    },
  );

  test.each(['stop', 'pause'])('to %s that is heeded shows on the card alone', async (name) => {
    const { said, cards, asked } = await pressed(name, true);
    expect([said, cards]).toEqual([[], ['heard d']]);
    expect(asked).toEqual(
      name === 'stop' ? [JOB, 'person', 7, 1] : [{ jobId: JOB, personId: 7, updateId: 1 }],
    );
  });

  test('that is gone by now shows no card', async () => {
    for (const name of ['undo', 'stop', 'resume'])
      expect((await pressed(name, name === 'resume' && { result: 'nothing' }, { gone: true })).cards).toEqual(
        [],
      );
    expect(await pressed('rest', null, { views: {} })).toMatchObject({ said: [], cards: [] });
  });

  test('to undo brings the draft back, and calls its author where somebody else has pressed', async () => {
    const back = (authorId: number) => ({
      d: cardView({ draft: { id: 'd', chatId: 'c', code: 'A1', backAs: 'A2' } }),
      d2: cardView({ draft: { id: 'd2', chatId: 'c', code: 'A2', authorId } }),
    });
    const called = await pressed('undo', true, { views: back(5) });
    expect(called).toMatchObject({
      said: ['Sara: Sara has undone #A1, nothing of it was sent. It is draft #A2 again.'],
      cards: ['heard d', 'fresh d', 'fresh d2'],
      ways: [9, expect.stringContaining('✅ Send 2 · 2 parts')],
    });
    expect(called.asked).toEqual([JOB, 7, 1]);
    const own = await pressed('undo', true, { views: back(7) });
    expect([own.said, own.cards]).toEqual([[], ['heard d', 'fresh d', 'fresh d2']]);
    const { d } = back(7);
    const gone = await pressed('undo', true, { views: { d } });
    expect([gone.said, gone.cards]).toEqual([[], ['heard d', 'fresh d']]);
    expect((await pressed('undo', true, { views: {} })).cards).toEqual(['heard d']);
  });

  test('to resume lets go no more than the card showed, and says why it does not', async () => {
    const told = { doubted: true } as const;
    const { said, asked } = await pressed('resume', { result: 'resumed' }, { left: 3, told });
    expect(said).toEqual([]);
    const press = { jobId: JOB, personId: 7, updateId: 1, timeZone: 'Asia/Tehran' };
    expect(asked).toEqual([{ ...press, seen: 3, told, words: [] }]);
    const why = async (answer: object) => {
      const { said: words, cards } = await pressed('resume', answer);
      expect(cards).toEqual(['fresh d']);
      return words.join();
    };
    expect(await why({ result: 'nothing' })).toBe(
      'There is nothing more to send, or it has been resumed already.',
    );
    expect(await why({ result: 'more', recipients: 1200 })).toBe(
      'It was not resumed.\nBy now 1,200 have not been sent, more than the card showed. It shows all of them now: press again.',
    );
    expect(await why({ result: 'known', earlier: { answered: true } })).toBe(
      'It was not resumed.\n⚠️ Some of those who are left had been sent to the first time, and would get it twice.',
    );
    expect(await why({ result: 'known', earlier: told })).toContain('some could get it twice');
    expect(await why({ result: 'not_connected' })).toBe(
      `It was not resumed.\nThe account that it was confirmed for is not linked here any more. ${LEFT}`,
    );
    expect(await why({ result: 'past' })).toBe(
      `It was not resumed.\nThe time at which the gateway was to send it is over or less than two minutes away. ${LEFT}`,
    );
    const verdict = { kind: 'approval', above: 0, words: [] };
    const limited = { result: 'limited', verdict, leavesAt: new Date(0) };
    const views = { d: cardView({ job: {} }) };
    expect((await pressed('resume', limited, { views })).said.join()).toContain('Ali');
  });

  test('to resend leaves by the account of now, on one card at a time', async () => {
    const { said, asked, cards } = await pressed('resend', { result: 'made', draftId: 'd2' });
    expect([said, cards]).toEqual([[], ['fresh d2', 'fresh d']]);
    expect(asked).toMatchObject([{ jobId: JOB, chatId: 'c', bindingId: 'b', personId: 7, updateId: 1 }]);
    const open = await pressed('resend', { result: 'open', code: 'A2' });
    expect(open.said).toEqual([
      '🔁 They are on #A2 already, which is not decided yet: confirm or cancel that one first.',
    ]);
    const none = await pressed('resend', { result: 'nothing' });
    expect(none.said.join()).toContain('Nobody is left to resend to');
    expect([open.cards, none.cards]).toEqual([['fresh d'], ['fresh d']]);
    await expect(pressed('resend', {}, { linked: false })).rejects.toMatchObject({ code: 'not_connected' });
  });
});
