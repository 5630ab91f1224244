import type { Update } from '@grammyjs/types';
import type { MiddlewareFn } from 'grammy';
import type { Act, RateLimits, Refusal } from '../../domain/rate-limits.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { worthOf } from '../outgoing/worth.ts';
import type { RequestContext } from '../request-context.ts';
import { actIn, type ActContext } from './act.ts';
import type { KitContext } from './context.ts';
import { limitTexts } from './limit-texts.ts';

export interface LimiterDeps extends ActContext {
  readonly limits: RateLimits;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly metrics: Pick<Metrics, 'limited'>;
  readonly outgoing: Pick<Outgoing, 'weigh'>;
  /** Told when an answer to this update waits for the pace. */
  readonly letOn: (updateId: number) => void;
}

export interface Limiter {
  /** Judges an update when it comes into hand: by when it is handled, a flood has become a queue, one answer a second. */
  arrived(update: Update): void;
  /**
   * Ends what was refused, once in a while with a word, and without one what somebody without a role asks too soon after an
   * answer. What is let through is answered by its worth; a press goes on with its refusal, as its button must be answered.
   */
  readonly middleware: MiddlewareFn<KitContext>;
}

/** Holds people, chats and all of them together to what is let through. */
export function createLimiter(deps: LimiterDeps): Limiter {
  const refusals = new WeakMap<Update, Refusal>();

  return {
    arrived(update) {
      const act = actOrNull(update);
      const refusal = act === null ? null : deps.limits.judge(act, deps.clock.monotonic());
      if (refusal !== null) refusals.set(update, refusal);
    },

    async middleware(ctx, next) {
      const { update_id: updateId } = ctx.update;
      ctx.api.config.use(
        deps.outgoing.weigh(
          () => worthOf(ctx),
          () => deps.letOn(updateId),
        ),
      );
      if (!isAnswered(ctx)) {
        deps.metrics.limited('person', 'command');
        return;
      }
      const refusal = refusals.get(ctx.update);
      if (refusal === undefined) return await next();
      if (ctx.callbackQuery !== undefined) {
        ctx.refusal = refusal;
        return await next();
      }
      await refuse(ctx, refusal);
    },
  };

  /** A press is answered outside the pace, and a form begins with an answer. */
  function isAnswered(ctx: KitContext): boolean {
    if (ctx.message === undefined || ctx.request.inForm || worthOf(ctx) !== 'spare') return true;
    const act = actOrNull(ctx.update);
    return act === null || deps.limits.answersWithoutRole(act, deps.clock.monotonic());
  }

  /** What is no update as Telegram makes them is for its handler to stumble over: here it would keep others from being taken in. */
  function actOrNull(update: Update): Act | null {
    try {
      return actIn(update, deps);
    } catch {
      return null;
    }
  }

  async function refuse({ request }: KitContext, refusal: Refusal): Promise<void> {
    countRefusal(request, refusal, deps.metrics);
    // Where an answer was asked for, this may be a credential, and nobody else will delete it now.
    if (request.inForm && request.chat.type === 'private') await request.forget();
    const { scope, kind, tell } = refusal;
    if (!tell || kind === 'press') return;
    const name = request.chat.type === 'private' || scope !== 'person' ? null : request.person.name;
    await request.say(limitTexts(request.locale).tooMany(scope, kind, waitOf(request, refusal), name));
  }
}

/** What the person is told whose press did nothing. */
export function tooFast(request: RequestContext, refusal: Refusal): string {
  return limitTexts(request.locale).press(waitOf(request, refusal));
}

/** Each counts; the log has a line when somebody is told, and not for each of a flood. */
export function countRefusal(
  request: RequestContext,
  refusal: Refusal,
  metrics: Pick<Metrics, 'limited'>,
): void {
  const { scope, kind, tell } = refusal;
  metrics.limited(scope, kind);
  if (tell) request.log.info({ scope, kind }, 'more was asked than is let through; some of it was left out');
}

/** Whole seconds, so that it has passed when it is said to have. */
function waitOf({ format }: RequestContext, { waitMs }: Refusal): string {
  return format.duration(Math.ceil(waitMs / 1000) * 1000);
}
