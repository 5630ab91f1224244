import { Pool } from 'undici';
import { z } from 'zod';
import { CERTIFICATE } from '../src/gateway/testing/certificate.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { fileDraftAndTap, forgetReports, untilDone } from './file-draft.ts';
import type { GoalName } from './goals.ts';
import { inPairs, ratioOf } from './pairs.ts';
import { approveAll, LINE, linkOwner, type Owner } from './people.ts';
import { Resources } from './resources.ts';
import { setStage, type Stage } from './stage.ts';
import { median } from './statistics.ts';

/** For each call in flight: as long a send in any round, of which the way from two calls to so many is a part. */
const RECIPIENTS_PER_CALL_IN_FLIGHT = 12_500;
const PER_CALL = 200;
const GATEWAY_MS = 30;
const WARM_UP_CALLS = 100;

/** Where there is a goal. */
const PAIRS = 5;
const FEWER_PAIRS = 3;

interface Round {
  readonly calls: number;
  /** Behind TLS, such a round trip away. */
  readonly roundTripMs?: number;
  readonly goal?: GoalName;
  readonly cpuGoal?: GoalName;
}

const ROUNDS: readonly Round[] = [
  { calls: 1 },
  { calls: 8, goal: 'bulk-8' },
  { calls: 32, goal: 'bulk-32', cpuGoal: 'bulk-cpu' },
  { calls: 8, roundTripMs: 0 },
  { calls: 8, roundTripMs: 50, goal: 'bulk-tls' },
  { calls: 32, roundTripMs: 50 },
];

/** A large send of the product over the same calls made by a bare loop with as many in flight. */
export const bulk: Benchmark = {
  about: `${RECIPIENTS_PER_CALL_IN_FLIGHT} recipients for each call in flight, ${PER_CALL} a call, gateway answering after ${GATEWAY_MS} ms, without and with TLS`,
  async run(say) {
    const figures: Figure[] = [];
    for (const round of ROUNDS) figures.push(...(await measured(round, say)));
    return figures;
  },
};

async function measured(
  { calls, roundTripMs, goal, cpuGoal }: Round,
  say: (progress: string) => void,
): Promise<Figure[]> {
  // Each send is that of an account of its own: it begins with two calls in flight.
  const accounts = Array.from({ length: goal === undefined ? FEWER_PAIRS : PAIRS }, (_, n) => `demo${n}`);
  await using stage = await setStage({
    mostCalls: calls,
    accounts: ['warm', ...accounts],
    ...(roundTripMs === undefined ? {} : { tls: { roundTripMs } }),
  });
  await send(stage, await linkOwner(stage, 5_000_000, 'warm'), 1, WARM_UP_CALLS * PER_CALL);
  for (const operation of ['send', 'blacklist-exists']) {
    await stage.gateway.ask('fault', { kind: 'delay', operation, ms: GATEWAY_MS }, z.unknown());
  }
  const owners: Owner[] = [];
  for (const [n, account] of accounts.entries()) owners.push(await linkOwner(stage, 5_000_001 + n, account));
  const recipients = calls * RECIPIENTS_PER_CALL_IN_FLIGHT;
  const cpu: number[] = [];
  const rateOf = (ms: number): number => (recipients / ms) * 1000;
  const pairs = await inPairs(accounts.length, {
    product: async () => {
      const owner = owners.pop();
      if (owner === undefined) throw new Error('no account is left');
      const { cpuMs: before } = await stage.bot.ask('resources', {}, Resources);
      const ms = await send(stage, owner, 2 + owners.length, recipients);
      const { cpuMs } = await stage.bot.ask('resources', {}, Resources);
      cpu.push(((cpuMs - before) * 1000) / recipients);
      return rateOf(ms);
    },
    peer: async () => rateOf(await bareLoop(stage.gatewayUrl, calls, recipients)),
  });
  const what = `bulk, ${calls} in flight${roundTripMs === undefined ? '' : `, TLS, ${roundTripMs} ms away`}`;
  const ratio = ratioOf(pairs);
  say(`${what}: ${ratio.figure.toFixed(2)} of the bare loop, ${median(cpu).toFixed(1)} µs`);
  const rate = { digits: 0, unit: 'recipients/s' };
  return [
    { what, measure: 'bot ÷ bare loop', ...ratio, ...(goal === undefined ? { isTold: true } : { goal }) },
    { what, measure: 'bare loop', figure: median(pairs.map(({ peer }) => peer)), ...rate },
    { what, measure: 'bot', figure: median(pairs.map(({ product }) => product)), ...rate },
    {
      what,
      measure: 'CPU of the bot for a recipient',
      figure: median(cpu),
      digits: 1,
      unit: 'µs',
      ...(cpuGoal === undefined ? { isTold: true } : { goal: cpuGoal }),
    },
  ];
}

/** Milliseconds from the fence of the first call to the end of the job. */
async function send(stage: Stage, owner: Owner, nonce: number, recipients: number): Promise<number> {
  const { sql } = stage.database;
  await approveAll(stage, owner);
  const { draftId, tap } = await fileDraftAndTap(stage, owner, nonce, recipients);
  await stage.telegram.ask('throwIn', tap, z.unknown());
  await untilDone(stage, draftId);
  const [row] = await sql<{ ms: number; ids: number }[]>`
    select (extract(epoch from j.ended_at - min(a.on_wire_at)) * 1000)::float8 as ms,
      (sum(coalesce(cardinality(a.message_ids), 0))
        + (select coalesce(sum(w.n), 0) from call_report c cross join lateral jsonb_to_recordset(c.words) as w(n int)
            where c.job_id = j.id))::int as ids
    from job j join attempt a on a.job_id = j.id where j.draft_id = ${draftId} group by j.id`;
  if (row?.ids !== recipients) throw new Error(`${row?.ids} recipients have an id`);
  await forgetReports(stage, draftId);
  return row.ms;
}

/** Milliseconds for the same calls, so many at a time, by an HTTP client and nothing else. */
async function bareLoop(gatewayUrl: string, calls: number, recipients: number): Promise<number> {
  const pool = new Pool(gatewayUrl, { connections: calls, connect: { ca: CERTIFICATE } });
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < recipients) {
      const first = next;
      next += PER_CALL;
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/api/v3/rest/sms/send',
        headers: { 'content-type': 'application/json', authorization: 'bench-key-warm' },
        body: JSON.stringify({
          from: LINE,
          recipients: Array.from(
            { length: PER_CALL },
            (_, at) => `9890${String(first + at).padStart(8, '0')}`,
          ),
          message: 'Hello',
          type: 0,
        }),
      });
      const { return: result } = Sent.parse(await body.json());
      if (statusCode !== 200 || result.status !== 200) throw new Error(`refused: ${result.message}`);
    }
  };
  try {
    const began = performance.now();
    await Promise.all(Array.from({ length: calls }, loop));
    return performance.now() - began;
  } finally {
    await pool.destroy();
  }
}

const Sent = z.object({ return: z.object({ status: z.number(), message: z.string().optional() }) });
