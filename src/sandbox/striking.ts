import type { Carried } from './carried.ts';
import { chances } from './chances.ts';
import { faultSchema } from './faults.ts';
import type { Fault, FaultRule, Harm } from './faults.ts';
import { didYouMean } from './nearest.ts';
import type { ApiVersion } from './versions/api-version.ts';

type ActiveFault = Fault & { readonly id: number; readonly seen: number; readonly used: number };

type Subject = {
  version: number | null;
  operation: string | null;
  account: string | null;
  /** What the request names; read only when a rule asks for it. */
  carried: () => Carried;
};

export type Faults = {
  /**
   * Adds a rule and gives its id. The first added rule that matches a request is the one that harms it. Throws for a
   * rule that no request can meet: an operation or an account that there is not.
   */
  add(rule: FaultRule): number;
  remove(id: number): boolean;
  /** Removes all rules, or those that name this account. */
  clear(account?: string): void;
  list(): readonly ActiveFault[];
  /** The names that a rule may name. */
  readonly operations: readonly string[];
  /** The fault that this request must suffer, if any; counts it as used. */
  take(subject: Subject): Struck | undefined;
};

/** A fault that a request must suffer, until its rule is removed, and a sentence on what asked for it. */
export type Struck = { readonly fault: Harm; readonly words: string; readonly removed?: AbortSignal };

interface Rule {
  readonly id: number;
  readonly fault: Fault;
  readonly removed: AbortController;
  readonly chance: () => number;
  seen: number;
  used: number;
}

const MAX_DELAY_MS = 600_000;

/** Keeps the rules of fault injection, for these versions and accounts. */
export function createFaults(gateway: {
  readonly versions: readonly Pick<ApiVersion, 'version' | 'operations'>[];
  readonly accounts: () => readonly string[];
}): Faults {
  let rules: Rule[] = [];
  let lastId = 0;
  const keep = (stays: (rule: (typeof rules)[number]) => boolean): void => {
    const gone = rules.filter((rule) => !stays(rule));
    rules = rules.filter(stays);
    for (const { removed } of gone) removed.abort();
  };
  return {
    add(rule) {
      const fault = faultSchema.parse(rule);
      const why = whyNeverMet(fault, gateway.versions, gateway.accounts());
      if (why !== undefined) throw new Error(why);
      lastId += 1;
      rules.push({
        id: lastId,
        fault,
        seen: 0,
        used: 0,
        removed: new AbortController(),
        chance: chances(fault.seed),
      });
      return lastId;
    },
    remove(id) {
      const before = rules.length;
      keep((rule) => rule.id !== id);
      return rules.length < before;
    },
    clear(account) {
      keep(({ fault }) => account !== undefined && fault.account !== account);
    },
    operations: [...new Set(gateway.versions.flatMap(({ operations }) => operations))],
    list: () => rules.map(({ fault, id, seen, used }) => ({ ...fault, id, seen, used })),
    take(subject) {
      for (const rule of rules) {
        const { fault } = rule;
        if (!matches(fault, subject) || (fault.times !== undefined && rule.used >= fault.times)) continue;
        rule.seen += 1;
        if (rule.seen <= fault.skip || (rule.seen - fault.skip) % fault.every !== 0) continue;
        if (fault.probability < 1 && rule.chance() >= fault.probability) continue;
        rule.used += 1;
        return {
          fault: settle(fault, rule.chance),
          words: `fault rule ${rule.id}: ${fault.kind}`,
          removed: rule.removed.signal,
        };
      }
      return undefined;
    },
  };
}

/** Why no request can meet a rule, in words: it names an operation or an account that there is not. */
export function whyNeverMet(
  { version, operation, account }: Fault,
  versions: readonly Pick<ApiVersion, 'version' | 'operations'>[],
  accounts: readonly string[],
): string | undefined {
  const known = versions
    .filter((one) => version === undefined || version === one.version)
    .flatMap(({ operations }) => operations);
  if (operation !== undefined && !known.includes(operation)) {
    const guess = didYouMean(operation, known) || `; known: ${[...new Set(known)].join(' ')}`;
    return `no operation ${operation}${guess}`;
  }
  return account === undefined || accounts.includes(account)
    ? undefined
    : `no account ${account}${didYouMean(account, accounts)}`;
}

function matches(fault: Fault, subject: Subject): boolean {
  return (
    (fault.version === undefined || fault.version === subject.version) &&
    (fault.operation === undefined || fault.operation === subject.operation) &&
    (fault.account === undefined || fault.account === subject.account) &&
    (fault.recipient === undefined || subject.carried().numbers.includes(fault.recipient)) &&
    (fault.containing === undefined ||
      subject.carried().texts.some((text) => text.includes(fault.containing ?? '')))
  );
}

/** Draws how long a delay lasts, within ten minutes. */
function settle(fault: Fault, chance: () => number): Harm {
  if (fault.kind !== 'delay') return fault;
  const { ms } = fault;
  if (typeof ms === 'number') return { ...fault, ms };
  if ('from' in ms) return { ...fault, ms: Math.round(ms.from + chance() * (ms.to - ms.from)) };
  // Box and Muller's normal deviate; 95 in 100 lie below 1.645 deviations.
  const deviate = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
  const spread = Math.log(ms.p95 / ms.median) / 1.645;
  return { ...fault, ms: Math.min(MAX_DELAY_MS, Math.round(ms.median * Math.exp(spread * deviate))) };
}
