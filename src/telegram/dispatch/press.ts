import type { MiddlewareFn } from 'grammy';
import type { Refusal } from '../../domain/rate-limits.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { ButtonClaim, ChatView } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import { tokenOf } from '../buttons.ts';
import { telegramFailure } from '../outgoing/errors.ts';
import { kitTexts } from '../texts.ts';
import type { RequestContext } from '../request-context.ts';
import type { KitContext } from './context.ts';
import type { PressRepeats } from './repeats.ts';
import { countRefusal, tooFast } from './limiter.ts';

type Refused = Extract<ButtonClaim, { readonly ok: false }>;

export interface PressDeps extends Pick<Stores, 'buttons'> {
  /** The actions that are done also when more was pressed than is let through. */
  readonly urgent: readonly string[];
  readonly metrics: Pick<Metrics, 'limited'>;
  readonly repeats: Pick<PressRepeats, 'isRepeat'>;
  /** The request context of a press whose person's role counts in another chat than the one it was made in. */
  readonly atHome: (
    ctx: KitContext,
    home: Pick<ChatView, 'telegramId' | 'type' | 'title'>,
  ) => Promise<RequestContext>;
}

/**
 * Takes up a press: the token is checked and used up in one statement, the press is answered before any
 * work, and only then goes on. Whoever may not press is told why, and nothing happens.
 */
export function takePress({
  buttons,
  urgent,
  metrics,
  repeats,
  atHome,
}: PressDeps): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const query = ctx.callbackQuery;
    if (query === undefined) return await next();
    const { request, refusal } = ctx;
    const texts = kitTexts(request.locale);
    if (refusal?.mayBeUrgent === false) return await leaveOut(ctx, refusal);
    const token = tokenOf(query.data);
    if (token === null) {
      await ctx.answerCallbackQuery({ text: texts.press.unknown, show_alert: true });
      return;
    }
    const claim = await buttons
      .claim({
        token,
        chatTelegramId: request.chat.telegramId,
        personId: request.person.id,
        updateId: request.updateId,
        ...(refusal === undefined ? {} : { only: urgent }),
      })
      .catch(async (error: unknown) => {
        await ctx.answerCallbackQuery({ text: texts.press.failed, show_alert: true });
        throw error;
      });
    if (!claim.ok) {
      if (claim.reason === 'left_out') {
        if (refusal !== undefined) await leaveOut(ctx, refusal);
        return;
      }
      await ctx.answerCallbackQuery({ text: whyNot(request, claim.reason, claim.by), show_alert: true });
      return;
    }
    // The press counts whether or not Telegram takes the answer to it: its button is used up by now.
    await ctx.answerCallbackQuery().catch((error: unknown) => {
      request.log.info({ kind: telegramFailure(error).kind }, 'a press could not be answered');
    });
    // What it asks for is being answered, or was by now: a second answer would say the same.
    if (claim.reusable === true && repeats.isRepeat(request.updateId)) return;
    if (claim.home !== undefined) ctx.request = await atHome(ctx, claim.home);
    ctx.press = { action: claim.action, payload: claim.payload };
    await next();
  };

  /** Its button is not used up: the same press works a moment later. */
  async function leaveOut(ctx: KitContext, refusal: Refusal): Promise<void> {
    countRefusal(ctx.request, refusal, metrics);
    await ctx.answerCallbackQuery({ text: tooFast(ctx.request, refusal) });
  }
}

/** Why a press does nothing; `by`: who has used the button up, which may be the same person. */
function whyNot(
  { locale, format, person }: RequestContext,
  reason: Exclude<Refused['reason'], 'left_out'>,
  by: Refused['by'],
): string {
  const texts = kitTexts(locale);
  if (by === undefined) return texts.press[reason];
  const day = format.date(by.at);
  const name = by.id === person.id ? null : by.name;
  return texts.usedBy(name, format.time(by.at), day === format.date(new Date()) ? '' : day);
}

/** A press whose message or person is not known to us is answered all the same, so that no button hangs. */
export function answerStray(): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    await next();
    if (ctx.callbackQuery !== undefined && ctx.request === undefined) {
      await ctx.answerCallbackQuery({ text: kitTexts('en').press.no_person, show_alert: true });
    }
  };
}
