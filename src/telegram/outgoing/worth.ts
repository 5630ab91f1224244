import type { KitContext } from '../dispatch/context.ts';
import { isAnonymousAdmin } from '../dispatch/identify.ts';
import type { Worth } from './outgoing.ts';

/**
 * What the answers to an update are worth in its chat: somebody with a role goes before all that Peyk says by itself, and
 * somebody without one never takes the pace from those who have one. Where no account is linked nobody has a role.
 */
export function worthOf({ turn, message }: Pick<KitContext, 'turn' | 'message'>): Worth {
  if (turn.role !== null) return 'urgent';
  const isOutsider = turn.chat.type !== 'private' && turn.binding !== null && !isAnonymousAdmin(message);
  return isOutsider ? 'spare' : 'ordinary';
}
