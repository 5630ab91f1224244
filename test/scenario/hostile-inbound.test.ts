import type { Message } from '@grammyjs/types';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, test } from 'vitest';
import { checkMessage } from '../../src/domain/message.ts';
import { typedText } from '../../src/playground/text/formatting.ts';
import { cleanText } from '../../src/tables/cell-text.ts';
import { withoutGuard } from '../../src/tables/formula-guard.ts';
import { HOSTILE_KINDS, HOSTILE_TEXTS } from '../naughty/hostile-texts.ts';
import { labels, READING, receivingIn } from '../support/receiving.ts';
import { until } from '../support/story.ts';
import { given, isFromBot, PATIENCE, plain, type Place } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/*
 * Whatever a stranger writes is shown as it was written and as nothing else, on its whole way: from the gateway's inbox
 * into cards, what a search finds, the draft of an answer, and what stands for many.
 */

/** So many cards come in a minute before the rest is told as one. */
const CARDS = 10;
/** So many new messages are stored at one look. */
const LOOK = 20;
/** What a search shows at once. */
const PAGE = 5;
const PEOPLE = 4;
const CARD_UNITS = 2000;
const FOUND_UNITS = 500;
const FOLD_UNITS = 60;
const BUTTONS = {
  en: ['🙋 Take', '↩️ Reply', '🔎 History', '⛔ Block', '✔ Done'],
  fa: ['🔎 سابقه', '↩️ پاسخ', '🙋 با من', '✔ انجام شد', '⛔ مسدود'],
} as const;
/** Telegram finds these by itself; a number that can be called is no markup. */
const FOUND_BY_ITSELF: ReadonlySet<string> = new Set(['phone_number']);

const { world, talk, made } = useWorld({ ...READING, INBOX_POLL_SECONDS: '0.05' }, { deliverySeconds: 600 });
const receiving = made(receivingIn);

afterAll(async () => {
  const refused = world.driver.calls().filter(({ ok, method }) => !ok && method !== 'getUpdates');
  expect(refused.map(({ method, description }) => `${method}: ${description ?? ''}`)).toEqual([]);
  expect(world.sandbox.ledger.sends()).toEqual([]);
});

describe.concurrent('a hostile text', () => {
  test('is shown as text on its card and by /find', async () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(515);
    const shown = await Promise.all(
      Array.from({ length: PEOPLE }, async (_, who) => {
        const own = HOSTILE_TEXTS.filter((_text, at) => at % PEOPLE === who);
        return await showAll(who % 2 === 0 ? 'en' : 'fa', own);
      }),
    );
    const cards = shown.reduce((sum, count) => sum + count, 0);
    expect(cards).toBe(HOSTILE_TEXTS.length);
    process.stdout.write(`${cards} hostile texts on cards of their own\n`);
  });

  test('is text in the draft of an answer as well', async () => {
    const ours = await receiving.alone();
    const texts = Object.values(HOSTILE_KINDS).flatMap((kind) => kind.filter(canBeAnswered).slice(0, 3));
    for (const [index, text] of texts.entries()) {
      const { typed } = receiving.mobile();
      receiving.arrives(ours, typed, text);
      const card = await receiving.cardOf(ours.place, typed);
      await isKnown(ours.place, card);
      const draft = await talk.asks(ours.agent, ours.place, text, '✉️', { replyTo: card });
      expect(quotesOf(draft), JSON.stringify(text)).toEqual([typedText(text).text]);
      expect(labels(draft).some((label) => label.startsWith('✅ Send'))).toBe(true);
      await talk.presses(ours.agent, draft, '✖ Cancel');
      if (index % CARDS === CARDS - 1) await minutePasses(ours.place);
    }
    expect(texts.length).toBeGreaterThan(25);
  });

  test('is text where one message stands for many, and in the file of it', async () => {
    const folded = await Promise.all(
      Array.from({ length: PEOPLE }, async (_, who) => {
        const own = HOSTILE_TEXTS.filter((_text, at) => at % PEOPLE === who);
        return await foldAll(who % 2 === 0 ? 'fa' : 'en', own);
      }),
    );
    expect(folded.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(HOSTILE_TEXTS.length / 3);
  });
});

