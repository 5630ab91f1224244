import { describe, expect, test } from 'vitest';
import { quietRequest } from '../../../../test/support/features.ts';
import { stripBidi } from '../../../i18n/format.ts';
import { parseHtml } from '../../../playground/entities-html.ts';
import type { Unsent } from '../../../ports/unsent.ts';
import type { CardView } from '../../../ports/stores.ts';
import { createTables } from '../../../tables/tables.ts';
import type { Html } from '../../../telegram/html.ts';
import { createJobActions, type JobActionDeps } from './job-actions.ts';

const JOB = '0190a0b0-0000-7000-8000-000000000001';
const tables = createTables();

interface Sent {
  readonly name: string;
  readonly caption: string;
  readonly bytes: number;
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
      return sent.push({ name, caption: told, bytes: content.length, rows });
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
