import { isDeepStrictEqual } from 'node:util';
import type { Fragment, TransactionSql } from 'postgres';
import { WAITING } from '../../domain/job.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import { type Halt, type Limits, type LineRule, lineRuleOf } from '../../domain/limits.ts';
import { can } from '../../domain/roles.ts';
import type { ChatDoer } from '../../ports/doer.ts';
import type { LimitsStore } from '../../ports/limits.ts';
import { writeAudit } from '../audit.ts';
import { recountIn } from './bulk-in.ts';
import type { Database } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import { resumeIn } from './job-resume.ts';
import { spentOnDayIn } from './judge-in.ts';
import { limitsIn, readLimits, showOpenDraftsIn } from './limits-in.ts';
import { canBeDecided, listed, move } from '../move.ts';
import type { NotNull, Row } from '../row.ts';
import { takeBackIn } from './take-back.ts';

/** What chats allow themselves, and the switch that stops all their sends. */
export function createLimitsStore({ sql }: Database): LimitsStore {
  return {
    of: async (chatId) => await readLimits(sql, chatId),

    async spentToday(chatId, timeZone, personId) {
      const counted = { chatId, timeZone, limits: await readLimits(sql, chatId) };
      return await spentOnDayIn(sql, counted, null, personId === undefined ? {} : { personId });
    },

    async change({ to, ...press }) {
      return await sql.begin(async (tx) => {
        const before = await heldBy(tx, press);
        if (before === null) return null;
        const after: Limits = { ...before, ...to };
        const changed = LIMITS.filter((name) => !isDeepStrictEqual(before[name], after[name]));
        if (changed.length === 0) return { before, after };
        await writeLimits(tx, press, after);
        await showOpenDraftsIn(tx, press.chatId);
        // One that goes on slowly says by them when.
        await showCardsIn(tx, press.chatId, tx`j.state = 'running' and d.pace_per_hour is not null`);
        const values = (limits: Limits) => Object.fromEntries(changed.map((name) => [name, limits[name]]));
        await writeAudit(tx, {
          ...press,
          action: 'limits_changed',
          details: { old: values(before), new: values(after) },
        });
        return { before, after };
      });
    },

    async changeLine({ line, to, ...press }) {
      return await sql.begin(async (tx) => {
        const limits = await heldBy(tx, press);
        if (limits === null) return null;
        const before = lineRuleOf(limits.lines, line);
        const after: LineRule = { ...before, ...to };
        const changed = LINE_PARTS.filter((name) => !isDeepStrictEqual(before[name], after[name]));
        if (changed.length === 0) return { before, after };
        if (limits.lines.length >= MOST_LINES && !limits.lines.includes(before)) return 'full';
        await writeLineRule(tx, press, after);
        await recountMergedIn(tx, press.chatId, line);
        await showOpenDraftsIn(tx, press.chatId);
        // What waits for its time, or has a rest, says what it lacks.
        const waits = tx`(j.state in ${listed(tx, WAITING)} or (j.kept = 'all' and j.state in ('paused', 'stopped')))`;
        await showCardsIn(tx, press.chatId, tx`d.line = ${line} and ${waits}`);
        const values = (rule: LineRule) => Object.fromEntries(changed.map((name) => [name, rule[name]]));
        await writeAudit(tx, {
          ...press,
          action: 'line_rule_changed',
          details: { line, old: values(before), new: values(after) },
        });
        return { before, after };
      });
    },

    async zoneCalled(typed) {
      const [found] = await sql<{ name: string }[]>`
        select name from pg_timezone_names
        where (name = 'UTC' or split_part(name, '/', 1) in ${sql(CONTINENTS)})
          and lower(${typed}) in (lower(name), lower(replace(regexp_replace(name, '^.*/', ''), '_', ' ')))
        order by length(name) limit 1`;
      return found !== undefined && isTimeZone(found.name) ? found.name : null;
    },

    async changeZone({ zone, ...press }) {
      return await sql.begin(async (tx) => {
        if ((await heldBy(tx, press)) === null) return false;
        const [chat] = await tx<Row<'chat', 'time_zone'>[]>`
          select time_zone from chat where id = ${press.chatId} for no key update`;
        const before = chat?.time_zone ?? '';
        if (before === zone) return true;
        await tx`update chat set time_zone = ${zone} where id = ${press.chatId}`;
        await showOpenDraftsIn(tx, press.chatId);
        await showCardsIn(tx, press.chatId, tx`j.ended_at is null`);
        await writeAudit(tx, { ...press, action: 'time_zone_changed', details: { old: before, new: zone } });
        return true;
      });
    },

    async halt(press) {
      return await sql.begin(async (tx) => {
        const before = await heldBy(tx, press);
        if (before === null) return null;
        if (before.halted !== null) return { halted: before.halted, isNew: false, paused: 0 };
        await writeLimits(tx, press, before);
        const halted = await throwSwitch(tx, press);
        await showOpenDraftsIn(tx, press.chatId);
        const paused = await pauseAllIn(tx, press.chatId, press.personId);
        await writeAudit(tx, { ...press, action: 'sends_halted', details: { paused } });
        return { halted, isNew: true, paused };
      });
    },

    async go({ timeZone, ...press }) {
      return await sql.begin(async (tx) => {
        const before = await heldBy(tx, press);
        if (before === null) return null;
        if (before.halted === null) return { was: null, resumed: 0, kept: 0 };
        await writeLimits(tx, press, before);
        await tx`update chat_limits set halted_at = null where chat_id = ${press.chatId}`;
        const jobs = await tx<Row<'job', 'id' | 'draft_id'>[]>`
          select id, draft_id from job where chat_id = ${press.chatId} and state = 'paused' and stop_reason = 'halted'
          order by confirmed_at, id for update`;
        let resumed = 0;
        for (const { id: jobId, draft_id: draftId } of jobs) {
          if (before.heldAt === null && (await resumeIn(tx, { jobId, timeZone })).result === 'resumed')
            resumed += 1;
          else await keepIn(tx, jobId, before.heldAt === null ? 'person' : 'held');
          await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
        }
        await wakeDueIn(tx, press.chatId);
        await showOpenDraftsIn(tx, press.chatId);
        const kept = before.heldAt === null ? jobs.length - resumed : 0;
        await writeAudit(tx, { ...press, action: 'sends_allowed', details: { resumed, kept } });
        return { was: before.halted, resumed, kept };
      });
    },
  };
}

