import type { User } from '@grammyjs/types';
import type { MiddlewareFn } from 'grammy';
import type { Locale } from '../../i18n/define.ts';
import type { Log } from '../../ports/runtime.ts';
import type { Stores } from '../../storage/stores.ts';
import type { KitContext } from '../dispatch/context.ts';
import { whoAndWhere } from '../dispatch/identify.ts';
import { removeSecret, writerOf } from './found-secret.ts';
import { leaks } from './key-search.ts';

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
