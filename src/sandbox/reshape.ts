import type { Json } from './json.ts';
import { SHAPES } from './shapes.ts';
import type { ShapeName } from './shapes.ts';

type Members = { readonly [member: string]: Json | undefined };

/** An answer before it is written. */
type Unwritten = { readonly httpStatus: number; readonly json: Json };

/** Whose answer it is. */
type About = { readonly version: 4 | 3 | 1; readonly operation: string | null };

/** The answer as a gateway with these shapes gives it; combined, they come in the order of {@link SHAPES}. */
export function reshape(json: Json, about: About, shapes: readonly ShapeName[]): Unwritten {
  let answer: Unwritten = { httpStatus: 200, json };
  for (const { name } of SHAPES) if (shapes.includes(name)) answer = CHANGES[name](answer, about);
  return answer;
}

const IDS = ['messageid', 'id', 'book_id', 'number_id'];
const NUMBERS = ['number', 'to', 'from', 'recipients'];
const GROUPED = ['status', 'select', 'selectoutbox', 'latestoutbox'];

/** The member that is a bare row. */
const BARE: Readonly<Record<string, string>> = {
  status: 'status',
  multi: 'id',
  'phonebook-numbers': 'number',
};

const CODE = /: کد (\d+)$/;

/** What a sibling interface answers, by a code of the tables or the status of the envelope. */
const SIBLING: Readonly<Record<number, readonly [status: number, text: string]>> = {
  22: [418, 'اعتبار حساب کافی نیست'],
  23: [412, 'خط فرستنده نامعتبر است'],
  24: [413, 'متن پیام خالی یا بیش از اندازه بلند است'],
  25: [411, 'گیرنده نامعتبر است'],
  26: [417, 'تاریخ نامعتبر است'],
  401: [403, 'کد شناسایی معتبر نیست'],
};

const CHANGES: Readonly<Record<ShapeName, (answer: Unwritten, about: About) => Unwritten>> = {
  'text-ids': inside((name, value) => (IDS.includes(name) && isNumber(value) ? String(value) : value)),
  // The world made them so.
  'small-ids': (answer) => answer,
  'plain-numbers': inside((name, value) =>
    NUMBERS.includes(name) && typeof value === 'string' ? value.replaceAll('+98', '') : value,
  ),
  'text-numbers': inside((name, value, depth) =>
    typeof value === 'number' && !IDS.includes(name) && !isCode(name, depth) ? String(value) : value,
  ),
  'number-paging': onMembers(({ current, ...rest }) => ({
    ...rest,
    current: isMembers(current)
      ? Object.fromEntries(Object.entries(current).map(([name, value]) => [name, Number(value)]))
      : current,
  })),
  'grouped-rows': ({ httpStatus, json }, { version, operation }) => {
    if (version === 1 || !isMembers(json) || !isList(json['entries']) || !GROUPED.includes(operation ?? ''))
      return { httpStatus, json };
    return { httpStatus, json: { ...json, entries: grouped(json['entries']) } };
  },
  'null-lists': onMembers(({ entries, current, result, ...rest }) => ({
    ...rest,
    entries: isEmpty(entries) ? null : entries,
    result: isMembers(result) && isEmpty(result['result']) ? { ...result, result: null } : result,
    current: isEmpty(entries) && isMembers(current) && Number(current['totalcount']) === 0 ? null : current,
  })),
  'entries-always': onMembers(({ data, ...rest }) =>
    data === undefined ? rest : { ...rest, entries: [data] },
  ),
  'bare-rows': (answer, { version, operation }) => {
    const only = BARE[operation ?? ''];
    if (only === undefined || (version !== 1 && operation !== 'phonebook-numbers')) return answer;
    const bare = (list: Json | undefined) =>
      isList(list) ? list.map((row) => (isMembers(row) ? (row[only] ?? null) : row)) : list;
    return onMembers(({ entries, result, ...rest }) => ({
      ...rest,
      entries: bare(entries),
      result:
        isMembers(result) && 'result' in result ? { ...result, result: bare(result['result']) } : result,
    }))(answer);
  },
  'bare-lists': onMembers(({ entries, result, ...rest }) => ({
    ...rest,
    ...(entries === undefined ? {} : { data: entries }),
    result: isMembers(result) && 'result' in result ? result['result'] : result,
  })),
  'register-object': onMembers(({ result, ...rest }) => ({
    ...rest,
    result: typeof result === 'number' ? { status: result } : result,
  })),
  'sibling-statuses': onMembers(({ return: told, ...rest }) => {
    if (!isMembers(told)) return { ...rest, return: told };
    const [status, text] = SIBLING[codeOf(told) ?? Number(told['status'])] ?? [];
    return { ...rest, return: status === undefined ? told : { status, message: text } };
  }),
  'code-status': onMembers(({ return: told, status, result, ...rest }) => {
    if (isMembers(told)) {
      const code = codeOf(told);
      if (code === undefined) return { ...rest, return: told };
      return { ...rest, return: { status: code, message: textOf(told['message']).replace(CODE, '') } };
    }
    // Beside a payload a code is the status of the user, and no refusal.
    const inner = isMembers(result) && Object.keys(result).length === 1 ? result['status'] : result;
    return typeof inner === 'number' && inner !== 0
      ? { ...rest, status: inner, message: 'خطا در انجام عملیات' }
      : { ...rest, status, result };
  }),
  'http-status': ({ json }) => {
    const told = isMembers(json) && isMembers(json['return']) ? json['return'] : json;
    const status = isMembers(told) ? Number(told['status']) : 200;
    return { json, httpStatus: status >= 200 && status <= 599 ? status : 400 };
  },
};