/** What came due while nothing could leave waits no longer. */
export async function wakeDueIn(tx: TransactionSql, chatId: string): Promise<void> {
  const due = await tx<Row<'job', 'id'>[]>`
    select id from job where chat_id = ${chatId} and state = 'scheduled' and hold_until <= now()`;
  for (const { id: jobId } of due) await enqueue(tx, 'send', { jobId }, { key: `send:${jobId}` });
}

/** A paused or a missed job stays so, for another reason than before. */
export async function keepIn(
  tx: TransactionSql,
  jobId: string,
  reason: 'person' | 'halted' | 'held' | 'answered',
): Promise<void> {
  await tx`
    update job j set stop_reason = ${reason}, stopped_by = case ${reason} when 'held' then null
      when 'halted' then (select l.halted_by from chat_limits l where l.chat_id = j.chat_id) else stopped_by end
    where id = ${jobId}`;
}

/**
 * Pauses with the chat's switch whatever of a chat runs or can still be undone; what is on the wire finishes. How many that
 * were. The chat's limits are held by then.
 * @param personId who has thrown it; null: nobody of the chat.
 */
export async function pauseAllIn(
  tx: TransactionSql,
  chatId: string,
  personId: number | null,
): Promise<number> {
  const { to, may } = move(tx, 'job', 'halt');
  const paused = await tx<Row<'job', 'id' | 'draft_id'>[]>`
    update job set state = ${to}, stop_reason = 'halted', stopped_by = ${personId}
    where chat_id = ${chatId} and ${may} returning id, draft_id`;
  await takeBackIn(
    tx,
    paused.map(({ id }) => id),
  );
  for (const { draft_id: draftId } of paused)
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
  return paused.length;
}

const LIMITS = ['approvalParts', 'cap', 'personCap', 'window'] as const satisfies readonly (keyof Limits)[];

/** What names of time zones begin with that are no other names of them. */
const CONTINENTS = [
  'Africa',
  'America',
  'Antarctica',
  'Asia',
  'Atlantic',
  'Australia',
  'Europe',
  'Indian',
  'Pacific',
];

const LINE_PARTS = ['purpose', 'required', 'words', 'window'] as const satisfies readonly (keyof LineRule)[];
/** Each is held against every send from its line. */
const MOST_LINES = 50;

