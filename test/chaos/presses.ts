import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@grammyjs/types';
import { waitForEarlier } from './patience.ts';
import { dataOf, hears, type Place, tap } from './people.ts';
import type { SendAct } from './schedule.ts';
import { authorOf, cardWith, type Deed, look, SEND, type Sending } from './sending.ts';
import type { Stand } from './stand.ts';

const ASK = '➡ Ask';
const CONTROLS = { undo: '↩️ Undo', stop: '⏹ Stop', pause: '⏸ Pause' } as const;
export const RESUME = '▶ Resume';
const TRIES = 3;
const PRESS_PATIENCE_MS = 2000;
const CONTROL_PATIENCE_MS = 4000;
const WORDS_PATIENCE_MS = 5000;
const PAUSED_MS = 700;
/** More presses at once than are let through. */
const OFTEN = 60;
const LOOK_MS = 150;
/** A card that says none of these has nothing left to be stopped. */
const UNDER_WAY = /leaving in|🚚|⏳|⏸|Draft/u;

/** What a person does with the card of what they have prepared. */
export async function follow(stand: Stand, sending: Sending, act: SendAct, card: Message): Promise<void> {
  const { place } = sending;
  const author = authorOf(sending);
  switch (act.press) {
    case 'never':
      return;
    case 'cancel':
      await tap(stand, author, card, '✖').catch(() => undefined);
      return;
    case 'approve':
    case 'reject':
      return await answer(stand, sending, act.press, card);
    case 'undo':
    case 'stop':
    case 'pause':
      await press(stand, sending, act, card);
      if (!(await tapWhen(stand, sending, card, act.press, CONTROLS[act.press])) || act.press !== 'pause')
        return;
      if ((await cardWith(stand, sending, [RESUME])) === null) return;
      await sleep(PAUSED_MS);
      await tapWhen(stand, sending, card, 'resume', RESUME);
      return;
    case 'once':
    case 'twice':
    case 'often':
    case 'by_two':
      await press(stand, sending, act, card);
  }
  if (act.thenHours === undefined || !(await tapWhen(stand, sending, card, null, '🕐 Time'))) return;
  const asks = (message: Message): boolean => message.text?.includes('When should it be sent?') === true;
  const question = await hears(
    stand,
    place.chat,
    author,
    card.message_id,
    asks,
    waitForEarlier(WORDS_PATIENCE_MS),
  ).catch(() => null);
  if (question === null) return;
  await stand.telegram.say(author, place.chat, `in ${act.thenHours} hours`, question.message_id);
  const again = await cardWith(stand, sending, [SEND]);
  if (again === null) return;
  await press(stand, sending, act, again);
}

/** Asks a second person, who answers. */
async function answer(
  stand: Stand,
  sending: Sending,
  what: 'approve' | 'reject',
  card: Message,
): Promise<void> {
  const { place, deeds } = sending;
  const [owner, second = owner] = place.people;
  const label = what === 'approve' ? '✅ Approve' : '❌ Reject';
  for (let tries = 0; tries < TRIES; tries += 1) {
    const now = await look(stand, place, card);
    // Whoever is shown that it needs nobody else sends it.
    for (const way of [ASK, SEND]) await tap(stand, owner, now, way).catch(() => false);
    const asked = await cardWith(stand, sending, [label], waitForEarlier(WORDS_PATIENCE_MS));
    if (asked === null) continue;
    if (!(await tap(stand, second, asked, label).catch(() => false))) continue;
    deeds.push(what);
    if (await gone(stand, place, card, label)) return;
  }
}

/** Presses, and presses once more when nothing comes of it, as people do. */
async function press(stand: Stand, sending: Sending, act: SendAct, card: Message): Promise<void> {
  const author = authorOf(sending);
  const [owner, other = owner] = sending.place.people;
  for (let tries = 0; tries < 2; tries += 1) {
    const now = await look(stand, sending.place, card);
    const data = dataOf(now, SEND);
    if (data === undefined) return;
    const times = act.press === 'often' ? OFTEN : act.press === 'twice' ? 2 : 1;
    const pressers = act.press === 'by_two' ? [author, other] : Array.from({ length: times }, () => author);
    await Promise.all(
      pressers.map(async (person) => {
        // A card that has changed in this moment takes no press of what it showed before.
        if (await tap(stand, person, now, SEND).catch(() => false)) sending.presses.push(data);
      }),
    );
    if (await gone(stand, sending.place, card, SEND)) return;
  }
}

/** Whether a button is gone from a card, now or soon. */
async function gone(stand: Stand, place: Place, card: Message, label: string): Promise<boolean> {
  for (const until = performance.now() + waitForEarlier(PRESS_PATIENCE_MS); performance.now() < until;) {
    if (dataOf(await look(stand, place, card), label) === undefined) return true;
    await sleep(LOOK_MS);
  }
  return false;
}

/** Presses a button as soon as the card has it. False: it has ended without, or there was no time left. */
async function tapWhen(
  stand: Stand,
  sending: Sending,
  card: Message,
  what: Deed | null,
  label: string,
): Promise<boolean> {
  for (const until = performance.now() + waitForEarlier(CONTROL_PATIENCE_MS); performance.now() < until;) {
    const now = await look(stand, sending.place, card);
    if (await tap(stand, authorOf(sending), now, label).catch(() => false)) {
      if (what !== null) sending.deeds.push(what);
      return true;
    }
    if (what !== null && !UNDER_WAY.test(now.text ?? '')) return false;
    await sleep(LOOK_MS);
  }
  return false;
}

/** Switches all sends of a chat off, and on again after some milliseconds. */
export async function halt(stand: Stand, place: Place, ms: number, signal: AbortSignal): Promise<void> {
  const {
    chat,
    people: [owner],
  } = place;
  const says = async (command: string, words: RegExp): Promise<void> => {
    for (let tries = 0; tries < TRIES && !signal.aborted; tries += 1) {
      const { message_id: after } = await stand.telegram.say(owner, chat, command);
      const fits = ({ text = '' }: Message): boolean => words.test(text);
      const wait = waitForEarlier(WORDS_PATIENCE_MS);
      if ((await hears(stand, chat, owner, after, fits, wait).catch(() => null)) !== null) return;
    }
  };
  await says('/limits stop', /switched all sends of this chat off|All sends are off already/u);
  await sleep(ms);
  await says('/limits go', /switched sends on again|not switched off/u);
}

/** The same by the operator, for all chats. */
export async function haltAll(stand: Stand, ms: number, signal: AbortSignal): Promise<void> {
  for (const word of ['on', 'off'] as const) {
    while (!signal.aborted && !(await stand.halt(word)));
    if (word === 'on') await sleep(ms);
  }
}
