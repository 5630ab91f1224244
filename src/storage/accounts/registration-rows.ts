import type { PendingQuery, Sql, TransactionSql } from 'postgres';
import { z } from 'zod';
import { Secret } from '../../domain/secret.ts';
import type { NewUser } from '../../ports/gateway.ts';
import type { OpenRegistration } from '../../ports/registrations.ts';
import type { ChatView } from '../../ports/stores.ts';
import type { Sealer } from '../keys/crypto.ts';
import type { Queryable } from '../database/database.ts';
import type { Maybe, Row } from '../row.ts';

/** Longer than any call takes: connecting and answering have their own, shorter limits. */
export const CALL_SECONDS = 120;

export type RegistrationRow = Row<
  'registration',
  'id' | 'person_id' | 'binding_id' | 'fields' | 'state' | 'user_name'
> &
  Row<'binding', 'account_name'> &
  Maybe<Row<'member', 'role'>> & {
    readonly chat: ChatView;
    readonly live: boolean;
    /** Until its ten minutes are over. */
    readonly open_ms: number;
    /** Until it is to be settled. */
    readonly left_ms: number;
  };

/** Reads registrations with all that decides on them: the person's role, the account, and the time, as they are now. */
export function createRegistrationRows(sql: Sql, sealer: Sealer) {
  return { read, lock, openIn };

  async function read(id: string): Promise<RegistrationRow | undefined> {
    const [row] = await sql<RegistrationRow[]>`${selection()} where r.id = ${id}`;
    return row;
  }

  async function lock(tx: TransactionSql, id: string): Promise<RegistrationRow | undefined> {
    const [row] = await tx<RegistrationRow[]>`${selection()} where r.id = ${id} for no key update of r`;
    return row;
  }

  function selection() {
    return sql`
      select r.id, r.person_id, r.binding_id, r.fields, r.state, r.user_name, ${chatColumn(sql)},
        b.account_name, b.state = 'live' as live, m.role,
        ${msUntil(sql`r.expires_at`)} as open_ms,
        ${msUntil(sql`case r.state when 'on_wire' then r.called_at + ${CALL_SECONDS} * interval '1 second' else r.expires_at end`)} as left_ms
      from registration r
      join chat c on c.id = r.chat_id
      join binding b on b.id = r.binding_id
      left join member m on m.chat_id = r.chat_id and m.person_id = r.person_id`;
  }

  function msUntil(moment: PendingQuery<Record<string, unknown>[]>) {
    return sql`(1000 * greatest(0, extract(epoch from ${moment} - now())))::float8`;
  }

  function openIn(row: RegistrationRow): OpenRegistration | null {
    if (row.state !== 'prepared' || row.open_ms === 0 || row.fields === null) return null;
    const { id, chat, binding_id: bindingId } = row;
    return {
      id,
      personId: row.person_id,
      bindingId,
      chat,
      accountName: row.account_name,
      ...openFields(sealer, { id, chatId: chat.id, bindingId }, row.fields),
    };
  }
}

/** The chat `c` as stores give it out. */
export function chatColumn(sql: Queryable) {
  return sql`
    json_build_object('id', c.id, 'telegramId', c.telegram_id, 'type', c.type, 'title', c.title,
                      'lang', c.lang, 'timeZone', c.time_zone) as chat`;
}

interface Fields {
  readonly user: NewUser;
  readonly generated: boolean;
}

interface Owner {
  readonly id: string;
  readonly chatId: string;
  readonly bindingId: string;
}

/** Seals all that a form has asked for; it opens for this registration, chat and account alone. */
export function sealFields(sealer: Sealer, owner: Owner, { user, generated }: Fields): Buffer {
  const plain = JSON.stringify({ ...user, password: user.password.reveal(), generated });
  return sealer.sealShort(new Secret(plain), aad(owner));
}

/** Throws `crypto` for another registration's fields and for bytes that were changed. */
function openFields(sealer: Sealer, owner: Owner, sealed: Uint8Array): Fields {
  const opened = sealer.openShort(sealed, aad(owner));
  const { generated, password, personality, ...user } = stored.parse(JSON.parse(opened.toString('utf8')));
  opened.fill(0);
  return {
    generated,
    user: {
      ...user,
      password: new Secret(password),
      ...(personality === undefined ? {} : { personality }),
    },
  };
}

function aad({ id, chatId, bindingId }: Owner) {
  return { purpose: 'registration', registration: id, chat: chatId, binding: bindingId };
}

const stored = z.object({
  userName: z.string(),
  password: z.string(),
  parent: z.string(),
  mobile: z.string(),
  nationalCode: z.string(),
  packageId: z.string(),
  reseller: z.boolean(),
  personality: z
    .object({ kind: z.enum(['natural', 'legal']), fields: z.record(z.string(), z.string()) })
    .optional(),
  generated: z.boolean(),
});
