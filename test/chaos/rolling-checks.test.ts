import type { Message } from '@grammyjs/types';
import { expect, test } from 'vitest';
import type { DraftFact } from './facts.ts';
import { checkAnswers, checkLosses, checkOutcomes, checkRestarts, foundOf } from './rolling-checks.ts';
import type { Restart } from './rolling.ts';

const CHAT = 5;
const IN_ORDER: Restart = {
  process: 0,
  how: 0,
  stopMs: 5000,
  readyMs: 2000,
  inJob: true,
  onWire: 3,
  broughtHome: 3,
};
const ALL_ACCEPTED = { confirmed: 9, accepted: 9, unknown: 0, unknownTaken: 0, notSent: 0 };

function kinds(findings: readonly { readonly kind: string; readonly count: number }[]): string[] {
  return findings.map(({ kind, count }) => `${kind} ${count}`);
}

function said(text: string, isBot = true): Message {
  const chat = { id: CHAT, type: 'private', first_name: 'Sara' } as const;
  return { message_id: 1, date: 0, chat, from: { id: 1, is_bot: isBot, first_name: 'Peyk' }, text };
}

test('a process that does not end with 0, or whose successor is not ready, is found', () => {
  expect(checkRestarts([IN_ORDER, IN_ORDER], 2)).toEqual([]);
  expect(kinds(checkRestarts([{ ...IN_ORDER, how: 'SIGKILL' }], 1))).toEqual(['restart 1']);
  expect(kinds(checkRestarts([{ ...IN_ORDER, how: 1, readyMs: null }], 1))).toEqual([
    'restart 1',
    'restart 1',
  ]);
});

test('a job that ends before every process was replaced once proves nothing', () => {
  const late = { ...IN_ORDER, inJob: false };
  expect(checkRestarts([IN_ORDER, IN_ORDER, late], 2)).toEqual([]);
  expect(kinds(checkRestarts([IN_ORDER, late], 2))).toEqual(['early 1']);
});

test('after orderly stops everything that was confirmed is accepted', () => {
  expect(checkOutcomes(ALL_ACCEPTED, 9, 0)).toEqual([]);
  expect(kinds(checkOutcomes({ ...ALL_ACCEPTED, accepted: 6, unknown: 3, unknownTaken: 3 }, 9, 0))).toEqual([
    'unknown 3',
  ]);
  expect(kinds(checkOutcomes({ ...ALL_ACCEPTED, accepted: 7, notSent: 2 }, 9, 0))).toEqual(['lost 2']);
  // What the gateway’s lists have shown afterwards was not known at the stop.
  expect(kinds(checkOutcomes(ALL_ACCEPTED, 9, 4))).toEqual(['unknown 4']);
  // A press that came to nothing is confirmed nowhere.
  expect(kinds(checkOutcomes(ALL_ACCEPTED, 10, 0))).toEqual(['lost 1']);
});

test('sends that lost their answer are counted once the lists have them, and too few prove nothing', () => {
  const sent = (states: readonly string[]): DraftFact => {
    const lines = [{ recipient: '9120000001', text: 'chaos r2 s0 hello', line: '3000', flash: false }];
    const attempts = states.map((state, at) => ({ id: String(at), state, onWireMs: 1, lines }));
    const job = { id: 'job', state: 'done', attempts };
    const rest = {
      id: 'd',
      code: 'A1',
      chatId: 'c',
      update: 1,
      state: 'confirmed',
      card: 1,
      says: '',
      aside: false,
    };
    return { ...rest, chat: CHAT, job };
  };
  const drafts = [sent(['sent', 'accepted']), sent(['unknown']), { ...sent([]), job: null }, sent(['sent'])];
  expect(foundOf(drafts)).toBe(2);
  expect(kinds(checkLosses(1, 1))).toEqual(['early 1']);
  expect(kinds(checkLosses(2, 0))).toEqual(['early 1']);
  for (const byOlder of [1, null]) expect(checkLosses(2, byOlder)).toEqual([]);
});

test('a question after the credit has one answer', () => {
  const asked = [said('/credit', false), said('📩 5'), said('/credit', false)];
  const answers = (count: number): Message[] => [
    ...asked,
    ...Array.from({ length: count }, () => said('💰 5 rial')),
  ];
  expect(checkAnswers(answers(2))).toEqual([]);
  expect(kinds(checkAnswers(answers(1)))).toEqual(['silent 1']);
  expect(kinds(checkAnswers(answers(4)))).toEqual(['replay 2']);
});
