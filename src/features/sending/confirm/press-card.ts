import { AppError } from '../../../domain/errors.ts';
import { kindOf } from '../../../domain/kinds/index.ts';
import { partsOf } from '../../../domain/outgoing.ts';
import type {
  ApproveResult,
  AskResult,
  CardView,
  ConfirmResult,
  Limited,
  RejectResult,
} from '../../../ports/stores.ts';
import { html, lines, type Html } from '../../../telegram/html.ts';
import { kitTexts } from '../../../telegram/texts.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { shortNote } from '../draft/price-card.ts';
import { priceTexts } from '../draft/price-texts.ts';
import { openingOffer } from '../schedule/when-card.ts';
import { whenTexts } from '../schedule/when-texts.ts';
import { texts } from '../texts.ts';
import { answerButtons, approvalNote } from './approval-card.ts';
import { approvalTexts } from './approval-texts.ts';
import { limitTexts } from './limit-texts.ts';
import { amountText, clockText } from './limited-card.ts';

export type PressResult = ConfirmResult | AskResult | ApproveResult | RejectResult;

/**
 * Says what a press came to where the card alone would look as if nothing had been pressed.
 * Throws `not_allowed` for a role that is gone, and `not_connected` or `stale` for an account that is.
 */
export async function tellPress(ctx: RequestContext, done: PressResult, view: CardView): Promise<void> {
  const t = approvalTexts(ctx.locale);
  const { draft, approval } = view;
  switch (done.result) {
    case 'asked':
      await ctx.say(t.calls(draft.code, draft.authorName, approval.by), {
        replyTo: view.place.messageId ?? undefined,
        buttons: [answerButtons(view, ctx.format)],
      });
      break;
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
    case 'past':
      await ctx.say(draft.sendAt === null ? texts(ctx.locale).past : whenTexts(ctx.locale).pastTime);
      break;
    case 'role':
      throw new AppError('not_allowed', 'the role was taken away at the moment of the press');
    case 'not_connected':
      throw new AppError(
        ctx.binding === null ? 'not_connected' : 'stale',
        'the account of the draft is gone',
      );
    // The card says it.
    case 'confirmed':
    case 'changed':
    case 'cancelled':
    case 'rejected':
    case 'already':
    case 'expired':
    case 'waits':
  }
}

/** Outside of the hours, the time at which they begin again is one press away. */
async function tellLimit(ctx: RequestContext, done: Limited, view: CardView): Promise<void> {
  const said = limitText(ctx, done, view);
  const { verdict, leavesAt } = done;
  const offer = verdict.kind === 'window' ? openingOffer(view, verdict, leavesAt, ctx.format) : null;
  await ctx.say(lines(said, offer?.said), { buttons: [[offer?.button]] });
}

function limitText(ctx: RequestContext, { verdict, leavesAt }: Limited, view: CardView): Html {
  const t = approvalTexts(ctx.locale);
  const { format } = ctx;
  if (verdict.kind === 'halted')
    return lines(t.nothingSent, limitTexts(ctx.locale).halted(verdict.byName, format.dateTime(verdict.at)));
  if (verdict.kind === 'held')
    return lines(t.nothingSent, limitTexts(ctx.locale).held(format.dateTime(verdict.at)));
  if (verdict.kind === 'approval')
    return lines(t.nothingSent, approvalNote(view, format), view.approval.by.length > 0 && t.pressAsk);
  if (verdict.kind === 'window') {
    const { outgoing, sendAt } = view.draft;
    const isLater = sendAt !== null || kindOf(outgoing).keptUntil(outgoing) !== null;
    const said = isLater ? t.windowLater : t.windowNow;
    const [from, to] = [clockText(ctx, verdict.from), clockText(ctx, verdict.to)];
    return said(from, to, format.time(leavesAt), format.timeZone);
  }
  const [cap, used, wanted] = [verdict.cap, verdict.used, verdict.wanted].map((value) =>
    amountText(ctx, verdict.unit, value),
  );
  const amounts = [cap ?? '', used ?? '', wanted ?? ''] as const;
  return lines(
    verdict.whose === 'chat'
      ? t.cap(...amounts)
      : lines(t.nothingSent, limitTexts(ctx.locale).personCap(...amounts)),
    partsOf(view.draft) === null && t.patternCounted,
    view.job === null && whenTexts(ctx.locale).capDay(format.date(leavesAt)),
  );
}
