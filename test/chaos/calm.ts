import { RESUME } from './presses.ts';
import { authorOf, SEND, type Sending } from './sending.ts';
import { cardsOf } from './cards.ts';
import type { Finding } from './checks.ts';
import type { DraftFact } from './facts.ts';
import { draftOf } from './heard.ts';
import { dataOf, tap } from './people.ts';
import type { Stand } from './stand.ts';
import type { Said } from './telegram-oracle.ts';

/** Drafts that are open although somebody pressed Send, and the cards on which they can press again. */
export interface Unheard {
  readonly name: string;
  readonly draft: DraftFact;
  /** Whether the card had a button that could be pressed again. */
  readonly pressed: boolean;
}

/**
 * After the storm: whoever pressed Send to no effect presses the card once more, as it is now, and what a person has paused and
 * could not let go on in the storm goes on.
 */
export async function pressAgain(
  stand: Stand,
  sendings: readonly Sending[],
  drafts: readonly DraftFact[],
  said: readonly Said[],
): Promise<Unheard[]> {
  const unheard: Unheard[] = [];
  for (const sending of sendings) {
    const { place, wanted, presses } = sending;
    const draft = draftOf(sending, drafts, said);
    if (draft?.job?.state === 'paused') {
      for (const card of cardsOf(draft, await stand.telegram.messages(place.chat, place.people[0])))
        await tap(stand, place.people[0], card, RESUME).catch(() => false);
      continue;
    }
    if (presses.length === 0 || draft === undefined || draft.job !== null || draft.state !== 'open') continue;
    const cards = cardsOf(draft, await stand.telegram.messages(place.chat, place.people[0]));
    // Who said the same twice may have pressed the other card.
    if (cards.length === 0) continue;
    const card = cards.findLast((message) => dataOf(message, SEND) !== undefined);
    const pressed =
      card !== undefined && (await tap(stand, authorOf(sending), card, SEND).catch(() => false));
    // A chat that limits itself may have been full, and still is.
    if (place.limits !== undefined) continue;
    unheard.push({ name: `«${wanted[0]?.text}» in ${place.chat}`, draft, pressed });
  }
  return unheard;
}

/** A press in the calm has its effect, whatever befell the presses before it. */
export function checkPressedAgain(unheard: readonly Unheard[], after: readonly DraftFact[]): Finding[] {
  return unheard
    .filter(({ draft }) => after.find(({ id }) => id === draft.id)?.job === null)
    .map(({ name, draft, pressed }) => ({
      kind: 'dead',
      count: 1,
      what: `#${draft.code} ${name}: ${pressed ? 'a press in the calm does nothing' : 'the card has no Send any more'}`,
    }));
}
