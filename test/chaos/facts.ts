import { z } from 'zod';
import type { Stand } from './stand.ts';

const Messages = z
  .array(z.looseObject({ recipient: z.string(), text: z.string(), line: z.string(), flash: z.boolean() }))
  .nullable();

const Row = z.object({
  draft_id: z.string(),
  code: z.string(),
  flash: z.boolean(),
  update: z.number().nullable(),
  chat: z.number(),
  chat_id: z.string(),
  text: z.string(),
  details: z.unknown(),
  draft_state: z.string(),
  aside: z.boolean(),
  card: z.number().nullable(),
  job_id: z.string().nullable(),
  job_state: z.string().nullable(),
});

const AttemptRow = z.object({
  id: z.string(),
  job_id: z.string(),
  state: z.string(),
  line: z.string(),
  recipients: z.array(z.string()),
  messages: z.preprocess((value) => (typeof value === 'string' ? JSON.parse(value) : value), Messages),
  /** Of a file whose call has not been taken yet: one for each recipient, where they differ. */
  texts: z.array(z.string()).nullable(),
  on_wire_ms: z.number().nullable(),
});

/** One message, by what a recipient would see. */
export interface Line {
  readonly recipient: string;
  readonly text: string;
  /** The sender. */
  readonly line: string;
  readonly flash: boolean;
}

export interface AttemptFact {
  readonly id: string;
  readonly state: string;
  readonly onWireMs: number | null;
  readonly lines: readonly Line[];
}

/** A draft as the database has it, with the job that it became. */
export interface DraftFact {
  readonly id: string;
  readonly code: string;
  readonly chat: number;
  /** The chat's name in the database and the log. */
  readonly chatId: string;
  /** The update that made it; a copy of a draft has none. */
  readonly update: number | null;
  readonly state: string;
  readonly card: number | null;
  /** All that it says, to know it again. */
  readonly says: string;
  /** Of a scheduled send and the change of it, the one that does not stand for it; what came back of an undone send. */
  readonly aside: boolean;
  readonly job: {
    readonly id: string;
    readonly state: string;
    readonly attempts: readonly AttemptFact[];
  } | null;
}

/** Reads the drafts of some rounds, found by the words that only these rounds use. */
export async function readFacts(stand: Stand, rounds: readonly number[]): Promise<DraftFact[]> {
  const patterns = rounds.map((round) => `%chaos r${round} s%`);
  return await stand.postgres.ask(async (sql) => {
    const rows = z.array(Row).parse(
      await sql`
        select d.id as draft_id, d.code, d.flash, d.source_update as update, c.telegram_id as chat, c.id as chat_id, d.text, d.details,
          d.state as draft_state,
          d.details -> 'replacedBy' is not null
            or (d.details ?| array['replaces', 'undoOf', 'againOf'] and j.id is null) as aside,
          d.card_message_id as card, j.id as job_id, j.state as job_state
        from draft d join chat c on c.id = d.chat_id left join job j on j.draft_id = d.id
        where d.text like any(${patterns}::text[]) or d.details::text like any(${patterns}::text[])
        order by d.created_at`,
    );
    const jobs = rows.map((row) => row.job_id).filter((id) => id !== null);
    const attempts = z.array(AttemptRow).parse(
      await sql`
        select a.id, a.job_id, a.state, a.line, a.recipients, a.messages, c.texts,
          (extract(epoch from a.on_wire_at) * 1000)::float8 as on_wire_ms
        from attempt a join job j on j.id = a.job_id
        left join bulk_call c on c.draft_id = j.draft_id and c.chunk = a.chunk
        where a.job_id = any(${jobs}::uuid[])`,
    );
    const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.job_id);
    return rows.map((row) => ({
      id: row.draft_id,
      code: row.code,
      chat: row.chat,
      chatId: row.chat_id,
      update: row.update,
      state: row.draft_state,
      card: row.card,
      says: `${row.text} ${JSON.stringify(row.details)}`,
      aside: row.aside,
      job:
        row.job_id === null
          ? null
          : {
              id: row.job_id,
              state: row.job_state ?? '',
              attempts: (attemptsOf.get(row.job_id) ?? []).map((attempt) => ({
                id: attempt.id,
                state: attempt.state,
                onWireMs: attempt.on_wire_ms,
                lines:
                  attempt.messages?.map(({ recipient, ...message }) => ({
                    ...message,
                    recipient: short(recipient),
                  })) ??
                  attempt.recipients.map((recipient, index) => ({
                    recipient: short(recipient),
                    text: attempt.texts?.[index] ?? row.text,
                    line: attempt.line,
                    flash: row.flash,
                  })),
              })),
            },
    }));
  });
}

/** The last ten digits: the same however the country is written. */
export function short(recipient: string): string {
  return recipient.replaceAll(/\D/gu, '').slice(-10);
}

/** What is compared of a message: by which account and line it goes, to whom, what it says, and how it is shown. */
export function keyOf(account: string, { recipient, text, line, flash }: Line): string {
  return `${recipient} ${text}, by ${account} ${line}${flash ? ', flash' : ''}`;
}
