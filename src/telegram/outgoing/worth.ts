import type { KitContext } from '../dispatch/context.ts';
import { isAnonymousAdmin } from '../dispatch/identify.ts';
import type { Worth } from './outgoing.ts';

/**
 * What the answers to an update are worth in its chat: somebody with a role goes before all that Peyk says by itself, and
 * somebody without one never takes the pace from those who have one. Where no account is linked nobody has a role.
 */
export function worthOf({ request, message }: Pick<KitContext, 'request' | 'message'>): Worth {
  if (request.role !== null) return 'urgent';
  const isOutsider =
    request.chat.type !== 'private' && request.binding !== null && !isAnonymousAdmin(message);
  return isOutsider ? 'spare' : 'ordinary';
}
