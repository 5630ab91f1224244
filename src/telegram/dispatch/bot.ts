import type { Update, UserFromGetMe } from '@grammyjs/types';
import { Bot, type ApiClientOptions, type MiddlewareFn } from 'grammy';
import { createRateLimits } from '../../domain/rate-limits.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import type { Move } from '../../ports/team.ts';
import type { Tracer } from '../../ports/tracer.ts';
import type { FormStore } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import { AGAIN } from '../again.ts';
import { watchPlaces, type PlaceWatch } from '../alerts/places.ts';
import { tellError } from '../error-texts.ts';
import type { Feature } from '../feature.ts';
import { formMiddleware } from '../forms/form.ts';
import type { StateSealer } from '../forms/open-form.ts';
import { telegramFailure } from '../outgoing/errors.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { createSecretScan, scanOtherUpdates } from '../secrets-in-chat/secret-scan.ts';
import { kitTexts } from '../texts.ts';
import { createDegradedReply } from '../updates/database-away/degraded-reply.ts';
import { watchIntake, type WatchedIntake } from '../updates/database-away/intake-health.ts';
import { createDatabaseRetry } from '../updates/database-away/retry.ts';
import { isDatabaseAway } from '../updates/database-away/trouble.ts';
import { createIntake } from '../updates/intake.ts';
import { commandIn } from './command-in.ts';
import type { KitContext } from './context.ts';
import { followEdits } from './edits.ts';
import { identify, isAnonymousAdmin, requestAtHome, type IdentifyDeps } from './identify.ts';
import { createLimiter } from './limiter.ts';
import { answerStray, takePress } from './press.ts';
import { emojiSet } from './act.ts';
import { createPressRepeats } from './repeats.ts';
import { collectRoutes, route } from './router.ts';

export interface BotDeps extends IdentifyDeps, PlaceWatch, Pick<Stores, 'updates' | 'audit'> {
  readonly forms: FormStore;
  readonly token: string;
  /** Who the token belongs to, as getMe says. */
  readonly me: UserFromGetMe;
  readonly client: ApiClientOptions;
  readonly outgoing: Outgoing;
  readonly features: readonly Feature[];
  readonly sealer: StateSealer;
  /** Whether this process handles updates now. */
  readonly leads: () => boolean;
  readonly metrics: Metrics;
  /** Absent: no traces are made. */
  readonly tracer?: Tracer | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** On all that is let through of what people ask; 0: all of it. */
  readonly rateLimit: number;
  readonly mostInHand?: number | undefined;
  readonly bindings: Pick<Stores['bindings'], 'knowsAny'>;
  readonly team: Pick<Stores['team'], 'left' | 'returned'>;
}

export interface PeykBot {
  readonly bot: Bot<KitContext>;
  readonly intake: WatchedIntake;
}

/** The bot: everything that an update passes, in its order. */
export function createBot(deps: BotDeps): PeykBot {
  const bot = new Bot<KitContext>(deps.token, { botInfo: deps.me, client: deps.client });
  deps.outgoing.install(bot.api);
  const routes = collectRoutes(deps.features, deps.tracer);
  const { me, metrics, clock, outgoing } = deps;
  const limits = createRateLimits(deps.rateLimit);
  const keys = createSecretScan(deps);
  const repeats = createPressRepeats(clock);
  const limiter = createLimiter({
    me,
    commands: routes.commands,
    reactions: routes.reacted,
    limits,
    clock,
    metrics,
    outgoing,
    letOn: (updateId) => intake.letOn(updateId),
  });

  bot.use(
    tellErrors(deps.log),
    answerStray(),
    scanOtherUpdates(deps),
    onlyWhatCounts(routes.reacted),
    watchPlaces(deps),
    watchLeavers(deps.team),
    identify(deps),
    keys.inGroups,
    limiter.middleware,
    followEdits(routes),
    askAnonymous(),
    takePress({
      buttons: deps.buttons,
      urgent: [...routes.actions].filter(([, { urgent }]) => urgent).map(([name]) => name),
      metrics,
      repeats,
      atHome: async (ctx, home) => await requestAtHome(deps, ctx, home),
    }),
    formMiddleware({
      commands: routes.commands,
      read: routes.read,
      forms: deps.forms,
      sealer: deps.sealer,
      keys,
    }),
    keys.inPrivate,
    route(routes, deps.metrics),
  );

  const degradedReply = createDegradedReply({
    api: bot.api,
    botUsername: deps.me.username,
    commands: routes.commands,
    fallback: deps.defaults.lang,
    log: deps.log,
  });
  const retry = createDatabaseRetry({
    leads: deps.leads,
    held: (update, trouble) => degradedReply(update, trouble, true),
    handle: async (update: Update) => {
      try {
        await bot.handleUpdate(update);
      } finally {
        repeats.ended(update);
      }
    },
  });
  const intake = createIntake({
    botId: deps.me.id,
    updates: deps.updates,
    sealer: deps.sealer,
    leads: deps.leads,
    metrics,
    arrived: (update) => {
      limiter.arrived(update);
      repeats.arrived(update);
    },
    mostInHand: deps.mostInHand,
    log: deps.log,
    handle: retry.handle,
    tracer: deps.tracer,
  });
  return { bot, intake: watchIntake(intake, { held: degradedReply, stuck: retry.stuck }) };
}

