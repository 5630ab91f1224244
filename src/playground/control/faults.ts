import { isDeepStrictEqual } from 'node:util';

/** One rule. Without `times` it works once; `times: 0` keeps it until the rules are cleared. */
export interface FaultRule {
  method: string;
  /** Parameters that must be equal, for instance `{chat_id: 5}`. Numbers and their text are alike. */
  match?: Readonly<Record<string, unknown>> | undefined;
  code?: number | undefined;
  description?: string | undefined;
  retry_after?: number | undefined;
  times?: number | undefined;
  delay_ms?: number | undefined;
  /** Cuts the connection: before the call has any effect, or after it had its effect. */
  drop?: 'before' | 'after' | undefined;
  /** Answers 502 with an HTML page, as a front server does. */
  html502?: boolean | undefined;
}

export interface FaultRules {
  add: (rule: FaultRule) => void;
  /** The rule for this call, used up by one. `*` stands for every method but getUpdates. */
  take: (method: string, params: Readonly<Record<string, unknown>>) => FaultRule | undefined;
  list: () => FaultRule[];
  clear: () => void;
}

export function createFaultRules(): FaultRules {
  let rules: { rule: FaultRule; left: number }[] = [];
  return {
    add(rule) {
      const times = rule.times ?? 1;
      rules.push({ rule, left: times === 0 ? Number.POSITIVE_INFINITY : times });
    },
    take(method, params) {
      const name = method.toLowerCase();
      const found = rules.find(({ rule }) => applies(rule, name, params));
      if (found === undefined) return undefined;
      found.left--;
      if (found.left <= 0) rules = rules.filter((entry) => entry !== found);
      return found.rule;
    },
    list: () => rules.map(({ rule }) => rule),
    clear() {
      rules = [];
    },
  };
}

function applies(rule: FaultRule, method: string, params: Readonly<Record<string, unknown>>): boolean {
  const wanted = rule.method.toLowerCase();
  if (wanted === '*' ? method === 'getupdates' : wanted !== method) return false;
  return Object.entries(rule.match ?? {}).every(([name, value]) => {
    const given = params[name];
    return isDeepStrictEqual(given, value) || asText(given) === asText(value);
  });
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
