import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { readRecipient } from './world/numbers.ts';

const httpStatus = z.int().min(200).max(599);

/** What says where an answer ends; a second one would make it none. */
const OF_THE_ANSWER = new Set(['content-length', 'transfer-encoding']);

const headers = z
  .record(z.string(), z.string())
  .superRefine((given, context) => {
    for (const [name, value] of Object.entries(given)) {
      const mistake = OF_THE_ANSWER.has(name.toLowerCase())
        ? 'the answer has this header by itself'
        : mistakeOf(name, value);
      if (mistake !== undefined) context.addIssue({ code: 'custom', path: [name], message: mistake });
    }
  })
  .default({});

const contentType = z
  .string()
  .superRefine((value, context) => {
    const mistake = mistakeOf('content-type', value);
    if (mistake !== undefined) context.addIssue({ code: 'custom', message: mistake });
  })
  .default('application/json; charset=utf-8');

/** Why HTTP has no such header, in the runtime's words. */
function mistakeOf(name: string, value: string): string | undefined {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Which requests a fault meets; what is absent matches all. */
const match = {
  version: z.union([z.literal(4), z.literal(3), z.literal(1)]).optional(),
  /** The operation's name, the same in all versions: send, status, select, latest, credit, details… */
  operation: z.string().optional(),
  /** The user name of the account. */
  account: z.string().optional(),
  /** A mobile number, in any way of writing, among those that the request names. */
  recipient: z
    .string()
    .transform((written, context) => {
      const digits = readRecipient(written);
      if (digits === undefined) context.addIssue({ code: 'custom', message: 'it must be a mobile number' });
      return digits ?? '';
    })
    .optional(),
  /** Words that stand in a text which the request carries. */
  containing: z.string().min(1).optional(),
  /** How many matching requests pass unharmed first. */
  skip: z.int().min(0).default(0),
  /** How many matching requests are harmed; absent means all, until the rule is removed. */
  times: z.int().min(1).optional(),
  /** Of the matching requests after those, only each Nth. */
  every: z.int().min(1).default(1),
  /** And of these each only so probably, by a row of chances that the seed makes. */
  probability: z.number().min(0).max(1).default(1),
  seed: z.int().default(1),
};

const milliseconds = z.int().min(0).max(600_000);

/** How long: always the same, anything between two, or around a middle with few that take much longer (log-normal). */
const latency = z.union(
  [
    milliseconds,
    z
      .strictObject({ from: milliseconds, to: milliseconds })
      .refine(({ from, to }) => from <= to, { error: '`from` must not be above `to`' }),
    z
      .strictObject({ median: milliseconds.min(1), p95: milliseconds })
      .refine(({ median, p95 }) => median <= p95, { error: '`median` must not be above `p95`' }),
  ],
  { error: 'it must be milliseconds, {from, to} or {median, p95}' },
);

/** Before the operation runs, so that nothing happened, or after it, so that only the answer is lost. */
const when = z.enum(['before', 'after']);

/** One rule of fault injection; see the README for what each kind does. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...match,
    kind: z.literal('delay'),
    when: when.default('before'),
    ms: latency,
  }),
  z.strictObject({
    ...match,
    kind: z.literal('error'),
    when: when.default('before'),
    /** The status in the envelope (`return.status`, or version 1's outer `status`). */
    status: z.int().optional(),
    /** A code of the interface's tables, in the way the version shows them. */
    code: z.int().optional(),
    message: z.string().optional(),
    httpStatus: httpStatus.default(200),
    headers,
  }),
  z.strictObject({
    ...match,
    kind: z.literal('html'),
    when: when.default('before'),
    httpStatus: httpStatus.default(502),
  }),
  z.strictObject({
    ...match,
    kind: z.literal('body'),
    when: when.default('after'),
    text: z.string(),
    contentType,
    httpStatus: httpStatus.default(200),
    headers,
  }),
  z.strictObject({
    ...match,
    kind: z.literal('truncate'),
    when: z.literal('after').default('after'),
    /** Whether the answer announced its length or came in chunks. */
    mode: z.enum(['length', 'chunked']).default('length'),
    /** Bytes of the body that still arrive; absent means half. */
    bytes: z.int().min(0).optional(),
  }),
  z.strictObject({ ...match, kind: z.literal('endless'), when: when.default('after') }),
  z.strictObject({ ...match, kind: z.literal('drop'), when: when.default('before') }),
  z.strictObject({ ...match, kind: z.literal('reset'), when: when.default('before') }),
  z.strictObject({ ...match, kind: z.literal('hang'), when: when.default('before') }),
]);

export type FaultRule = z.input<typeof faultSchema>;
export type Fault = z.output<typeof faultSchema>;

/** A fault as a request suffers it: how long is settled. */
export type Harm =
  | Exclude<Fault, { kind: 'delay' }>
  | (Extract<Fault, { kind: 'delay' }> & { readonly ms: number });
