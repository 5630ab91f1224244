import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText } from '../../src/features/alerts/event-cards.ts';
import { renderInbound, type InboundCard } from '../../src/features/inbox/inbound-card.ts';
import { createFormat } from '../../src/i18n/format.ts';
import { detectEntities } from '../../src/playground/text/entities-detect.ts';
import { parseHtml } from '../../src/playground/text/entities-html.ts';
import type { Html } from '../../src/telegram/html.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { naughty } from './strings.ts';

/* Whatever a stranger writes, and under whatever name, a card shows it as text: no markup, link, mention or command. */

const NOW = new Date('2026-11-24T08:30:00Z');

function cardOf(text: string, sender = '989121234567', name: string | null = null): InboundCard {
  const talk = {
    id: 't',
    line: '3000123456',
    number: sender,
    takenBy: null,
    takenAt: null,
    answeredBy: null,
    answeredAt: null,
    doneBy: null,
    doneAt: null,
    snoozedBy: null,
    snoozedUntil: null,
  };
  return {
    message: {
      id: 12,
      accountId: 'a',
      chatId: 'c',
      bindingId: 'b',
      talkId: 't',
      line: '3000123456',
      sender,
      text,
      sentAt: NOW,
      capturedAt: NOW,
      name,
      talk,
    },
    lastSent: null,
    answer: null,
    note: {},
  };
}

/** What Telegram would make of a card: what we marked ourselves, and what it finds by itself outside of that. */
function entitiesOf(card: InboundCard): readonly string[] {
  return (['en', 'fa'] as const).flatMap((locale) => {
    const { content } = renderInbound(card, createFormat(locale, 'Asia/Tehran'));
    return entitiesIn(content);
  });
}

function entitiesIn({ markup }: Html): readonly string[] {
  const { text, entities } = parseHtml(markup);
  const inCode = entities.filter(({ type }) => type === 'code');
  const found = detectEntities(text).filter(
    (each) => !inCode.some(({ offset, length }) => each.offset >= offset && each.offset < offset + length),
  );
  expect(Array.from(text).length).toBeLessThanOrEqual(4096);
  return [...entities, ...found].map(({ type }) => type);
}

const OURS: ReadonlySet<string> = new Set([
  'code',
  'bold',
  'blockquote',
  'expandable_blockquote',
  'phone_number',
]);

test('the strings that have broken something somewhere are shown as text', () => {
  for (const text of HOSTILE_TEXTS) {
    expect(
      entitiesOf(cardOf(text)).filter((type) => !OURS.has(type)),
      JSON.stringify(text),
    ).toEqual([]);
    expect(
      entitiesOf(cardOf('x', text)).filter((type) => !OURS.has(type)),
      JSON.stringify(text),
    ).toEqual([]);
  }
  process.stdout.write(`${HOSTILE_TEXTS.length} hostile texts on cards\n`);
});

test('and so they are where one message stands for many', () => {
  for (const text of HOSTILE_TEXTS) {
    const message = { id: 12, line: '3000123456', sender: '989121234567', name: text, text, at: NOW };
    for (const locale of ['en', 'fa'] as const) {
      const content = foldText([message, message], [], createFormat(locale, 'Asia/Tehran'));
      expect(
        entitiesIn(content).filter((type) => !OURS.has(type)),
        JSON.stringify(text),
      ).toEqual([]);
    }
  }
});

test('so is anything made of them, however long', () => {
  fc.assert(
    fc.property(naughty, fc.integer({ min: 1, max: 200 }), (text, times) => {
      expect(entitiesOf(cardOf(text.repeat(times), text, text)).filter((type) => !OURS.has(type))).toEqual(
        [],
      );
    }),
  );
});
