import { AppError, isAppError } from '../../domain/errors.ts';
import type { RegistrationCard, RegistrationPress } from '../../ports/registrations.ts';
import type { LinkStore } from '../../ports/stores.ts';
import { credentialNames } from '../../telegram/error-texts.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import type { Html } from '../../telegram/html.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { Turn } from '../../telegram/turn.ts';
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

export interface RegistrationFeatureDeps extends RegistrationServiceDeps {
  readonly links: LinkStore;
}

const LINK_SECONDS = 600;

/** Registering a gateway user under the chat's account. Nothing of it is asked or shown outside the private chat. */
export function createRegistrationFeature(deps: RegistrationFeatureDeps): Feature {
  const { links, registrations } = deps;
  const service = createRegistrationService(deps);

  const begin = async (turn: Turn, chatId: string): Promise<void> => {
    const t = texts(turn.locale);
    const found = await service.begin(chatId, turn.person.id);
    if (found.kind === 'not_allowed') {
      await turn.say(t.notAllowed(found.chat === null ? '' : titleFor(found.chat)));
    } else if (found.kind === 'not_connected') {
      await turn.say(t.notConnected(titleFor(found.chat)));
    } else if (found.kind === 'unsupported') {
      await turn.say(kitTexts(turn.locale).needsCredential(credentialNames(turn.locale, found.missing)));
    } else if (found.kind === 'day_full') {
      await turn.say(t.dayFull(dayShown(turn.locale, found.day)));
    } else {
      const { chat, binding, day, takesPersonality, parent } = found;
      const manager = { account: binding.accountName, chat: titleFor(chat) };
      await turn.say(t.intro(manager, dayShown(turn.locale, day)));
      await turn.ask(takesPersonality ? FORMS.kind : FORMS.short, {
        target: chat.id,
        binding: binding.id,
        ...(parent === null ? {} : { parent }),
      });
    }
  };

  const review = async (turn: Turn, { target, binding, user }: Gathered): Promise<void> => {
    const registration = await service.prepare({
      chatId: target,
      bindingId: binding,
      botId: turn.bot.id,
      updateId: turn.updateId,
      personId: turn.person.id,
      user,
    });
    if (registration === null) {
      await turn.say(texts(turn.locale).expired);
      return;
    }
    const { content, buttons } = previewCard(turn.locale, registration, 'not_shown');
    const messageId = await turn.say(content, { buttons });
    await registrations.showOn(registration.id, cardIn(turn, messageId));
  };

  const forms = createRegistrationForms({
    keepSecret: deps.keepSecret,
    likelyParents: service.likelyParents,
    review,
  });

  const register = defineCommand({
    name: 'register',
    permission: 'users.register',
    facet: 'registration',
    about: (locale) => texts(locale).about,
    args: {},
    run: async (turn) => {
      if (turn.chat.type === 'private') return await begin(turn, turn.chat.id);
      const token = await links.mint({
        purpose: 'register',
        chatId: turn.chat.id,
        personId: turn.person.id,
        ttlSeconds: LINK_SECONDS,
      });
      const t = texts(turn.locale);
      await turn.say(t.inPrivate, { buttons: [[{ label: t.goPrivate, url: turn.startLink(`r_${token}`) }]] });
    },
  });

  return {
    name: 'registration',
    topic: 'account',
    commands: [register, ...forms],
    actions: [
      registrationActions.show.does(async (turn, { registrationId, userName }) => {
        const press = pressOf(turn, registrationId);
        const open = await registrations.reveal(registrationId, turn.person.id, press.card);
        if (open === null) return await turn.rewrite(await whatBecame(turn, press, userName));
        const { content, buttons } = previewCard(turn.locale, open, 'shown');
        await turn.rewrite(content, { buttons });
      }),
      registrationActions.confirm.does(async (turn, { registrationId, userName }) => {
        const press = pressOf(turn, registrationId);
        if ((await registrations.open(registrationId)) !== null) {
          // It only keeps the person informed, and takes a password off the screen: the call does not hang on it.
          await turn.rewrite(texts(turn.locale).calling(userName)).catch((error: unknown) => {
            turn.log.debug({ err: error }, 'a registration could not be shown as begun');
          });
        }
        await tell(turn, press, userName, await service.register(press));
      }),
      registrationActions.drop.does(async (turn, { registrationId, userName }) => {
        if (await registrations.cancel(registrationId, turn.person.id)) {
          await turn.rewrite(texts(turn.locale).dropped);
          await registrations.concealed(registrationId);
          return;
        }
        // Whatever ended it shows on the message already.
        await turn.say(await whatBecame(turn, pressOf(turn, registrationId), userName));
      }),
    ],
    starts: {
      r: async (turn, token) => {
        const link = await links.claim(token, turn.person.id, turn.updateId);
        if (link === null || link.purpose !== 'register') {
          await turn.say(texts(turn.locale).linkGone);
          return;
        }
        await begin(turn, link.chat.id);
      },
    },
  };

  async function tell(
    turn: Turn,
    press: RegistrationPress,
    userName: string,
    result: RegistrationResult,
  ): Promise<void> {
    if ('error' in result)
      turn.log.info({ err: result.error, result: result.result }, 'a registration failed');
    if (result.result === 'unsent') return await offerAgain(turn, press, result.error);
    await turn.rewrite(resultText(turn.locale, userName, result));
    await registrations.concealed(press.registrationId);
    if (result.result !== 'registered') return;
    const { chat } = result.registration;
    if (chat.id === turn.chat.id) return;
    await turn.say(texts(chat.lang ?? turn.locale).announced(turn.person.name, userName), {
      chatTelegramId: chat.telegramId,
    });
  }

  async function offerAgain(turn: Turn, press: RegistrationPress, error: unknown): Promise<void> {
    const t = texts(turn.locale);
    const unreachable = isAppError(error, 'gateway_no_answer');
    const open = await registrations.open(press.registrationId);
    if (open === null) await turn.rewrite(t.expired);
    else {
      const note = unreachable ? t.unreachable : t.unsent;
      const { content, buttons } = previewCard(turn.locale, open, 'was_shown', note);
      await turn.rewrite(content, { buttons });
    }
    // Why, is for the kit to say.
    if (!unreachable) throw error;
  }

  async function whatBecame(turn: Turn, press: RegistrationPress, userName: string): Promise<Html> {
    const settled = await registrations.settle(press);
    if (
      settled === null ||
      settled.state === 'prepared' ||
      (settled.changed && settled.state === 'cancelled')
    )
      return texts(turn.locale).expired;
    return endText(turn.locale, settled.state, userName);
  }
}

function pressOf(turn: Turn, registrationId: string): RegistrationPress {
  const { pressedMessageId: messageId } = turn;
  if (messageId === null) throw new AppError('stale', 'a press without a message');
  return {
    registrationId,
    personId: turn.person.id,
    updateId: turn.updateId,
    card: cardIn(turn, messageId),
  };
}

function cardIn(turn: Turn, messageId: number): RegistrationCard {
  return { chatId: turn.chat.id, chatTelegramId: turn.chat.telegramId, messageId, lang: turn.locale };
}
