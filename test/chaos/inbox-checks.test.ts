import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Arrived } from './inbox-arrivals.ts';
import { checkInbox } from './inbox-checks.ts';
import type { InboxFacts, Stored, Told } from './inbox-facts.ts';

const HOME = 5;
const DESTINATION = { id: 'sink', home: HOME, chat: HOME };
const TEXT = 'in r1 m1 hello';

function arrived(more: Partial<Arrived> = {}): Arrived {
  const place = { round: 1, chat: HOME, account: 'a', line: '300077701', sender: '09121112222' };
  return { ...place, id: '71', text: TEXT, at: 1000, date: 2, ...more };
}

function stored(more: Partial<Stored> = {}): Stored {
  const place = { chat: HOME, line: '300077701', sender: '989121112222' };
  return { ...place, id: 1, messageId: '71', text: TEXT, sentMs: 2000, capturedMs: 1500, ...more };
}

function told(more: Partial<Told> = {}): Told {
  return { destinationId: DESTINATION.id, inboundId: 1, state: 'sent', messageId: 100, doubtful: 0, ...more };
}

function says(messageId: number, text: string): Message {
  return { message_id: messageId, text, date: 0, chat: { id: HOME, type: 'private', first_name: 'A' } };
}

const card = (id: number, text = TEXT, messageId = 100) =>
  says(messageId, `📩 to 300077701 · 10:00 · #in${id}\n+98 912\n${text}`);

function check(
  facts: Partial<InboxFacts>,
  said: readonly Message[],
  messages: readonly Arrived[] = [arrived()],
) {
  const whole = { stored: [stored()], told: [told()], destinations: [DESTINATION], ...facts };
  const { findings, ...rest } = checkInbox(messages, whole, new Map([[HOME, said]]));
  return { found: findings.map(({ kind }) => kind), ...rest };
}

describe('what is stored is held against the ledger', () => {
  test('each message once, as it came, is nothing to find', () => {
    const { found, tally, storedAfterMs } = check({}, [card(1)]);
    expect(found).toEqual([]);
    expect(tally).toMatchObject({ arrived: 1, stored: 1, due: 1, byCard: 1, byDigest: 0, again: 0 });
    expect(storedAfterMs).toEqual([500]);
  });

  test('one that is not there is lost', () => {
    expect(check({ stored: [], told: [] }, []).found).toEqual(['lost']);
  });

  test('equal messages are as many as came', () => {
    const twins = [arrived(), arrived({ id: '73' })];
    const rows = [stored(), stored({ id: 2, messageId: '73' })];
    const both = [card(1), card(2, TEXT, 101)];
    expect(check({ stored: rows }, both, twins).found).toEqual([]);
    expect(check({ stored: [stored()] }, [card(1)], twins).found).toEqual(['lost']);
  });

  test('one that is there twice, or that nobody sent, is doubled', () => {
    const rows = [stored(), stored({ id: 2 })];
    expect(check({ stored: rows }, [card(1), card(2, TEXT, 101)]).found).toEqual(['doubled']);
    const strange = [stored(), stored({ id: 2, messageId: '99' })];
    expect(check({ stored: strange }, [card(1), card(2, TEXT, 101)]).found).toEqual(['doubled']);
  });

  test.each([
    ['text', { text: 'in r1 m1 hallo' }],
    ['sender', { sender: '989121112223' }],
    ['line', { line: '300077702' }],
    ['time', { sentMs: 3000 }],
    ['time that it should have', { sentMs: null }],
    ['chat', { chat: 6 }],
  ])('another %s is found', (_name, more) => {
    expect(check({ stored: [stored(more)], destinations: [] }, []).found).not.toEqual([]);
  });
});

describe('what is said is held against what is stored', () => {
  const three = [1, 2, 3].map((id) => stored({ id, messageId: String(id), text: `in r1 m${id} hello` }));
  const sent = [1, 2, 3].map((id) => arrived({ id: String(id), text: `in r1 m${id} hello` }));
  const folded = [1, 2, 3].map((inboundId) => told({ inboundId, state: 'folded', messageId: 200 }));
  const digest = (count: number, quoted = 'in r1 m1') =>
    says(
      200,
      `📥 Another ${count} messages\n+98 912 «${quoted} hello»\n… and 2 more; the file has all of them.`,
    );

  test('a message that no place was told of is untold, whatever its notification claims', () => {
    for (const state of ['queued', 'sending', 'sent', 'dropped'])
      expect(check({ told: [told({ state })] }, []).found).toEqual(['untold']);
    expect(check({ told: [] }, []).found).toEqual(['untold']);
  });

  test('every place has to be told', () => {
    const destinations = [DESTINATION, { id: 'other', home: HOME, chat: 6 }];
    const facts = { stored: [stored()], told: [told()], destinations };
    const chats = new Map<number, readonly Message[]>([
      [HOME, [card(1)]],
      [6, []],
    ]);
    expect(checkInbox([arrived()], facts, chats).findings.map(({ kind }) => kind)).toEqual(['untold']);
  });

  test('a digest tells of those that it counts', () => {
    const { found, tally } = check({ stored: three, told: folded }, [digest(3)], sent);
    expect(found).toEqual([]);
    expect(tally).toMatchObject({ due: 3, byCard: 0, byDigest: 3, again: 0 });
  });

  test('a digest that counts fewer, or was never said, leaves messages untold', () => {
    expect(check({ stored: three, told: folded }, [digest(2)], sent).found).toEqual(['untold']);
    expect(check({ stored: three, told: folded }, [], sent).found).toEqual(['untold', 'untold', 'untold']);
  });

  test('a digest that quotes what nobody has written is wrong, and so is a card', () => {
    expect(check({ stored: three, told: folded }, [digest(3, 'in r1 m9')], sent).found).toEqual(['wrong']);
    expect(check({}, [card(1, 'in r1 m9 hello')]).found).toEqual(['wrong']);
  });

  test('telling again is counted, and is found only where Peyk does not know of it', () => {
    const doubtful = folded.map((each) => ({ ...each, doubtful: 1 }));
    const again = [digest(3), says(201, '📥 Another 3 messages\n…'), card(1, 'in r1 m1 hello', 202)];
    const { found, tally } = check({ stored: three, told: doubtful }, again, sent);
    expect(tally).toMatchObject({ again: 4, doubtful: 3 });
    expect(found).toEqual(['wrong']);
    expect(check({ stored: three, told: doubtful }, again.slice(0, 2), sent).found).toEqual([]);
  });
});
