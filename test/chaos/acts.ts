import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@grammyjs/types';
import { BOOKS, dataOf, hears, type Place, tap } from './people.ts';
import type { Act, Plan } from './schedule.ts';
import { short } from './facts.ts';
import type { Stand } from './stand.ts';

/** One text to one number, as somebody typed it. */
export interface Wanted {
  readonly recipient: string;
  readonly text: string;
}

/** What a person prepared in a round, and what they did with it. */
export interface Sending {
  readonly place: Place;
  readonly wanted: readonly Wanted[];
  /** The message that asked for it. */
  said: number;
  /** What was pressed to send it, once for each press that went out. */
  readonly presses: string[];
}

type SendAct = Extract<Act, { messages: number }>;

/** What the button says that lets a message out. */
export const SEND = '✅ Send';
/** What the card of a file asks for: that its column is right, and then the text. */
export const USE = '▶ Use';
export const QUESTION = 'What shall the message say?';
const TEXT_TRIES = 3;
const CARD_PATIENCE_MS = 30_000;
const PRESS_PATIENCE_MS = 6000;

/** Has the people of a round do what the plan says. Resolves when each of them has done or given up. */
export async function runActs(
  stand: Stand,
  places: readonly Place[],
  plan: Plan,
  signal: AbortSignal,
): Promise<Sending[]> {
  const began = performance.now();
  const sendings: Sending[] = [];
  const before = new Map<number, readonly Wanted[]>();
  const numbers = createNumbers(plan.round);
  await Promise.all(
    plan.acts.map(async (act, index) => {
      const place = places[act.chat % places.length];
      if (place === undefined) return;
      // What is said is settled now, in the order of the plan, so that it does not depend on how fast anybody is.
      const wanted = act.kind === 'ask' ? [] : wantedBy(act, index, place);
      await sleep(Math.max(0, act.at - (performance.now() - began)), undefined, { signal }).catch(
        () => undefined,
      );
      if (signal.aborted) return;
      const [owner] = place.people;
      if (act.kind === 'ask') {
        await stand.telegram.say(owner, place.chat, act.command);
        return;
      }
      const sending: Sending = { place, wanted, said: 0, presses: [] };
      sendings.push(sending);
      await runSend(stand, sending, act, signal);
    }),
  );
  return sendings;

  function wantedBy(act: SendAct, index: number, { account }: Place): readonly Wanted[] {
    const known = before.get(act.chat);
    if (act.again && act.kind === 'send' && known !== undefined) return known;
    const name = `chaos r${plan.round} s${index}`;
    const recipients =
      BOOKS.get(act.messages)?.numbers.map(short) ?? Array.from({ length: act.messages }, numbers);
    // Many texts in one call are nothing for an account of version 1.
    const own = act.kind === 'multi' || (act.kind === 'bulk' && act.thinkMs % 2 === 0 && !account.token);
    const wanted = recipients.map((recipient, row): Wanted => ({
      recipient,
      text: own ? `${name} m${row} hello` : `${name} hello`,
    }));
    if (act.kind === 'send') before.set(act.chat, wanted);
    return wanted;
  }
}

async function runSend(stand: Stand, sending: Sending, act: SendAct, signal: AbortSignal): Promise<void> {
  const { place } = sending;
  const [owner] = place.people;
  const card = await (act.kind === 'bulk' ? prepareFile : prepare)(stand, sending, act);
  if (card === null || signal.aborted) return;
  await sleep(act.thinkMs);
  if (act.press === 'never') return;
  if (act.press === 'cancel') {
    await tap(stand, owner, card, '✖').catch(() => undefined);
    return;
  }
  await press(stand, sending, act, card);
  if (act.press === 'stop_after') await pressStop(stand, place, card);
}

/** Says what is to be sent. Resolves to the card on which it can be confirmed; null when none comes. */
async function prepare(stand: Stand, sending: Sending, act: SendAct): Promise<Message | null> {
  const { place, wanted } = sending;
  const [owner] = place.people;
  const said = await stand.telegram.say(owner, place.chat, commandOf(act, place, wanted));
  sending.said = said.message_id;
  return await cardWith(stand, sending, SEND);
}

