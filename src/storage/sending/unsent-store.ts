import type { TransactionSql } from 'postgres';
import { UNSENT, UNWRITTEN } from '../../domain/attempt.ts';
import { newBulk, type Bulk } from '../../domain/bulk.ts';
import { UNDECIDED } from '../../domain/draft.ts';
import { kindOf, fileOf } from '../../domain/kinds/index.ts';
import type { ResendPress, UnsentStore, Unsent } from '../../ports/unsent.ts';
import type { NewDraft } from '../../ports/stores.ts';
import type { Database } from '../database/database.ts';
import { insertDraft } from './draft-store.ts';
import { enqueue } from '../enqueue.ts';
import { readCounts } from './job-counts.ts';
import { readMessages, readOutgoing } from './kinds/details.ts';
import { holdLimits } from './limits-in.ts';
import { listed, move } from '../move.ts';
import { earlierIn, failuresOf, resendsOf, type ResendOf } from './resent-in.ts';
import type { Row } from '../row.ts';

/** Calls that are read at a time. */
const CALLS = 50;
/** Rows of a file that are kept in one block. */
const BLOCK = 500;

type Origin = Row<'draft', 'id' | 'code' | 'kind' | 'details' | 'text' | 'line' | 'flash'> & {
  readonly now_s: number;
  readonly restored: boolean;
};

/** What of a job has not arrived: as a list, and as a draft that sends it again. */
export function createUnsentStore({ sql }: Database): UnsentStore {
  return {
    async *unsent(jobId) {
      for (let from = 0; ; from += CALLS) {
        const rows = await sql<Unsent[]>`
          select r.recipient, r.why, coalesce(r.message ->> 'line', c.line) as line, coalesce(r.message ->> 'text', r.text) as text
          from (
            select a.*, b.texts from attempt a join job j on j.id = a.job_id
            left join bulk_call b on b.draft_id = j.draft_id and b.chunk = a.chunk and a.messages is null
            where a.job_id = ${jobId} and j.kept = 'all' and (a.state in ${listed(sql, UNSENT)} or a.blocked <> '{}')
            order by a.chunk, a.n offset ${from} limit ${CALLS}
          ) as c cross join lateral (
            select p.place, p.recipient, c.messages -> (p.place - 1)::int as message, c.texts[p.place] as text,
              case when c.state in ${listed(sql, UNWRITTEN)} then 'stopped' when c.outcome = 'blocked' then 'blocked' else 'refused' end as why
            from unnest(c.recipients) with ordinality as p(recipient, place)
            where c.state in ${listed(sql, UNSENT)}
            union all
            select 1000000 + p.place, p.recipient, c.blocked_messages -> (p.place - 1)::int, null, 'blocked' from unnest(c.blocked) with ordinality as p(recipient, place)
          ) as r order by c.chunk, c.n, r.place`;
        if (rows.length > 0) yield rows;
        else return;
      }
    },

    async resend(press) {
      return await sql.begin(async (tx) => {
        // What is heard late of them is written down before, or finds this draft: record-late.ts.
        await holdLimits(tx, press.chatId);
        // One after the other in each chat, as drafts are made: the second of two presses sees what the first has made.
        await tx`select 1 from chat where id = ${press.chatId} for no key update`;
        const [known] = await tx<Row<'draft', 'id' | 'code'>[]>`
          select id, code from draft where bot_id = ${press.botId} and source_update = ${press.updateId}`;
        if (known !== undefined) return { result: 'made', draftId: known.id, code: known.code };
        const [origin] = await tx<Origin[]>`
          select d.id, d.code, d.kind, d.details, d.text, d.line, d.flash, extract(epoch from now())::float8 as now_s,
            coalesce((select restored_from is not null or restored_at >= j.ended_at from deployment), false) as restored
          from draft d join job j on j.draft_id = d.id
          where j.id = ${press.jobId} and j.chat_id = ${press.chatId} and j.ended_at is not null and j.kept = 'all'`;
        if (origin === undefined) return { result: 'nothing' };
        const open = await openResendIn(tx, origin.id);
        if (open !== null) return { result: 'open', draftId: open.id, code: open.code };

        const { counts, blocked } = await readCounts(tx, press.jobId);
        const resendOf = {
          draftId: origin.id,
          code: origin.code,
          unknown: counts.unknown + counts.onWire,
          blocked: counts.blocked + blocked,
          ...(origin.restored ? { restored: true } : {}),
          ...(await earlierIn(tx, origin.id, failuresOf(tx, origin.id))),
        };
        const id = await makeIn(tx, origin, { ...press, resendOf });
        if (id === null) return { result: 'nothing' };
        const [made] = await tx<Row<'draft', 'code'>[]>`select code from draft where id = ${id}`;
        return { result: 'made', draftId: id, code: made?.code ?? '' };
      });
    },
  };
}

