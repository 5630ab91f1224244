/** What an expression asks Prometheus for. */
export interface Asked {
  /** Each selector: its metric, and by label the values that would be found. */
  readonly selectors: readonly {
    readonly metric: string;
    readonly matchers: readonly { readonly label: string; readonly values: readonly string[] }[];
  }[];
  /** Labels by which series are put together or held against each other. */
  readonly labels: readonly string[];
}

const FUNCTIONS = new Set(
  'absent changes count delta histogram_quantile increase max min min_over_time rate sum time vector'.split(
    ' ',
  ),
);
const LISTS = new Set(['by', 'group_left', 'group_right', 'ignoring', 'on', 'without']);
const WORDS = new Set(['and', 'bool', 'offset', 'or', 'unless']);
const TOKENS = /"[^"]*"|\[[^\]]*\]|\d[\d.]*|[A-Za-z_:][\w:]*|=~|!~|[!=<>]=|[-+*/%^=<>(){},]|\S/g;
const NAME = /^[A-Za-z_:]/;

/** Reads PromQL as far as it is used here, and throws at what it does not know. */
export function readPromql(expression: string): Asked {
  const tokens = expression.match(TOKENS) ?? [];
  const selectors: { metric: string; matchers: { label: string; values: string[] }[] }[] = [];
  const labels: string[] = [];
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const expect = (token: string): void => {
    const found = next();
    if (found !== token) throw new Error(`${token} expected, not ${found}: ${expression}`);
  };
  const readMatchers = () => {
    const found: { label: string; values: string[] }[] = [];
    expect('{');
    while (tokens[at] !== '}') {
      const [label, sign, value] = [next(), next(), next()];
      if (!NAME.test(label) || !/^[=!][=~]?$/.test(sign) || !value.startsWith('"'))
        throw new Error(`no matcher: ${label}${sign}${value} in ${expression}`);
      found.push({
        label,
        values: sign === '=~' || sign === '!~' ? value.slice(1, -1).split('|') : [value.slice(1, -1)],
      });
      if (tokens[at] === ',') at += 1;
    }
    expect('}');
    return found;
  };
  while (at < tokens.length) {
    const token = next();
    if (!NAME.test(token)) {
      if (/^["{}]/.test(token) || !/^(\[.*\]|[\d.]+|\S{1,2})$/.test(token))
        throw new Error(`not understood: ${token} in ${expression}`);
    } else if (LISTS.has(token)) {
      expect('(');
      for (let label = next(); label !== ')'; label = next()) if (label !== ',') labels.push(label);
    } else if (tokens[at] === '(' || tokens[at] === 'by') {
      if (!FUNCTIONS.has(token)) throw new Error(`no such function: ${token} in ${expression}`);
    } else if (!WORDS.has(token)) {
      selectors.push({ metric: token, matchers: tokens[at] === '{' ? readMatchers() : [] });
    }
  }
  return { selectors, labels };
}

/** What an answer of `/metrics` has: by the name of a series, its labels and their values. */
export function readExposition(text: string): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Map<string, Set<string>>>();
  for (const line of text.split('\n')) {
    const [, name, pairs = ''] = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const labels = found.get(name) ?? new Map<string, Set<string>>();
    found.set(name, labels);
    for (const [, label = '', value = ''] of pairs.matchAll(/([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g))
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
  }
  return found;
}
