import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { fileDraftAndTap } from './file-draft.ts';
import { linkOwner } from './people.ts';
import { costOf } from './polling-cost.ts';
import { setStage, type Stage } from './stage.ts';

const RECIPIENTS = Number(process.env['REPORTS_RECIPIENTS'] ?? 1_000_000);
/** Ids in a request, as the interface allows; and in what the bot writes down together. */
const PER_REQUEST = 50;
const PER_PAGE = 2000;
/** Of the numbers of the sandbox, one in a thousand never has a report. */
const NEVER_REPORTED = 0.001;
const PATIENCE_MS = 600_000;

/** The reports of a very large send, held against reading the same pages and storing what they say. */
export const reports: Benchmark = {
  about: `${RECIPIENTS} recipients whose reports are all there 4 s after they were accepted`,
  async run(say) {
    await using stage = await setStage({ countStatements: true, reports: { seconds: 4, of: RECIPIENTS } });
    const { sql } = stage.database;
    const owner = await linkOwner(stage, 6_000_001, 'demo');
    // A private chat has no second person who could approve so much.
    await sql`
      insert into chat_limits (chat_id, approval_parts, updated_by) values (${owner.chatId}, null, ${owner.id})`;
    const { draftId, tap } = await fileDraftAndTap(stage, owner, 1, RECIPIENTS);
    await stage.telegram.ask('throwIn', tap, z.unknown());
    const began = performance.now();
    await until(async () => {
      const [job] = await sql<{ state: string }[]>`select state from job where draft_id = ${draftId}`;
      if (job?.state === 'stopped') throw new Error('the job was stopped');
      return job?.state === 'done';
    });
    say(`accepted after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    await stage.telegram.ask('edits', {}, z.unknown());
    const { cost, seconds } = await costOf(stage, async () => {
      await until(async () => {
        const [left] = await sql<{ recipients: number }[]>`
          select (coalesce(sum(a.size) filter (where a.message_ids is not null), 0) + coalesce(sum(c.open), 0))::int as recipients
          from job j join attempt a on a.job_id = j.id left join call_report c on c.attempt_id = a.id
          where j.draft_id = ${draftId}`;
        return (left?.recipients ?? RECIPIENTS) <= RECIPIENTS * NEVER_REPORTED;
      });
    });
    const edits = await stage.telegram.ask('edits', {}, z.array(z.number()));
    const gaps = edits.slice(1).map((at, index) => at - (edits[index] ?? at));
    const [size] = await sql<{ bytes: number }[]>`
      select sum(pg_total_relation_size(name::regclass))::float8 as bytes
      from unnest(array['attempt', 'call_report', 'sent_number']) as name`;
    say(`settled ${seconds.toFixed(1)} s later, ${edits.length} edits of the card`);
    const bare = await bareLoop(stage, draftId);
    say(`bare loop ${bare.toFixed(1)} s`);
    const what = `reports of ${RECIPIENTS}`;
    const per = (figure: number) => figure / RECIPIENTS;
    return [
      { what, measure: 'from accepted to settled ÷ bare loop', figure: seconds / bare, goal: 'reports' },
      {
        what,
        measure: 'longest time without an edit of the card',
        figure: Math.max(...gaps, 0) / 1000,
        unit: 's',
        goal: 'reports-card',
      },
      { what, measure: 'from accepted to settled', figure: seconds, digits: 1, unit: 's', isTold: true },
      { what, measure: 'bare loop', figure: bare, digits: 1, unit: 's', isTold: true },
      {
        what,
        measure: 'CPU of the bot for each',
        figure: per(cost.botMs * 1000),
        digits: 1,
        unit: 'µs',
        isTold: true,
      },
      {
        what,
        measure: 'CPU of Postgres for each',
        figure: per(cost.postgresMs * 1000),
        digits: 1,
        unit: 'µs',
        isTold: true,
      },
      {
        what,
        measure: 'kept for each, tables and indexes',
        figure: per(size?.bytes ?? 0),
        digits: 0,
        unit: 'bytes',
        isTold: true,
      },
    ];
  },
};

/** Seconds in which the same is read and stored by as little as can do it: a row of arrays for each call, a commit for each page. */
async function bareLoop(stage: Stage, draftId: string): Promise<number> {
  const { sql } = stage.database;
  const calls = await sql<{ ids: string }[]>`
    select c.ids from call_report c join job j on j.id = c.job_id where j.draft_id = ${draftId} order by c.chunk`;
  await sql`create table bare (call int primary key, states text not null)`;
  const pool = new Pool(stage.gatewayUrl, { connections: 1 });
  const began = performance.now();
  try {
    for (let page = 0; page < calls.length;) {
      const taken: { readonly call: number; readonly ids: string[] }[] = [];
      for (let count = 0; count < PER_PAGE && page < calls.length; page += 1) {
        const ids = calls[page]?.ids.split(',') ?? [];
        taken.push({ call: page, ids });
        count += ids.length;
      }
      // Some gateways give one id to a whole call.
      const all = [...new Set(taken.flatMap(({ ids }) => ids))];
      const states = new Map<string, string[]>();
      for (let from = 0; from < all.length; from += PER_REQUEST) {
        const { body } = await pool.request({
          method: 'POST',
          path: '/api/v3/rest/sms/status',
          headers: { 'content-type': 'application/json', authorization: 'bench-key-demo' },
          body: `{"messageid":[${all.slice(from, from + PER_REQUEST).join()}]}`,
        });
        for (const { messageid, state } of Answer.parse(await body.json()).entries) {
          const id = String(messageid);
          states.set(id, [...(states.get(id) ?? []), String(state)]);
        }
      }
      const rows = taken.map(({ call, ids }) => ({
        call,
        states: [...new Set(ids)].flatMap((id) => states.get(id) ?? []).join(),
      }));
      await sql`insert into bare select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(call int, states text)`;
    }
    return (performance.now() - began) / 1000;
  } finally {
    await pool.destroy();
  }
}

const Answer = z.object({
  entries: z.array(
    z.object({ messageid: z.union([z.string(), z.number()]), state: z.union([z.string(), z.number()]) }),
  ),
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not so after ${PATIENCE_MS} ms`);
    await sleep(100);
  }
}
