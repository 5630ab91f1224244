import type { MiddlewareFn } from 'grammy';
import type { Refusal } from '../../domain/rate-limits.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { ButtonStore, ChatView } from '../../ports/stores.ts';
import { tokenOf } from '../buttons.ts';
import { telegramFailure } from '../outgoing/errors.ts';
import { kitTexts } from '../texts.ts';
import type { Turn } from '../turn.ts';
import type { KitContext } from './context.ts';
import { countRefusal, tooFast } from './limiter.ts';

export interface PressDeps {
  readonly buttons: ButtonStore;
  /** The actions that are done also when more was pressed than is let through. */
  readonly urgent: readonly string[];
  readonly metrics: Pick<Metrics, 'limited'>;
  /** The turn of a press whose person's role counts in another chat than the one it was made in. */
  readonly atHome: (ctx: KitContext, home: Pick<ChatView, 'telegramId' | 'type' | 'title'>) => Promise<Turn>;
}

/**
 * Takes up a press: the token is checked and used up in one statement, the press is answered before any
 * work, and only then goes on. Whoever may not press is told why, and nothing happens.
 */
export function takePress({ buttons, urgent, metrics, atHome }: PressDeps): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const query = ctx.callbackQuery;
    if (query === undefined) return await next();
    const { turn, refusal } = ctx;
    const texts = kitTexts(turn.locale);
    if (refusal?.mayBeUrgent === false) return await leaveOut(ctx, refusal);
    const token = tokenOf(query.data);
    if (token === null) {
      await ctx.answerCallbackQuery({ text: texts.press.unknown, show_alert: true });
      return;
    }
    const claim = await buttons
      .claim({
        token,
        chatTelegramId: turn.chat.telegramId,
        personId: turn.person.id,
        updateId: turn.updateId,
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
      const text =
        claim.by === undefined
          ? texts.press[claim.reason]
          : texts.usedBy(claim.by.name, turn.format.time(claim.by.at));
      await ctx.answerCallbackQuery({ text, show_alert: true });
      return;
    }
    // The press counts whether or not Telegram takes the answer to it: its button is used up by now.
    await ctx.answerCallbackQuery().catch((error: unknown) => {
      turn.log.info({ kind: telegramFailure(error).kind }, 'a press could not be answered');
    });
    if (claim.home !== undefined) ctx.turn = await atHome(ctx, claim.home);
    ctx.press = { action: claim.action, payload: claim.payload };
    await next();
  };

  /** Its button is not used up: the same press works a moment later. */
  async function leaveOut(ctx: KitContext, refusal: Refusal): Promise<void> {
    countRefusal(ctx.turn, refusal, metrics);
    await ctx.answerCallbackQuery({ text: tooFast(ctx.turn, refusal) });
  }
}

/** A press whose message or person is not known to us is answered all the same, so that no button hangs. */
export function answerStray(): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    await next();
    if (ctx.callbackQuery !== undefined && ctx.turn === undefined) {
      await ctx.answerCallbackQuery({ text: kitTexts('en').press.no_person, show_alert: true });
    }
  };
}