/** Uploads a file of them, presses that its column of numbers is right, and writes the text when asked for it. */
async function prepareFile(stand: Stand, sending: Sending): Promise<Message | null> {
  const { place, wanted } = sending;
  const [owner] = place.people;
  const own = wanted[0]?.text !== wanted[1]?.text;
  const rows = wanted.map(({ recipient }, row) => `0${recipient},m${row}`);
  const file = new File([`mobile,mark\n${rows.join('\n')}\n`], `${nameOf(wanted)}.csv`);
  const said = await stand.telegram.upload(owner, place.chat, file, '/bulk');
  sending.said = said.message_id;
  const read = await cardWith(stand, sending, USE);
  if (read === null || !(await tap(stand, owner, read, USE).catch(() => false))) return null;
  let after = read.message_id;
  for (let tries = 0; tries < TEXT_TRIES; tries += 1) {
    const asks = (message: Message): boolean => message.text?.includes(QUESTION) === true;
    const question = await hears(stand, place.chat, owner, after, asks, PRESS_PATIENCE_MS).catch(() => null);
    if (question !== null) {
      after = question.message_id;
      const text = `${nameOf(wanted)}${own ? '{mark} ' : ''}hello`;
      // In a group only a reply is an answer.
      await stand.telegram.say(owner, place.chat, text, question.message_id);
    }
    const ready = await cardWith(stand, sending, SEND, PRESS_PATIENCE_MS);
    if (ready !== null) return ready;
    // Another question may have taken the words, or the press got lost: the card asks once more.
    const now = await look(stand, place, read);
    const pressed = await tap(stand, owner, now, '✏').catch(() => false);
    if (!pressed) await tap(stand, owner, now, USE).catch(() => false);
  }
  return null;
}

/** The card of a sending, once it has this button. */
async function cardWith(
  stand: Stand,
  { place, said, wanted }: Sending,
  label: string,
  patienceMs = CARD_PATIENCE_MS,
): Promise<Message | null> {
  const mine = (message: Message): boolean =>
    message.text?.includes(nameOf(wanted)) === true && dataOf(message, label) !== undefined;
  return await hears(stand, place.chat, place.people[0], said, mine, patienceMs).catch(() => null);
}

/** Presses, and presses once more when nothing comes of it, as people do. */
async function press(stand: Stand, sending: Sending, act: SendAct, card: Message): Promise<void> {
  const [owner, other = owner] = sending.place.people;
  for (let tries = 0; tries < 2; tries += 1) {
    const now = await look(stand, sending.place, card);
    if (dataOf(now, SEND) === undefined) return;
    const pressers =
      act.press === 'once' || act.press === 'stop_after'
        ? [owner]
        : [owner, act.press === 'by_two' ? other : owner];
    await Promise.all(
      pressers.map(async (person) => {
        // A card that has changed in this moment takes no press of what it showed before.
        const data = dataOf(now, SEND) ?? '';
        if (await tap(stand, person, now, SEND).catch(() => false)) sending.presses.push(data);
      }),
    );
    const until = performance.now() + PRESS_PATIENCE_MS;
    while (performance.now() < until) {
      if (dataOf(await look(stand, sending.place, card), SEND) === undefined) return;
      await sleep(200);
    }
  }
}

async function pressStop(stand: Stand, place: Place, card: Message): Promise<void> {
  const until = performance.now() + 3000;
  while (performance.now() < until) {
    const now = await look(stand, place, card);
    if (await tap(stand, place.people[0], now, '⏹').catch(() => false)) return;
    await sleep(150);
  }
}

async function look(stand: Stand, place: Place, card: Message): Promise<Message> {
  const [now = card] = await stand.telegram.messages(place.chat, place.people[0], card.message_id - 1);
  return now;
}

function commandOf(act: SendAct, place: Place, wanted: readonly Wanted[]): string {
  if (act.kind === 'book')
    return `/booksend ${BOOKS.get(act.messages)?.title ?? ''} ${wanted[0]?.text ?? ''}`;
  if (act.kind === 'send') {
    return `/send ${wanted.map(({ recipient }) => recipient).join(' ')} ${wanted[0]?.text ?? ''}`;
  }
  const rows = wanted.map(({ recipient, text }) => `${place.account.line};${recipient};${text}`);
  return `/multi ${rows.join('\n')}`;
}

/** The words that only this sending uses, with the space behind them: `chaos r1 s2 `. */
export function nameOf(wanted: readonly Wanted[]): string {
  return `${wanted[0]?.text.split(' ').slice(0, 3).join(' ')} `;
}

/** Mobile numbers, ten digits each, none of them twice in a run. */
function createNumbers(round: number): () => string {
  let next = round * 5000;
  return () => {
    next += 1;
    return `912${String(next % 10_000_000).padStart(7, '0')}`;
  };
}