/** The statuses of the envelope, and version 1's bare code. */
function isCode(name: string, depth: number): boolean {
  return (name === 'status' && depth < 3) || (name === 'result' && depth === 1);
}

function codeOf({ status, message }: Members): number | undefined {
  const [, code] = (status !== 200 && CODE.exec(textOf(message))) || [];
  return code === undefined ? undefined : Number(code);
}

/** The rows of a message in one: of its states that of one on the way while there is any, then of one that failed. */
function grouped(rows: readonly Json[]): Json[] {
  const groups = new Map<string, Members[]>();
  for (const row of rows) {
    if (!isMembers(row)) continue;
    const id = textOf(row['messageid']);
    groups.set(id, [...(groups.get(id) ?? []), row]);
  }
  return [...groups.values()].map((group): Json => {
    const telling = group.toSorted((one, other) => advance(one) - advance(other))[0] ?? {};
    const name = 'to' in telling ? 'to' : 'number';
    const numbers = group.map((row) => row[name] ?? '').filter((number) => number !== '');
    return { ...telling, [name]: numbers };
  });
}

function advance({ state }: Members): number {
  const code = Number(state);
  if ([0, 1, 3].includes(code)) return 0;
  return code === 4 || code === 10 ? 2 : 1;
}

/** Changes each value that stands under a name, however deep; values of a list stand under the list's name. */
function inside(change: (name: string, value: Json, depth: number) => Json) {
  const walk = (name: string, value: Json, depth: number): Json => {
    if (isList(value)) return value.map((one) => walk(name, one, depth + 1));
    if (!isMembers(value)) return change(name, value, depth);
    return Object.fromEntries(
      Object.entries(value).map(([member, one]) => [
        member,
        one === undefined ? one : walk(member, one, depth + 1),
      ]),
    );
  };
  return ({ httpStatus, json }: Unwritten): Unwritten => ({ httpStatus, json: walk('', json, 0) });
}

function onMembers(change: (members: Members) => Members) {
  return ({ httpStatus, json }: Unwritten): Unwritten => ({
    httpStatus,
    json: isMembers(json) ? change(json) : json,
  });
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' || isNumber(value) ? String(value) : '';
}

function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isEmpty(value: Json | undefined): boolean {
  return isList(value) && value.length === 0;
}

function isMembers(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !isList(value);
}
