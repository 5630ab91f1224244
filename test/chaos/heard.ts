import type { Sending } from './sending.ts';
import { cardsOf } from './cards.ts';
import type { Finding } from './checks.ts';
import type { DraftFact } from './facts.ts';
import { CARD_LOST, type Note } from './logs.ts';
import type { Stand } from './stand.ts';
import type { Call, Said } from './telegram-oracle.ts';

/** What became of the commands that led to no card. */
export interface Heard {
  readonly findings: readonly Finding[];
  /** The draft is there; Telegram lost its card, or the answer to it. */
  readonly cardsLost: readonly string[];
  /** Nothing was prepared, and the person was told. */
  readonly told: readonly string[];
  /** Nothing was prepared, and Telegram did not take the words that say so. */
  readonly untold: readonly string[];
}

/** The log's words for an answer that Telegram did not take. */
export const UNTOLD: ReadonlySet<string> = new Set([
  'Telegram did not take an answer; nothing is repeated',
  'an error could not be told',
]);
/** A press or a command that was interrupted and is handled again: no answer by itself. */
const AGAIN = 'an update could not be handled';

/**
 * Every command that was taken in leads to a card, or to words. Where there is neither, the log has it that Telegram
 * did not take them; anything else is a command that vanished.
 */
export async function checkHeard(
  stand: Stand,
  sendings: readonly Sending[],
  drafts: readonly DraftFact[],
  said: readonly Said[],
  { calls, notes }: { readonly calls: readonly Call[]; readonly notes: readonly Note[] },
): Promise<Heard> {
  const heard = {
    findings: [] as Finding[],
    cardsLost: [] as string[],
    told: [] as string[],
    untold: [] as string[],
  };
  for (const sending of sendings) {
    const { place, wanted } = sending;
    const name = `«${wanted[0]?.text}» in ${place.chat}`;
    const draft = draftOf(sending, drafts, said);
    const update = updateOf(sending, said);
    const words = notes
      .filter((note) => note.update === update && note.says !== AGAIN)
      .map(({ says }) => says);
    if (draft === undefined) {
      if (words.some((each) => UNTOLD.has(each))) heard.untold.push(name);
      else if (words.length > 0) heard.told.push(name);
      else
        heard.findings.push({
          kind: 'silent',
          count: 1,
          what: `update ${update}, ${name}: no draft and no word`,
        });
      continue;
    }
    const messages = await stand.telegram.messages(place.chat, place.people[0]);
    if (cardsOf(draft, messages).length > 0) continue;
    const tried = calls.some(
      ({ method, params }) => method === 'sendMessage' && String(params['text']).includes(`#${draft.code}`),
    );
    const gaveUp = notes.some(({ chat, says }) => says === CARD_LOST && chat === draft.chatId);
    if (tried || gaveUp || words.some((each) => UNTOLD.has(each))) heard.cardsLost.push(name);
    else if (words.length > 0) heard.told.push(name);
    else
      heard.findings.push({
        kind: 'silent',
        count: 1,
        what: `update ${update}, ${name}: no card was ever sent`,
      });
  }
  return heard;
}

/** The draft that a command made. */
export function draftOf(
  sending: Sending,
  drafts: readonly DraftFact[],
  said: readonly Said[],
): DraftFact | undefined {
  const update = updateOf(sending, said);
  return drafts.find((draft) => draft.update === update);
}

function updateOf({ place, said: message }: Sending, said: readonly Said[]): number | undefined {
  return said.find((each) => each.chat === place.chat && each.message === message)?.id;
}
