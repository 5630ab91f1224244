import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { AppError } from '../../domain/errors.ts';
import { can } from '../../domain/roles.ts';
import { forgetJobs } from '../../jobs/queue-tables.ts';
import {
  type Departure,
  type Eligibility,
  type NewRegistration,
  type OpenRegistration,
  REGISTRATION_OPEN_SECONDS,
  type RegistrationBar,
  type RegistrationCard,
  type RegistrationDay,
  type RegistrationOutcome,
  type RegistrationPress,
  REGISTRATIONS_A_DAY,
  type RegistrationWork,
  type Settled,
} from '../../ports/registrations.ts';
import type { BindingView, ChatView } from '../../ports/stores.ts';
import { writeAudit } from '../audit.ts';
import type { Sealer } from '../keys/crypto.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import { isToldOne } from './gateway-user.ts';
import {
  CALL_SECONDS,
  chatColumn,
  createRegistrationRows,
  type RegistrationRow,
  sealFields,
} from './registration-rows.ts';
import type { Maybe, Row } from '../row.ts';

/** A password is shown so long. */
const SHOWN_SECONDS = 60;

/**
 * Users being registered at the gateway, from the answers of the form to the outcome of the one call. What is asked
 * for is sealed until the call, the person's refusal or the end of its ten minutes, and gone from then on: before the
 * call is made, not after it.
 */
