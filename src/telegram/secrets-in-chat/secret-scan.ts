import type { Message, User } from '@grammyjs/types';
import type { MiddlewareFn } from 'grammy';
import { byLatinKeys } from '../../domain/keyboard.ts';
import { findKeyLike, isInName } from '../../domain/keylike.ts';
import { slips } from '../../domain/slips.ts';
import type { Locale } from '../../i18n/define.ts';
import type { Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import { commandIn } from '../dispatch/command-in.ts';
import type { KitContext } from '../dispatch/context.ts';
import { whoAndWhere } from '../dispatch/identify.ts';
import { removeSecret, writerOf } from './found-secret.ts';

export interface SecretScan {
  /** Whether a message holds a key; if so, it was deleted, that was told, and nothing more is to be done with it. */
  readonly exposed: (ctx: KitContext) => Promise<boolean>;
  /** Before all else where others read. */
  readonly inGroups: MiddlewareFn<KitContext>;
  /** In the private chat, behind the forms, of which some ask for a key: before anything is done with what else was written. */
  readonly inPrivate: MiddlewareFn<KitContext>;
}

/** A key that a person writes where none was asked for is deleted and told, and never goes further; its text is kept nowhere. */
export function createSecretScan(deps: {
  readonly audit: Stores['audit'];
  readonly bindings: Pick<Stores['bindings'], 'knowsAny'>;
}): SecretScan {
  const exposed = async (ctx: KitContext): Promise<boolean> => {
    const { message, request } = ctx;
    if (message === undefined || !(await leaks(message, deps.bindings))) return false;
    await removeSecret(
      { api: ctx.api, audit: deps.audit, log: request.log },
      {
        message,
        updateId: request.updateId,
        chatId: request.chat.id,
        personId: writerOf(message)?.id ?? null,
        localeOf: () => Promise.resolve(request.locale),
      },
    );
    return true;
  };
  return {
    exposed,
    inGroups: async (ctx, next) => {
      if (ctx.message?.chat.type === 'private' || !(await exposed(ctx))) await next();
    },
    inPrivate: async (ctx, next) => {
      if (ctx.message?.chat.type !== 'private' || isAskedFor(ctx) || !(await exposed(ctx))) await next();
    },
  };
}

/**
 * Looks for keys in what otherwise does nothing: messages that were edited, in private too, and what is written in the name of a channel.
 * None of it goes on from here, but for messages that tell of the place itself.
 */
export function scanOtherUpdates(deps: {
  readonly audit: Stores['audit'];
  readonly bindings: Pick<Stores['bindings'], 'knowsAny'>;
  readonly identities: Pick<Stores['identities'], 'lookUp'>;
  readonly defaults: { readonly lang: Locale };
  readonly log: Log;
}): MiddlewareFn<KitContext> {
  return async (ctx, next) => {
    const { editedMessage, channelPost, editedChannelPost, message, update } = ctx;
    const nobodys = message !== undefined && whoAndWhere(update) === null ? message : undefined;
    const unheard = editedMessage ?? channelPost ?? editedChannelPost ?? nobodys;
    if (unheard !== undefined && (await leaks(unheard, deps.bindings))) {
      const personId = writerOf(unheard)?.id ?? null;
      const { chatId } = await deps.identities.lookUp(unheard.chat.id, null);
      const localeOf = async (person: User | null): Promise<Locale> => {
        const { lang } = await deps.identities.lookUp(unheard.chat.id, person?.id ?? null);
        return lang ?? (/^fa\b/u.test(person?.language_code ?? '') ? 'fa' : deps.defaults.lang);
      };
      await removeSecret(
        { api: ctx.api, audit: deps.audit, log: deps.log },
        { message: unheard, updateId: update.update_id, chatId, personId, localeOf },
      );
      return;
    }
    await next();
  };
}

/** What a form has read it has judged itself; what is typed behind /connect is an answer before the question. */
function isAskedFor({ readByForm, message, me }: KitContext): boolean {
  return (
    readByForm === true || (message !== undefined && commandIn(message, me.username)?.name === 'connect')
  );
}

const MOST_SLIPS = 1;

/** More words than people write; each is hashed. */
const MAX_WORDS = 200;

/**
 * Whether a message holds what looks like a key, or one in use: in its words, or in the name of its file. The
 * database is asked only where some word is long enough.
 */
async function leaks(message: Message, bindings: Pick<Stores['bindings'], 'knowsAny'>): Promise<boolean> {
  const words: string[] = [];
  const collect = (candidate: string): boolean => {
    words.push(candidate);
    return false;
  };
  const text = message.text ?? message.caption ?? '';
  if (findKeyLike(text, collect) !== null) return true;
  // What stands behind /connect is meant as a credential, whatever it looks like, also where that is nearly written so, or on a Persian keyboard.
  const [, slash, name] = /^([/／]?)\s*([\p{L}\p{N}_]{1,32})(?:@\w+)?\s+\S{4,}/u.exec(text) ?? [];
  const isCommand = slash !== '' || message.chat.type === 'private';
  if (name !== undefined && isCommand && slips(byLatinKeys(name), 'connect') <= MOST_SLIPS) return true;
  const { document, video, audio, animation } = message;
  for (const file of [document, video, audio, animation])
    if (file?.file_name !== undefined && isInName(file.file_name, collect)) return true;
  return await bindings.knowsAny(message.chat.id, words.slice(0, MAX_WORDS));
}
