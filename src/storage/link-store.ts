import type { ChatView, LinkStore } from '../ports/stores.ts';
import type { Database } from './database.ts';
import { hashToken, newToken } from './tokens.ts';

/** One-time links into the private chat. */
export function createLinkStore({ sql }: Database): LinkStore {
  return {
    async mint({ purpose, chatId, personId, ttlSeconds }) {
      const token = newToken();
      await sql`
        insert into deep_link (token_hash, purpose, chat_id, person_id, expires_at)
        values (${hashToken(token)}, ${purpose}, ${chatId}, ${personId}, now() + ${ttlSeconds} * interval '1 second')`;
      return token;
    },

    async claim(token, personId, updateId) {
      const [row] = await sql<{ purpose: string; chat: ChatView }[]>`
        update deep_link l set used_update = ${updateId}
        from chat c
        where l.token_hash = ${hashToken(token)} and l.person_id = ${personId} and c.id = l.chat_id
          and ((l.used_update is null and l.expires_at > now()) or l.used_update = ${updateId})
        returning l.purpose,
          json_build_object('id', c.id, 'telegramId', c.telegram_id, 'type', c.type, 'title', c.title,
                            'lang', c.lang, 'timeZone', c.time_zone) as chat`;
      return row ?? null;
    },
  };
}
