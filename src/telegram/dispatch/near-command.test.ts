import { expect, test } from 'vitest';
import { defineCommand, type Command } from '../feature.ts';
import { nearCommand } from './near-command.ts';

const NAMES = ['send', 'schedule', 'scheduled', 'report', 'credit', 'book', 'books', 'book_new', 'name'];
const declared = (name: string, isForm = false): Command =>
  defineCommand({
    name,
    permission: null,
    about: isForm ? null : () => name,
    args: {},
    run: () => Promise.resolve(),
  });
const commands = new Map(
  [...NAMES.map((name) => declared(name)), declared('health', true)].map((each) => [each.name, each]),
);

test.each([
  ['sned', 'send'],
  ['sendd', 'send'],
  ['sed', 'send'],
  ['reprot', 'report'],
  ['crdit', 'credit'],
  ['sch', 'schedule'],
  ['booknew', 'book_new'],
  ['سثدی', 'send'],
  ['سثدي', 'send'],
  ['قثحخقف', 'report'],
  ['سند', 'send'],
  ['ریپورت', 'report'],
])('/%s is taken for /%s', (typed, meant) => {
  expect(nearCommand(commands, typed)?.name).toBe(meant);
});

test.each(['pin', 'me', 'se', 'weather', 'healt', '', 'سلام', 'فردا'])('/%s is near none', (typed) => {
  expect(nearCommand(commands, typed)).toBeUndefined();
});
