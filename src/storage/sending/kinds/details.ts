import { hash } from 'node:crypto';
import { z } from 'zod';
import { SKIP_REASONS, type Bulk } from '../../../domain/bulk.ts';
import type { Outgoing, OutgoingKind } from '../../../domain/kinds/index.ts';
import type { Call, OutgoingRow } from '../../../domain/kinds/kind.ts';
import { OPERATORS } from '../../../domain/operator.ts';
import { messagesOf, type Payload } from '../../../domain/outgoing.ts';
import { foldText } from '../../../domain/text-match.ts';

const rowSchema = z.object({
  line: z.string(),
  recipient: z.string(),
  text: z.string(),
  flash: z.boolean(),
}) satisfies z.ZodType<OutgoingRow>;

const part = z.string();
const count = z.number().int().nonnegative();

const storedBulk = z.object({
  kind: z.literal('bulk'),
  step: z.enum(['reading', 'columns', 'text', 'counting', 'review', 'failed']),
  problem: z.object({ reason: z.string(), row: count.nullable(), limit: count.nullable() }).nullable(),
  file: z.object({ name: z.string(), reference: z.string(), sheet: z.string().nullable() }),
  rows: count,
  done: count,
  /** What programs of the release before know of the header: they write it alone, and leave the count as it was. */
  hasHeader: z.boolean(),
  header: count.default(0),
  columns: z.array(z.string()),
  head: z.array(z.tuple([count, z.array(z.string())])),
  phone: count.nullable(),
  certainty: z.enum(['sure', 'likely', 'unsure', 'chosen']),
  numbers: z.object({ good: count, repeated: count, invalid: count }).nullable(),
  decided: z.object({ phone: count.nullable(), header: count }).nullable().default(null),
  onMissing: z.discriminatedUnion('way', [
    z.object({ way: z.literal('skip') }),
    z.object({ way: z.literal('stop') }),
    z.object({ way: z.literal('default'), value: z.string() }),
  ]),
  summary: z
    .object({
      recipients: count,
      skipped: z.array(z.object({ reason: z.enum(SKIP_REASONS), rows: count })),
      blockedIsKnown: z.boolean(),
      missing: count,
      lengths: z.array(
        z.object({
          encoding: z.enum(['gsm7', 'ucs2']),
          parts: count,
          messages: count,
          operator: z.enum(OPERATORS).optional(),
        }),
      ),
      personal: z.boolean(),
      perCall: count.nullable(),
      digest: z.string(),
      found: z
        .object({
          required: z.string().nullable(),
          lacking: count,
          words: z.array(z.string()),
          lookedFor: z.array(z.string()).optional(),
        })
        .optional(),
    })
    .nullable(),
  keep: z
    .object({
      tag: z.string(),
      outcome: z.union([z.object({ people: count, fresh: count }), z.object({ limit: count })]).nullable(),
    })
    .nullable()
    .default(null),
});

const bulkSchema = storedBulk.transform(({ hasHeader, header, ...rest }): Bulk => {
  return { ...rest, header: hasHeader ? Math.max(1, header) : 0 };
});

type Schemas = { readonly [K in OutgoingKind]: z.ZodType<Extract<Outgoing, { kind: K }>> };

const SCHEMAS: Schemas = {
  text: z.object({ kind: z.literal('text') }),
  multi: z.object({
    kind: z.literal('multi'),
    rows: z.array(rowSchema),
    inAddress: z.literal(true).optional(),
  }),
  pattern: z.object({
    kind: z.literal('pattern'),
    patternId: z.string(),
    variables: z.record(z.string(), z.string()),
    perCall: z.number().int().positive(),
  }),
  future: z.object({
    kind: z.literal('future'),
    at: z.number().int(),
    local: z.object({ year: part, month: part, day: part, hour: part, minute: part }),
  }),
  book: z.object({
    kind: z.literal('book'),
    bookId: z.string(),
    title: z.string(),
    way: z.enum(['call', 'expanded']),
  }),
  bulk: bulkSchema,
};

/** How a draft leaves, from its two columns. */
export function readOutgoing(row: { readonly kind: OutgoingKind; readonly details: unknown }): Outgoing {
  const details = typeof row.details === 'object' && row.details !== null ? row.details : {};
  return SCHEMAS[row.kind].parse({ ...details, kind: row.kind });
}

/** What goes into the columns: the kind has one of its own. */
export function writeOutgoing(outgoing: Outgoing): { kind: Outgoing['kind']; details: object } {
  const { kind, ...details } = outgoing;
  return { kind, details: kind === 'bulk' ? { ...details, hasHeader: outgoing.header > 0 } : details };
}

export function readMessages(stored: unknown): readonly OutgoingRow[] | null {
  return stored === null ? null : z.array(rowSchema).parse(stored);
}

/**
 * One hash per message of a call. Two calls that share one would put the same text before the same eyes twice, or one
 * that the gateway's lists may show in its place; that two of 64 bits meet by chance costs a wait and no more.
 */
export function messageKeys(payload: Payload, call: Call): string[] {
  // Two hundred messages of a call have one text, as a rule.
  const folded = new Map<string, string>();
  return messagesOf(payload, call).map(({ line, recipient, text }) => {
    const form = folded.get(text) ?? foldText(text);
    folded.set(text, form);
    return hash('sha256', [line, recipient, form].join('\u001f'), 'hex').slice(0, KEY_DIGITS);
  });
}

export const KEY_DIGITS = 16;
