import { expect, test } from 'vitest';
import type { Acceptance } from './gateway-oracle.ts';
import { checkCaps, countOrders } from './orders.ts';
import type { Sending } from './sending.ts';

const TEXT = 'chaos r1 s1 hello';
const account = { username: 'a', password: 'b', line: '3000' };
const place = { chat: 7, people: [1, 2] as [number, number], account };
const numbers = (count: number): string[] => Array.from({ length: count }, (_, row) => `912000000${row}`);

function sending(more: Partial<Sending> = {}): Sending {
  const wanted = numbers(2).map((recipient) => ({ recipient, text: TEXT, line: '3000', flash: false }));
  return { place, wanted, said: 1, presses: [], deeds: [], ...more };
}

function left(count: number, text = TEXT): Acceptance {
  const recipients = numbers(count).map((number) => `98${number}`);
  const rest = {
    kind: 'send' as const,
    number: 1,
    account: 'a',
    line: '3000',
    flash: false,
    messageIds: ['1'],
  };
  return { ...rest, at: 2000, text, recipients };
}

const found = (sendings: readonly Sending[], acceptances: readonly Acceptance[]): string[] =>
  checkCaps(sendings, acceptances).map(({ kind, count }) => `${kind} ${count}`);

test('more than a chat or a person may send in a day is found', () => {
  const limits = { approval: 3, cap: 9, personCap: 6 };
  const by = (person: number, name: number) => {
    const text = `chaos r1 s${name} hello`;
    const wanted = numbers(5).map((recipient) => ({ recipient, text, line: '3000', flash: false }));
    return sending({ place: { ...place, limits }, by: person, wanted });
  };
  const [one, two, three] = [1, 2, 3].map((name) => left(5, `chaos r1 s${name} hello`));
  if (one === undefined || two === undefined || three === undefined) throw new Error('there are three');
  expect(found([by(1, 1)], [one])).toEqual([]);
  expect(found([by(1, 1), by(2, 2)], [one, two])).toEqual(['unordered 1']);
  expect(found([by(1, 1), by(1, 3)], [one, three])).toEqual(['unordered 1', 'unordered 4']);
});

test('what happened in a round is counted, and what did not', () => {
  const names = { id: 'draft', code: 'A1', chat: 7, chatId: 'c', update: 1, card: 9, says: TEXT };
  const job = { id: 'job', state: 'undone', attempts: [] };
  const draft = { ...names, state: 'confirmed', aside: false, job };
  const sendings = [sending({ deeds: ['undo'] })];
  const counts = countOrders({ sendings, drafts: [draft], acceptances: [], calls: [] });
  expect(counts).toMatchObject({ undone: 1, stopped: 0, approved: 0, halted: 0, 'over a cap': 0 });
});
