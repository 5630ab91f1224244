import { UNDECIDED } from '../../domain/draft.ts';
import { ROLES } from '../../domain/roles.ts';
import type { ButtonClaim, ButtonStore, ChatView } from '../../ports/stores.ts';
import type { Database } from '../database/database.ts';
import { jsonText } from '../json.ts';
import { listed } from '../move.ts';
import { hashToken, newToken } from '../keys/tokens.ts';
import type { Maybe, Row } from '../row.ts';

type ClaimRow = Row<'button', 'action' | 'payload' | 'used_at'> &
  Maybe<Row<'person', 'name as used_by' | 'telegram_id as used_by_id'>> & {
    readonly claimed: boolean;
    readonly same_chat: boolean;
    readonly same_person: boolean;
    readonly own_question: boolean;
    readonly role_ok: boolean;
    readonly fresh: boolean;
    readonly reusable: boolean;
    readonly current: boolean;
    readonly taken_up: boolean;
    readonly home: Pick<ChatView, 'telegramId' | 'type' | 'title'> | null;
  };

/** Tokens behind buttons. */
export function createButtonStore({ sql }: Database): ButtonStore {
  return {
    async mint(chatId, buttons) {
      if (buttons.length === 0) return [];
      const tokens = buttons.map(() => newToken());
      // Byte strings as hex, payloads as text, yes and no as numbers: the driver cannot send arrays of them.
      await sql`
        insert into button (token_hash, action, payload, chat_id, home_chat_id, person_id, min_rank, draft_id, version, reusable, expires_at)
        select decode(b.token_hash, 'hex'), b.action, b.payload::jsonb, ${chatId}::uuid, b.home_chat_id, b.person_id, b.min_rank,
          b.draft_id, b.version, b.reusable = 1, now() + b.ttl * interval '1 second'
        from unnest(
          ${tokens.map((token) => hashToken(token).toString('hex'))}::text[],
          ${buttons.map((button) => button.action)}::text[],
          ${buttons.map((button) => jsonText(button.payload))}::text[],
          ${buttons.map((button) => button.homeChatId ?? null)}::uuid[],
          ${buttons.map((button) => button.personId ?? null)}::bigint[],
          ${buttons.map((button) => button.minRank)}::int[],
          ${buttons.map((button) => button.draft?.id ?? null)}::uuid[],
          ${buttons.map((button) => button.draft?.version ?? null)}::int[],
          ${buttons.map((button) => (button.reusable === true ? 1 : 0))}::int[],
          ${buttons.map((button) => button.ttlSeconds)}::float8[]
        ) as b(token_hash, action, payload, home_chat_id, person_id, min_rank, draft_id, version, reusable, ttl)`;
      return tokens;
    },

    async claim(press) {
      const hash = hashToken(press.token);
      // Judged and used up in one statement: nothing can change between the check and the use.
      const [row] = await sql<ClaimRow[]>`
        with judged as (
          select b.token_hash, b.action, b.payload, b.used_update,
            c.telegram_id = ${press.chatTelegramId} as same_chat,
            b.person_id is null or b.person_id = ${press.personId} as same_person,
            b.person_id is null and exists (
              select 1 from draft d where d.id = b.draft_id and d.state = 'asked' and d.author_id = ${press.personId}
            ) as own_question,
            coalesce(array_position(${[...ROLES]}::text[], m.role), 0) - 1 >= b.min_rank as role_ok,
            b.expires_at > now() as fresh,
            b.draft_id is null or exists (
              select 1 from draft d where d.id = b.draft_id and d.version = b.version and d.state in ${listed(sql, UNDECIDED)}
            ) as current,
            ${press.only === undefined}::boolean or b.action = any(${[...(press.only ?? [])]}::text[]) as taken_up,
            b.used_at, b.reusable, u.name as used_by, u.telegram_id as used_by_id,
            case when h.id is not null then
              json_build_object('telegramId', h.telegram_id, 'type', h.type, 'title', h.title) end as home
          from button b
          join chat c on c.id = b.chat_id
          left join chat h on h.id = b.home_chat_id
          left join member m on m.chat_id = coalesce(b.home_chat_id, b.chat_id) and m.person_id = ${press.personId}
          left join person u on u.telegram_id = b.used_by
          where b.token_hash = ${hash}
        ), claimed as (
          update button b set used_at = now(), used_by = ${press.personId}, used_update = ${press.updateId}
          from judged j
          where b.token_hash = j.token_hash and (b.used_at is null or b.reusable)
            and j.same_chat and j.same_person and not j.own_question and j.role_ok and j.fresh and j.current and j.taken_up
          returning b.token_hash
        )
        select (exists (select 1 from claimed)
                or (j.used_update = ${press.updateId} and j.same_chat and j.same_person and j.role_ok)) as claimed,
          j.action, j.payload, j.same_chat, j.same_person, j.own_question, j.role_ok, j.fresh, j.current, j.taken_up, j.used_at,
          j.reusable, j.used_by, j.used_by_id, j.home
        from judged j`;
      return explain(row);
    },
  };
}

function explain(row: ClaimRow | undefined): ButtonClaim {
  if (row === undefined) return { ok: false, reason: 'unknown' };
  if (row.claimed) {
    const { action, payload, home, reusable } = row;
    return {
      ok: true,
      action,
      payload,
      ...(home === null ? {} : { home }),
      ...(reusable ? { reusable } : {}),
    };
  }
  if (!row.same_chat) return { ok: false, reason: 'other_chat' };
  if (!row.same_person) return { ok: false, reason: 'other_person' };
  if (row.own_question) return { ok: false, reason: 'own_question' };
  if (!row.role_ok) return { ok: false, reason: 'role' };
  if (row.used_at !== null) {
    return {
      ok: false,
      reason: 'used',
      ...(row.used_by === null || row.used_by_id === null
        ? {}
        : { by: { id: row.used_by_id, name: row.used_by, at: row.used_at } }),
    };
  }
  if (!row.current) return { ok: false, reason: 'changed' };
  if (!row.fresh) return { ok: false, reason: 'expired' };
  if (!row.taken_up) return { ok: false, reason: 'left_out' };
  // Lost to a press that was judged at the same moment and committed first.
  return { ok: false, reason: 'used' };
}
