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
      const wanted = act.kind === 'ask' ? [] : wantedBy(act, index);
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

  function wantedBy(act: SendAct, index: number): readonly Wanted[] {
    const known = before.get(act.chat);
    if (act.again && act.kind === 'send' && known !== undefined) return known;
    const name = `chaos r${plan.round} s${index}`;
    const recipients =
      BOOKS.get(act.messages)?.numbers.map(short) ?? Array.from({ length: act.messages }, numbers);
    const wanted = recipients.map((recipient, row): Wanted => ({
      recipient,
      text: act.kind === 'multi' ? `${name} m${row} hello` : `${name} hello`,
    }));
    if (act.kind === 'send') before.set(act.chat, wanted);
    return wanted;
  }
}

async function runSend(stand: Stand, sending: Sending, act: SendAct, signal: AbortSignal): Promise<void> {
  const { place, wanted } = sending;
  const [owner] = place.people;
  const said = await stand.telegram.say(owner, place.chat, commandOf(act, place, wanted));
  sending.said = said.message_id;
  const mine = (message: Message): boolean =>
    message.text?.includes(nameOf(wanted)) === true && dataOf(message, SEND) !== undefined;
  const card = await hears(stand, place.chat, owner, said.message_id, mine, CARD_PATIENCE_MS).catch(
    () => null,
  );
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
function nameOf(wanted: readonly Wanted[]): string {
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