/** The limits, held until the transaction ends; null where the person's role, read now, does not allow to change them. */
async function heldBy(tx: TransactionSql, { chatId, personId }: ChatDoer): Promise<Limits | null> {
  const limits = await limitsIn(tx, chatId);
  const [member] = await tx<Row<'member', 'role'>[]>`
    select role from member where chat_id = ${chatId} and person_id = ${personId}`;
  return can(member?.role ?? null, 'limits.manage') ? limits : null;
}

/** Everything but the switch. A chat without a row has the defaults, which a row must name. */
async function writeLimits(
  tx: TransactionSql,
  { chatId, personId }: ChatDoer,
  { approvalParts, cap, personCap, window }: Limits,
): Promise<void> {
  await tx`
    insert into chat_limits (chat_id, approval_parts, cap_rial, cap_parts, person_cap_rial, person_cap_parts, window_from,
      window_to, updated_by)
    values (${chatId}, ${approvalParts}, ${cap?.unit === 'rial' ? cap.rial : null}, ${cap?.parts ?? null},
      ${personCap?.unit === 'rial' ? personCap.rial : null}, ${personCap?.parts ?? null},
      ${window?.from ?? null}, ${window?.to ?? null}, ${personId})
    on conflict (chat_id) do update set approval_parts = excluded.approval_parts, cap_rial = excluded.cap_rial,
      cap_parts = excluded.cap_parts, person_cap_rial = excluded.person_cap_rial,
      person_cap_parts = excluded.person_cap_parts, window_from = excluded.window_from, window_to = excluded.window_to,
      updated_by = excluded.updated_by, updated_at = now()`;
}

/** A rule that says nothing is none. */
async function writeLineRule(
  tx: TransactionSql,
  { chatId, personId }: ChatDoer,
  { line, purpose, required, words, window }: LineRule,
): Promise<void> {
  if (purpose === null && required === null && words.length === 0 && window === null) {
    await tx`delete from line_rule where chat_id = ${chatId} and line = ${line}`;
    return;
  }
  await tx`
    insert into line_rule (chat_id, line, purpose, required, words, window_from, window_to, updated_by)
    values (${chatId}, ${line}, ${purpose}, ${required}, ${[...words]}, ${window?.from ?? null}, ${window?.to ?? null}, ${personId})
    on conflict (chat_id, line) do update set purpose = excluded.purpose, required = excluded.required,
      words = excluded.words, window_from = excluded.window_from, window_to = excluded.window_to,
      updated_by = excluded.updated_by, updated_at = now()`;
}

/**
 * What the messages of files say was found by the rule before, as far as their rows are there to be looked through. The
 * new version has a count that is under way be for nothing. A question to a second person goes on: it waits for the count.
 */
async function recountMergedIn(tx: TransactionSql, chatId: string, line: string): Promise<void> {
  const drafts = await tx<Row<'draft', 'id'>[]>`
    update draft d set version = version + (state <> 'asked' or details ->> 'step' = 'counting')::int
    where chat_id = ${chatId} and line = ${line} and ${canBeDecided(tx, 'd')}
      and details ->> 'step' in ('counting', 'review') and coalesce((details -> 'summary' ->> 'personal')::boolean, true)
      and exists (select 1 from bulk_source s where s.draft_id = d.id)
    returning id`;
  for (const { id } of drafts) await recountIn(tx, id);
}

/** The cards of jobs `j` and their drafts `d`. */
async function showCardsIn(tx: TransactionSql, chatId: string, which: Fragment): Promise<void> {
  const jobs = await tx<Row<'job', 'draft_id'>[]>`
    select j.draft_id from job j join draft d on d.id = j.draft_id where j.chat_id = ${chatId} and ${which}`;
  for (const { draft_id: draftId } of jobs)
    await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
}

async function throwSwitch(tx: TransactionSql, { chatId, personId }: ChatDoer): Promise<Halt> {
  const [row] = await tx<
    (Row<'person', 'name as byName'> & NotNull<Row<'chat_limits', 'halted_at as at'>>)[]
  >`
    update chat_limits set halted_at = now(), halted_by = ${personId} from person p
    where chat_id = ${chatId} and p.telegram_id = ${personId}
    returning halted_at as at, p.name as "byName"`;
  if (row === undefined) throw new Error('nobody knows who throws the switch');
  return row;
}
