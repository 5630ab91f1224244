import type { Update } from '@grammyjs/types';
import type { MiddlewareFn } from 'grammy';
import type { Act, LimitedKind, LimitScope, RateLimits, Refusal } from '../../domain/rate-limits.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Clock } from '../../ports/runtime.ts';
import { html, lines, type Html } from '../html.ts';
import type { Outgoing, Worth } from '../outgoing/outgoing.ts';
import type { RequestContext } from '../request-context.ts';
import { actIn, type ActContext } from './act.ts';
import type { KitContext } from './context.ts';
import { isAnonymousAdmin } from './identify.ts';

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

/** More than are ever in hand: what nobody takes up again, for another process leads, is forgotten at last. */
const MAX_JUDGED = 10_000;

/** Holds people, chats and all of them together to what is let through. */
export function createLimiter(deps: LimiterDeps): Limiter {
  /** Of what is in hand, by update: what a failure has left open comes into hand again, and has been counted. */
  const judged = new Map<number, Refusal | null>();

  return {
    arrived(update) {
      if (judged.has(update.update_id)) return;
      const act = actOrNull(update);
      judged.set(update.update_id, act === null ? null : deps.limits.judge(act, deps.clock.monotonic()));
      const [oldest] = judged.keys();
      if (judged.size > MAX_JUDGED && oldest !== undefined) judged.delete(oldest);
    },

    async middleware(ctx, next) {
      await limit(ctx, next);
      judged.delete(ctx.update.update_id);
    },
  };

  async function limit(ctx: KitContext, next: () => Promise<void>): Promise<void> {
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
    const refusal = judged.get(updateId) ?? null;
    if (refusal === null) return await next();
    if (ctx.callbackQuery !== undefined) {
      ctx.refusal = refusal;
      return await next();
    }
    await refuse(ctx, refusal);
  }

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

/** A press is answered in words of its own. */
type LimitedMessage = Exclude<LimitedKind, 'press'>;

const from = {
  en: { person: 'I take from one person at a time', chat: 'I take from one chat at a time' },
  fa: { person: 'از یک نفر', chat: 'از یک گفتگو' },
} as const;

/** What is said when more comes than is let through; `wait` is a length of time in words. */
export const limitTexts = defineTexts({
  en: {
    /** With a name where others read it who are not meant. */
    tooMany: (scope: LimitScope, kind: LimitedMessage, wait: string, name: string | null): Html => {
      const what = {
        command: 'That is more',
        read: 'Those are more requests to the gateway',
        upload: 'Those are more files',
      }[kind];
      const than = scope === 'deployment' ? 'I manage for all chats together right now' : from.en[scope];
      return lines(
        html`${name === null ? '' : `${isolateAuto(name)}: `}${what} than ${than}.`,
        html`Your last message was not acted on. Send it again in ${wait}.`,
      );
    },
    press: (wait: string): string => `Too fast: this press has done nothing. Press again in ${wait}.`,
  },
  fa: {
    tooMany: (scope, kind, wait, name) => {
      const what = {
        command: 'بیش از این',
        read: 'این همه درخواست از پنل پیامک',
        upload: 'این همه فایل',
      }[kind];
      return lines(
        html`${name === null ? '' : `${isolateAuto(name)}: `}${
          scope === 'deployment'
            ? `الان برای همهٔ گفتگوها روی هم ${what} ممکن نیست.`
            : `در این مدت کوتاه ${from.fa[scope]} ${what} نمی‌پذیرم.`
        }`,
        html`پیام آخر انجام نشد. ${wait} دیگر دوباره بفرستید.`,
      );
    },
    press: (wait) => `خیلی تند بود و این دکمه کاری نکرد. ${wait} دیگر دوباره بزنید.`,
  },
});

/**
 * What the answers to an update are worth in its chat: somebody with a role goes before all that Peyk says by itself, and
 * somebody without one never takes the pace from those who have one. Where no account is linked nobody has a role.
 */
function worthOf({ request, message }: Pick<KitContext, 'request' | 'message'>): Worth {
  if (request.role !== null) return 'urgent';
  const isOutsider =
    request.chat.type !== 'private' && request.binding !== null && !isAnonymousAdmin(message);
  return isOutsider ? 'spare' : 'ordinary';
}