/** Each text reaches a private chat, is looked at on its card, and found; gives how many there were. */
async function showAll(lang: 'en' | 'fa', texts: readonly string[]): Promise<number> {
  const ours = await receiving.alone(lang);
  let last = lastId(ours.place);
  for (let from = 0; from < texts.length; from += CARDS) {
    const batch = texts.slice(from, from + CARDS);
    const pages = [batch.slice(0, PAGE), batch.slice(PAGE)].filter((page) => page.length > 0);
    const senders = pages.map(() => receiving.mobile().typed);
    for (const [at, page] of pages.entries())
      for (const text of page) receiving.arrives(ours, given(senders[at]), text);
    const cards = await newMessages(ours.place, last, batch.length);
    for (const [at, card] of cards.entries()) expectCard(card, given(batch[at]), lang);
    last = cards.at(-1)?.message_id ?? last;
    for (const [at, page] of pages.entries()) {
      const found = await talk.asks(ours.owner, ours.place, `/find ${given(senders[at])}`, '🔎');
      expectFound(found, page.toReversed());
      last = found.message_id;
    }
    await minutePasses(ours.place);
  }
  return texts.length;
}

/** The texts reach a group so many at once that half of them are told as one; gives how many those were. */
async function foldAll(lang: 'en' | 'fa', texts: readonly string[]): Promise<number> {
  const ours = await receiving.team({ lang });
  const { typed } = receiving.mobile();
  let last = lastId(ours.place);
  let count = 0;
  for (let from = 0; from < texts.length; from += LOOK) {
    const batch = texts.slice(from, from + LOOK);
    const rest = batch.slice(CARDS);
    for (const text of batch) receiving.arrives(ours, typed, text);
    const cards = await newMessages(ours.place, last, Math.min(batch.length, CARDS + 1));
    last = cards.at(-1)?.message_id ?? last;
    const fold = cards[CARDS];
    if (fold !== undefined) {
      expectFold(fold, rest);
      await isKnown(ours.place, fold);
      await talk.presses(ours.owner, fold, '⬇');
      const file = await talk.hears(ours.place, (each) => each.document !== undefined, last);
      const lines: string[][] = parse(talk.fileOf(file), { bom: true });
      const cells = lines.slice(1).map((line) => withoutGuard(line.at(-1) ?? ''));
      expect(cells).toEqual(rest.map(inFile));
      last = file.message_id;
      count += rest.length;
    }
    await minutePasses(ours.place);
  }
  return count;
}

function expectCard(card: Message, text: string, lang: 'en' | 'fa'): void {
  const about = JSON.stringify(text.slice(0, 100));
  const quotes = quotesOf(card);
  if (text.trim() === '') {
    expect(quotes, about).toEqual([]);
    expect(plain(card), about).toContain(lang === 'en' ? '(no text)' : '(بدون متن)');
  } else {
    expect(quotes, about).toHaveLength(1);
    expectShown(isolated(given(quotes[0])), text, CARD_UNITS);
  }
  expect(kindsOf(card), about).toEqual(['code', 'code', 'code', ...quotes.map(() => 'blockquote')]);
  expect(labels(card), about).toEqual(expect.arrayContaining([...BUTTONS[lang]]));
  for (const button of card.reply_markup?.inline_keyboard.flat() ?? [])
    expect(Object.keys(button).toSorted(), about).toEqual(['callback_data', 'text']);
  expect(labels(card)).toHaveLength(BUTTONS[lang].length);
}

function expectFound(found: Message, texts: readonly string[]): void {
  const about = JSON.stringify(texts.map((text) => text.slice(0, 60)));
  const seen = texts.filter((text) => text.trim() !== '');
  const quotes = quotesOf(found);
  expect(quotes, about).toHaveLength(seen.length);
  for (const [at, text] of seen.entries()) expectShown(isolated(given(quotes[at])), text, FOUND_UNITS);
  const kinds = new Set(kindsOf(found));
  expect([...kinds].toSorted(), about).toEqual(['blockquote', 'bold', 'code'].slice(seen.length > 0 ? 0 : 1));
}

