import type { AccountSettings, AccountWork, PollEnd, StalledAccount } from '../../ports/inbound.ts';
import { wakeAccountIn } from './account-in.ts';
import type { Database } from '../database/database.ts';
import type { NotNull, Row } from '../row.ts';

type WorkRow = Row<
  'account',
  | 'id'
  | 'chat_id'
  | 'binding_id'
  | 'newest_first'
  | 'audited_on'
  | 'failures'
  | 'failing_since'
  | 'receiving_at'
  | 'inbox_read_at'
  | 'marks_read'
> &
  Row<'chat', 'time_zone'> & {
    readonly inbox_due: boolean | null;
    readonly credit_due: boolean | null;
    readonly details_due: boolean | null;
    readonly ok_ago_ms: number | null;
    readonly inbound_ago_ms: number;
    readonly inbox_total: number | null;
  };

/**
 * Who polls which account, and when. Every change is one statement, so that several processes may share the work; all
 * times are the database's.
 */
export function createAccountStore({ sql }: Database) {
  return {
    /**
     * Takes accounts that are due and that nobody holds, for so long. Of one whose holder died in the middle of a poll the
     * total is not known any more.
     */
    async claim(owner: string, most: number, leaseSeconds: number): Promise<readonly AccountWork[]> {
      const rows = await sql<WorkRow[]>`
        with due as (
          select id, lease_owner as dead from account where due_at <= now() and (lease_until is null or lease_until <= now())
          order by due_at limit ${most} for no key update skip locked
        )
        update account a set lease_owner = ${owner}, lease_until = now() + ${leaseSeconds}::float8 * interval '1 second'
        from due, chat c, binding b where a.id = due.id and c.id = a.chat_id and b.id = a.binding_id
        returning a.id, a.chat_id, a.binding_id, c.time_zone, a.inbox_due_at <= now() as inbox_due,
          a.credit_due_at <= now() as credit_due, a.details_due_at <= now() or b.user_marks is null as details_due,
          a.inbox_read_at,
          (extract(epoch from now() - a.inbox_ok_at) * 1000)::float8 as ok_ago_ms,
          (extract(epoch from now() - coalesce(a.last_inbound_at, a.created_at)) * 1000)::float8 as inbound_ago_ms,
          case when due.dead is null then a.inbox_total end as inbox_total, a.newest_first, a.audited_on, a.failures, a.marks_read, a.failing_since,
          a.receiving_at`;
      return rows.map(toWork);
    },

    /** Holds an account further; false: somebody else has it by now, or nobody. */
    async renew(accountId: string, owner: string, leaseSeconds: number): Promise<boolean> {
      const renewed = await sql`
        update account set lease_until = now() + ${leaseSeconds}::float8 * interval '1 second'
        where id = ${accountId} and lease_owner = ${owner}`;
      return renewed.count > 0;
    },

    /** Writes down what is next and lets the account go; nothing where the owner holds it no longer. */
    async end(accountId: string, owner: string, end: PollEnd): Promise<void> {
      const { inboxMs, creditMs, detailsMs } = end.next;
      await sql`
        with next as (
          select a.id, b.state = 'live' as is_live,
            case when ${inboxMs !== undefined} then now() + ${inboxMs ?? null}::float8 * interval '1 millisecond'
              else a.inbox_due_at end as inbox,
            coalesce(now() + ${creditMs ?? null}::float8 * interval '1 millisecond', a.credit_due_at) as credit,
            coalesce(now() + ${detailsMs ?? null}::float8 * interval '1 millisecond', a.details_due_at) as details
          from account a join binding b on b.id = a.binding_id where a.id = ${accountId}
        )
        update account a set
          inbox_due_at = next.inbox, credit_due_at = next.credit, details_due_at = next.details,
          due_at = case when next.is_live then least(next.inbox, next.credit, next.details) end,
          lease_owner = null, lease_until = null,
          inbox_total = case when ${end.inboxTotal !== undefined} then ${end.inboxTotal ?? null}::int else a.inbox_total end,
          newest_first = case when ${end.newestFirst !== undefined} then ${end.newestFirst ?? null}::boolean
            else a.newest_first end,
          audited_on = coalesce(${end.auditedOn ?? null}, a.audited_on),
          inbox_read_at = case when ${end.readWhole === true} then now() else a.inbox_read_at end,
          inbox_ok_at = case when ${end.inboxOk === true} then now() else a.inbox_ok_at end,
          ${standingOf(end)}
        from next where a.id = next.id and a.lease_owner = ${owner}`;
    },

    /** Lets go all that an owner still holds, in the middle of its polls: another process takes it up. */
    async release(owner: string): Promise<void> {
      await sql`
        update account set lease_owner = null, lease_until = null, inbox_total = null where lease_owner = ${owner}`;
    },

    /** Makes an account of each live binding that has none: those of an earlier version of Peyk. */
    async adopt(): Promise<number> {
      return await sql.begin(async (tx) => {
        const rows = await tx<Row<'binding', 'id'>[]>`
          select b.id from binding b where b.state = 'live' and not exists (select from account a where a.binding_id = b.id)
          for no key update skip locked`;
        for (const { id } of rows) await wakeAccountIn(tx, id);
        return rows.length;
      });
    },

    /** Lets a fetch that marks messages read out, or says that it has ended. */
    async receiving(accountId: string, under: boolean): Promise<void> {
      await sql`
        update account set receiving_at = case when ${under} then coalesce(receiving_at, now()) end where id = ${accountId}`;
    },

    /** The account of a binding. */
    async ofBinding(bindingId: string): Promise<string | null> {
      const [row] = await sql<Row<'account', 'id'>[]>`select id from account where binding_id = ${bindingId}`;
      return row?.id ?? null;
    },

    async settings(accountId: string): Promise<AccountSettings | null> {
      const [row] = await sql<SettingsRow[]>`
        select marks_read, opt_out_lines, first_credit_rial, status, expires_at from account where id = ${accountId}`;
      return row === undefined ? null : toSettings(row);
    },

    async change(accountId: string, change: Partial<AccountSettings>): Promise<void> {
      const given = (name: keyof AccountSettings): boolean => change[name] !== undefined;
      await sql`
        update account set
          marks_read = coalesce(${change.marksRead ?? null}::boolean, marks_read),
          opt_out_lines = coalesce(${change.optOutLines === undefined ? null : [...change.optOutLines]}::text[], opt_out_lines),
          first_credit_rial = case when ${given('firstCreditRial')} then ${change.firstCreditRial ?? null}::bigint
            else first_credit_rial end,
          status = case when ${given('status')} then ${change.status ?? null} else status end,
          expires_at = case when ${given('expiresAt')} then ${change.expiresAt?.toISOString() ?? null}::timestamptz
            else expires_at end
        where id = ${accountId}`;
    },

    /**
     * Accounts whose inbox nobody has read although it was due `lateSeconds` ago, or which could not be read for
     * `refusedSeconds` although the gateway answers: any process but the one that polls may find them.
     */
    async stalled({
      lateSeconds,
      refusedSeconds,
    }: {
      readonly lateSeconds: number;
      readonly refusedSeconds: number;
    }): Promise<readonly StalledAccount[]> {
      const rows = await sql<(Row<'account', 'id' | 'chat_id'> & { since: Date })[]>`
        select id, chat_id,
          coalesce(inbox_ok_at, created_at) as since
        from account
        where due_at is not null and (
          (inbox_due_at < now() - ${lateSeconds}::float8 * interval '1 second'
            and (lease_until is null or lease_until <= now()))
          or (inbox_due_at is not null and failing_since is null
            and coalesce(inbox_ok_at, created_at) < now() - ${refusedSeconds}::float8 * interval '1 second'))`;
      return rows.map((row) => ({ accountId: row.id, chatId: row.chat_id, since: row.since }));
    },

    /** Accounts whose alarm of kind `inbox` and this subject stands. */
    async alarmed(
      subject: string,
    ): Promise<readonly { readonly accountId: string; readonly chatId: string }[]> {
      return await sql<NotNull<Row<'alarm', 'account_id as accountId' | 'chat_id as chatId'>>[]>`
        select account_id as "accountId", chat_id as "chatId" from alarm
        where kind = 'inbox' and subject = ${subject} and ended_at is null and account_id is not null`;
    },
  };

  /** How the gateway stands after a poll: unchanged where it was not asked. */
  function standingOf({ ok }: PollEnd) {
    if (ok === undefined) return sql`failures = a.failures`;
    return ok
      ? sql`failures = 0, failing_since = null`
      : sql`failures = a.failures + 1, failing_since = coalesce(a.failing_since, now())`;
  }
}

type SettingsRow = Row<
  'account',
  'marks_read' | 'opt_out_lines' | 'first_credit_rial' | 'status' | 'expires_at'
>;

function toSettings(row: SettingsRow): AccountSettings {
  return {
    marksRead: row.marks_read,
    optOutLines: row.opt_out_lines,
    firstCreditRial: row.first_credit_rial,
    status: row.status,
    expiresAt: row.expires_at,
  };
}

function toWork(row: WorkRow): AccountWork {
  return {
    accountId: row.id,
    chatId: row.chat_id,
    bindingId: row.binding_id,
    timeZone: row.time_zone,
    due: {
      inbox: row.inbox_due === true,
      credit: row.credit_due === true,
      details: row.details_due === true,
    },
    inboxReadAt: row.inbox_read_at,
    sinceInboxOkMs: row.ok_ago_ms,
    sinceInboundMs: Math.max(0, row.inbound_ago_ms),
    inboxTotal: row.inbox_total,
    newestFirst: row.newest_first,
    auditedOn: row.audited_on,
    failingSince: row.failing_since,
    failures: row.failures,
    marksRead: row.marks_read,
    receivingAt: row.receiving_at,
  };
}
