import { describe, expect, test } from 'vitest';
import type { AttemptFact, DraftFact } from './facts.ts';
import type { Acceptance } from './gateway-oracle.ts';
import { countOrders } from './order-counts.ts';
import type { Orders } from './order-words.ts';
import { checkOrders } from './orders.ts';
import type { Deed, Sending } from './sending.ts';

const TEXT = 'chaos r1 s1 hello';
const LOST = 'Telegram did not take an answer; nothing is repeated';
const PRESSED = 1000;
const BACK = 2000;
const SEEN = 2100;
const place = {
  chat: 7,
  people: [1, 2] as [number, number],
  account: { username: 'a', password: 'b', line: '3000' },
};

const sent = (at: number): Deed => ({ what: 'send', at });
const numbers = (count: number): string[] => Array.from({ length: count }, (_, row) => `912000000${row}`);

function sending(deeds: readonly Deed[], more: Partial<Sending> = {}): Sending {
  const wanted = numbers(2).map((recipient) => ({ recipient, text: TEXT, line: '3000', flash: false }));
  return { place, wanted, said: 1, presses: [], deeds: [...deeds], ...more };
}

function draft(onWireMs: number | null, state = 'stopped'): DraftFact {
  const lines = numbers(2).map((recipient) => ({ recipient, text: TEXT, line: '3000', flash: false }));
  const attempt: AttemptFact = { id: 'attempt', state: 'accepted', onWireMs, lines };
  const names = { id: 'draft', code: 'A1', chat: 7, chatId: 'c', update: 1, card: 9, says: TEXT };
  return {
    ...names,
    state: 'confirmed',
    again: false,
    aside: false,
    job: { id: 'job', state, attempts: [attempt] },
  };
}

function left(at: number, count = 2, text = TEXT): Acceptance {
  const recipients = numbers(count).map((number) => `98${number}`);
  const rest = {
    kind: 'send' as const,
    number: 1,
    account: 'a',
    line: '3000',
    flash: false,
    messageIds: ['1'],
  };
  return { ...rest, at, text, recipients };
}

function said(at: number, text: string) {
  return { id: at, at, method: 'editMessageText', params: { chat_id: 7, text }, ok: true };
}

function orders(more: Partial<Orders>): Orders {
  return {
    sendings: [],
    haltings: [],
    drafts: [],
    acceptances: [],
    calls: [],
    notes: [],
    said: [],
    blind: false,
    ...more,
  };
}

const found = (more: Partial<Orders>): string[] =>
  checkOrders(orders(more)).map(({ kind, count }) => `${kind} ${count}`);

describe('before', () => {
  test('anybody had it sent, nothing leaves', () => {
    expect(found({ sendings: [sending([sent(PRESSED)])], acceptances: [left(PRESSED + 1)] })).toEqual([]);
    expect(found({ sendings: [sending([sent(PRESSED)])], acceptances: [left(PRESSED - 1)] })).toEqual([
      'unordered 2',
    ]);
    expect(found({ sendings: [sending([])], acceptances: [left(PRESSED)] })).toEqual(['unordered 2']);
  });

  test('a second person has agreed, nothing leaves', () => {
    const approved = sending([{ what: 'approve', at: PRESSED }]);
    expect(found({ sendings: [approved], acceptances: [left(PRESSED + 1)] })).toEqual([]);
    expect(found({ sendings: [approved], acceptances: [left(PRESSED - 1)] })).toEqual(['unordered 2']);
    const rejected = sending([{ what: 'reject', at: PRESSED }]);
    expect(found({ sendings: [rejected], acceptances: [left(PRESSED + 1)] })).toEqual(['unordered 2']);
  });

  test('its time has come, nothing leaves', () => {
    const timed = (...deeds: Deed[]) => [sending(deeds, { timed: true })];
    const due: Deed = { what: 'due', at: BACK };
    expect(found({ sendings: timed(sent(PRESSED), due), acceptances: [left(SEEN)] })).toEqual([]);
    expect(found({ sendings: timed(sent(PRESSED), due), acceptances: [left(BACK - 1)] })).toEqual([
      'unordered 2',
    ]);
    expect(found({ sendings: timed(sent(PRESSED)), acceptances: [left(BACK)] })).toEqual(['unordered 2']);
  });
});

