import { expect, test } from 'vitest';
import { createFormat } from '../i18n/format.ts';
import type { Tables } from '../ports/tables.ts';
import { html, MESSAGE_BUDGET, plainText, visibleLength, type Html } from './html.ts';
import { sayLong } from './long-answer.ts';
import type { RequestContext } from './request-context.ts';

const tables: Tables = {
  read: () => Promise.resolve([]),
  stream: () => Promise.reject(new Error('nothing is read here')),
  csv: () => {
    throw new Error('nothing is written in blocks here');
  },
  write: ({ header, rows }) =>
    Promise.resolve(Buffer.from([header, ...rows].map((row) => row.join()).join('\n'))),
};

async function answer(count: number) {
  const said: Html[] = [];
  const files: { name: string; text: string }[] = [];
  const request = {
    locale: 'en',
    format: createFormat('en', 'UTC'),
    say: (content: Html) => Promise.resolve(said.push(content)),
    sendFile: (file: { name: string; content: Uint8Array }) =>
      Promise.resolve(files.push({ name: file.name, text: Buffer.from(file.content).toString() })),
  } as unknown as RequestContext;
  const names = Array.from({ length: count }, (_, n) => `row number ${n}`);
  await sayLong(
    request,
    {
      head: html`Head`,
      rows: names.map((name) => html`${name}`),
      tail: html`Tail`,
      file: { name: 'rows', table: { header: ['name'], rows: names.map((name) => [name]) } },
    },
    tables,
  );
  return { said, files };
}

test('a list that fits is one message and no file', async () => {
  const { said, files } = await answer(3);
  expect(said.map(plainText)).toEqual(['Head\nrow number 0\nrow number 1\nrow number 2\nTail']);
  expect(files).toEqual([]);
});

test('a longer one shows what fits, says how many more there are, and gives all as a file', async () => {
  const { said, files } = await answer(1000);
  const [message] = said;
  if (message === undefined) throw new Error('nothing was said');
  expect(visibleLength(message)).toBeLessThanOrEqual(MESSAGE_BUDGET);
  const shown = plainText(message).match(/row number/g)?.length ?? 0;
  expect(plainText(message)).toContain(`… and ${1000 - shown} more; all of it is in the file below.\nTail`);
  expect(files[0]?.name).toBe('rows.csv');
  expect(files[0]?.text.split('\n')).toHaveLength(1001);
});
