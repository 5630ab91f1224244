import type { ChatDoer } from '../../ports/doer.ts';
import { writeAudit } from '../audit.ts';
import type { Database } from '../database/database.ts';
import { enqueue } from '../enqueue.ts';
import type { Row } from '../row.ts';

const ACTIONS = { set: 'card_tagged', taken: 'card_untagged' } as const;

/**
 * Tags of drafts and jobs: what a chat files its cards under, for reports. What is as it should be already is written
 * nowhere again.
 */
export function createTagStore({ sql }: Database) {
  return {
    /**
     * Gives a card of a chat its tag, or takes it away (null); its message follows. `was` is the one it had; null where
     * the chat has no such card.
     */
    async set({
      chatId,
      code,
      tag,
      personId,
      updateId,
    }: ChatDoer & { readonly code: string; readonly tag: string | null }): Promise<{
      readonly code: string;
      readonly was: string | null;
    } | null> {
      return await sql.begin(async (tx) => {
        const [row] = await tx<Row<'draft', 'id' | 'code' | 'tag'>[]>`
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
