import type { z } from 'zod';
import type { Json } from '../json.ts';
import type { Account } from '../world/account.ts';
import { isRefusal, type Refusal, type RefusalReason, refuse } from '../world/refusal.ts';
import type { World } from '../world/world.ts';
import { explainIssues, looseTypes, memberNames, unknownMembers } from './explain.ts';

/** What an operation's handler is given: who calls, and under which name the ledger should note it. */
export type Call = {
  readonly world: World;
  readonly account: Account;
  readonly version: number;
  readonly operation: string;
  /** Notes for the journal what passes here and should not be relied on. */
  readonly warn: (words: string) => void;
  /** What a stricter gateway refuses: given back by a strict sandbox, else noted and let pass. */
  readonly tolerate: (refusal: Refusal) => Refusal | undefined;
  /** Whether types of members are those of JSON, and the interface names them. */
  readonly isTyped: boolean;
};

/** What readers are told of an operation beside its name and path. */
export type About = {
  /** What it does, in a sentence. */
  readonly summary: string;
  /** The payload of its success. */
  readonly answer: z.ZodType;
  /** Why it may be refused, beside {@link ALWAYS_REFUSED}; another reason is a mistake of the row, and throws. */
  readonly refuses?: readonly RefusalReason[];
  /** Parameters that succeed in a new sandbox where the message of that id was sent; a list is one of commas in a query. */
  readonly example?: Example | ((messageId: bigint) => Example);
};

export type Example = Readonly<Record<string, Json>>;

/** One row of a version's table of operations, its input type already hidden. `P` is the version's payload. */
export type Operation<P> = About & {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Segments after the version's prefix; `{name}` stands for one segment, which joins the input. */
  readonly path: string;
  readonly input: z.ZodType;
  run(call: Call, raw: Readonly<Record<string, unknown>>): P | Refusal;
  /** For calls about the account itself: the payload that carries the user status of an account that may do nothing. */
  readonly forUserStatus?: (userStatus: number) => P;
};

/** Why any operation may be refused. */
export const ALWAYS_REFUSED = [
  'no_credentials',
  'unknown_account',
  'account_status',
  'bad_parameters',
  'malformed_json',
  'unknown_path',
  'wrong_method',
  'body_too_large',
  'address_too_long',
] as const satisfies readonly RefusalReason[];

/** Declares an operation; `input` is checked before `run`, and wrong members are refused by name. */
export function operation<P extends Json, I>(
  row: About & {
    name: string;
    method: Operation<P>['method'];
    path: string;
    input: z.ZodType<I>;
    run: (call: Call, input: I) => P | Refusal;
    forUserStatus?: (userStatus: number) => P;
  },
): Operation<P> {
  const { input, run } = row;
  const known = memberNames(input);
  const reasons = new Set<RefusalReason>([...ALWAYS_REFUSED, ...(row.refuses ?? [])]);
  return {
    ...row,
    run(call, raw) {
      const strange = unknownMembers(raw, known);
      const checked = input.safeParse(raw);
      if (checked.success) {
        for (const { name, why } of call.isTyped ? looseTypes(input, raw) : []) {
          const refusal = call.tolerate(refuse('bad_parameters', { detail: name, why }));
          if (refusal !== undefined) return refusal;
        }
        for (const words of strange) call.warn(`${words}, and is ignored`);
        const reply = run(call, checked.data);
        if (isReplyRefusal(reply) && !reasons.has(reply.refused))
          throw new Error(`the row of ${row.name} does not say that it refuses for ${reply.refused}`);
        return reply;
      }
      const names = new Set(checked.error.issues.map((issue) => String(issue.path[0] ?? 'body')));
      const why = [...explainIssues(raw, checked.error.issues), ...strange].join('; ');
      return refuse('bad_parameters', { detail: [...names].join(', '), why });
    },
  };
}

/** Whether what an operation gives back is no payload. */
export function isReplyRefusal(reply: Json | Refusal): reply is Refusal {
  return typeof reply === 'object' && reply !== null && isRefusal(reply);
}
