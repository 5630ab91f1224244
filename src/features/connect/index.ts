import { z } from 'zod';
import { Secret } from '../../domain/secret.ts';
import type { CredentialName, GatewayCredentials } from '../../ports/gateway.ts';
import type { BindingStore, ChatView, LinkStore } from '../../ports/stores.ts';
import { defineAction, defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { lineSchema } from '../../telegram/line-argument.ts';
import type { Turn } from '../../telegram/turn.ts';
import { carried, CREDENTIAL_FORMS, createCredentialForms, credentialSchema } from './forms.ts';
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
    const title = chat.title === '' ? '-' : chat.title;
    const typed = credential === 'api_key' ? credentialSchema.safeParse(key).data : undefined;
    if (typed === undefined) {
      await turn.ask(CREDENTIAL_FORMS[credential], { target: chat.id, title });
      return;
    }
    const apiKey = new Secret(typed);
    deps.keepSecret(apiKey);
    await check(turn, chat.id, title, { apiKey });
  };

  const check = async (
    turn: Turn,
    chatId: string,
    title: string,
    given: GatewayCredentials,
  ): Promise<void> => {
    const t = texts(turn.locale);
    const account = await service.check(chatId, turn.person.id, given);
    if (account === null) {
      await turn.say(t.wrongCredential);
      return;
    }
    const button = { payload: { bindingId: account.bindingId }, permission: null, personId: turn.person.id };
    await turn.say(
      t.found({
        name: account.name,
        type: account.type,
        credit: turn.format.rial(account.creditRial),
        keyTail: account.keyTail,
        chat: title === '-' ? '' : title,
      }),
      {
        buttons: [
          [
            { label: t.confirm, action: 'connect.link', style: 'success', ...button },
            { label: t.cancel, action: 'connect.drop', ...button },
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
          {
            label: t.viaToken,
            action: 'connect.add-token',
            payload: { chatId: linked.chatId, title: linked.title },
            permission: null,
            personId: turn.person.id,
          },
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
      const button = { permission: 'disconnect', personId: turn.person.id } as const;
      await turn.say(t.askDisconnect(turn.binding.accountName), {
        buttons: [
          [
            { label: t.disconnect, action: 'connect.unlink', style: 'danger', ...button },
            { label: t.cancel, action: 'connect.stay', ...button },
          ],
        ],
      });
    },
  });

  const pending = z.object({ bindingId: z.uuid() });

  return {
    name: 'connect',
    topic: 'account',
    commands: [connect, disconnect, ...forms, lineForm],
    actions: [
      defineAction({
        name: 'connect.begin',
        permission: null,
        payload: z.object({}),
        run: async (turn) => await begin(turn),
      }),
      defineAction({
        name: 'connect.link',
        permission: null,
        payload: pending,
        run: async (turn, { bindingId }) => {
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
        },
      }),
      defineAction({
        name: 'connect.drop',
        permission: null,
        payload: pending,
        run: async (turn, { bindingId }) => {
          await bindings.discardPending(bindingId);
          await turn.rewrite(texts(turn.locale).dropped);
        },
      }),
      defineAction({
        name: 'connect.add-token',
        permission: null,
        payload: z.object({ chatId: z.uuid(), title: z.string() }),
        run: async (turn, { chatId, title: name }) => {
          await turn.ask(CREDENTIAL_FORMS.token, { target: chatId, title: name === '' ? '-' : name });
        },
      }),
      defineAction({
        name: 'connect.unlink',
        permission: 'disconnect',
        payload: z.object({}),
        run: async (turn) => {
          const t = texts(turn.locale);
          const ended = await bindings.disconnect(turn.chat.id, turn.person.id, turn.updateId);
          await turn.rewrite(ended ? t.disconnected : t.notConnected);
        },
      }),
      defineAction({
        name: 'connect.stay',
        permission: 'disconnect',
        payload: z.object({}),
        run: async (turn) => await turn.rewrite(texts(turn.locale).kept),
      }),
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
