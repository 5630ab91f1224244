import type { MenuAudience, MenuStore } from '../ports/menus.ts';
import type { Database } from './database.ts';

type Shown = MenuAudience['people'][number];

/** What the menus of a chat depend on. It only reads: what changes it asks for new menus (see enqueue.ts). */
export function createMenuStore({ sql }: Pick<Database, 'sql'>): MenuStore {
  return {
    async audience(chatId, personId) {
      const [found] = await sql<Pick<MenuAudience, 'chat' | 'kinds'>[]>`
        select json_build_object('telegramId', c.telegram_id, 'type', c.type, 'lang', c.lang) as chat, b.kinds
        from chat c left join binding b on b.chat_id = c.id and b.state = 'live'
        where c.id = ${chatId}`;
      if (found === undefined) return null;
      // The id of a private chat is the person's.
      const only = found.chat.type === 'private' ? found.chat.telegramId : personId;
      const rows =
        only === undefined
          ? await sql<(Omit<Shown, 'id'> & { id: string })[]>`
              select p.telegram_id as id, m.role, p.lang
              from member m join person p on p.telegram_id = m.person_id
              where m.chat_id = ${chatId} order by p.telegram_id`
          : await sql<(Omit<Shown, 'id'> & { id: string })[]>`
              select p.telegram_id as id, m.role, p.lang
              from person p left join member m on m.person_id = p.telegram_id and m.chat_id = ${chatId}
              where p.telegram_id = ${only}`;
      return { ...found, people: rows.map((row) => ({ ...row, id: Number(row.id) })) };
    },
  };
}