/** The draft of an earlier press that still waits. One whose time is over can no longer be confirmed by anybody. */
async function openResendIn(
  tx: TransactionSql,
  draftId: string,
): Promise<{ readonly id: string; readonly code: string } | null> {
  const waiting = await tx<(Row<'draft', 'id' | 'code'> & { expired: boolean })[]>`
    select d.id, d.code, d.expires_at <= now() as expired from draft d join ${resendsOf(tx, draftId)} as r on r.id = d.id
    where d.state in ${listed(tx, UNDECIDED)} for update of d`;
  for (const { id } of waiting.filter(({ expired }) => expired)) {
    const { to, may } = move(tx, 'draft', 'cancel');
    await tx`update draft set state = ${to}, version = version + 1 where id = ${id} and ${may}`;
    await enqueue(tx, 'card', { draftId: id }, { key: `card:${id}` });
  }
  return waiting.find(({ expired }) => !expired) ?? null;
}

type Making = ResendPress & { readonly resendOf: ResendOf };

/** The draft to everybody who got nothing; null when that is nobody. */
async function makeIn(tx: TransactionSql, origin: Origin, making: Making): Promise<string | null> {
  const outgoing = readOutgoing(origin);
  const file = fileOf(outgoing);
  if (file !== null) return await makeFromRows(tx, origin, { ...making, file });
  const rows = await tx<{ recipient: string; message: unknown }[]>`
    select recipient, message from ${failuresOf(tx, origin.id)} as f order by chunk, place`;
  if (rows.length === 0) return null;
  const made = await insertDraft(tx, {
    ...draftOf(origin, making),
    outgoing: kindOf(outgoing).toMissed(outgoing, {
      seconds: origin.now_s,
      messages: () => readMessages(rows.map(({ message }) => message)) ?? [],
    }),
    recipients: [...new Set(rows.map(({ recipient }) => recipient))],
  });
  return made.id;
}

/** Of a file, a file again: its rows are the numbers, and beside each the text that it had. */
async function makeFromRows(
  tx: TransactionSql,
  origin: Origin,
  { file, ...making }: Making & { readonly file: Bulk },
): Promise<string | null> {
  const [found] = await tx<{ rows: number }[]>`
    select count(*)::int as rows from ${failuresOf(tx, origin.id)} as f`;
  const rows = found?.rows ?? 0;
  if (rows === 0) return null;
  const isPersonal = file.summary?.personal === true;
  const { id } = await insertDraft(tx, {
    ...draftOf(origin, making),
    outgoing: {
      ...newBulk({ name: `#${origin.code}`, reference: '' }),
      step: 'counting',
      rows,
      columns: isPersonal ? ['number', 'text'] : ['number'],
      phone: 0,
      certainty: 'sure',
      numbers: { good: rows, repeated: 0, invalid: 0 },
    },
    text: isPersonal ? '{text}' : origin.text,
    recipients: [],
  });
  await tx`
    insert into bulk_source (draft_id, block, rows)
    select ${id}::uuid, (place - 1) / ${BLOCK}, jsonb_agg(case when ${isPersonal}
      then jsonb_build_array(place, jsonb_build_array(recipient, message ->> 'text'))
      else jsonb_build_array(place, jsonb_build_array(recipient)) end order by place)
    from (select recipient, message, row_number() over (order by chunk, place) as place
      from ${failuresOf(tx, origin.id)} as f) as numbered group by 2`;
  return id;
}

function draftOf(
  { text, line, flash }: Origin,
  { chatId, bindingId, botId, updateId, personId, lang, threadId, resendOf }: Making,
): Omit<NewDraft, 'outgoing' | 'recipients'> {
  return {
    chatId,
    bindingId,
    botId,
    updateId,
    authorId: personId,
    text,
    line,
    flash,
    lang,
    threadId,
    repeated: [],
    invalid: [],
    resendOf,
  };
}
