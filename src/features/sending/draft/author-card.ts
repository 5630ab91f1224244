import type { DraftView } from '../../../ports/stores.ts';
import type { Authored } from '../actions.ts';
import { cardOf } from '../kinds/cards.ts';

/** As long as the question for a second person stands. */
const ASKED_SECONDS = 86_400;

export function authored(draft: DraftView): Authored {
  const { id, version, authorId } = draft;
  return {
    payload: { draftId: id, version },
    look: { personId: authorId, draft: { id, version }, ttlSeconds: secondsOf(draft) },
  };
}

/** How long the buttons of a draft are good for. */
export function secondsOf({ state, outgoing }: DraftView): number {
  return state === 'asked' ? ASKED_SECONDS : cardOf(outgoing).draftSeconds;
}
