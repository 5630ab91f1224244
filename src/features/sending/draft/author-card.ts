import { ASKED_SECONDS } from '../../../domain/draft.ts';
import { fileOf, kindOf } from '../../../domain/kinds/index.ts';
import type { CardView, DraftView } from '../../../ports/stores.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import { html, type Html } from '../../../telegram/html.ts';
import { mention } from '../../shared/mention.ts';
import { draftActions, type Authored } from '../actions.ts';
import { texts } from '../texts.ts';

export function authored(draft: DraftView): Authored {
  const { id, version, authorId } = draft;
  return {
    payload: { draftId: id, version },
    look: { personId: authorId, draft: { id, version }, ttlSeconds: secondsOf(draft) },
  };
}

/**
 * Takes a draft up again that was rejected or has lapsed. Null for any other, and for what another card begins anew: a change
 * of a scheduled send, what is sent again, a rule's answer.
 */
export function againButton({ draft, approval }: Pick<CardView, 'draft' | 'approval'>): ActionButton | null {
  const isOver = draft.expired || approval.rejectedByName !== null;
  const { backAs, replaces, resendOf, leavesAtOnce, answers, restored } = draft;
  const isElsewhere = [backAs, replaces, leavesAtOnce, restored].some((each) => each !== undefined);
  if (!isOver || isElsewhere || resendOf !== null || answers?.isAuto === true) return null;
  // Of a file that was never read, or whose rows are gone, there is nothing.
  if (fileOf(draft.outgoing)?.head.length === 0) return null;
  return draftActions.again.button(
    texts(draft.lang).again,
    { draftId: draft.id },
    { personId: draft.authorId },
  );
}

/** How long the buttons of a draft are good for. */
export function secondsOf({ state, outgoing }: DraftView): number {
  return state === 'asked' ? ASKED_SECONDS : kindOf(outgoing).openSeconds;
}

/** Calls the author of a card by what is said about it: names them, where there are others. */
export function callAuthor({ draft, place }: Pick<CardView, 'draft' | 'place'>, said: Html): Html {
  // Telegram's ids of private chats are those of people, of all others below zero.
  if (place.chatTelegramId > 0) return said;
  return html`${mention({ id: draft.authorId, name: draft.authorName })}: ${said}`;
}
