import { inspect } from 'node:util';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { AppError } from '../domain/errors.ts';
import type { SendAnswer } from '../ports/gateway.ts';
import { writeJson } from './json.ts';
import { acceptance, SEND, TEST_KEY } from './testing/accounts.ts';
import { rest, v1 } from './testing/exchange.ts';
import { adapterOf, NEW_PASSWORD, OPERATIONS } from './testing/operations.ts';
import type { Transport } from './transport/transport.ts';

const { line, recipients, text } = SEND;
const [recipient = ''] = recipients;
const row = {
  index: 0,
  messageid: 9_007_199_254_740_993n,
  id: 7001,
  book_id: 5,
  number_id: 6,
  number: '+989120000001',
  title: 'n',
  uname: 'demo',
  count: 3,
  message: text,
  from: line,
  to: recipient,
  user: 'demo',
  setter: 'panel',
  state: 10,
  status: 'تکراری',
  statustext: 'x',
  date: 1_700_000_000,
};
const current = { totalcount: '2', currentpage: '1', totalpages: '1', pagesize: '50' };
const secrets = `${TEST_KEY} ${NEW_PASSWORD}`;
const ANSWERS = [
  rest({ entries: [row, { ...row, index: 1, to: recipients[1], status: 4 }], current }),
  rest({ entries: [row], data: row, current }),
  rest({ data: { startdate: 0, enddate: 1, sumpart: 3, sumcount: 2, cost: 1.5, count: 4, isread: 0 } }),
  rest({ entries: null, current: null }),
  rest({}, 400, `کد 45 ${secrets}`),
  v1({ status: 0, id: [7001, 7002] }),
  v1({ status: 0, result: [row, row] }),
  v1([7001, 7002]),
  v1(0),
  v1({ status: 22 }),
  { status: 500, message: `خطا ${secrets}` },
  rest({ data: { credit: '1000.5', fullname: 'n', expire_time: 1_800_000_000, tarrif: '710', type: 'x' } }),
  rest({ data: { ...row, recipients: ['+989120000001'], recipients_count: 1 } }),
  v1({ status: 0, value: 1000 }),
  v1({ status: 0, details: { ...row, fullname: 'n', recipients: ['09120000001'], time: 1_700_000_000 } }),
]
  .map((answer) => writeJson(answer))
  .concat(acceptance(3), acceptance(1));

const ODD = [
  'null',
  '[]',
  '{}',
  '""',
  '0',
  '-1',
  '1e400',
  '"\\uD83D"',
  'true',
  '99999999999999999999',
  '[[',
  '}',
  '\\\\',
  '"',
  ',',
  ':',
  'NaN',
];

/** Numbers below a bound, one after the other from a seed. */
function dice(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** An answer, right for some operation, in which up to three values or stretches of text were replaced, doubled or dropped. */
function mutated(roll: (bound: number) => number): { json: string; isMutated: boolean } {
  const pick = (values: readonly string[]): string => values[roll(values.length)] ?? '';
  const right = pick(ANSWERS);
  let json = right;
  for (let edits = roll(4); edits > 0; edits -= 1) {
    const kind = roll(3);
    const from = roll(json.length + 1);
    const to = from + roll(12);
    if (kind === 0) json = withoutOneValue(json, roll, pick(ODD));
    else if (kind === 1) json = json.slice(0, from) + pick(ODD) + json.slice(to);
    else json = json.slice(0, to) + json.slice(from);
  }
  return { json, isMutated: json !== right };
}

function withoutOneValue(json: string, roll: (bound: number) => number, put: string): string {
  const values = [...json.matchAll(/:(?:"[^"]*"|-?[0-9.]+|null|\{\}|\[\])/g)];
  const match = values[roll(Math.max(values.length, 1))];
  if (match === undefined) return json;
  return `${json.slice(0, match.index)}:${put}${json.slice(match.index + match[0].length)}`;
}

/** What is wrong with an outcome; nothing for a value, a send's answer or a typed error without a secret. */
function complaint(outcome: unknown): string | undefined {
  if (outcome instanceof AppError) {
    const { code, message, params } = outcome;
    if (code !== 'gateway_refused' && code !== 'gateway_unreadable') return `code ${code}`;
    const shown = `${message} ${JSON.stringify(params)}`;
    if (shown.includes(TEST_KEY)) return 'shows the key';
    return params['operation'] === 'register' && shown.includes(NEW_PASSWORD)
      ? 'shows the password'
      : undefined;
  }
  if (outcome instanceof Error) return inspect(outcome);
  const isAnswer = typeof outcome === 'object' && outcome !== null && 'outcome' in outcome;
  return isAnswer ? complaintOfSend(outcome as SendAnswer) : undefined;
}

function complaintOfSend(answer: SendAnswer): string | undefined {
  if (JSON.stringify(answer).includes(TEST_KEY)) return 'shows the key';
  if (answer.outcome === 'not_sent') return 'claims that nothing left';
  const ids = answer.outcome === 'accepted' ? answer.messageIds : [];
  return ids.every(({ id }) => BigInt(id) > 0n) ? undefined : 'accepts an id that is none';
}

test('any mutated answer is a value, an answer or a typed error, and repeats no secret in it', async () => {
  let body = '';
  let mutations = 0;
  const answer = () => ({ httpStatus: 200, body: Buffer.from(body) });
  const transport: Transport = {
    read: () => Promise.resolve(answer()),
    write: () => Promise.resolve({ kind: 'answered', answer: answer() }),
    expect: () => undefined,
    close: () => Promise.resolve(),
  };
  const adapters = ([3, 4, 1] as const).map((version) => adapterOf(version, { transport }));
  const outcomes = new Map<string, number>();

  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const roll = dice(seed);
      for (const [name, operation] of OPERATIONS) {
        for (const adapter of adapters) {
          const { json, isMutated } = mutated(roll);
          body = json;
          const work = operation(adapter);
          if (work === undefined) continue;
          if (isMutated) mutations += 1;
          const outcome: unknown = await work.catch((thrown: unknown) => thrown);
          const wrong = complaint(outcome);
          if (wrong !== undefined) throw new Error(`${name}: ${wrong} after ${body}`);
          const kind = outcome instanceof AppError ? outcome.code : 'value';
          outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
        }
      }
    }),
    { numRuns: 3_000 },
  );

  process.stdout.write(`${mutations} mutated answers: ${JSON.stringify(Object.fromEntries(outcomes))}\n`);
  expect(mutations).toBeGreaterThan(100_000);
  expect([...outcomes.keys()].toSorted()).toEqual(['gateway_refused', 'gateway_unreadable', 'value']);
});
