import { Pool } from 'undici';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { fileDraftAndTap, untilDone, untilReported } from './file-draft.ts';
import { ratioOf, type Pair } from './pairs.ts';
import { approveAll, linkOwner } from './people.ts';
import { costOf } from './polling-cost.ts';
import { Edits, setStage, type Stage } from './stage.ts';
import { median } from './statistics.ts';

const RECIPIENTS = Number(process.env['REPORTS_RECIPIENTS'] ?? 1_000_000);
/** Ids in a request, as the interface allows; and in what the bot writes down together. */
const PER_REQUEST = 50;
const PER_PAGE = 5000;
/** A pair takes long. */
const PAIRS = 3;

/** The reports of a very large send, held against reading the same pages and storing what they say. */
export const reports: Benchmark = {
  about: `${RECIPIENTS} recipients whose reports are all there 4 s after they were accepted`,
  async run(say) {
    const runs: Run[] = [];
    for (let count = 0; count < PAIRS; count += 1) runs.push(await measured(say));
    const what = `reports of ${RECIPIENTS}`;
    const usual = (of: (run: Run) => number): number => median(runs.map(of));
    const told = { what, digits: 1, isTold: true } as const;
    return [
      { what, measure: 'from accepted to settled ÷ bare loop', ...ratioOf(runs), goal: 'reports' },
      {
        what,
        measure: 'longest time without an edit of the card',
        figure: Math.max(...runs.map(({ gap }) => gap)),
        unit: 's',
        goal: 'reports-card',
      },
      { ...told, measure: 'from accepted to settled', figure: usual(({ product }) => product), unit: 's' },
      { ...told, measure: 'bare loop', figure: usual(({ peer }) => peer), unit: 's' },
      { ...told, measure: 'CPU of the bot for each', figure: usual(({ botUs }) => botUs), unit: 'µs' },
      {
        ...told,
        measure: 'CPU of Postgres for each',
        figure: usual(({ postgresUs }) => postgresUs),
        unit: 'µs',
      },
    ];
  },
};

/** Seconds from accepted to settled, and of the loop; and what else there was to see. */
interface Run extends Pair {
  readonly gap: number;
  readonly botUs: number;
  readonly postgresUs: number;
}

async function measured(say: (progress: string) => void): Promise<Run> {
  await using stage = await setStage({ countStatements: true, reports: { seconds: 4, of: RECIPIENTS } });
  const owner = await linkOwner(stage, 6_000_001, 'demo');
  await approveAll(stage, owner);
  const { draftId, tap } = await fileDraftAndTap(stage, owner, 1, RECIPIENTS);
  await stage.telegram.ask('throwIn', tap, z.unknown());
  await untilDone(stage, draftId);
  await stage.telegram.ask('edits', {}, z.unknown());
  const { cost, seconds } = await costOf(stage, () => untilReported(stage, draftId, RECIPIENTS));
  const edits = await stage.telegram.ask('edits', {}, Edits);
  const gaps = edits.slice(1).map(({ at }, index) => at - (edits[index]?.at ?? at));
  const bare = await bareLoop(stage, draftId);
  say(
    `settled after ${seconds.toFixed(1)} s, ${edits.length} edits of the card; bare loop ${bare.toFixed(1)} s`,
  );
  const us = (ms: number): number => (ms * 1000) / RECIPIENTS;
  return {
    product: seconds,
    peer: bare,
    gap: Math.max(...gaps, 0) / 1000,
    botUs: us(cost.botMs),
    postgresUs: us(cost.postgresMs),
  };
}

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
