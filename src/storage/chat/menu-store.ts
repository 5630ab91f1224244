import type { MenuAudience } from '../../ports/menus.ts';
import type { Database } from '../database/database.ts';
import type { Maybe, Row } from '../row.ts';

/** What the menus of a chat depend on. It only reads: what changes it asks for new menus (see enqueue.ts). */
export function createMenuStore({ sql }: Pick<Database, 'sql'>) {
  return {
    /**
     * A chat as it is now, with everybody who has a role in it, or with one person alone, role or none. In a
     * private chat it is always the person whose chat it is. Null: there is no such chat.
     */
    async audience(chatId: string, personId?: number): Promise<MenuAudience | null> {
      const [found] = await sql<(Maybe<Row<'binding', 'kinds'>> & Pick<MenuAudience, 'chat'>)[]>`
        select json_build_object('telegramId', c.telegram_id, 'type', c.type, 'lang', c.lang) as chat, b.kinds
        from chat c left join binding b on b.chat_id = c.id and b.state = 'live'
        where c.id = ${chatId}`;
      if (found === undefined) return null;
      // The id of a private chat is the person's.
      const only = found.chat.type === 'private' ? found.chat.telegramId : personId;
      const rows =
        only === undefined
          ? await sql<(Row<'person', 'telegram_id as id' | 'lang'> & Row<'member', 'role'>)[]>`
              select p.telegram_id as id, m.role, p.lang
              from member m join person p on p.telegram_id = m.person_id
              where m.chat_id = ${chatId} order by p.telegram_id`
          : await sql<(Row<'person', 'telegram_id as id' | 'lang'> & Maybe<Row<'member', 'role'>>)[]>`
              select p.telegram_id as id, m.role, p.lang
              from person p left join member m on m.person_id = p.telegram_id and m.chat_id = ${chatId}
              where p.telegram_id = ${only}`;
      return { ...found, people: rows };
    },
  };
}
