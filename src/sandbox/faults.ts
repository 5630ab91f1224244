import { z } from 'zod';
import type { ApiVersion } from './versions/api-version.ts';

const httpStatus = z.int().min(200).max(599);
const headers = z.record(z.string(), z.string()).default({});

/** Which requests a fault meets; what is absent matches all. */
const match = {
  version: z.union([z.literal(4), z.literal(3), z.literal(1)]).optional(),
  /** The operation's name, the same in all versions: send, status, select, latest, credit, details… */
  operation: z.string().optional(),
  /** The user name of the account. */
  account: z.string().optional(),
  /** How many matching requests pass unharmed first. */
  skip: z.int().min(0).default(0),
  /** How many matching requests are harmed; absent means all, until the rule is removed. */
  times: z.int().min(1).optional(),
};

/** Before the operation runs, so that nothing happened, or after it, so that only the answer is lost. */
const when = z.enum(['before', 'after']);

/** One rule of fault injection; see the README for what each kind does. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...match,
    kind: z.literal('delay'),
    when: when.default('before'),
    ms: z.int().min(0).max(600_000),
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
    contentType: z.string().default('application/json; charset=utf-8'),
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
type ActiveFault = Fault & { readonly id: number; readonly seen: number; readonly used: number };

type Subject = { version: number | null; operation: string | null; account: string | null };

export type Faults = {
  /**
   * Adds a rule and gives its id. The first added rule that matches a request is the one that harms it. Throws for a
   * rule that no request can meet: an operation or an account that there is not.
   */
  add(rule: FaultRule): number;
  remove(id: number): boolean;
  clear(): void;
  list(): readonly ActiveFault[];
  /** The fault that this request must suffer, if any; counts it as used. */
  take(subject: Subject): Struck | undefined;
};

/** A fault that a request must suffer, until its rule is removed, and a sentence on what asked for it. */
export type Struck = { readonly fault: Fault; readonly words: string; readonly removed?: AbortSignal };

export function createFaults(gateway: {
  readonly versions: readonly Pick<ApiVersion, 'version' | 'operations'>[];
  readonly hasAccount: (username: string) => boolean;
}): Faults {
  let rules: { id: number; fault: Fault; seen: number; used: number; removed: AbortController }[] = [];
  let lastId = 0;
  const keep = (stays: (rule: (typeof rules)[number]) => boolean): void => {
    const gone = rules.filter((rule) => !stays(rule));
    rules = rules.filter(stays);
    for (const { removed } of gone) removed.abort();
  };
  return {
    add(rule) {
      const fault = faultSchema.parse(rule);
      const { version, operation, account } = fault;
      const known = gateway.versions
        .filter((one) => version === undefined || version === one.version)
        .flatMap(({ operations }) => operations);
      if (operation !== undefined && !known.includes(operation))
        throw new Error(`no operation ${operation}; known: ${[...new Set(known)].join(' ')}`);
      if (account !== undefined && !gateway.hasAccount(account)) throw new Error(`no account ${account}`);
      lastId += 1;
      rules.push({ id: lastId, fault, seen: 0, used: 0, removed: new AbortController() });
      return lastId;
    },
    remove(id) {
      const before = rules.length;
      keep((rule) => rule.id !== id);
      return rules.length < before;
    },
    clear() {
      keep(() => false);
    },
    list: () => rules.map(({ fault, id, seen, used }) => ({ ...fault, id, seen, used })),
    take(subject) {
      for (const rule of rules) {
        const { fault } = rule;
        if (!matches(fault, subject) || (fault.times !== undefined && rule.used >= fault.times)) continue;
        rule.seen += 1;
        if (rule.seen <= fault.skip) continue;
        rule.used += 1;
        return { fault, words: `fault rule ${rule.id}: ${fault.kind}`, removed: rule.removed.signal };
      }
      return undefined;
    },
  };
}

function matches(fault: Fault, subject: Subject): boolean {
  return (
    (fault.version === undefined || fault.version === subject.version) &&
    (fault.operation === undefined || fault.operation === subject.operation) &&
    (fault.account === undefined || fault.account === subject.account)
  );
}
