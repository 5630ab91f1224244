import type { MiddlewareFn } from 'grammy';
import type { Stores } from '../../storage/stores.ts';
import { commandIn } from '../dispatch/command-in.ts';
import type { KitContext } from '../dispatch/context.ts';
import { removeSecret, writerOf } from './found-secret.ts';
import { leaks } from './key-search.ts';

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

/** What a form has read it has judged itself; what is typed behind /connect is an answer before the question. */
function isAskedFor({ readByForm, message, me }: KitContext): boolean {
  return (
    readByForm === true || (message !== undefined && commandIn(message, me.username)?.name === 'connect')
  );
}
