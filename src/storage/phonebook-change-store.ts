import { randomUUID } from 'node:crypto';
import type {
  PhonebookChange,
  PhonebookChangeKind,
  PhonebookChangeStore,
  PhonebookPress,
  PhonebookStart,
} from '../ports/phonebook-changes.ts';
import { writeAudit } from './audit.ts';
import type { Database } from './database.ts';
import { enqueue } from './enqueue.ts';

interface ChangeRow {
  id: string;
  chat_id: string;
  chat_telegram_id: string;
  binding_id: string;
  person_id: string;
  person_name: string;
  kind: PhonebookChangeKind;
  state: PhonebookChange['state'];
  book_id: string | null;
  title: string;
  flag: string;
  numbers: string[];
}

/** The interface shows a short tag; 15 random hexadecimal digits are nobody else's. */
const FLAG_DIGITS = 16;

const ACTIONS = {
  create: 'book_created',
  add: 'book_numbers_added',
  remove: 'book_numbers_removed',
  delete: 'book_deleted',
} as const satisfies Record<PhonebookChangeKind, string>;

/** Changes of phonebooks. Every move of state is one compare-and-set, so of several presses exactly one wins. */
export function createPhonebookChangeStore({ sql }: Database): PhonebookChangeStore {
  return {
    async create(change) {
      const id = randomUUID();
      const flag = `peyk${id.replaceAll('-', '').slice(0, FLAG_DIGITS)}`;
      await sql`
        insert into book_change (id, chat_id, binding_id, bot_id, source_update, person_id, kind, book_id, title,
          flag, numbers)
        values (${id}, ${change.chatId}, ${change.bindingId}, ${change.botId}, ${change.updateId},
          ${change.personId}, ${change.kind}, ${change.bookId}, ${change.title}, ${flag},
          ${[...change.numbers]})
        on conflict (bot_id, source_update) do nothing`;
      const [row] = await sql<{ id: string; numbers: string[] }[]>`
        select id, numbers from book_change
        where bot_id = ${change.botId} and source_update = ${change.updateId}`;
      return { id: row?.id ?? id, numbers: row?.numbers ?? change.numbers };
    },

    async read(changeId) {
      const [row] = await sql<ChangeRow[]>`
        select b.id, b.chat_id, c.telegram_id as chat_telegram_id, b.binding_id, b.person_id, p.name as person_name,
          b.kind, b.state, b.book_id, b.title, b.flag, b.numbers
        from book_change b join chat c on c.id = b.chat_id join person p on p.telegram_id = b.person_id
        where b.id = ${changeId}`;
      return row === undefined ? null : toChange(row);
    },

    confirm: async (press) => await start(press, 'open'),
    resume: async (press) => await start(press, 'stopped'),

    async cancel(changeId, chatId, personId) {
      const rows = await sql`
        update book_change set state = 'cancelled', ended_at = now()
        where id = ${changeId} and chat_id = ${chatId} and person_id = ${personId} and state = 'open' returning 1`;
      return rows.length === 1;
    },

    async requeue(work) {
      await sql.begin(async (tx) => {
        await enqueue(tx, 'phonebook', work, { key: keyOf(work.changeId) });
      });
    },

    async setBook(changeId, bookId) {
      await sql`update book_change set book_id = ${bookId} where id = ${changeId}`;
    },

    async settle(changeId, { state, tally, updateId }) {
      return await sql.begin(async (tx) => {
        const [row] = await tx<
          { chat_id: string; person_id: string; kind: PhonebookChangeKind; title: string; asked: number }[]
        >`
          update book_change set state = ${state}, ended_at = case when ${state} = 'stopped' then null else now() end
          where id = ${changeId} and state = 'running'
          returning chat_id, person_id, kind, title, cardinality(numbers) as asked`;
        if (row === undefined) return false;
        if (tally !== null) {
          await writeAudit(tx, {
            chatId: row.chat_id,
            personId: Number(row.person_id),
            updateId,
            action: ACTIONS[row.kind],
            details: { title: row.title, asked: row.asked, done: tally.done, unknown: tally.unknown },
          });
        }
        return true;
      });
    },
  };

  async function start(press: PhonebookPress, from: 'open' | 'stopped'): Promise<PhonebookStart> {
    return await sql.begin(async (tx) => {
      const [row] = await tx<{ live: boolean }[]>`
        select b.state = 'live' as live from book_change c join binding b on b.id = c.binding_id
        where c.id = ${press.changeId} and c.chat_id = ${press.chatId} and c.person_id = ${press.personId}
          and c.state = ${from}
        for update of c for share of b`;
      if (row === undefined) return 'other';
      if (!row.live) return 'not_connected';
      await tx`update book_change set state = 'running' where id = ${press.changeId}`;
      const { changeId, updateId, messageId, threadId, locale } = press;
      const work = { changeId, again: from === 'stopped', updateId, messageId, threadId, locale };
      await enqueue(tx, 'phonebook', work, { key: keyOf(changeId) });
      return 'started';
    });
  }
}

function keyOf(changeId: string): string {
  return `phonebook:${changeId}`;
}

function toChange(row: ChangeRow): PhonebookChange {
  return {
    id: row.id,
    chatId: row.chat_id,
    chatTelegramId: Number(row.chat_telegram_id),
    bindingId: row.binding_id,
    personId: Number(row.person_id),
    personName: row.person_name,
    kind: row.kind,
    state: row.state,
    bookId: row.book_id,
    title: row.title,
    flag: row.flag,
    numbers: row.numbers,
  };
}