function expectFold(fold: Message, texts: readonly string[]): void {
  const bodies = [...(fold.text ?? '').matchAll(/ «\u2068([^\u2068\u2069]*)\u2069»$/gmu)].map(
    ([, body = '']) => body,
  );
  expect(bodies).toHaveLength(Math.min(texts.length, PAGE));
  for (const [at, body] of bodies.entries()) expectShown(body, oneLine(given(texts[at])), FOLD_UNITS);
  expect(kindsOf(fold)).toEqual(['bold', ...bodies.map(() => 'code')]);
  expect(labels(fold)).toHaveLength(1);
}

/**
 * What is shown is what was sent: without marks of direction, and with U+FFFD for what no database can hold. Word
 * joiners, which keep Telegram from making links, are not seen.
 */
function expectShown(shown: string, sent: string, units: number): void {
  const wanted = undirected(sent.toWellFormed().replaceAll('\0', '\ufffd'));
  const read = shown.replaceAll('\u2060', '');
  if (sent.length <= units) return expect(read).toBe(wanted.replaceAll('\u2060', ''));
  expect(read.endsWith('…')).toBe(true);
  expect(wanted.startsWith(read.slice(0, -1))).toBe(true);
  expect(read.length).toBeLessThanOrEqual(units);
}

function undirected(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** A file of text holds no controls either, and a table reader gives one kind of line end. */
function inFile(text: string): string {
  return cleanText(text.toWellFormed());
}

/** The text of a quotation, which stands apart from what is around it. */
function isolated(quote: string): string {
  expect(quote.startsWith('\u2068') && quote.endsWith('\u2069'), JSON.stringify(quote)).toBe(true);
  return quote.slice(1, -1);
}

function quotesOf({ text = '', entities = [] }: Message): string[] {
  return entities
    .filter(({ type }) => type.endsWith('blockquote'))
    .map(({ offset, length }) => text.slice(offset, offset + length));
}

/** In the order of the text. */
function kindsOf({ entities = [] }: Message): string[] {
  return entities
    .map(({ type }) => (type === 'expandable_blockquote' ? 'blockquote' : type))
    .filter((type) => !FOUND_BY_ITSELF.has(type));
}

function canBeAnswered(text: string): boolean {
  const { text: typed } = typedText(text);
  return checkMessage(typed).ok && !/^[/#]/u.test(typed);
}

function lastId(place: Place): number {
  return world.driver.messages(place).at(-1)?.message_id ?? 0;
}

/** What tells of received messages: on a busy machine an alarm says meanwhile that they are read late. */
async function newMessages(place: Place, after: number, count: number): Promise<Message[]> {
  const look = (): Message[] | undefined => {
    const cards = world.driver
      .messages(place)
      .filter((message) => isFromBot(message) && message.message_id > after && !isAlarm(message));
    return cards.length === count ? cards : undefined;
  };
  return await world.driver.waitIn(place, look, PATIENCE);
}

function isAlarm(message: Message): boolean {
  return /^[🔴🟢]/u.test(plain(message));
}

/** Resolves when Peyk knows which of Telegram's messages this has become: nobody presses or answers sooner. */
async function isKnown(place: Place, { message_id: id }: Message): Promise<void> {
  await until(async () => {
    const said = await world.database.sql`
      select 1 from notice where message_id = ${id} and state in ('sent', 'folded') and sink_id in (${destinationOf(place)})`;
    expect(said.length).toBeGreaterThan(0);
  });
}

/** In the database's eyes: cards come one by one again. */
async function minutePasses(place: Place): Promise<void> {
  await world.database.sql`
    update notice set sent_at = sent_at - interval '2 minutes' where sink_id in (${destinationOf(place)})`;
}

function destinationOf(place: Place) {
  const id = typeof place === 'number' ? place : place.id;
  return world.database.sql`
    select s.id from sink s join chat c on c.id = s.chat_id where c.telegram_id = ${id}`;
}
