import { AppError } from '../../domain/errors.ts';
import type { Stores } from '../../storage/stores.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { linkedAccount } from './account.ts';

/** What the buttons of a question bring back. */
export interface Question {
  readonly nonce: string;
  readonly bindingId: string;
}

const DAY_SECONDS = 86_400;

/** Opens a question that whoever asked may answer once, for a day. Throws `not_connected` without an account. */
export async function openQuestion(
  links: Pick<Stores['links'], 'mint'>,
  ctx: RequestContext,
  purpose: string,
): Promise<Question> {
  const { id: bindingId } = linkedAccount(ctx);
  const asked = { purpose, chatId: ctx.chat.id, personId: ctx.person.id, ttlSeconds: DAY_SECONDS };
  return { nonce: await links.mint(asked), bindingId };
}

/**
 * Answers it; false when another press has. The same update may answer again after a crash, unless another is given.
 * Throws `not_connected` or `stale` when it was about another account.
 */
export async function answerQuestion(
  links: Pick<Stores['links'], 'claim'>,
  { binding, person, updateId }: RequestContext,
  { nonce, bindingId }: Question,
  claimedBy = updateId,
): Promise<boolean> {
  if (binding?.id !== bindingId)
    throw new AppError(binding === null ? 'not_connected' : 'stale', 'the account has changed');
  return (await links.claim(nonce, person.id, claimedBy)) !== null;
}
