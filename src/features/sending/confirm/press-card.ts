import { AppError } from '../../../domain/errors.ts';
import type { Clock } from '../../../ports/runtime.ts';
import type {
  ApproveResult,
  AskResult,
  CardView,
  ConfirmResult,
  DraftStore,
  Limited,
  RejectResult,
} from '../../../ports/stores.ts';
import { html, lines, type Html } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { kitTexts } from '../../../telegram/texts.ts';
import { lineRuleTexts } from '../../shared/line-rule-texts.ts';
import { renderCard } from '../card.ts';
import type { Cards } from '../cards.ts';
import { callAuthor } from '../draft/author-card.ts';
import { priceTexts, shortNote } from '../draft/price-card.ts';
import { lacksNote } from '../draft/warning-card.ts';
import { openingOffer } from '../schedule/when-card.ts';
import { whenTexts } from '../schedule/when-texts.ts';
import { texts } from '../texts.ts';
import { answerButtons, approvalNote } from './approval-card.ts';
import { approvalTexts } from './approval-texts.ts';
import { draftLimitNote } from './limited-card.ts';

export type PressResult = ConfirmResult | AskResult | ApproveResult | RejectResult;

/**
 * Says what a press came to where the card alone would look as if nothing had been pressed.
 * Throws `not_allowed` for a role that is gone, and `not_connected` where no account is linked any more.
 */
export async function tellPress(
  ctx: RequestContext,
  done: PressResult,
  view: CardView,
  { cards, now }: { readonly cards: Pick<Cards, 'called'>; readonly now: Date },
): Promise<void> {
  const t = approvalTexts(ctx.locale);
  const { draft } = view;
  switch (done.result) {
    case 'limited':
      await tellLimit(ctx, done, view);
      break;
    case 'not_needed':
      await ctx.say(t.notNeeded(draft.code));
      break;
    case 'nobody':
      await ctx.say(lines(t.nothingSent, approvalNote(view, ctx.format)));
      break;
    case 'own':
      await ctx.say(html`${kitTexts(ctx.locale).press.own_question}`);
      break;
    case 'author_role':
      await ctx.say(t.authorLost(draft.authorName));
      break;
    case 'short':
      await ctx.say(lines(shortNote(view, ctx.format), priceTexts(ctx.locale).pressAgain));
      break;
    case 'words': {
      const told = lineRuleTexts(ctx.locale);
      await ctx.say(lines(told.says(done.words), told.saysNow));
      break;
    }
    case 'lacks':
      await ctx.say(lines(lacksNote(view, ctx.locale), lineRuleTexts(ctx.locale).lacksNow));
      break;
    case 'past':
      await ctx.say(draft.sendAt === null ? texts(ctx.locale).past : whenTexts(ctx.locale).pastTime);
      break;
    case 'role':
      throw new AppError('not_allowed', 'the role was taken away at the moment of the press');
    case 'not_connected':
      if (ctx.binding === null) throw new AppError('not_connected', 'the account of the draft is gone');
      await ctx.say(texts(ctx.locale).otherAccount(draft.code));
      break;
    case 'confirmed':
    case 'rejected': {
      const said = await tellAuthor(ctx, done.result, view, now);
      if (said !== null && done.result === 'confirmed') await cards.called(draft.id, said);
      break;
    }
    case 'asked':
      await cards.called(draft.id, await callApprovers(ctx, view));
      break;
    case 'changed':
      if (draft.leavesAtOnce === true) await ctx.say(texts(ctx.locale).knownSince(draft.code));
      break;
    // The card says it.
    case 'cancelled':
    case 'already':
    case 'expired':
    case 'waits':
  }
}

/** Calls those who may approve a draft, with their two answers; the message by which it does. */
async function callApprovers(ctx: RequestContext, view: CardView): Promise<number> {
  const { draft, approval, place } = view;
  return await ctx.say(approvalTexts(ctx.locale).calls(draft.code, draft.authorName, approval.by), {
    replyTo: place.messageId ?? undefined,
    buttons: [answerButtons(view, ctx.format)],
  });
}

/** Calls the author by the answer of somebody else, in the card's language, with what can be done now; the message by which it does. */
async function tellAuthor(
  ctx: RequestContext,
  result: 'confirmed' | 'rejected',
  view: CardView,
  now: Date,
): Promise<number | null> {
  const { draft, place } = view;
  if (draft.authorId === ctx.person.id) return null;
  const t = approvalTexts(draft.lang);
  const said = result === 'confirmed' ? t.approved : t.refused;
  return await ctx.say(callAuthor(view, said(draft.code, ctx.person.name)), {
    replyTo: place.messageId ?? undefined,
    buttons: renderCard({ ...view, timeZone: ctx.format.timeZone }, now).buttons,
  });
}

/** Outside of the hours, the time at which they begin again is one press away. */
async function tellLimit(ctx: RequestContext, done: Limited, view: CardView): Promise<void> {
  const said = limitText(ctx, done, view);
  const { verdict, leavesAt } = done;
  const offer = verdict.kind === 'window' ? openingOffer(view, verdict.all, leavesAt, ctx.format) : null;
  await ctx.say(lines(said, offer?.said), { buttons: [[offer?.button]] });
}

function limitText({ locale, format }: RequestContext, done: Limited, view: CardView): Html {
  const t = approvalTexts(locale);
  const why =
    done.verdict.kind === 'approval'
      ? lines(approvalNote(view, format), view.approval.by.length > 0 && t.pressAsk)
      : draftLimitNote(view, done, format);
  return lines(t.nothingSent, why);
}

/**
 * Confirms a draft that was just written, for whoever wrote it: by the same transaction as a press of its button, after which
 * the undo hold begins. What keeps it from leaving is told, and its card stays with its buttons.
 */
export function createLetLeave(deps: {
  readonly drafts: Pick<DraftStore, 'card' | 'confirm'>;
  readonly cards: Pick<Cards, 'refresh' | 'called'>;
  readonly clock: Clock;
  readonly undoSeconds: number;
  readonly checkCredit: (bindingId: string) => Promise<void>;
}) {
  const { drafts, cards, undoSeconds } = deps;
  return async (ctx: RequestContext, draftId: string): Promise<void> => {
    if (ctx.binding !== null) await deps.checkCredit(ctx.binding.id);
    const { updateId } = ctx;
    const press = { draftId, version: 1, personId: ctx.person.id, updateId, undoSeconds };
    const done = await drafts.confirm({ ...press, timeZone: ctx.format.timeZone });
    // The card comes by itself.
    if (done.result === 'confirmed') return;
    const view = await drafts.card(draftId);
    try {
      // Which limit it is stands on the card.
      if (view !== null && done.result !== 'limited')
        await tellPress(ctx, done, view, { cards, now: deps.clock.now() });
    } finally {
      await cards.refresh(draftId);
    }
  };
}
