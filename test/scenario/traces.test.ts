import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScanner } from '../canary/scanner.ts';
import { type BadDay, startBadDay } from '../support/bad-day.ts';
import { type Collector, type ExportedSpan, startCollector, valueOf } from '../support/collector.ts';
import { freePort } from '../support/free-port.ts';
import { cardSays, draft, gatewaySaw, linkedPerson, until } from '../support/story.ts';

/* One trace from a press to the call at the gateway, over the processes between, and what becomes of sends where nobody takes traces. */

const COLLECTOR_KEY = 'collector-key-5d1f0a77c2';
const NAME = 'Shahrzad Mohandesi';
const TEXT = 'Your parcel waits at the counter';
const NUMBER = '09121234567';

let day: BadDay;
let collector: Collector;

beforeAll(async () => {
  day = await startBadDay({ deliverySeconds: 0.3 });
  collector = await startCollector();
});
afterAll(async () => {
  await collector.close();
  await day.close();
});

/** Somebody sends something, and it is delivered. */
async function sendsOnce(text: string) {
  const { person, account } = await linkedPerson(day, NAME);
  const card = await draft(day, person, { to: NUMBER, text });
  person.tap(card, '✅ Send');
  await cardSays(day, card, 'delivered');
  expect(gatewaySaw(day, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
  return { person, account };
}

test('a press, the job that it makes and the call at the gateway are one trace, over both processes, and say nothing of what was sent', async () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${COLLECTOR_KEY}`,
    LOG_LEVEL: 'debug',
  };
  await using bot = (await day.start({ ...settings, ROLES: 'bot' })).peyk;
  await using worker = (await day.start({ ...settings, ROLES: 'worker' })).peyk;
  await bot.line('this process leads');
  const { person, account } = await sendsOnce(TEXT);
  // What has not gone out by now does when they end.
  expect([await bot.stop(), await worker.stop()]).toEqual([0, 0]);

  const spans = collector.spans();
  const above = ({ traceId, parentSpanId }: ExportedSpan) =>
    spans.find((span) => span.traceId === traceId && span.spanId === parentSpanId);
  const chainOf = (span: ExportedSpan | undefined): ExportedSpan[] =>
    span === undefined ? [] : [...chainOf(above(span)), span];
  const calls = spans.filter(({ events }) => events.some(({ name }) => name === 'fenced'));
  expect(calls).toHaveLength(1);
  const chain = chainOf(calls[0]);
  expect(chain.map(({ name, pid }) => [name, pid])).toEqual([
    ['update press', bot.pid],
    ['action draft.confirm', bot.pid],
    ['job send', worker.pid],
    ['gateway send', worker.pid],
  ]);
  expect(chain[0]?.parentSpanId ?? '').toBe('');
  const [update, , job, call] = chain;
  expect(call?.events.map(({ name }) => name)).toEqual(['connected', 'fenced', 'answered']);
  expect(call && valueOf(call, 'peyk.outcome')).toBe('accepted');
  expect(job?.events.map(({ name }) => name)).toEqual(expect.arrayContaining(['reserved', 'recorded']));
  // A child has its parent, but for what asked: nothing hangs in the air.
  for (const span of spans)
    if ((span.parentSpanId ?? '') !== '') expect(above(span)?.name).toBeTypeOf('string');
  expect(spans.filter(({ name }) => name.startsWith('telegram ')).length).toBeGreaterThan(0);

  // Each look for delivery is a trace of its own that names the send.
  const looks = spans.filter(({ name }) => name === 'job track');
  expect(looks.length).toBeGreaterThan(0);
  for (const { traceId, parentSpanId = '', links } of looks) {
    expect(parentSpanId).toBe('');
    expect(traceId).not.toBe(update?.traceId);
    expect(links.map((link) => [link.traceId, link.spanId])).toEqual([[job?.traceId, job?.spanId]]);
  }

  // From the log to the trace.
  const ended = worker.lines.find((line) => line.includes('a send call ended')) ?? '{}';
  expect(JSON.parse(ended)).toMatchObject({
    trace: update?.traceId,
    update: Number(update && valueOf(update, 'peyk.update')),
    attempt: call && valueOf(call, 'peyk.attempt'),
  });

  const scanner = createScanner({
    'bot token': day.playground.token,
    'API key': account.apiKey,
    'collector key': COLLECTOR_KEY,
    'master key': Buffer.alloc(32, 7).toString('base64'),
    line: account.line,
    recipient: NUMBER.slice(1),
    text: TEXT,
    name: NAME,
    account: `${account.username} of the gateway`,
  });
  for (const [at, { head, body }] of collector.received.entries()) {
    scanner.scan('head', String(at), head, new Set(['collector key']));
    scanner.scan('traces', String(at), body);
  }
  expect(scanner.hits).toEqual([]);
  expect(scanner.searched.get('traces')?.bytes).toBeGreaterThan(10_000);
  const sent = Buffer.concat(collector.received.map(({ body }) => body)).toString('utf8');
  for (const word of [account.username, String(person.id), new URL(day.sandbox.baseUrl).host])
    expect(sent).not.toContain(word);
  for (const line of [...bot.lines, ...worker.lines]) expect(line).not.toContain(COLLECTOR_KEY);
});

test('a collector that hangs, and one that is not there, hold up no send and no end of a process', async () => {
  const hanging = await startCollector('hangs');
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  await using bot = (await day.start({ OTEL_EXPORTER_OTLP_ENDPOINT: hanging.endpoint, ROLES: 'bot' })).peyk;
  await using worker = (await day.start({ OTEL_EXPORTER_OTLP_ENDPOINT: nowhere, ROLES: 'worker' })).peyk;
  await bot.line('this process leads');
  await sendsOnce('Nobody takes the traces of this');
  await worker.line('traces were not taken by the collector');
  await until(() => expect(hanging.received.length).toBeGreaterThan(0));
  expect([await bot.stop(), await worker.stop()]).toEqual([0, 0]);
  await hanging.close();
});
