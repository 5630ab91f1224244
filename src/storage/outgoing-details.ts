import { createHash } from 'node:crypto';
import { z } from 'zod';
import { messagesOf, type Call, type Outgoing, type OutgoingRow, type Payload } from '../domain/outgoing.ts';

const rowSchema = z.object({
  line: z.string(),
  recipient: z.string(),
  text: z.string(),
  flash: z.boolean(),
}) satisfies z.ZodType<OutgoingRow>;

const part = z.string();

const outgoingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text') }),
  z.object({
    kind: z.literal('multi'),
    rows: z.array(rowSchema),
    inAddress: z.literal(true).optional(),
  }),
  z.object({
    kind: z.literal('pattern'),
    patternId: z.string(),
    variables: z.record(z.string(), z.string()),
    perCall: z.number().int().positive(),
  }),
  z.object({
    kind: z.literal('future'),
    at: z.number().int(),
    local: z.object({ year: part, month: part, day: part, hour: part, minute: part }),
  }),
  z.object({
    kind: z.literal('book'),
    bookId: z.string(),
    title: z.string(),
    way: z.enum(['call', 'expanded']),
  }),
]) satisfies z.ZodType<Outgoing>;

/** How a draft leaves, from its two columns. */
export function readOutgoing(row: { readonly kind: string; readonly details: unknown }): Outgoing {
  const details = typeof row.details === 'object' && row.details !== null ? row.details : {};
  return outgoingSchema.parse({ ...details, kind: row.kind });
}

/** What goes into the columns: the kind has one of its own. */
export function writeOutgoing(outgoing: Outgoing): { kind: Outgoing['kind']; details: object } {
  const { kind, ...details } = outgoing;
  return { kind, details };
}

export function readMessages(stored: unknown): readonly OutgoingRow[] | null {
  return stored === null ? null : z.array(rowSchema).parse(stored);
}

/** One hash per message of a call. Two calls that share one would put the same text before the same eyes twice. */
export function messageKeys(payload: Payload, call: Call): string[] {
  return messagesOf(payload, call).map(({ line, recipient, text }) =>
    createHash('sha256').update([line, recipient, text].join('\u001f')).digest('hex'),
  );
}
