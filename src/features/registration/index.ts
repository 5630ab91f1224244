import { AppError, isAppError } from '../../domain/errors.ts';
import type { RegistrationCard, RegistrationPress } from '../../ports/registrations.ts';
import type { Stores } from '../../storage/stores.ts';
import { announce } from '../../telegram/announce.ts';
import { credentialNames } from '../../telegram/error-texts.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import type { Html } from '../../telegram/html.ts';
import { messageLink, wayBack } from '../../telegram/message-link.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { doerOf } from '../shared/doer.ts';
import { registrationActions } from './actions.ts';
import { previewCard } from './card.ts';
import { createRegistrationForms, FORMS, type Gathered } from './forms.ts';
import { dayShown, endText, resultText, titleFor } from './outcome-texts.ts';
import {
  createRegistrationService,
  type RegistrationResult,
  type RegistrationServiceDeps,
} from './service.ts';
import { texts } from './texts.ts';

export type RegistrationFeatureDeps = RegistrationServiceDeps & Pick<Stores, 'links'>;

const LINK_SECONDS = 600;

/** Registering a gateway user under the chat's account. Nothing of it is asked or shown outside the private chat. */
export function createRegistrationFeature(deps: RegistrationFeatureDeps): Feature {
  const { links, registrations } = deps;
  const service = createRegistrationService(deps);

  const begin = async (ctx: RequestContext, chatId: string, back?: string): Promise<void> => {
    const t = texts(ctx.locale);
    const found = await service.begin(chatId, ctx.person.id);
    const end = async (content: Html): Promise<void> =>
      void (await ctx.say(content, { buttons: [[wayBack(ctx.locale, back)]] }));
    if (found.kind === 'not_allowed') {
      await end(t.notAllowed(found.chat === null ? '' : titleFor(found.chat)));
    } else if (found.kind === 'not_connected') {
      await end(t.notConnected(titleFor(found.chat)));
    } else if (found.kind === 'unsupported') {
      await end(kitTexts(ctx.locale).needsCredential(credentialNames(ctx.locale, found.missing)));
    } else if (found.kind === 'day_full') {
      await end(t.dayFull(dayShown(ctx.locale, found.day)));
    } else {
      const { chat, binding, day, takesPersonality, parent } = found;
      const manager = { account: binding.accountName, chat: titleFor(chat) };
      const given = {
        target: chat.id,
        binding: binding.id,
        ...(parent === null ? {} : { parent }),
        ...(back !== undefined && { back }),
      };
      const intro = t.intro(manager, dayShown(ctx.locale, day));
      await ctx.ask(takesPersonality ? FORMS.kind : FORMS.short, given, intro);
    }
  };

  const review = async (ctx: RequestContext, { target, binding, back, user }: Gathered): Promise<void> => {
    const registration = await service.prepare({
      chatId: target,
      bindingId: binding,
      botId: ctx.bot.id,
      ...doerOf(ctx),
      user,
    });
    if (registration === null) {
      await ctx.say(texts(ctx.locale).expired, { buttons: [[wayBack(ctx.locale, back)]] });
      return;
    }
    const { content, buttons } = previewCard(ctx.locale, registration, 'not_shown', { back });
    const messageId = await ctx.say(content, { buttons });
    await registrations.showOn(registration.id, cardIn(ctx, messageId, back));
  };

  const forms = createRegistrationForms({
    keepSecret: deps.keepSecret,
    likelyParents: service.likelyParents,
    review,
  });

  const register = defineCommand({
    name: 'register',
    alsoCalled: ['ثبتنام'],
    permission: 'users.register',
    facet: 'registration',
    about: (locale) => texts(locale).about,
    args: {},
    run: async (ctx) => {
      if (ctx.chat.type === 'private') return await begin(ctx, ctx.chat.id);
      const token = await links.mint({
        purpose: 'register',
        chatId: ctx.chat.id,
        personId: ctx.person.id,
        messageId: ctx.messageId ?? ctx.pressedMessageId,
        ttlSeconds: LINK_SECONDS,
      });
      const t = texts(ctx.locale);
      await ctx.say(t.inPrivate, { buttons: [[{ label: t.goPrivate, url: ctx.startLink(`r_${token}`) }]] });
    },
  });

  return {
    name: 'registration',
    topic: 'account',
    commands: [register, ...forms],
    actions: [
      registrationActions.show.does(async (ctx, { registrationId, userName, back }) => {
        const press = pressOf(ctx, registrationId, back);
        const open = await registrations.reveal(registrationId, ctx.person.id, press.card);
        if (open === null) return await showEnd(ctx, press, await whatBecame(ctx, press, userName));
        const { content, buttons } = previewCard(ctx.locale, open, 'shown', { back });
        await ctx.rewrite(content, { buttons });
      }),
      registrationActions.confirm.does(async (ctx, { registrationId, userName, back }) => {
        const press = pressOf(ctx, registrationId, back);
        if ((await registrations.open(registrationId)) !== null) {
          // It only keeps the person informed, and takes a password off the screen: the call does not hang on it.
          await ctx.rewrite(texts(ctx.locale).calling(userName)).catch((error: unknown) => {
            ctx.log.debug({ err: error }, 'a registration could not be shown as begun');
          });
        }
        await tell(ctx, press, userName, await service.register(press));
      }),
      registrationActions.drop.does(async (ctx, { registrationId, userName, back }) => {
        const press = pressOf(ctx, registrationId, back);
        if (await registrations.cancel(registrationId, ctx.person.id)) {
          await showEnd(ctx, press, texts(ctx.locale).dropped);
          await registrations.concealed(registrationId);
          return;
        }
        // Whatever ended it shows on the message already.
        await ctx.say(await whatBecame(ctx, press, userName), {
          buttons: [[wayBack(ctx.locale, back)]],
        });
      }),
    ],
    starts: {
      r: async (ctx, token) => {
        const link = await links.claim(token, ctx.person.id, ctx.updateId);
        if (link === null || link.purpose !== 'register') {
          await ctx.say(texts(ctx.locale).linkGone);
          return;
        }
        await begin(ctx, link.chat.id, messageLink(link.chat, link.messageId));
      },
    },
  };

  async function tell(
    ctx: RequestContext,
    press: RegistrationPress,
    userName: string,
    result: RegistrationResult,
  ): Promise<void> {
    if ('error' in result)
      ctx.log.info({ err: result.error, result: result.result }, 'a registration failed');
    if (result.result === 'unsent') return await offerAgain(ctx, press, result.error);
    await showEnd(ctx, press, resultText(ctx.locale, userName, result));
    await registrations.concealed(press.registrationId);
    if (result.result !== 'registered') return;
    const { chat } = result.registration;
    if (chat.id === ctx.chat.id) return;
    await announce(ctx, chat, texts(chat.lang ?? ctx.locale).announced(ctx.person.name, userName));
  }

  async function offerAgain(ctx: RequestContext, press: RegistrationPress, error: unknown): Promise<void> {
    const t = texts(ctx.locale);
    const unreachable = isAppError(error, 'gateway_no_answer');
    const open = await registrations.open(press.registrationId);
    if (open === null) await showEnd(ctx, press, t.expired);
    else {
      const note = unreachable ? t.unreachable : t.unsent;
      const { content, buttons } = previewCard(ctx.locale, open, 'was_shown', {
        back: press.card.back,
        note,
      });
      await ctx.rewrite(content, { buttons });
    }
    // Why, is for the kit to say.
    if (!unreachable) throw error;
  }

  async function whatBecame(ctx: RequestContext, press: RegistrationPress, userName: string): Promise<Html> {
    const settled = await registrations.settle(press);
    if (
      settled === null ||
      settled.state === 'prepared' ||
      (settled.changed && settled.state === 'cancelled')
    )
      return texts(ctx.locale).expired;
    return endText(ctx.locale, settled.state, userName);
  }
}

/** Shows what became of a registration, and leads back to where it was begun. */
async function showEnd(ctx: RequestContext, { card }: RegistrationPress, content: Html): Promise<void> {
  await ctx.rewrite(content, { buttons: [[wayBack(ctx.locale, card.back)]] });
}

function pressOf(ctx: RequestContext, registrationId: string, back: string | undefined): RegistrationPress {
  const { pressedMessageId: messageId } = ctx;
  if (messageId === null) throw new AppError('stale', 'a press without a message');
  return {
    registrationId,
    ...doerOf(ctx),
    card: cardIn(ctx, messageId, back),
  };
}

function cardIn(ctx: RequestContext, messageId: number, back: string | undefined): RegistrationCard {
  return { chatId: ctx.chat.id, chatTelegramId: ctx.chat.telegramId, messageId, lang: ctx.locale, back };
}
