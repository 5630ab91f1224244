import type { FormStore } from '../../ports/stores.ts';
import type { Database } from '../database/database.ts';
import type { NotNull, Row } from '../row.ts';

/**
 * Updates by (bot, update id), oldest first: written in the batch in which Telegram gave them, emptied when done.
 */
export function createUpdateStore({ sql }: Database) {
  return {
    /** Writes the updates that are new; returns their ids. An id seen before has no second effect. */
    async accept(
      botId: number,
      updates: readonly { readonly id: number; readonly payload: Uint8Array }[],
    ): Promise<number[]> {
      if (updates.length === 0) return [];
      // As hex: the driver cannot send an array of byte strings.
      const payloads = updates.map((update) => Buffer.from(update.payload).toString('hex'));
      const rows = await sql<Row<'update', 'update_id'>[]>`
        insert into update (bot_id, update_id, payload)
        select ${botId}, u.id, decode(u.payload, 'hex')
        from unnest(${updates.map((update) => update.id)}::bigint[], ${payloads}::text[]) as u(id, payload)
        on conflict do nothing
        returning update_id`;
      return rows.map((row) => row.update_id).toSorted((a, b) => a - b);
    },

    /** The oldest updates that are open, but for those in hand; each reading counts as one more try. */
    async reopen(
      botId: number,
      except: readonly number[],
      most: number,
    ): Promise<{ id: number; payload: Uint8Array; tries: number }[]> {
      const rows = await sql<NotNull<Row<'update', 'update_id' | 'payload' | 'tries'>>[]>`
        update update set tries = tries + 1
        where bot_id = ${botId} and update_id in (
          select update_id from update
          where bot_id = ${botId} and done_at is null and payload is not null
            and update_id <> all(${[...except]}::bigint[])
          order by update_id limit ${most})
        returning update_id, payload, tries`;
      return rows
        .map((row) => ({ id: row.update_id, payload: row.payload, tries: row.tries }))
        .toSorted((a, b) => a.id - b.id);
    },

    async done(botId: number, ids: readonly number[]): Promise<void> {
      await sql`
        update update set done_at = now(), payload = null
        where bot_id = ${botId} and update_id = any(${[...ids]}::bigint[])`;
    },

    /** How many are open; it counts no further than `most`. */
    async open(botId: number, most: number): Promise<number> {
      const [row] = await sql<[{ n: number }]>`
        select count(*)::int as n from (
          select 1 from update where bot_id = ${botId} and done_at is null limit ${most}) as open`;
      return row.n;
    },

    /** Tells the process that handles updates that there are some. */
    async announce(botId: number): Promise<void> {
      await sql`select pg_notify(${updatesChannel(botId)}, '')`;
    },
  };
}

/** Where updates of a bot are announced that another process is to handle. */
export function updatesChannel(botId: number): string {
  return `peyk_updates_${botId}`;
}

/** A minute more than a question takes its answer. */
const FORM_SECONDS = 660;
const SWEPT_AT_ONCE = 500;

interface FormSweep {
  /** Writes what stays of each form that nobody has answered in time: secrets may stand in it. `restOf` null: nothing stays. */
  sweep(restOf: (key: string, state: Uint8Array) => Uint8Array | null): Promise<void>;
}

/** Where people are in a form, sealed by the caller. */
export function createFormStore({ sql }: Database): FormStore & FormSweep {
  return {
    async write(key, updateId, state) {
      await sql`
        insert into form (key, update_id, state) values (${key}, ${updateId}, ${Buffer.from(state)})
        on conflict (key) do update set update_id = excluded.update_id, state = excluded.state, updated_at = now()`;
    },
    async remove(key) {
      await sql`delete from form where key = ${key}`;
    },
    async sweep(restOf) {
      await sql.begin(async (tx) => {
        const rows = await tx<Row<'form', 'key' | 'state'>[]>`
          select key, state from form where updated_at < now() - ${FORM_SECONDS} * interval '1 second'
          order by updated_at limit ${SWEPT_AT_ONCE} for update skip locked`;
        for (const { key, state } of rows) {
          const rest = restOf(key, state);
          if (rest === null) await tx`delete from form where key = ${key}`;
          else await tx`update form set state = ${Buffer.from(rest)}, updated_at = now() where key = ${key}`;
        }
      });
    },
  };
}
