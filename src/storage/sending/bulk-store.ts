import type { TransactionSql } from 'postgres';
import type { Bulk, BulkSummary, KeepOutcome, NumbersFound, SourceRow } from '../../domain/bulk.ts';
import { UNDECIDED } from '../../domain/draft.ts';
import { isAppError } from '../../domain/errors.ts';
import { fileOf } from '../../domain/kinds/index.ts';
import type { KeptPerson } from '../../domain/people.ts';
import { forgetJobs } from '../../jobs/queue-tables.ts';
import {
  type BulkDraft,
  type BulkWork,
  type JoinedCalls,
  type PlannedPart,
  readRows,
  type SkippedRow,
} from '../../ports/bulk.ts';
import type { SampleRow } from '../../ports/stores.ts';
import { writeAudit } from '../audit.ts';
import { enqueueCount, forgetCalls, placedCalls, renew } from './bulk-in.ts';
import type { Database, Queryable } from '../database/database.ts';
import { enqueue, enqueueGauge } from '../enqueue.ts';
import { readOutgoing } from './kinds/details.ts';
import { readLimits } from './limits-in.ts';
import { canBeDecided, listed, move } from '../move.ts';
import { keepIn, limitPeopleIn, MAX_PEOPLE } from '../people/people-store.ts';
import type { Row } from '../row.ts';

type DraftRow = Row<
  'draft',
  'chat_id' | 'author_id' | 'binding_id' | 'lang' | 'line' | 'text' | 'kind' | 'details'
>;

/** Blocks that are read at a time. */
const BLOCKS = 4;

/** What a change of the draft by a person comes to; the version goes up by one. */
interface BulkChange {
  readonly bulk: Bulk;
  readonly text?: string;
}

/**
 * The rows of uploaded files, and the calls that are made of them. Whatever takes long is written in one transaction
 * that holds nothing which people wait for: it is all there at its end, or none of it is.
 */
