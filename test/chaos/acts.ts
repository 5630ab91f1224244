import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@grammyjs/types';
import { waitForEarlier } from './patience.ts';
import { dataOf, hears, type Place, tap } from './people.ts';
import { follow, halt, haltAll } from './presses.ts';
import type { Plan, SendAct } from './schedule.ts';
import { authorOf, CARD_PATIENCE_MS, cardWith, look, SEND, type Sending } from './sending.ts';
import type { Stand } from './stand.ts';
import { commandOf, createWants, nameOf } from './wanted.ts';

/** What the card of a file asks for: that its column is right, and then the text. */
const USE = '▶ Continue';
const QUESTION = 'What should the message say?';
const ASK = '➡ Ask';
const FLASH_OFF = '⚡ Flash: off';
const FLASH_ON = '⚡ Flash: on';
const TEXT_TRIES = 3;
const STEP_PATIENCE_MS = 2000;
/** What was left out has no card. */
const HASTY_PATIENCE_MS = 3000;

/** Has the people of a round do what the plan says. Resolves when each of them has done or given up. */
export async function runActs(
  stand: Stand,
  places: readonly Place[],
  plan: Pick<Plan, 'round' | 'acts'>,
  signal: AbortSignal,
): Promise<Sending[]> {
  const began = performance.now();
  const sendings: Sending[] = [];
  const wants = createWants(plan.round);
  await Promise.all(
    plan.acts.map(async (act, index) => {
      const place = places[(act.chat ?? 0) % places.length];
      if (place === undefined) return;
      // What is said is settled now, in the order of the plan, so that it does not depend on how fast anybody is.
      const wanted = act.kind === 'ask' || act.kind === 'halt' ? [] : wants(act, index, place);
      await sleep(Math.max(0, act.at - (performance.now() - began)), undefined, { signal }).catch(
        () => undefined,
      );
      if (signal.aborted) return;
      const [owner, second = owner] = place.people;
      if (act.kind === 'ask') {
        await stand.telegram.say(owner, place.chat, act.command);
        return;
      }
      if (act.kind === 'halt') {
        await (act.chat === null ? haltAll(stand, act.ms, signal) : halt(stand, place, act.ms, signal));
        return;
      }
      const sending: Sending = {
        place,
        wanted,
        ...(act.bySecond === true ? { by: second } : {}),
        said: 0,
        presses: [],
        deeds: [],
      };
      sendings.push(sending);
      await runSend(stand, sending, act, signal);
    }),
  );
  return sendings;
}

async function runSend(stand: Stand, sending: Sending, act: SendAct, signal: AbortSignal): Promise<void> {
  const card = await (act.kind === 'bulk' ? prepareFile(stand, sending) : prepare(stand, sending, act));
  if (card === null || signal.aborted) return;
  await sleep(act.thinkMs);
  await follow(stand, sending, act, card);
}

/** Says what is to be sent. Resolves to the card on which it can be confirmed or asked about; null when none comes. */
async function prepare(stand: Stand, sending: Sending, act: SendAct): Promise<Message | null> {
  const { place, wanted } = sending;
  const said = await stand.telegram.say(authorOf(sending), place.chat, commandOf(act, wanted));
  sending.said = said.message_id;
  const patience = waitForEarlier(act.isHasty === true ? HASTY_PATIENCE_MS : CARD_PATIENCE_MS);
  const card = await cardWith(stand, sending, [SEND, ASK], patience);
  if (card === null || act.kind !== 'send' || wanted[0]?.flash !== true) return card;
  for (let tries = 0; tries < TEXT_TRIES; tries += 1) {
    const now = await look(stand, place, card);
    if (dataOf(now, FLASH_ON) !== undefined) return now;
    await tap(stand, authorOf(sending), now, FLASH_OFF).catch(() => false);
    // On this very card: who says the same once more has two that look alike.
    const isOn = (each: Message): boolean =>
      each.message_id === card.message_id && dataOf(each, FLASH_ON) !== undefined;
    const wait = waitForEarlier(STEP_PATIENCE_MS);
    const on = await hears(stand, place.chat, place.people[0], card.message_id - 1, isOn, wait).catch(
      () => null,
    );
    if (on !== null) return on;
  }
  return null;
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
  // Each number of a file is looked up.
  const size = wanted.length;
  const read = await cardWith(stand, sending, [USE], waitForEarlier(CARD_PATIENCE_MS + 2 * size));
  if (read === null || !(await tap(stand, owner, read, USE).catch(() => false))) return null;
  let after = read.message_id;
  for (let tries = 0; tries < TEXT_TRIES; tries += 1) {
    const asks = (message: Message): boolean => message.text?.includes(QUESTION) === true;
    const wait = waitForEarlier(STEP_PATIENCE_MS + size);
    const question = await hears(stand, place.chat, owner, after, asks, wait).catch(() => null);
    if (question !== null) {
      after = question.message_id;
      const text = `${nameOf(wanted)}${own ? '{mark} ' : ''}hello`;
      // In a group only a reply is an answer.
      await stand.telegram.say(owner, place.chat, text, question.message_id);
    }
    const ready = await cardWith(stand, sending, [SEND], wait);
    if (ready !== null) return ready;
    // Another question may have taken the words, or the press got lost: the card asks once more.
    const now = await look(stand, place, read);
    const pressed = await tap(stand, owner, now, '✏').catch(() => false);
    if (!pressed) await tap(stand, owner, now, USE).catch(() => false);
  }
  return null;
}
