import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Random } from '../chaos/random.ts';
import type { WireFailure, WireStage } from '../../src/domain/attempt.ts';
import { AppError } from '../../src/domain/errors.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createCalls } from '../../src/gateway/calls.ts';
import { createScrubber } from '../../src/gateway/scrub.ts';
import type { Transport } from '../../src/gateway/transport/transport.ts';
import { createV1Adapter } from '../../src/gateway/v1/adapter.ts';
import { createV3Adapter } from '../../src/gateway/v3/adapter.ts';
import { createV4Adapter } from '../../src/gateway/v4/adapter.ts';
import type { Facets, SendAnswer } from '../../src/ports/gateway.ts';
import corpus from './corpus/answers.json' with { type: 'json' };
import { mutateBytes, mutateJson } from './mutate.ts';
import { KEY, OPERATION_NAMES, OPERATIONS, SENDS, type OperationName } from './operations.ts';
import { defineTarget, must } from './target.ts';

const Input = z.object({
  version: z.literal([1, 3, 4]),
  operation: z.enum(OPERATION_NAMES),
  httpStatus: z.int(),
  /** One character for each byte. */
  body: z.string(),
  /** The call broke off instead: before any byte left, or after. */
  cut: z.enum(['before', 'after']).nullable(),
});
type Input = z.output<typeof Input>;

/** What the gateway, or whatever stands in its place, answers to any operation of any version. */
export const answers = defineTarget({
  name: 'answers',
  about: 'answers of the gateway, read by each version',
  goal: 5_000_000,
  input: Input,
  make,
  open: () => checkAnswer,
});

const KNOWN = { id: '2935500704606846987', bookId: '1001' };
const BODIES = corpus.map(({ version, operation, body }) => ({
  version,
  operation,
  text: body,
  bytes: Buffer.from(body).toString('latin1'),
}));
/** What each version can be asked, with what the sandbox answered to it. */
const ASKED = BODIES.filter(({ operation }) => isOperation(operation));
/** The sends among them, which matter most. */
const PAID = ASKED.filter(({ operation }) => isOperation(operation) && SENDS.has(operation));
const STATUSES = [201, 204, 301, 400, 401, 404, 421, 429, 500, 502, 503] as const;
const MAX_BYTES = 20_000;

function make(random: Random): Input {
  const among = random.chance(0.4) ? PAID : ASKED;
  const asked = among[random.int(0, among.length - 1)];
  const { version = 3, operation = 'send' } = asked ?? {};
  const from = random.chance(0.85) ? asked : BODIES[random.int(0, BODIES.length - 1)];
  const text = withMutations(random, from?.text ?? '', mutateJson, 3);
  const known = text === from?.text ? from.bytes : Buffer.from(text).toString('latin1');
  const bytes = random.chance(0.4) ? withMutations(random, known, mutateBytes, 3) : known;
  return {
    version: version === 1 || version === 4 ? version : 3,
    operation: isOperation(operation) ? operation : 'send',
    httpStatus: random.chance(0.9) ? 200 : random.pick(STATUSES),
    body: bytes.slice(0, MAX_BYTES),
    cut: random.chance(0.04) ? random.pick(['before', 'after']) : null,
  };
}

