import { Pool } from 'undici';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { draftAndTap, LINE, linkOwner } from './people.ts';
import { setStage, type Stage } from './stage.ts';

const RECIPIENTS = 100_000;
const PER_CALL = 200;
const GATEWAY_MS = 30;
const PATIENCE_MS = 180_000;

/** A large send of the product over the same calls made by a bare loop. A job has one call in flight. */
export const bulk: Benchmark = {
  about: `${RECIPIENTS} recipients, ${PER_CALL} a call, gateway answering after ${GATEWAY_MS} ms, one call in flight`,
  async run(say) {
    await using stage = await setStage();
    const owner = await linkOwner(stage, 5_000_001, 'demo');
    await stage.gateway.ask('fault', { kind: 'delay', operation: 'send', ms: GATEWAY_MS }, z.unknown());
    const rawMs = await bareLoop(stage.gatewayUrl);
    say(`bare loop: ${Math.round(rawMs)} ms`);

    // A private chat has no second person who could approve so much.
    await stage.database.sql`
      insert into chat_limits (chat_id, approval_parts, updated_by) values (${owner.chatId}, null, ${owner.id})`;
    const { draftId, tap } = await draftAndTap(stage, owner, 1, RECIPIENTS);
    const arrival = stage.gateway.ask('next', { operation: 'send' }, z.number());
    await stage.telegram.ask('throwIn', tap, z.unknown());
    await arrival;
    const began = performance.now();
    await untilRecorded(stage, draftId);
    const ms = performance.now() - began;
    const [row] = await stage.database.sql<{ ids: number }[]>`select count(*)::int as ids from delivery`;
    if (row?.ids !== RECIPIENTS) throw new Error(`${row?.ids} recipients have an id`);

    const what = 'bulk, 1 call in flight';
    const rate = { digits: 0, unit: 'recipients/s' };
    return [
      { what, measure: 'durable, an id per recipient ÷ bare loop', figure: rawMs / ms },
      { what, measure: 'bare loop', figure: (RECIPIENTS / rawMs) * 1000, ...rate },
      { what, measure: 'bot', figure: (RECIPIENTS / ms) * 1000, ...rate },
    ];
  },
};

async function bareLoop(gatewayUrl: string): Promise<number> {
  const pool = new Pool(gatewayUrl, { connections: 1 });
  try {
    const began = performance.now();
    for (let first = 0; first < RECIPIENTS; first += PER_CALL) {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/api/v3/rest/sms/send',
        headers: { 'content-type': 'application/json', authorization: 'bench-key-demo' },
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
    return performance.now() - began;
  } finally {
    await pool.destroy();
  }
}

const Sent = z.object({ return: z.object({ status: z.number(), message: z.string().optional() }) });

async function untilRecorded({ database }: Stage, draftId: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const [row] = await database.sql<{ state: string; stop_reason: string | null }[]>`
      select state, stop_reason from job where draft_id = ${draftId}`;
    if (row?.state === 'done') return;
    if (row?.state === 'stopped') throw new Error(`the job was stopped: ${row.stop_reason}`);
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  throw new Error(`not sent after ${PATIENCE_MS} ms`);
}