export function createRegistrationStore({ sql }: Database, sealer: Sealer) {
  const rows = createRegistrationRows(sql, sealer);

  return {
    /** Null for a chat that is not known. */
    async eligibility(chatId: string, personId: number): Promise<Eligibility | null> {
      const [row] = await sql<
        (Maybe<Row<'member', 'role'>> & { chat: ChatView; binding: BindingView | null })[]
      >`
        select ${chatColumn(sql)}, m.role,
          case when b.id is null then null else
            json_build_object('id', b.id, 'kinds', b.kinds, 'keyTail', b.key_tail,
                              'accountName', b.account_name, 'line', b.line) end as binding
        from chat c
        left join member m on m.chat_id = c.id and m.person_id = ${personId}
        left join binding b on b.chat_id = c.id and b.state = 'live'
        where c.id = ${chatId}`;
      if (row === undefined) return null;
      return { ...row, day: row.binding === null ? null : await readRegistrationDay(sql, row.binding.id) };
    },

    /** Seals a registration and keeps it for {@link REGISTRATION_OPEN_SECONDS}. The same update gets the one that is there. */
    async prepare({
      chatId,
      bindingId,
      botId,
      updateId,
      personId,
      user,
      generated,
    }: NewRegistration): Promise<string> {
      const id = randomUUID();
      const sealed = sealFields(sealer, { id, chatId, bindingId }, { user, generated });
      return await sql.begin(async (tx) => {
        const [made] = await tx`
          insert into registration (id, chat_id, binding_id, bot_id, source_update, person_id, user_name, fields, expires_at)
          values (${id}, ${chatId}, ${bindingId}, ${botId}, ${updateId}, ${personId}, ${user.userName}, ${sealed},
            now() + ${REGISTRATION_OPEN_SECONDS} * interval '1 second')
          on conflict (bot_id, source_update) do nothing returning 1`;
        if (made !== undefined) {
          await lookAgain(tx, { registrationId: id, card: null }, REGISTRATION_OPEN_SECONDS * 1000);
          return id;
        }
        const [known] = await tx<Row<'registration', 'id'>[]>`
          select id from registration where bot_id = ${botId} and source_update = ${updateId}`;
        if (known === undefined) throw new AppError('internal', 'a registration is neither new nor there');
        return known.id;
      });
    },

    /** Remembers where it is shown, so that its end can be shown there too. */
    async showOn(registrationId: string, card: RegistrationCard): Promise<void> {
      await sql.begin(async (tx) => {
        const row = await rows.lock(tx, registrationId);
        if (row?.state === 'prepared') await lookAgain(tx, { registrationId, card }, row.open_ms);
      });
    },

    /** Null once it is under way, over or out of time. */
    async open(registrationId: string): Promise<OpenRegistration | null> {
      const row = await rows.read(registrationId);
      return row === undefined ? null : rows.openIn(row);
    },

    /** As `open`, for showing the password: that it will be hidden again in a minute is certain when this returns. */
    async reveal(
      registrationId: string,
      personId: number,
      card: RegistrationCard,
    ): Promise<OpenRegistration | null> {
      return await sql.begin(async (tx) => {
        const row = await rows.lock(tx, registrationId);
        if (row === undefined || row.person_id !== personId) return null;
        const opened = rows.openIn(row);
        if (opened === null) return null;
        await enqueue(
          tx,
          'registration-password',
          { registrationId, card },
          { key: hidingKey(registrationId), afterMs: SHOWN_SECONDS * 1000 },
        );
        return opened;
      });
    },

    /** The message that showed the password shows something else for good: nothing is left to hide. */
    async concealed(registrationId: string): Promise<void> {
      await forgetJobs(sql, hidingKey(registrationId));
    },

    /**
     * The one way to a call: in one transaction, of all who press once only, with the person's role, the account and the
     * day's count as they are then. What bars the call ends the registration.
     */
    async goOnWire({ registrationId, personId, updateId, card }: RegistrationPress): Promise<Departure> {
      return await sql.begin(async (tx) => {
        // Two calls that would be the day's last must not both find room. It is rare, so one lock for all will do.
        await tx`select pg_advisory_xact_lock(hashtextextended('registration', 0))`;
        const row = await rows.lock(tx, registrationId);
        if (row === undefined || row.person_id !== personId)
          throw new AppError('stale', 'no such registration of this person');
        if (row.state !== 'prepared') return { result: 'not_open', state: row.state };
        const day = await readRegistrationDay(tx, row.binding_id);
        const registration = rows.openIn(row);
        const bar = barOf(row, day.used);
        if (bar !== null || registration === null) {
          await tx`update registration set state = 'cancelled', fields = null where id = ${registrationId}`;
          return { result: 'barred', bar: bar ?? 'expired', chat: row.chat, day };
        }
        await tx`
          update registration set state = 'on_wire', called_at = now(), fields = null where id = ${registrationId}`;
        await writeAudit(tx, {
          chatId: row.chat.id,
          personId,
          updateId,
          action: 'user_register_called',
          details: { userName: row.user_name },
        });
        await lookAgain(tx, { registrationId, card }, CALL_SECONDS * 1000);
        return { result: 'on_wire', registration };
      });
    },

    /** Writes down what the call came to; an answer that comes after it was called unknown still counts. */
    async record(
      { registrationId, personId, updateId, card }: RegistrationPress,
      outcome: RegistrationOutcome,
    ): Promise<void> {
      await sql.begin(async (tx) => {
        const row = await rows.lock(tx, registrationId);
        // It may have been called unknown while this process was cut off from the database: an answer still counts.
        const isLate = row?.state === 'unknown' && outcome.state !== 'unknown';
        if (row === undefined || !(row.state === 'on_wire' || isLate)) return;
        if (outcome.state === 'prepared') {
          const { user, generated } = outcome.registration;
          const ids = { id: row.id, chatId: row.chat.id, bindingId: row.binding_id };
          const sealed = row.open_ms > 0 ? sealFields(sealer, ids, { user, generated }) : null;
          await tx`
            update registration set state = ${sealed === null ? 'cancelled' : 'prepared'}, fields = ${sealed}, called_at = null
            where id = ${registrationId}`;
          if (sealed !== null) await lookAgain(tx, { registrationId, card }, row.open_ms);
        } else {
          await tx`update registration set state = ${outcome.state} where id = ${registrationId}`;
        }
        await writeAudit(tx, {
          chatId: row.chat.id,
          personId,
          updateId,
          action: ACTIONS[outcome.state],
          details: {
            userName: row.user_name,
            ...(outcome.state === 'refused' ? { reason: outcome.name } : {}),
          },
        });
      });
    },

    /** The person's own word; false when it was under way or over. */
    async cancel(registrationId: string, personId: number): Promise<boolean> {
      const cancelled = await sql`
        update registration set state = 'cancelled', fields = null
        where id = ${registrationId} and person_id = ${personId} and state = 'prepared' returning 1`;
      return cancelled.length === 1;
    },

    /**
     * Ends what has run out of time: one that was not confirmed is cancelled, one that has been on the wire for
     * longer than any call takes is unknown. Anything else stays, and is looked at again when its time comes.
     */
    async settle(work: RegistrationWork): Promise<Settled | null> {
      return await sql.begin(async (tx) => {
        const row = await rows.lock(tx, work.registrationId);
        if (row === undefined) return null;
        const isOpen = row.state === 'prepared' || row.state === 'on_wire';
        if (isOpen && row.left_ms > 0) await lookAgain(tx, work, row.left_ms);
        if (!isOpen || row.left_ms > 0) return { state: row.state, changed: false, userName: row.user_name };
        const state = row.state === 'prepared' ? 'cancelled' : 'unknown';
        await tx`update registration set state = ${state}, fields = null where id = ${row.id}`;
        if (state === 'unknown') {
          await writeAudit(tx, {
            chatId: row.chat.id,
            personId: row.person_id,
            updateId: null,
            action: ACTIONS.unknown,
            details: { userName: row.user_name },
          });
        }
        return { state, changed: true, userName: row.user_name };
      });
    },

    /** Wipes what has run out of time and was not settled. */
    async forgetOverdue(): Promise<void> {
      await sql`
        update registration set state = 'cancelled', fields = null
        where state = 'prepared' and expires_at < now() - interval '1 minute'`;
    },
  };
}

