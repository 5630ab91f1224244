import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { fileDraftAndTap } from './file-draft.ts';
import { linkOwner } from './people.ts';
import { Live, Resources } from './resources.ts';
import { setStage } from './stage.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const PATIENCE_MS = 300_000;

/** What a very large send costs in memory beside a small one, from the press to the first reports. */
export const memory: Benchmark = {
  about: `peak memory of the bot for ${SMALL} and ${LARGE} recipients of a file, gateway answering at once`,
  async run(say) {
    const small = await memoryOf(SMALL, say);
    const large = await memoryOf(LARGE, say);
    const what = 'memory';
    const mb = { digits: 0, unit: 'MB' };
    return [
      {
        what,
        measure: `peak for ${LARGE} recipients − peak for ${SMALL}`,
        figure: large.peakMb - small.peakMb,
        ...mb,
        goal: 'memory',
      },
      { what, measure: `peak for ${SMALL}`, figure: small.peakMb, ...mb, isTold: true },
      { what, measure: `peak for ${LARGE}`, figure: large.peakMb, ...mb, isTold: true },
      { what, measure: `in use after a full collection, most, ${LARGE}`, figure: large.mostMb, ...mb },
      { what, measure: `in use at the end, collected, ${SMALL}`, figure: small.leftMb, ...mb },
      { what, measure: `in use at the end, collected, ${LARGE}`, figure: large.leftMb, ...mb },
    ];
  },
};

interface Memory extends z.output<typeof Live> {
  readonly peakMb: number;
}

async function memoryOf(recipients: number, say: (progress: string) => void): Promise<Memory> {
  await using stage = await setStage();
  const { sql } = stage.database;
  const owner = await linkOwner(stage, 6_000_001, 'demo');
  // A private chat has no second person who could approve so much.
  await sql`
    insert into chat_limits (chat_id, approval_parts, updated_by) values (${owner.chatId}, null, ${owner.id})`;
  const { draftId, tap } = await fileDraftAndTap(stage, owner, 1, recipients);
  await stage.bot.ask('watchLive', {}, z.unknown());
  await stage.telegram.ask('throwIn', tap, z.unknown());
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const [row] = await sql<{ state: string; asked: boolean }[]>`
      select j.state, exists (select 1 from call_report c cross join lateral jsonb_to_recordset(c.words) as w(at float8)
        where c.job_id = j.id and w.at is not null) as asked from job j where j.draft_id = ${draftId}`;
    if (row?.state === 'stopped') throw new Error('the job was stopped');
    if (row?.state === 'done' && row.asked) {
      const { peakMb } = await stage.bot.ask('resources', {}, Resources);
      const live = await stage.bot.ask('live', {}, Live);
      say(`${recipients} recipients: ${peakMb.toFixed()} MB, ${live.leftMb.toFixed()} MB left in use`);
      return { peakMb, ...live };
    }
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 200);
    });
  }
  throw new Error(`not done after ${PATIENCE_MS} ms`);
}
