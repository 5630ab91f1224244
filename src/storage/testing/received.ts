import { createHash, randomUUID } from 'node:crypto';
import type { TestStorage } from '../testing.ts';
import type { Row } from '../row.ts';

/** Received messages as they are once they were captured, for the live account of a place. */
export function receiveIn(
  { sql }: Pick<TestStorage, 'sql'>,
  { chat, bindingId }: { readonly chat: { readonly id: string }; readonly bindingId: string },
) {
  const account = async (): Promise<string> => {
    const [row] = await sql<Row<'account', 'id'>[]>`select id from account where binding_id = ${bindingId}`;
    if (row === undefined) throw new Error('the place has no account');
    return row.id;
  };

  return {
    account,

    async message(number: string, text: string, line = '3000123456') {
      const accountId = await account();
      const [talk] = await sql<Row<'talk', 'id'>[]>`
        insert into talk (account_id, line, number) values (${accountId}, ${line}, ${number})
        on conflict (account_id, line, number) do update set last_in_at = now() returning id`;
      const key = randomUUID();
      const [row] = await sql<Row<'inbound', 'id'>[]>`
        insert into inbound (account_id, talk_id, key, content_sha256, line, sender, text)
        values (${accountId}, ${talk?.id ?? ''}, ${key}, ${createHash('sha256').update(key).digest()}, ${line}, ${number}, ${text})
        returning id`;
      return { id: Number(row?.id), talkId: talk?.id ?? '', line, text };
    },

    /** What was said of a message in the chat itself. */
    async notification(inboundId: number, state: 'queued' | 'sending' | 'sent' = 'sent') {
      await sql`
        insert into notice (sink_id, kind, inbound_id, state, message_id)
        select id, 'inbound', ${inboundId}, ${state}, ${state === 'sent' ? 77 : null} from sink
        where chat_id = ${chat.id} and telegram_id is null and thread_id is null`;
    },

    async facts(inboundId: number) {
      const [row] = await sql<Row<'notice', 'facts' | 'draft_id'>[]>`
        select facts, draft_id from notice where inbound_id = ${inboundId}`;
      return row;
    },
  };
}
