import { randomUUID } from 'node:crypto';
import type {
  NewPhonebookChange,
  PhonebookChange,
  PhonebookChangeKind,
  PhonebookTally,
  PhonebookWork,
} from '../../ports/phonebook-changes.ts';
import { writeAudit } from '../audit.ts';
import type { Database } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import type { Row } from '../row.ts';

type ChangeRow = Row<
  'book_change',
  'id' | 'chat_id' | 'binding_id' | 'person_id' | 'kind' | 'state' | 'book_id' | 'title' | 'flag' | 'numbers'
> &
  Row<'chat', 'telegram_id as chat_telegram_id'> &
  Row<'person', 'name as person_name'>;

/** The interface shows a short tag; 15 random hexadecimal digits are nobody else's. */
const FLAG_DIGITS = 16;

const ACTIONS = {
  create: 'book_created',
  add: 'book_numbers_added',
  remove: 'book_numbers_removed',
  delete: 'book_deleted',
} as const satisfies Record<PhonebookChangeKind, string>;

/** A press that starts the work. */
type PhonebookPress = Omit<PhonebookWork, 'again'> & {
  readonly chatId: string;
  readonly personId: number;
};

/** `other`: it is not open (or not stopped) any more, so there is nothing to start. */
type PhonebookStart = 'started' | 'other' | 'not_connected';

/** Changes of phonebooks. Every move of state is one compare-and-set, so of several presses exactly one wins. */
export function createPhonebookChangeStore({ sql }: Database) {
  return {
    /** One change for one update: a replay returns the change that is there. */
    async create(
      change: NewPhonebookChange,
    ): Promise<{ readonly id: string; readonly numbers: readonly string[] }> {
      const id = randomUUID();
      const flag = `peyk${id.replaceAll('-', '').slice(0, FLAG_DIGITS)}`;
      await sql`
        insert into book_change (id, chat_id, binding_id, bot_id, source_update, person_id, kind, book_id, title,
          flag, numbers)
        values (${id}, ${change.chatId}, ${change.bindingId}, ${change.botId}, ${change.updateId},
          ${change.personId}, ${change.kind}, ${change.bookId}, ${change.title}, ${flag},
          ${[...change.numbers]})
        on conflict (bot_id, source_update) do nothing`;
      const [row] = await sql<Row<'book_change', 'id' | 'numbers'>[]>`
        select id, numbers from book_change
        where bot_id = ${change.botId} and source_update = ${change.updateId}`;
      return { id: row?.id ?? id, numbers: row?.numbers ?? change.numbers };
    },

    async read(changeId: string): Promise<PhonebookChange | null> {
      const [row] = await sql<ChangeRow[]>`
        select b.id, b.chat_id, c.telegram_id as chat_telegram_id, b.binding_id, b.person_id, p.name as person_name,
          b.kind, b.state, b.book_id, b.title, b.flag, b.numbers
        from book_change b join chat c on c.id = b.chat_id join person p on p.telegram_id = b.person_id
        where b.id = ${changeId}`;
      return row === undefined ? null : toChange(row);
    },

    /** Open to running, and the work in the queue, in one transaction; by the person who asked for it. */
    confirm: async (press: PhonebookPress): Promise<PhonebookStart> => await start(press, 'open'),
    /** Stopped to running, in the same way. */
    resume: async (press: PhonebookPress): Promise<PhonebookStart> => await start(press, 'stopped'),

    /** False when it is not open any more. */
    async cancel(changeId: string, chatId: string, personId: number): Promise<boolean> {
      const rows = await sql`
        update book_change set state = 'cancelled', ended_at = now()
        where id = ${changeId} and chat_id = ${chatId} and person_id = ${personId} and state = 'open' returning 1`;
      return rows.length === 1;
    },

    /** Puts the work of a running change into the queue once more: this process has to go. */
    async requeue(work: PhonebookWork): Promise<void> {
      await sql.begin(async (tx) => {
        await enqueue(tx, 'phonebook', work, { key: keyOf(work.changeId) });
      });
    },

    /** The new book has been seen at the gateway. */
    async setBook(changeId: string, bookId: string): Promise<void> {
      await sql`update book_change set book_id = ${bookId} where id = ${changeId}`;
    },

    /**
     * Ends a run, with its row in the audit in the same transaction where something was changed or may have been
     * (`tally`). False when the change was not running: then another run has ended it.
     */
    async settle(
      changeId: string,
      {
        state,
        tally,
        updateId,
      }: {
        readonly state: 'stopped' | 'done' | 'cancelled';
        readonly tally: PhonebookTally | null;
        readonly updateId: number;
      },
    ): Promise<boolean> {
      return await sql.begin(async (tx) => {
        const [row] = await tx<
          (Row<'book_change', 'chat_id' | 'person_id' | 'kind' | 'title'> & { asked: number })[]
        >`
          update book_change set state = ${state}, ended_at = case when ${state} = 'stopped' then null else now() end
          where id = ${changeId} and state = 'running'
          returning chat_id, person_id, kind, title, cardinality(numbers) as asked`;
        if (row === undefined) return false;
        if (tally !== null) {
          await writeAudit(tx, {
            chatId: row.chat_id,
            personId: row.person_id,
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
    chatTelegramId: row.chat_telegram_id,
    bindingId: row.binding_id,
    personId: row.person_id,
    personName: row.person_name,
    kind: row.kind,
    state: row.state,
    bookId: row.book_id,
    title: row.title,
    flag: row.flag,
    numbers: row.numbers,
  };
}
