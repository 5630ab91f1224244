import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Collector, type ExportedSpan, startCollector } from '../../test/support/collector.ts';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import { given } from '../../test/support/talk.ts';
import { AppError } from '../domain/errors.ts';
import { stampCorrelation } from '../ports/correlation.ts';
import { currentSpan, traceIn } from '../ports/tracer.ts';
import { startOtelTracer } from './otel-tracer.ts';

let collector: Collector;

beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

const start = (share = 1) =>
  startOtelTracer({
    traces: { endpoint: collector.endpoint, headers: null, serviceName: 'peyk', share },
    version: '1.2.3',
    roles: ['worker'],
    log: createMemoryLog(),
  });

const spanId = ({ parent }: { readonly parent: string }): string => parent.split('-')[2] ?? '';

function named(name: string): ExportedSpan[] {
  return collector.spans().filter((span) => span.name === name);
}

/** What a job that is asked for now is told. */
const asked = () => given(traceIn(stampCorrelation({ jobId: 'any' })) ?? undefined);

test('what looks after a send again and again links to the send each time, and what it asks for beside is its own', async () => {
  const tracer = start();
  const send = await tracer.span('part', 'send', {}, async () => asked());
  const look = async (stamp: typeof send) =>
    await tracer.job('look', { stamp, apart: true }, {}, async () => {
      await tracer.job('card', { stamp: asked(), apart: false }, {}, async () => undefined);
      return asked();
    });
  await look(await look(send));
  await tracer.stop();
  const looks = named('look');
  expect(looks.map(({ links }) => links.map((link) => link.spanId))).toEqual([
    [spanId(send)],
    [spanId(send)],
  ]);
  expect(new Set([...looks, ...named('send')].map(({ traceId }) => traceId)).size).toBe(3);
  expect(named('card').map(({ parentSpanId }) => parentSpanId)).toEqual(looks.map((each) => each.spanId));
});

test('a job that begins long after its trace has one of its own, with a link', async () => {
  const tracer = start();
  const press = await tracer.span('update', 'press', {}, async () => asked());
  const job = async (name: string, secondsAgo: number) => {
    const stamp = { ...press, since: press.since - secondsAgo };
    await tracer.job(name, { stamp, apart: false }, {}, async () => expect(asked().link).toBeUndefined());
  };
  await job('soon', 600);
  await job('late', 1200);
  await tracer.stop();
  expect(named('soon').map(({ parentSpanId }) => parentSpanId)).toEqual([spanId(press)]);
  expect(named('late').map(({ parentSpanId, links }) => [parentSpanId ?? '', links[0]?.spanId])).toEqual([
    ['', spanId(press)],
  ]);
});

test('what fails is told by its kind, never by its words, and thrown on', async () => {
  const tracer = start();
  const error = new AppError('gateway_refused', 'the words of 09121234567');
  await expect(tracer.span('call', 'fails', {}, () => Promise.reject(error))).rejects.toBe(error);
  await tracer.stop();
  const [span] = named('fails');
  expect(span?.status).toEqual({ code: 2 });
  expect(JSON.stringify(span?.attributes)).toContain('gateway_refused');
  expect(collector.received.map(({ body }) => String(body)).join('')).not.toContain('09121234567');
});

test('of a trace that is left out nothing leaves, in later processes neither, and no line of the log names it', async () => {
  const [first, second] = [start(0), start(1)];
  const stamp = await first.span('update', 'press', {}, async () => {
    expect(currentSpan()?.traceId).toBeNull();
    return asked();
  });
  await second.job('job', { stamp, apart: false }, {}, async () => undefined);
  await Promise.all([first.stop(), second.stop()]);
  expect(collector.received).toEqual([]);
});

test('whoever wants no traces loads nothing of what makes them', () => {
  const app = join(import.meta.dirname, '../app/app.ts');
  const program = `
    const { registerHooks } = await import('node:module');
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import(${JSON.stringify(app)});
    process.stdout.write(loaded.join('\\n'));`;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(loaded).toContain('/node_modules/grammy/');
  // The counters of the process bring the bare interface along.
  expect(loaded).not.toMatch(/@opentelemetry\/(?!api\/)/u);
});