/** After these the person has the answer already, perhaps, or cannot get any. */
const UNTOLD: ReadonlySet<string> = new Set([
  'lost_answer',
  'left_out',
  'blocked',
  'kicked',
  'chat_gone',
  'no_rights',
  'thread_gone',
]);

/**
 * What no handler reads ends here: in groups the edits that are no command and no reply to the bot, as people edit what they say
 * to each other; of all edits those without words; and reactions by which nothing is done.
 */
function onlyWhatCounts(reacted: Pick<ReadonlyMap<string, unknown>, 'has'>): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const { editedMessage: edited } = ctx;
    const counts = ctx.message ?? ctx.callbackQuery ?? ctx.myChatMember;
    const isHeeded =
      edited !== undefined &&
      (edited.text ?? edited.caption) !== undefined &&
      (edited.chat.type === 'private' ||
        commandIn(edited, ctx.me.username) !== null ||
        edited.reply_to_message?.from?.id === ctx.me.id);
    const acts = emojiSet(ctx.messageReaction).some((emoji) => reacted.has(emoji));
    if (counts !== undefined || isHeeded || acts) await next();
  };
}

function tellErrors(log: Log): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      // What only the database lacked is handled again when it is back, and then finds what it has done already.
      if (ctx.request === undefined || isDatabaseAway(error)) throw error;
      const { kind } = telegramFailure(error);
      if (UNTOLD.has(kind)) {
        ctx.request.log.warn({ kind }, 'Telegram did not take an answer; nothing is repeated');
        return;
      }
      const told = tellError(ctx.request.locale, error, ctx.request.log);
      try {
        await ctx.request.say(told);
      } catch (second) {
        log.warn({ err: second, update: ctx.update.update_id }, 'an error could not be told');
      }
    }
  };
}

/**
 * A command from an anonymous admin has no person: a button is offered, and whoever presses it is known by
 * the press. The command is then given again by that person, with that person's rights.
 */
function askAnonymous(): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    if (!isAnonymousAdmin(ctx.message) || ctx.message === undefined) return await next();
    const { request } = ctx;
    if (commandIn(ctx.message, request.bot.username) === null) return;
    const texts = kitTexts(request.locale);
    await request.say(texts.whoAreYou, {
      buttons: [[AGAIN.button(texts.goOnAsMyself, { line: ctx.message.text ?? ctx.message.caption ?? '' })]],
    });
  };
}

/** Notices who leaves a group, by themselves or not, and who comes back. */
function watchLeavers({
  left,
  returned,
}: Pick<Stores['team'], 'left' | 'returned'>): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const { message } = ctx;
    if (message !== undefined) {
      const move = (personId: number): Move => ({
        chatTelegramId: message.chat.id,
        personId,
        updateId: ctx.update.update_id,
      });
      const gone = message.left_chat_member;
      if (gone !== undefined && !gone.is_bot) await left(move(gone.id));
      for (const here of message.new_chat_members ?? []) if (!here.is_bot) await returned(move(here.id));
    }
    await next();
  };
}
