import type { TransactionSql } from 'postgres';
import { can, type Role } from '../../domain/roles.ts';
import { rolesWith } from '../sending/draft-press.ts';
import { enqueue, enqueueMenus } from '../enqueue.ts';
import { showOpenDraftsIn } from '../sending/limits-in.ts';
import type { Row } from '../row.ts';

interface RoleChanged {
  readonly chatId: string;
  readonly personId: number;
  readonly from: Role | null;
  readonly to: Role | null;
}

/**
 * Brings up to somebody's other role what goes by it: their menu, and the cards that name who may approve. Whose question
 * nobody may answer any more is told so.
 */
export async function roleChangedIn(
  tx: TransactionSql,
  { chatId, personId, from, to }: RoleChanged,
): Promise<void> {
  await enqueueMenus(tx, chatId, personId);
  if (can(from, 'send.approve') === can(to, 'send.approve')) return;
  await showOpenDraftsIn(tx, chatId);
  const stuck = await tx<Row<'draft', 'id'>[]>`
    select d.id from draft d
    where d.chat_id = ${chatId} and d.state = 'asked' and d.expires_at > now() and d.author_id <> ${personId}
      and not exists (select from member m where m.chat_id = d.chat_id and m.person_id <> d.author_id
        and m.role = any(${rolesWith('send.approve')}::text[]))`;
  for (const { id: draftId } of stuck)
    await enqueue(tx, 'card', { draftId, lapses: true }, { key: `stuck:${draftId}` });
}
