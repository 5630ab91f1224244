import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { fileDraftAndTap } from './file-draft.ts';
import { linkOwner } from './people.ts';
import { Resources } from './resources.ts';
import { setStage } from './stage.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const PATIENCE_MS = 300_000;

/** What a very large send costs in memory beside a small one, from the press to the first reports. */
export const memory: Benchmark = {
  about: `peak memory of the bot for ${SMALL} and ${LARGE} recipients of a file, gateway answering at once`,
  async run(say) {
    const peaks: number[] = [];
    for (const recipients of [SMALL, LARGE]) {
      const peakMb = await peakOf(recipients);
      say(`${recipients} recipients: ${peakMb.toFixed()} MB`);
      peaks.push(peakMb);
    }
    const [small = 0, large = 0] = peaks;
    const what = 'memory';
    const mb = { digits: 0, unit: 'MB' };
    return [
      {
        what,
        measure: `peak for ${LARGE} recipients − peak for ${SMALL}`,
        figure: large - small,
        ...mb,
        goal: { atMost: 30 },
      },
      { what, measure: `peak for ${SMALL}`, figure: small, ...mb },
      { what, measure: `peak for ${LARGE}`, figure: large, ...mb },
    ];
  },
};

async function peakOf(recipients: number): Promise<number> {
  await using stage = await setStage();
  const { sql } = stage.database;
  const owner = await linkOwner(stage, 6_000_001, 'demo');
  // A private chat has no second person who could approve so much.
  await sql`
    insert into chat_limits (chat_id, approval_parts, updated_by) values (${owner.chatId}, null, ${owner.id})`;
  const { draftId, tap } = await fileDraftAndTap(stage, owner, 1, recipients);
  await stage.telegram.ask('throwIn', tap, z.unknown());
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const [row] = await sql<{ state: string; asked: boolean }[]>`
      select j.state, exists (select 1 from attempt a join delivery d on d.attempt_id = a.id
        where a.job_id = j.id and d.checked_at is not null) as asked from job j where j.draft_id = ${draftId}`;
    if (row?.state === 'stopped') throw new Error('the job was stopped');
    if (row?.state === 'done' && row.asked) return (await stage.bot.ask('resources', {}, Resources)).peakMb;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 200);
    });
  }
  throw new Error(`not done after ${PATIENCE_MS} ms`);
}
