import { z } from 'zod';
import { isAppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import type { GatewayCredentials } from '../../ports/gateway.ts';
import type { ChatView } from '../../ports/stores.ts';
import type { Stores } from '../../storage/stores.ts';
import { tryButton } from '../../telegram/again.ts';
import { announce } from '../../telegram/announce.ts';
import { tellError } from '../../telegram/error-texts.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { EMPTY, lines, type Html } from '../../telegram/html.ts';
import { messageLink, wayBack } from '../../telegram/message-link.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { doerOf } from '../shared/doer.ts';
import { lineArgument } from '../shared/shared-arguments.ts';
import { connectActions } from './actions.ts';
import {
  back,
  carried,
  CREDENTIAL_FORMS,
  createCredentialForms,
  credentialSchema,
  type Linking,
} from './forms.ts';
import { createConnectService, type ConnectDeps } from './service.ts';
import { texts } from './texts.ts';

export interface ConnectFeatureDeps extends ConnectDeps, Pick<Stores, 'links' | 'bindings'> {
  /** Learns of a credential as soon as it is read, so that it can never be logged or repeated in a group. */
  readonly keepSecret: (secret: Secret) => void;
}

const LINK_SECONDS = 600;

/** Linking and unlinking a gateway account. A credential is read only in the private chat. */
export function createConnectFeature(deps: ConnectFeatureDeps): Feature {
  const { links, bindings } = deps;
  const service = createConnectService(deps);

  const begin = async (ctx: RequestContext, key?: string): Promise<void> => {
    const t = texts(ctx.locale);
    const isPrivate = ctx.chat.type === 'private';
    const may = await service.mayConnect({
      personId: ctx.person.id,
      chatId: ctx.chat.id,
      isPrivate,
      isTelegramAdmin: ctx.isTelegramAdmin,
    });
    if (may === 'not_allowed') {
      await ctx.say(t.notAllowed);
      return;
    }
    if (may === 'not_owner') {
      await ctx.say(t.notOwner);
      return;
    }
    if (may === 'not_said') {
      await ctx.say(t.notSaid);
      return;
    }
    if (may === 'not_telegram_admin') {
      await ctx.say(t.notTelegramAdmin);
      return;
    }
    if (isPrivate) return await question(ctx, ctx.chat, { key });
    const token = await links.mint({
      purpose: 'connect',
      chatId: ctx.chat.id,
      personId: ctx.person.id,
      messageId: ctx.messageId ?? ctx.pressedMessageId,
      ttlSeconds: LINK_SECONDS,
    });
    await ctx.say(t.startInPrivate, { buttons: [[{ label: t.link, url: ctx.startLink(`c_${token}`) }]] });
  };

  const question = async (
    ctx: RequestContext,
    chat: ChatView,
    { key, back: address }: { readonly key?: string | undefined; readonly back?: string | undefined },
  ): Promise<void> => {
    const credential = service.firstQuestion();
    const linking = {
      credential,
      target: chat.id,
      title: chat.title === '' ? '-' : chat.title,
      back: address,
    };
    const typed = credential === 'api_key' ? credentialSchema.safeParse(key).data : undefined;
    if (typed === undefined) {
      await askFor(ctx, linking);
      return;
    }
    const apiKey = new Secret(typed);
    deps.keepSecret(apiKey);
    await check(ctx, linking, { apiKey });
  };

  const askFor = async (
    ctx: RequestContext,
    { credential, back: address, ...known }: Linking,
  ): Promise<void> =>
    await ctx.ask(CREDENTIAL_FORMS[credential], {
      ...known,
      ...(address !== undefined && { back: address }),
    });

  /** What does not get through is asked for again: the way here leads through the chat, and /connect leads to this one. */
  const check = async (ctx: RequestContext, linking: Linking, given: GatewayCredentials): Promise<void> => {
    const t = texts(ctx.locale);
    let problem: Html = t.wrongCredential;
    const account = await service.check(linking.target, ctx.person.id, given).catch((error: unknown) => {
      if (!isAppError(error)) throw error;
      problem = tellError(ctx.locale, error, ctx.log);
      return null;
    });
    if (account === null) {
      await ctx.say(problem);
      await askFor(ctx, linking);
      return;
    }
    const pending = { bindingId: account.bindingId, back: linking.back };
    const mine = { personId: ctx.person.id };
    await ctx.say(
      t.found({
        name: account.name,
        type: account.type,
        credit: ctx.format.rial(account.creditRial),
        keyTail: account.keyTail,
        chat: linking.title === '-' ? '' : linking.title,
        replaces: account.replaces,
      }),
      {
        buttons: [
          [
            connectActions.link.button(t.confirm, pending, { ...mine, style: 'success' }),
            connectActions.drop.button(t.cancel, pending, mine),
          ],
        ],
      },
    );
  };

  /**
   * The end of linking: leads to where the account works, and says what an optional second step adds.
   * @param back the address of a message in the group; undefined where it has none
   */
  const endOf = async (
    ctx: RequestContext,
    { bindingId, back: address, said }: { bindingId: string; back: string | undefined; said?: Html },
  ): Promise<RenderedCard> => {
    const t = texts(ctx.locale);
    const linked = await bindings.chatOf(bindingId);
    if (linked === null) return { content: t.gone, buttons: [[wayBack(ctx.locale, address)]] };
    const group = linked.chatId === ctx.chat.id ? null : linked.title;
    const couldAdd = service.couldAddToken(linked.kinds) ? linked : null;
    return {
      content: lines(
        said,
        group === null ? t.tryHere : t.goOnIn(group),
        ...(couldAdd === null ? [] : [EMPTY, t.tokenAdds]),
      ),
      buttons: [
        [group === null ? tryButton(t.firstSend, '/send') : wayBack(ctx.locale, address)],
        [
          couldAdd !== null &&
            connectActions.addToken.button(
              t.addToken,
              { chatId: couldAdd.chatId, title: couldAdd.title, back: address },
              { personId: ctx.person.id },
            ),
        ],
      ],
    };
  };

  const forms = createCredentialForms({ others: service.otherQuestions, check, keepSecret: deps.keepSecret });

  const connect = defineCommand({
    name: 'connect',
    alsoCalled: [
      'link',
      'login',
      'وصل',
      'اتصال',
      'key',
      'apikey',
      'token',
      'changekey',
      'کلید',
      'توکن',
      'تغییرحساب',
      'تغییرکلید',
    ],
    everyday: 'until_linked',
    permission: null,
    onceLinked: 'connect',
    about: (locale) => texts(locale).about,
    args: { key: { ...carried, schema: z.string(), take: takeRest, optional: true } },
    run: async (ctx, { key }) => {
      // Typed along in private, it is an answer before the question; in a group it never comes this far.
      if (key !== undefined) await ctx.forget();
      await begin(ctx, key);
    },
  });

  const lineForm = defineCommand({
    name: 'connect-line',
    permission: null,
    place: 'private',
    about: null,
    args: {
      binding: carried,
      back,
      line: {
        ...lineArgument,
        take: null,
        usage: (locale) => texts(locale).usageLine,
        ask: ({ locale }) => texts(locale).askLine,
        choices: async (_ctx, known) =>
          (await bindings.lines(known['binding'] ?? '')).map((line) => ({ label: line, value: line })),
      },
    },
    run: async (ctx, { binding: bindingId, back: address, line }) => {
      const t = texts(ctx.locale);
      // Whatever has ended the link, or taken the role away, since it was asked goes before the answer.
      const linked = await bindings.chatOf(bindingId);
      const owners = linked === null ? [] : await bindings.owners(linked.chatId);
      if (!owners.includes(ctx.person.id)) {
        await ctx.say(t.gone, { buttons: [[wayBack(ctx.locale, address)]] });
        return;
      }
      await bindings.setLine({ bindingId, line, ...doerOf(ctx) });
      const { content, buttons } = await endOf(ctx, { bindingId, back: address, said: t.lineSet(line) });
      await ctx.say(content, { buttons });
    },
    cancelled: async (ctx, { binding = '', back: address }) => {
      const said = texts(ctx.locale).lineLater;
      const { content, buttons } = await endOf(ctx, { bindingId: binding, back: address, said });
      await ctx.rewrite(content, { buttons });
    },
  });

  const disconnect = defineCommand({
    name: 'disconnect',
    alsoCalled: ['unlink', 'logout', 'خروج', 'قطعحساب', 'قطعاتصال'],
    permission: 'disconnect',
    about: (locale) => texts(locale).aboutDisconnect,
    args: {},
    run: async (ctx) => {
      const t = texts(ctx.locale);
      if (ctx.binding === null) {
        await ctx.say(t.notConnected);
        return;
      }
      const mine = { personId: ctx.person.id };
      await ctx.say(t.askDisconnect(ctx.binding.accountName), {
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
      connectActions.begin.does(async (ctx) => await begin(ctx)),
      connectActions.link.does(async (ctx, { bindingId }) => {
        const t = texts(ctx.locale);
        const result = await bindings.activate({
          bindingId,
          ...doerOf(ctx),
          lang: ctx.locale,
        });
        if (result === null) {
          await ctx.rewrite(t.gone);
          return;
        }
        await ctx.rewrite(lines(t.linked(result.becameOwner), result.answersGoOn && t.answersGoOn));
        const address =
          result.chat.id === ctx.chat.id
            ? undefined
            : await announce(
                ctx,
                result.chat,
                texts(result.chat.lang ?? ctx.locale).announced(ctx.person.name, result.line),
              );
        if (result.line === null)
          return await ctx.ask('connect-line', {
            binding: bindingId,
            ...(address !== undefined && { back: address }),
          });
        const { content, buttons } = await endOf(ctx, { bindingId, back: address });
        await ctx.say(content, { buttons });
      }),
      connectActions.drop.does(async (ctx, { bindingId, back: address }) => {
        await bindings.discardPending(bindingId);
        await ctx.rewrite(texts(ctx.locale).dropped, { buttons: [[wayBack(ctx.locale, address)]] });
      }),
      connectActions.addToken.does(async (ctx, { chatId, title: name, back: address }) => {
        const title = name === '' ? '-' : name;
        await askFor(ctx, { credential: 'token', target: chatId, title, back: address });
      }),
      connectActions.unlink.does(async (ctx) => {
        const t = texts(ctx.locale);
        const ended = await bindings.disconnect(ctx.chat.id, ctx.person.id, ctx.updateId);
        await ctx.rewrite(ended ? t.disconnected : t.notConnected);
      }),
      connectActions.stay.does(async (ctx) => await ctx.rewrite(texts(ctx.locale).kept)),
    ],
    starts: {
      c: async (ctx, token) => {
        const link = await links.claim(token, ctx.person.id, ctx.updateId);
        if (link === null || link.purpose !== 'connect') {
          await ctx.say(texts(ctx.locale).linkGone);
          return;
        }
        await question(ctx, link.chat, { back: messageLink(link.chat, link.messageId) });
      },
    },
  };
}
