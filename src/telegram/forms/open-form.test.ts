import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineCommand, type Argument } from '../feature.ts';
import { html } from '../html.ts';
import { createKeptForms, type OpenForm } from './open-form.ts';

const KEY = 'form of Sara';
const argument = (name: string, secret?: true): Argument => ({
  schema: z.string(),
  usage: () => name,
  ask: () => html`${name}?`,
  problem: () => html`no ${name}`,
  ...(secret && { secret }),
});
const link = defineCommand({
  name: 'link',
  permission: null,
  about: () => 'links',
  args: { password: argument('password', true), line: argument('line'), note: argument('note') },
  run: () => Promise.resolve(),
});
const { seal, restOf, open } = createKeptForms(new Map([['link', link]]), {
  sealShort: (plain) => Buffer.from(plain),
  openShort: (sealed) => sealed,
});

function askedAgo(minutes: number): OpenForm {
  const typed = { password: 's3cret', line: '3000123456' };
  const askedAt = Date.now() - minutes * 60_000;
  return { version: [0, 2], command: 'link', typed, name: 'note', askedAt, messageId: 7, hasButtons: true };
}

test('what was typed in secret stays in no form that is over, which can be gone on with for an hour', () => {
  const rest = restOf(KEY, seal(KEY, askedAgo(11)));
  expect(String(rest)).toContain('3000123456');
  expect(String(rest)).not.toContain('s3cret');
  expect(open(KEY, rest ?? Buffer.of())?.form).toMatchObject({
    name: 'password',
    isLeft: true,
    isOver: true,
  });
  expect(restOf(KEY, seal(KEY, askedAgo(59)))).not.toBe(null);
  expect(restOf(KEY, seal(KEY, askedAgo(60)))).toBe(null);
});

test('what cannot be opened is nobody’s', () => {
  expect(restOf(KEY, Buffer.from('another seal'))).toBe(null);
});