export function createBulkStore({ sql }: Database) {
  return {
    /** The draft, while it can be decided about at that version. */
    async find(work: BulkWork): Promise<BulkDraft | null> {
      return await findIn(sql, work);
    },

    /** How far a task has come; false when nobody waits for it any more. */
    async progress({ draftId, version }: BulkWork, done: number): Promise<boolean> {
      const rows = await sql`
        update draft set details = details || jsonb_build_object('done', ${done}::int)
        where id = ${draftId} and version = ${version} and ${canBeDecided(sql)}
          and details ->> 'step' in ('reading', 'columns', 'counting') returning 1`;
      return rows.length === 1;
    },

    /**
     * Keeps the rows of a file, block by block, instead of those of an earlier try, and then the draft as `write` returns
     * it. False, and nothing is kept, when the draft has changed in the meantime.
     */
    async fill(
      work: BulkWork,
      write: (save: (rows: string) => Promise<void>) => Promise<Bulk>,
    ): Promise<boolean> {
      return await replace(work, 'reading', async (tx) => {
        await tx`delete from bulk_source where draft_id = ${work.draftId}`;
        let block = 0;
        const backlog = createPipelinedWrites();
        const bulk = await backlog.over(() =>
          write(async (rows) => {
            const at = block;
            block += 1;
            await backlog.add(
              tx`insert into bulk_source (draft_id, block, rows) values (${work.draftId}, ${at}, to_jsonb(${rows}::text))`,
            );
          }),
        );
        return { bulk, priced: null };
      });
    },

    /** The file cannot be read. */
    async fail(work: BulkWork, problem: NonNullable<Bulk['problem']>): Promise<void> {
      await replace(work, 'reading', (_tx, { bulk }) =>
        Promise.resolve({ bulk: { ...bulk, step: 'failed', problem }, priced: null }),
      );
    },

    /** The rows of a file as they were kept, in order, block by block: for `readRows`. */
    async *rows(draftId: string): AsyncIterable<string> {
      let next = readBlocks(draftId, 0);
      for (let from = BLOCKS; ; from += BLOCKS) {
        const blocks = await next;
        const isLast = blocks.length < BLOCKS;
        if (!isLast) next = readBlocks(draftId, from);
        for (const { rows } of blocks) yield rows;
        if (isLast) return;
      }
    },

    /** The first rows. */
    async head(draftId: string, count: number): Promise<readonly SourceRow[]> {
      const [block] = await readBlocks(draftId, 0, 1);
      return block === undefined ? [] : readRows<SourceRow>(block.rows).slice(0, count);
    },

    /** What the column of the numbers holds. */
    async tally(work: BulkWork, numbers: NumbersFound): Promise<void> {
      await replace(work, 'columns', (_tx, { bulk }) =>
        Promise.resolve({ bulk: { ...bulk, numbers, done: bulk.rows }, priced: null }),
      );
    },

    /** Keeps the calls, and what is left out, instead of those of an earlier count; else as `fill`. */
    async plan(
      work: BulkWork,
      write: (save: (part: PlannedPart) => Promise<void>) => Promise<BulkSummary>,
    ): Promise<boolean> {
      return await replace(work, 'counting', async (tx, { bulk, bindingId }) => {
        await forgetCalls(tx, work.draftId);
        let block = 0;
        const backlog = createPipelinedWrites();
        const summary = await backlog.over(() =>
          write(async ({ calls, skipped }) => {
            if (calls.chunks.length > 0) await backlog.add(insertCalls(tx, work.draftId, calls));
            if (skipped === null) return;
            const at = block;
            block += 1;
            await backlog.add(
              tx`insert into bulk_skipped (draft_id, block, rows) values (${work.draftId}, ${at}, to_jsonb(${skipped}::text))`,
            );
          }),
        );
        if (summary.recipients === 0) await tx`delete from bulk_call where draft_id = ${work.draftId}`;
        return { bulk: { ...bulk, step: 'review', done: bulk.rows, summary }, priced: bindingId };
      });
    },

    /**
     * Changes an open draft by a person's hand, renews its time, and has it counted where its step says so. Returns its
     * new version; null when it is not open at that one.
     */
    async change(work: BulkWork, { bulk, text }: BulkChange): Promise<number | null> {
      return await sql.begin(async (tx) => {
        const { to, may } = move(tx, 'draft', 'edit');
        const [row] = await tx<Row<'draft', 'version'>[]>`
          update draft set version = version + 1, state = ${to}, text = coalesce(${text ?? null}, text)
          where id = ${work.draftId} and version = ${work.version} and kind = 'bulk' and ${may}
            and expires_at > now()
          returning version`;
        if (row === undefined) return null;
        await forgetCalls(tx, work.draftId);
        await renew(tx, work.draftId, bulk);
        await enqueueCount(tx, work.draftId, { version: row.version, bulk });
        return row.version;
      });
    },

    /**
     * Keeps people with those of the chat, each once, and ends the draft with what has come of it. All of them are kept, or
     * nobody is.
     */
    async keep(
      work: BulkWork,
      write: (save: (people: readonly KeptPerson[]) => Promise<void>) => Promise<void>,
    ): Promise<void> {
      await replace(work, 'columns', async (tx, draft) => {
        const { bulk } = draft;
        if (bulk.keep === null || bulk.keep.outcome !== null) throw new Stale();
        return {
          bulk: { ...bulk, keep: { ...bulk.keep, outcome: await keepAllIn(tx, draft, write) } },
          priced: null,
        };
      });
    },

    /** The rows that do not leave, in order, block by block. */
    async *skipped(draftId: string): AsyncIterable<readonly SkippedRow[]> {
      for (let next = 0; ; next += 1) {
        const [block] = await sql<{ rows: string }[]>`
          select rows #>> '{}' as rows from bulk_skipped where draft_id = ${draftId} and block = ${next}`;
        if (block === undefined) return;
        yield readRows<SkippedRow>(block.rows);
      }
    },

    /** Some of the messages that leave, by chance. */
    async pick(draftId: string, count: number): Promise<readonly SampleRow[]> {
      // One of each stretch of the messages, however few calls they are in.
      return await sql<SampleRow[]>`
        with calls as (select * from ${placedCalls(sql, draftId)} as c),
          seen as (select coalesce(sum(size), 0)::int as n from calls),
          stretches as (
            select (i * n / k)::int as since, ((i + 1) * n / k)::int as until
            from (select n, least(${count}::bigint, n) as k from seen) as counted, generate_series(0, k - 1) as i),
          picked as (select since + floor(random() * (until - since))::int as index from stretches)
        select p.index, b.row_numbers[p.index - before + 1] as row, b.recipients[p.index - before + 1] as recipient,
          coalesce(b.texts[p.index - before + 1], d.text) as text
        from picked p join calls c on p.index >= before and p.index < before + size
          join bulk_call b on b.draft_id = ${draftId} and b.chunk = c.chunk join draft d on d.id = b.draft_id
        order by p.index`;
    },
  };

  /** The next few while the last few are worked on: whoever leaves early has not waited for them. */
  function readBlocks(draftId: string, from: number, count = BLOCKS): Promise<{ rows: string }[]> {
    const reading = Promise.resolve(
      sql<{ rows: string }[]>`
        select rows #>> '{}' as rows from bulk_source where draft_id = ${draftId} and block >= ${from} and block < ${from + count}
        order by block`,
    );
    reading.catch(() => undefined);
    return reading;
  }

  /**
   * Writes in one transaction what replaces the draft's present step, one run after the other. The draft itself is held
   * for the last statements alone: a person who changes it meanwhile does not wait, and the run has been for nothing.
   */
  async function replace(
    work: BulkWork,
    step: Bulk['step'],
    write: (
      tx: TransactionSql,
      draft: BulkDraft,
    ) => Promise<{ readonly bulk: Bulk; readonly priced: string | null }>,
  ): Promise<boolean> {
    const { draftId } = work;
    return await sql
      .begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(hashtextextended('bulk ' || ${draftId}::text, 0))`;
        const draft = await findIn(tx, work);
        if (draft?.bulk.step !== step) return false;
        const { bulk, priced } = await write(tx, draft);
        const held = await tx`
        select 1 from draft where id = ${draftId} and version = ${work.version} and state in ${listed(tx, UNDECIDED)}
          and expires_at > clock_timestamp() and details ->> 'step' = ${step} for no key update`;
        if (held.length === 0) throw new Stale();
        await renew(tx, draftId, bulk);
        await enqueueCount(tx, draftId, { version: work.version, bulk });
        if (priced !== null) await enqueueGauge(tx, { bindingId: priced, draftId });
        await enqueue(tx, 'card', { draftId }, { key: `card:${draftId}` });
        if (bulk.keep !== null && bulk.keep.outcome !== null) await endIn(tx, draftId);
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof Stale) return false;
        throw error;
      });
  }
}

/** Takes back what was written for a draft that is another by now. */
class Stale extends Error {}

/** Nothing of it is to leave: see `keep`. */
async function endIn(tx: TransactionSql, draftId: string): Promise<void> {
  const { to, may } = move(tx, 'draft', 'cancel');
  await tx`
    update draft set state = ${to}, version = version + 1, expires_at = now() where id = ${draftId} and ${may}`;
  await forgetJobs(tx, `expiry:${draftId}`);
}

async function keepAllIn(
  tx: TransactionSql,
  { chatId, authorId: personId, bulk }: BulkDraft,
  write: (save: (people: readonly KeptPerson[]) => Promise<void>) => Promise<void>,
): Promise<KeepOutcome> {
  let [people, fresh] = [0, 0];
  try {
    await tx.savepoint(async (inner) => {
      await write(async (some) => {
        people += some.length;
        fresh += await keepIn(inner, { chatId, personId }, some);
      });
      await limitPeopleIn(inner, chatId);
    });
  } catch (error) {
    if (!isAppError(error, 'bad_input') || error.params['field'] !== 'people') throw error;
    return { limit: MAX_PEOPLE };
  }
  const details = { name: bulk.keep?.tag ?? '', numbers: people };
  await writeAudit(tx, { chatId, personId, updateId: null, action: 'people_kept', details });
  return { people, fresh };
}

async function findIn(sql: Queryable, { draftId, version }: BulkWork): Promise<BulkDraft | null> {
  const [row] = await sql<DraftRow[]>`
    select chat_id, author_id, binding_id, lang, line, text, kind, details from draft
    where id = ${draftId} and version = ${version} and kind = 'bulk' and ${canBeDecided(sql)}`;
  const bulk = row === undefined ? null : fileOf(readOutgoing(row));
  if (row === undefined || bulk === null) return null;
  const { chat_id: chatId, author_id: authorId, binding_id: bindingId, lang, line, text } = row;
  const { lines } = await readLimits(sql, chatId);
  return {
    chatId,
    authorId,
    bindingId,
    lang,
    line,
    text,
    bulk,
    rule: lines.find((each) => each.line === line) ?? null,
  };
}

/** Several calls in one statement: a file can have ten thousand, and each of their texts costs its escaping. */
function insertCalls(tx: TransactionSql, draftId: string, calls: JoinedCalls) {
  const { chunks, recipients, texts, mark, rowNumbers, payloadSha256 } = calls;
  return tx`
    insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
    select ${draftId}, c.chunk, string_to_array(c.recipients, ','), string_to_array(c.texts, ${mark}::text),
      string_to_array(c.row_numbers, ',')::int[], decode(c.sha256, 'hex')
    from unnest(${chunks}::int[], ${recipients}::text[], ${texts}::text[], ${rowNumbers}::text[], ${payloadSha256}::text[]
    ) as c(chunk, recipients, texts, row_numbers, sha256)`;
}

/** Statements that are under way at a time: the next block is made while the last one is written. */
const AHEAD = 3;

/** Keeps a few statements of one transaction under way, and loses no failure of theirs. */
function createPipelinedWrites() {
  const under: Promise<unknown>[] = [];
  return {
    async add(statement: PromiseLike<unknown>): Promise<void> {
      const running = Promise.resolve(statement);
      running.catch(() => undefined);
      under.push(running);
      if (under.length > AHEAD) await under.shift();
    },
    /** What `work` returns, when every statement that it has added has ended well. */
    async over<T>(work: () => Promise<T>): Promise<T> {
      try {
        const done = await work();
        await Promise.all(under);
        return done;
      } finally {
        await Promise.allSettled(under);
      }
    },
  };
}
