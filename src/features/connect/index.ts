import { z } from 'zod';
import { isAppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import type { CredentialName, GatewayCredentials } from '../../ports/gateway.ts';
import type { BindingStore, ChatView, LinkStore } from '../../ports/stores.ts';
import { tellError } from '../../telegram/error-texts.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { lineSchema } from '../shared/line-argument.ts';
import { connectActions } from './actions.ts';
import { carried, CREDENTIAL_FORMS, createCredentialForms, credentialSchema, type Linking } from './forms.ts';
import { createConnectService, type ConnectDeps } from './service.ts';
import { texts } from './texts.ts';

export interface ConnectFeatureDeps extends ConnectDeps {
  readonly links: LinkStore;
  readonly bindings: BindingStore;
  /** Learns of a credential as soon as it is read, so that it can never be logged or repeated in a group. */
  readonly keepSecret: (secret: Secret) => void;
}

const LINK_SECONDS = 600;

/** Linking and unlinking a gateway account. A credential is read only in the private chat. */
export function createConnectFeature(deps: ConnectFeatureDeps): Feature {
  const { links, bindings } = deps;
  const service = createConnectService(deps);

  const begin = async (turn: Turn, key?: string): Promise<void> => {
    const t = texts(turn.locale);
    const isPrivate = turn.chat.type === 'private';
    const may = await service.mayConnect({
      personId: turn.person.id,
      chatId: turn.chat.id,
      isPrivate,
      isTelegramAdmin: turn.isTelegramAdmin,
    });
    if (may === 'not_allowed') {
      await turn.say(t.notAllowed);
      return;
    }
    if (may === 'not_owner') {
      await turn.say(t.notOwner);
      return;
    }
    if (may === 'not_said') {
      await turn.say(t.notSaid);
      return;
    }
    if (may === 'not_telegram_admin') {
      await turn.say(t.notTelegramAdmin);
      return;
    }
    if (isPrivate) return await question(turn, service.firstQuestion(), turn.chat, key);
    const token = await links.mint({
      purpose: 'connect',
      chatId: turn.chat.id,
      personId: turn.person.id,
      ttlSeconds: LINK_SECONDS,
    });
    await turn.say(t.startInPrivate, { buttons: [[{ label: t.link, url: turn.startLink(`c_${token}`) }]] });
  };

  const question = async (
    turn: Turn,
    credential: CredentialName,
    chat: ChatView,
    key?: string,
  ): Promise<void> => {
    const linking = { credential, target: chat.id, title: chat.title === '' ? '-' : chat.title };
    const typed = credential === 'api_key' ? credentialSchema.safeParse(key).data : undefined;
    if (typed === undefined) {
      await askFor(turn, linking);
      return;
    }
    const apiKey = new Secret(typed);
    deps.keepSecret(apiKey);
    await check(turn, linking, { apiKey });
  };

  const askFor = async (turn: Turn, { credential, target, title }: Linking): Promise<void> =>
    await turn.ask(CREDENTIAL_FORMS[credential], { target, title });

  /** What does not get through is asked for again: the way here leads through the chat, and /connect leads to this one. */
  const check = async (turn: Turn, linking: Linking, given: GatewayCredentials): Promise<void> => {
    const t = texts(turn.locale);
    let problem: Html = t.wrongCredential;
    const account = await service.check(linking.target, turn.person.id, given).catch((error: unknown) => {
      if (!isAppError(error)) throw error;
      problem = tellError(turn.locale, error, turn.log);
      return null;
    });
    if (account === null) {
      await turn.say(problem);
      await askFor(turn, linking);
      return;
    }
    const { bindingId } = account;
    const mine = { personId: turn.person.id };
    await turn.say(
      t.found({
        name: account.name,
        type: account.type,
        credit: turn.format.rial(account.creditRial),
        keyTail: account.keyTail,
        chat: linking.title === '-' ? '' : linking.title,
      }),
      {
        buttons: [
          [
            connectActions.link.button(t.confirm, { bindingId }, { ...mine, style: 'success' }),
            connectActions.drop.button(t.cancel, { bindingId }, mine),
          ],
        ],
      },
    );
  };

  /** The optional second step: says what it adds, and leaves it at that. */
  const sayAndOffer = async (turn: Turn, bindingId: string, said?: Html): Promise<void> => {
    const t = texts(turn.locale);
    const linked = await bindings.chatOf(bindingId);
    if (linked === null || !service.couldAddToken(linked.kinds)) {
      if (said !== undefined) await turn.say(said);
      return;
    }
    await turn.say(lines(said, t.tokenAdds), {
      buttons: [
        [
          connectActions.addToken.button(
            t.viaToken,
            { chatId: linked.chatId, title: linked.title },
            { personId: turn.person.id },
          ),
        ],
      ],
    });
  };

  const forms = createCredentialForms({ others: service.otherQuestions, check, keepSecret: deps.keepSecret });

  const connect = defineCommand({
    name: 'connect',
    permission: null,
    onceLinked: 'connect',
    about: (locale) => texts(locale).about,
    args: { key: { ...carried, schema: z.string(), take: takeRest, optional: true } },
    run: async (turn, { key }) => {
      // Typed along in private, it is an answer before the question; in a group it never comes this far.
      if (key !== undefined) await turn.forget();
      await begin(turn, key);
    },
  });

  const lineForm = defineCommand({
    name: 'connect-line',
    permission: null,
    place: 'private',
    internal: true,
    about: (locale) => texts(locale).about,
    args: {
      binding: carried,
      line: {
        schema: lineSchema,
        take: null,
        usage: (locale) => texts(locale).usageLine,
        ask: ({ locale }) => texts(locale).askLine,
        problem: (locale) => texts(locale).badLine,
        choices: async (_turn, known) =>
          (await bindings.lines(known['binding'] ?? '')).map((line) => ({ label: line, value: line })),
      },
    },
    run: async (turn, values) => {
      await bindings.setLine({
        bindingId: values.binding,
        line: values.line,
        personId: turn.person.id,
        updateId: turn.updateId,
      });
      await sayAndOffer(turn, values.binding, texts(turn.locale).lineSet(values.line));
    },
  });

  const disconnect = defineCommand({
    name: 'disconnect',
    permission: 'disconnect',
    about: (locale) => texts(locale).aboutDisconnect,
    args: {},
    run: async (turn) => {
      const t = texts(turn.locale);
      if (turn.binding === null) {
        await turn.say(t.notConnected);
        return;
      }
      const mine = { personId: turn.person.id };
      await turn.say(t.askDisconnect(turn.binding.accountName), {
        buttons: [
          [
            connectActions.unlink.button(t.disconnect, {}, { ...mine, style: 'danger' }),
            connectActions.stay.button(t.cancel, {}, mine),
          ],
        ],
      });
    },
  });

  return {
    name: 'connect',
    topic: 'account',
    commands: [connect, disconnect, ...forms, lineForm],
    actions: [
      connectActions.begin.does(async (turn) => await begin(turn)),
      connectActions.link.does(async (turn, { bindingId }) => {
        const t = texts(turn.locale);
        const result = await bindings.activate({
          bindingId,
          personId: turn.person.id,
          updateId: turn.updateId,
          lang: turn.locale,
        });
        if (result === null) {
          await turn.rewrite(t.gone);
          return;
        }
        await turn.rewrite(t.linked(result.becameOwner));
        if (result.chat.id !== turn.chat.id) {
          await turn.say(texts(result.chat.lang ?? turn.locale).announced(turn.person.name, result.line), {
            chatTelegramId: result.chat.telegramId,
          });
        }
        if (result.line === null) await turn.ask('connect-line', { binding: bindingId });
        else await sayAndOffer(turn, bindingId);
      }),
      connectActions.drop.does(async (turn, { bindingId }) => {
        await bindings.discardPending(bindingId);
        await turn.rewrite(texts(turn.locale).dropped);
      }),
      connectActions.addToken.does(async (turn, { chatId, title: name }) => {
        await askFor(turn, { credential: 'token', target: chatId, title: name === '' ? '-' : name });
      }),
      connectActions.unlink.does(async (turn) => {
        const t = texts(turn.locale);
        const ended = await bindings.disconnect(turn.chat.id, turn.person.id, turn.updateId);
        await turn.rewrite(ended ? t.disconnected : t.notConnected);
      }),
      connectActions.stay.does(async (turn) => await turn.rewrite(texts(turn.locale).kept)),
    ],
    starts: {
      c: async (turn, token) => {
        const link = await links.claim(token, turn.person.id, turn.updateId);
        if (link === null || link.purpose !== 'connect') {
          await turn.say(texts(turn.locale).linkGone);
          return;
        }
        await question(turn, service.firstQuestion(), link.chat);
      },
    },
  };
}