const ACTIONS = {
  registered: 'user_registered',
  refused: 'user_register_refused',
  unknown: 'user_register_unknown',
  prepared: 'user_register_unsent',
} as const;

function barOf(row: RegistrationRow, used: number): RegistrationBar | null {
  if (row.open_ms === 0) return 'expired';
  if (!can(row.role, 'users.register')) return 'not_allowed';
  if (!row.live) return 'account_gone';
  return used >= REGISTRATIONS_A_DAY ? 'day_full' : null;
}

function hidingKey(registrationId: string): string {
  return `registration-password:${registrationId}`;
}

async function lookAgain(tx: TransactionSql, work: RegistrationWork, afterMs: number): Promise<void> {
  await enqueue(tx, 'registration', work, { key: `registration:${work.registrationId}`, afterMs });
}

/**
 * What was registered today under the account of a binding, in other chats too. Iran keeps one offset all year, which a
 * server's time-zone data may not know yet.
 */
async function readRegistrationDay(db: Queryable, bindingId: string): Promise<RegistrationDay> {
  const [row] = await db<{ used: number; unknown: number; resets_ms: number }[]>`
    with day as (
      select (date_trunc('day', now() at time zone 'UTC' + interval '3:30') - interval '3:30') at time zone 'UTC' as since
    ), same as (
      select o.id from binding b join binding o on ${isToldOne(db, 'o', 'b')} where b.id = ${bindingId}
    ), called as (
      select r.state from registration r join day on r.called_at >= day.since
      where r.binding_id in (select id from same) and r.state in ('on_wire', 'registered', 'unknown')
    )
    select (select count(*)::int from called) as used,
      (select count(*)::int from called where state = 'unknown') as unknown,
      (extract(epoch from since + interval '1 day') * 1000)::float8 as resets_ms
    from day`;
  if (row === undefined) throw new Error('a count without a row');
  return { used: row.used, unknown: row.unknown, resetsAt: new Date(row.resets_ms) };
}
