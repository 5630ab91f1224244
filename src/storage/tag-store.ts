import type { TagStore } from '../ports/tags.ts';
import { writeAudit } from './audit.ts';
import type { Database } from './database.ts';
import { enqueue } from './enqueue.ts';

const ACTIONS = { set: 'card_tagged', taken: 'card_untagged' } as const;

/** Tags of drafts and jobs. What is as it should be already is written nowhere again. */
export function createTagStore({ sql }: Database): TagStore {
  return {
    async set({ chatId, code, tag, personId, updateId }) {
      return await sql.begin(async (tx) => {
        const [row] = await tx<{ id: string; code: string; tag: string | null }[]>`
          select id, code, tag from draft where chat_id = ${chatId} and code = ${code.toUpperCase()} for update`;
        if (row === undefined) return null;
        if (row.tag === tag) return { code: row.code, was: row.tag };
        await tx`update draft set tag = ${tag} where id = ${row.id}`;
        await writeAudit(tx, {
          chatId,
          personId,
          updateId,
          action: ACTIONS[tag === null ? 'taken' : 'set'],
          details: { code: row.code, name: tag ?? row.tag },
        });
        await enqueue(tx, 'card', { draftId: row.id }, { key: `card:${row.id}` });
        return { code: row.code, was: row.tag };
      });
    },
  };
}