function withMutations(
  random: Random,
  from: string,
  mutate: (random: Random, text: string) => string,
  most: number,
): string {
  let text = from;
  for (let left = random.int(0, most); left > 0; left -= 1) text = mutate(random, text);
  return text;
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

const FAILURES: readonly [WireFailure, ...WireFailure[]] = ['timeout', 'reset', 'truncated', 'fence', 'dns'];
const STAGES: readonly [WireStage, ...WireStage[]] = ['dial', 'fence', 'request', 'answer', 'complete'];

let now: Input = { version: 3, operation: 'send', httpStatus: 200, body: '', cut: null };
const transport: Transport = {
  read: () => Promise.resolve({ httpStatus: now.httpStatus, body: Buffer.from(now.body, 'latin1') }),
  write: () => {
    if (now.cut === null)
      return Promise.resolve({
        kind: 'answered',
        answer: { httpStatus: now.httpStatus, body: Buffer.from(now.body, 'latin1') },
      });
    const reason = FAILURES[now.body.length % FAILURES.length] ?? 'timeout';
    const stage = STAGES[now.body.length % STAGES.length] ?? 'dial';
    return Promise.resolve({ kind: 'failed', stage, reason, bytesMayHaveLeft: now.cut === 'after' });
  },
  expect: () => undefined,
  close: () => Promise.resolve(),
};
const scrub = createScrubber([new Secret(KEY)]);
const ADAPTERS: Readonly<Record<1 | 3 | 4, Partial<Facets>>> = {
  1: createV1Adapter(createCalls({ version: 1, transport, scrub }), {}),
  3: createV3Adapter(createCalls({ version: 3, transport, scrub }), {}),
  4: createV4Adapter(createCalls({ version: 4, transport, scrub }), new Secret(KEY)),
};

async function checkAnswer(input: Input): Promise<string> {
  const first = await outcomeOf(input);
  must(isDeepStrictEqual(first, await outcomeOf(input)), 'the same answer was read in two ways');
  const { value, error } = first;
  if (error !== undefined) return checkError(input, error);
  return isSendAnswer(value) ? checkSend(input, value) : 'read';
}

async function outcomeOf(input: Input): Promise<{ value?: unknown; error?: unknown }> {
  now = input;
  try {
    const work = OPERATIONS[input.operation](ADAPTERS[input.version], KNOWN);
    must(work !== undefined, 'the version has no such operation');
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

function isSendAnswer(value: unknown): value is SendAnswer {
  return typeof value === 'object' && value !== null && 'outcome' in value;
}

/** Three kinds of errors, each in its own words, and no secret in any. */
function checkError({ operation, cut }: Input, error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  const { code, message, params } = error;
  must(!SENDS.has(operation), `a send threw ${code}`);
  must(
    code === 'gateway_refused' || code === 'gateway_unreadable' || code === 'gateway_no_answer',
    `the code was ${code}`,
  );
  if (cut === null) must(code !== 'gateway_no_answer', 'an answer came, and was called none');
  if (code !== 'gateway_refused' && params['mayHaveActed'] !== undefined)
    must(params['mayHaveActed'] === (cut !== 'before'), 'a change was called undone that may have been made');
  must(!`${message} ${JSON.stringify(params)}`.includes(KEY), 'the key was shown');
  return code;
}

function checkSend({ version, httpStatus, body, cut }: Input, answer: SendAnswer): string {
  const { outcome } = answer;
  must((outcome === 'not_sent') === (cut === 'before'), `${outcome} although the call was cut: ${cut}`);
  must(!JSON.stringify(answer).includes(KEY), 'the key was shown');
  if (outcome === 'unknown') {
    for (const { id } of answer.messageIds ?? []) must(/[1-9]/u.test(id), 'a trace without an id');
  }
  if (outcome === 'rejected') must(answer.code !== 0, 'success was called a refusal');
  if (outcome !== 'accepted') return outcome;
  must(cut === null && httpStatus >= 200 && httpStatus < 300, 'accepted without an answer');
  must(answer.messageIds.length > 0, 'accepted without an id');
  for (const { id } of answer.messageIds) {
    must(/^\d*[1-9]\d*$/u.test(id), `accepted with the id ${id}`);
    must(
      body.includes(id) || body.includes('\\u') || /\d[eE.]/u.test(body),
      `accepted with the id ${id}, which did not come`,
    );
  }
  checkWhole(version, body);
  return outcome;
}

/** What counts as accepted is a whole document by the runtime's own reader too, and its envelope says success. */
function checkWhole(version: number, body: string): void {
  const json: unknown = JSON.parse(
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'latin1')),
  );
  const envelope = z.object({ status: z.coerce.number() });
  const { status } = version === 1 ? envelope.parse(json) : z.object({ return: envelope }).parse(json).return;
  must(status === 200, `accepted with the status ${status}`);
}