describe('after', () => {
  test.each(['stop', 'pause'] as const)('%s was acknowledged, only what was on the wire is taken', (what) => {
    const calls = [said(SEEN, `#A1 ${what === 'stop' ? 'Stopped' : 'Paused'} by Ann`)];
    const all = { sendings: [sending([sent(PRESSED), { what, at: BACK }])], calls };
    expect(found({ ...all, drafts: [draft(SEEN - 1)], acceptances: [left(SEEN + 500)] })).toEqual([]);
    expect(found({ ...all, drafts: [draft(SEEN + 1)], acceptances: [left(SEEN + 2)] })).toEqual([
      'unordered 2',
    ]);
    expect(found({ ...all, drafts: [draft(BACK)], acceptances: [left(SEEN - 1)] })).toEqual([]);
  });

  test('a pause is over, it leaves again', () => {
    const deeds: Deed[] = [sent(PRESSED), { what: 'pause', at: BACK }, { what: 'resume', at: 3000 }];
    const all = {
      sendings: [sending(deeds)],
      calls: [said(SEEN, '#A1 Paused by Ann')],
      drafts: [draft(3001)],
    };
    expect(found({ ...all, acceptances: [left(3002)] })).toEqual([]);
    expect(found({ ...all, acceptances: [left(2999)] })).toEqual(['unordered 2']);
  });

  test('undo nothing has left or leaves', () => {
    const sendings = [sending([sent(PRESSED), { what: 'undo', at: BACK }])];
    const calls = [said(SEEN, '#A1 by Ann · undone · not sent')];
    expect(found({ sendings, calls, drafts: [draft(null, 'undone')] })).toEqual([]);
    expect(found({ sendings, calls, drafts: [draft(SEEN, 'done')], acceptances: [left(SEEN + 1)] })).toEqual([
      'unordered 2',
    ]);
    const undone = [draft(PRESSED, 'undone')];
    expect(
      found({ sendings: [sending([sent(PRESSED)])], drafts: undone, acceptances: [left(BACK)] }),
    ).toEqual(['unordered 2']);
  });

  test('the chat’s switch was thrown, nothing leaves until it is taken back', () => {
    const go = { what: 'go', at: 3000 } as const;
    const haltings = [{ place, deeds: [{ what: 'halt', at: BACK } as const, go] }];
    const calls = [said(SEEN, '⏹ Ann switched all sends of this chat off. None was under way.')];
    const all = { sendings: [sending([sent(PRESSED)])], haltings, calls };
    expect(found({ ...all, drafts: [draft(BACK)], acceptances: [left(SEEN + 1)] })).toEqual([]);
    expect(found({ ...all, drafts: [draft(SEEN + 1)], acceptances: [left(SEEN + 2)] })).toEqual([
      'unordered 2',
    ]);
    expect(found({ ...all, drafts: [draft(3001)], acceptances: [left(3002)] })).toEqual([]);
    // The operator's counts from when it was thrown, in whatever chat.
    const everywhere = [{ place: null, deeds: [{ what: 'halt', at: SEEN } as const, go] }];
    const held = { sendings: all.sendings, haltings: everywhere };
    expect(found({ ...held, drafts: [draft(BACK)], acceptances: [left(SEEN + 1)] })).toEqual([]);
    expect(found({ ...held, drafts: [draft(SEEN + 1)], acceptances: [left(SEEN + 2)] })).toEqual([
      'unordered 2',
    ]);
    expect(found({ ...held, drafts: [draft(3001)], acceptances: [left(3002)] })).toEqual([]);
  });
});

describe('a press that takes something back', () => {
  const sendings = [sending([sent(PRESSED), { what: 'undo', at: BACK, data: 'token' }])];
  const update = [{ id: 5, chat: 7, message: null, data: 'token' }];

  test('and leads to nothing, without a word, is found', () => {
    expect(found({ sendings, said: update, drafts: [draft(SEEN, 'done')] })).toEqual(['silent 1']);
  });

  test('came too late and is told so, or the log has it that Telegram did not take the words', () => {
    const late = { sendings, said: update, drafts: [draft(BACK, 'done')], acceptances: [left(BACK)] };
    expect(found({ ...late, calls: [said(SEEN, 'Too late to undo: sending has started.')] })).toEqual([]);
    expect(found({ ...late, notes: [{ update: 5, chat: null, says: LOST }] })).toEqual([]);
    expect(found({ ...late, notes: [{ update: 6, chat: null, says: LOST }] })).toEqual(['silent 1']);
    expect(found({ ...late, notes: [{ update: 5, chat: null, says: 'handled' }] })).toEqual(['silent 1']);
  });
});

test('more than a chat or a person may send in a day is found', () => {
  const limits = { approval: 3, cap: 9, personCap: 6 };
  const by = (person: number, name: number) => {
    const text = `chaos r1 s${name} hello`;
    const wanted = numbers(5).map((recipient) => ({ recipient, text, line: '3000', flash: false }));
    return sending([sent(PRESSED)], { place: { ...place, limits }, by: person, wanted });
  };
  const [one, two, three] = [1, 2, 3].map((name) => left(SEEN, 5, `chaos r1 s${name} hello`));
  if (one === undefined || two === undefined || three === undefined) throw new Error('there are three');
  expect(found({ sendings: [by(1, 1)], acceptances: [one] })).toEqual([]);
  expect(found({ sendings: [by(1, 1), by(2, 2)], acceptances: [one, two] })).toEqual(['unordered 1']);
  expect(found({ sendings: [by(1, 1), by(1, 3)], acceptances: [one, three] })).toEqual([
    'unordered 1',
    'unordered 4',
  ]);
});

test('a number on the blacklist gets nothing', () => {
  const [first, second] = sending([]).wanted;
  if (first === undefined || second === undefined) throw new Error('there are two');
  const sendings = [sending([sent(PRESSED)], { wanted: [first, { ...second, blocked: true }] })];
  expect(found({ sendings, acceptances: [left(SEEN, 1)] })).toEqual([]);
  expect(found({ sendings, acceptances: [left(SEEN, 2)] })).toEqual(['unordered 1']);
  expect(found({ sendings, acceptances: [left(SEEN, 2)], blind: true })).toEqual([]);
});

test('what happened in a round is counted, and what did not', () => {
  const sendings = [sending([sent(PRESSED), { what: 'undo', at: BACK }])];
  const counts = countOrders(orders({ sendings, drafts: [draft(null, 'undone')] }));
  expect(counts).toMatchObject({ undone: 1, stopped: 0, approved: 0, halted: 0, 'over a cap': 0 });
});
