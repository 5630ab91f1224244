import type { TransactionSql } from 'postgres';
import type { ChatView } from '../../ports/stores.ts';
import type { Database, Queryable } from '../database/database.ts';
import { jsonText } from '../json.ts';
import { hashToken, newToken } from '../keys/tokens.ts';
import type { Row } from '../row.ts';

/** One-time links into the private chat. */
export function createLinkStore({ sql }: Database) {
  return {
    /**
     * A one-time link for one person and one chat; returns the token, of which only the hash is kept.
     * @param link `messageId`: what has led to it there, for the way back
     */
    async mint({
      messageId,
      ...link
    }: {
      readonly purpose: string;
      readonly chatId: string;
      readonly personId: number;
      readonly messageId?: number | null;
      readonly ttlSeconds: number;
    }): Promise<string> {
      return await mintLinkIn(sql, { ...link, details: { messageId } });
    },

    /** Uses the link up. The same update may use it again after a crash; nobody else can. */
    async claim(
      token: string,
      personId: number,
      updateId: number,
    ): Promise<{
      readonly purpose: string;
      readonly chat: ChatView;
      readonly messageId: number | null;
    } | null> {
      const [row] = await sql<(Row<'deep_link', 'purpose'> & { chat: ChatView; messageId: number | null })[]>`
        update deep_link l set used_update = ${updateId}
        from chat c
        where l.token_hash = ${hashToken(token)} and l.person_id = ${personId} and c.id = l.chat_id
          and ((l.used_update is null and l.expires_at > now()) or l.used_update = ${updateId})
        returning l.purpose, (l.details->>'messageId')::float8 as "messageId",
          json_build_object('id', c.id, 'telegramId', c.telegram_id, 'type', c.type, 'title', c.title,
                            'lang', c.lang, 'timeZone', c.time_zone) as chat`;
      return row ?? null;
    },
  };
}

/** Makes a link; without a person it is for whoever opens it first. Returns the token. */
export async function mintLinkIn(
  tx: Queryable,
  link: {
    readonly purpose: string;
    readonly chatId: string;
    readonly personId: number | null;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly ttlSeconds: number;
  },
): Promise<string> {
  const { purpose, chatId, personId, details = {}, ttlSeconds } = link;
  const token = newToken();
  await tx`
    insert into deep_link (token_hash, purpose, chat_id, person_id, details, expires_at)
    values (${hashToken(token)}, ${purpose}, ${chatId}, ${personId}, ${jsonText(details)}::text::jsonb,
      now() + ${ttlSeconds} * interval '1 second')`;
  return token;
}

/**
 * Locks a link of one purpose that this person may open now, and uses it up; null when there is none. `again`: this
 * very update had used it up before.
 */
export async function claimLinkIn(
  tx: TransactionSql,
  claim: {
    readonly purpose: string;
    readonly token: string;
    readonly personId: number;
    readonly updateId: number;
  },
): Promise<{
  readonly chat: ChatView;
  readonly details: Readonly<Record<string, unknown>>;
  readonly again: boolean;
} | null> {
  const hash = hashToken(claim.token);
  const [row] = await tx<(Row<'deep_link', 'details'> & { chat: ChatView; again: boolean })[]>`
    select l.details, l.used_update is not null as again,
      json_build_object('id', c.id, 'telegramId', c.telegram_id, 'type', c.type, 'title', c.title,
                        'lang', c.lang, 'timeZone', c.time_zone) as chat
    from deep_link l join chat c on c.id = l.chat_id
    where l.token_hash = ${hash} and l.purpose = ${claim.purpose}
      and (l.person_id is null or l.person_id = ${claim.personId})
      and ((l.used_update is null and l.expires_at > now()) or l.used_update = ${claim.updateId})
    for update of l`;
  if (row === undefined) return null;
  await tx`update deep_link set used_update = ${claim.updateId} where token_hash = ${hash}`;
  return row;
}

/** Makes a link whole again that this transaction has used up. */
export async function returnLinkIn(tx: TransactionSql, token: string): Promise<void> {
  await tx`update deep_link set used_update = null where token_hash = ${hashToken(token)}`;
}
