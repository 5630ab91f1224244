import { z } from 'zod';
import type postgres from 'postgres';
import type { Message } from '@grammyjs/types';
import type { Place } from './people.ts';
import type { Stand } from './stand.ts';

const StoredRow = z.object({
  id: z.number(),
  chat: z.coerce.number(),
  messageId: z.string().nullable(),
  line: z.string(),
  sender: z.string(),
  text: z.string(),
  sentMs: z.number().nullable(),
  capturedMs: z.number(),
});
/** A received message as the database has it. */
export type Stored = z.output<typeof StoredRow>;

const NotificationRow = z.object({
  destinationId: z.string(),
  inboundId: z.number(),
  state: z.string(),
  messageId: z.number().nullable(),
  doubtful: z.number(),
});
/** That a place is told of a message, as the database has it. */
export type Told = z.output<typeof NotificationRow>;

/** A place where received messages are told. */
export interface Destination {
  readonly id: string;
  /** The chat whose account's messages they are. */
  readonly home: number;
  /** Where they are told. */
  readonly chat: number;
}

/** Everything that was received and told after a message of the inbox. */
export interface InboxFacts {
  readonly stored: readonly Stored[];
  readonly told: readonly Told[];
  readonly destinations: readonly Destination[];
}

export async function readInboxFacts(stand: Stand, after: number): Promise<InboxFacts> {
  return await stand.postgres.ask(async (sql) => ({
    stored: z.array(StoredRow).parse(
      await sql`
        select i.id, c.telegram_id as chat, i.message_id as "messageId", i.line, i.sender, i.text,
          (extract(epoch from i.sent_at) * 1000)::float8 as "sentMs",
          (extract(epoch from i.captured_at) * 1000)::float8 as "capturedMs"
        from inbound i join account a on a.id = i.account_id join chat c on c.id = a.chat_id
        where i.id > ${after} order by i.id`,
    ),
    told: z.array(NotificationRow).parse(
      await sql`
        select sink_id as "destinationId", inbound_id as "inboundId", state, message_id as "messageId", doubtful
        from notice where inbound_id > ${after} order by id`,
    ),
    destinations: await readDestinations(sql),
  }));
}

async function readDestinations(sql: postgres.Sql): Promise<Destination[]> {
  return await sql<Destination[]>`
    select s.id, c.telegram_id as home, coalesce(s.telegram_id, c.telegram_id) as chat
    from sink s join chat c on c.id = s.chat_id where 'inbound' = any(s.kinds)`;
}

/** Messages of Peyk in the places' chats, by chat, after those that `after` names. */
export async function readChats(
  { telegram }: Stand,
  chats: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): Promise<Map<number, readonly Message[]>> {
  const found = new Map<number, readonly Message[]>();
  for (const [chat, person] of chats) {
    const messages = await telegram.messages(chat, person, after.get(chat) ?? 0);
    found.set(
      chat,
      messages.filter((message) => message.from?.is_bot === true),
    );
  }
  return found;
}

/** The chats in which places' messages are told, each with somebody who can read there. */
export function chatsOf(places: readonly Place[], destinations: readonly Destination[]): Map<number, number> {
  const readers = new Map(places.map(({ chat, people }) => [chat, people[0]]));
  return new Map(
    destinations.flatMap(({ home, chat }) => {
      const reader = readers.get(home);
      return reader === undefined ? [] : [[chat, reader] as const];
    }),
  );
}
