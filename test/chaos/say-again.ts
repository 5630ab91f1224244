import type { Message } from '@grammyjs/types';
import { SEND } from './sending.ts';
import { waitForEarlier } from './patience.ts';
import { dataOf, hears, type Place, tap } from './people.ts';
import { untilQuiet } from './quiet.ts';
import type { RoundContext } from './round.ts';

const AGAIN = '🔁 Send';
/** So many questions of a chat are answered so: each takes some seconds of Telegram's pace. */
const ANSWERED = 8;
const LOST_AGAIN = 6;
const PATIENCE_MS = 10_000;

/**
 * People answer questions about unknown outcomes with «send again», and confirm what they are then shown, some of them
 * twice at once. Some of the answers to these calls are lost in turn, and the processes are killed in the midst of it.
 * Only in chats whose lists have told that the gateway has none of it. Resolves to how many recipients that were.
 */
export async function sayAgain(context: RoundContext): Promise<number> {
  const { stand, prober, signal } = context;
  await stand.gateway.fault({ operation: 'send', kind: 'drop', when: 'after', times: LOST_AGAIN });
  const places = context.places.filter(
    ({ account, limits }) => account.apiKey !== undefined && limits === undefined,
  );
  const told = await Promise.all(places.map(async (place) => await sayAgainIn(context, place)));
  await stand.gateway.clearFaults();
  await untilQuiet(stand, prober, signal);
  return told.flat().reduce((sum, count) => sum + count, 0);
}

async function sayAgainIn({ stand, signal }: RoundContext, place: Place): Promise<number[]> {
  const [owner, other = owner] = place.people;
  const asking = (await stand.telegram.messages(place.chat, owner)).filter(isOpenQuestion);
  const counts: number[] = [];
  for (const [index, question] of asking.slice(-ANSWERED).entries()) {
    signal.throwIfAborted();
    const last = (await stand.telegram.messages(place.chat, owner)).at(-1)?.message_id ?? 0;
    if (!(await tap(stand, owner, question, AGAIN).catch(() => false))) continue;
    const offered = (message: Message): boolean => dataOf(message, SEND) !== undefined;
    const card = await hears(stand, place.chat, owner, last, offered, waitForEarlier(PATIENCE_MS)).catch(
      () => null,
    );
    if (card === null) continue;
    const pressers = index % 2 === 0 ? [owner] : [owner, other];
    await Promise.all(pressers.map((person) => tap(stand, person, card, SEND).catch(() => false)));
    if (index === 2) await stand.peyks[place.chat % stand.peyks.length]?.strike(0);
    counts.push(Number(labelOf(question).replaceAll(/\D/gu, '')));
  }
  return counts;
}

function isOpenQuestion(message: Message): boolean {
  return message.from?.is_bot === true && dataOf(message, AGAIN) !== undefined;
}

function labelOf(message: Message): string {
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.find(({ text }) => text.startsWith(AGAIN))?.text ?? '';
}
