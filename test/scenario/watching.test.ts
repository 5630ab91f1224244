import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMetrics } from '../../src/http/metrics.ts';
import { createDriver } from '../../src/playground/control/driver.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { startFaultyProxy } from '../chaos/proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type PeykProcess, spawnPeyk } from '../support/peyk-process.ts';
import { readProjectFile } from '../support/project-files.ts';
import { readExposition, readPromql } from '../support/promql.ts';
import { draft, linkedPerson, PATIENT, says, until } from '../support/story.ts';

/* The dashboard and the alert rules, held against what a Peyk that has seen everything answers under /metrics. */

const target = z.object({
  expr: z.string(),
  legendFormat: z.string(),
  datasource: z.object({ uid: z.string() }),
});
const panel = z.object({
  id: z.int(),
  title: z.string(),
  type: z.string(),
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  targets: z.array(target).default([]),
});
const dashboard = z
  .object({
    uid: z.string(),
    schemaVersion: z.int(),
    templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.unknown() })) }),
    panels: z.array(panel),
  })
  .parse(JSON.parse(readProjectFile('docs/grafana/peyk.json')));
const alerts = [
  ...readProjectFile('docs/grafana/alerts.yaml').matchAll(/^ {6}- alert: (\w+)\n {8}expr: (.+)$/gm),
].map(([, name = '', expr = '']) => ({ name, expr }));
const page = readProjectFile('docs/watching.md');

/** What Prometheus puts on each series. */
const OF_THE_TARGET = ['instance', 'job'];

let metrics: ReturnType<typeof readExposition>;
let folder: string;
let peyk: PeykProcess;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-watching-'));
  const sandbox = await startSandbox({ deliverySeconds: 0.3 });
  const playground = await startPlayground();
  const driver = createDriver(playground);
  const database = await createTestDatabase();
  const { socketDir, port, user, database: name } = database.target;
  const wire = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
  closing.push(
    () => driver.close(),
    playground.close,
    sandbox.close,
    () => wire.close(),
    database.close,
  );
  const PORT = String(await freePort());
  peyk = spawnPeyk(
    {
      TELEGRAM_BOT_TOKEN: playground.token,
      TELEGRAM_API_ROOT: playground.apiRoot,
      GATEWAY_BASE_URL: sandbox.baseUrl,
      GATEWAY_WS_URL: sandbox.wsUrl,
      DATABASE_URL: `postgres://${user}@127.0.0.1:${wire.port}/${name}`,
      MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      UNDO_SECONDS: '0',
      PORT,
    },
    folder,
  );
  await peyk.line('this process leads');
  const stage = { driver, playground, sandbox };
  const { person, account } = await linkedPerson(stage, 'Sara');
  for (const fault of [
    { kind: 'drop', operation: 'credit' } as const,
    { kind: 'body', operation: 'latest', text: 'nothing of the interface' } as const,
    { kind: 'drop', operation: 'send', when: 'after' } as const,
  ])
    sandbox.faults.add({ account: account.username, ...fault });
  playground.control.fault({ method: 'sendMessage', code: 429, description: 'later', retry_after: 1 });
  // Of a subject that no reading of the credit is about, so that none ends it.
  await database.sql`
    insert into alarm (chat_id, account_id, kind, subject, level, facts)
    select chat_id, id, 'credit', 'stands', 1, '{}' from account`;
  person.send(person, '/credit');
  person.send(person, '/latest');
  person.tap(await draft(stage, person, { to: '09121234567', text: 'Hello' }), '✅ Send');
  person.send(person, '/nowhere');
  await driver.waitForMessage(person, says('I do not know /nowhere'), PATIENT);
  const odd = await oddCounts();
  await until(async () => {
    metrics = readExposition(odd + (await (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text()));
    expect(unseen()).toEqual([]);
  });
});
afterAll(async () => {
  await peyk.kill();
  for (const close of closing) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a person has to be at for a minute. */
async function oddCounts(): Promise<string> {
  const made = createMetrics({
    version: '0',
    roles: [],
    standing: async () => null,
    ready: async () => true,
    leads: () => null,
    clock: { monotonic: () => 0, sleep: async () => undefined },
  });
  made.metrics.limited('person', 'command');
  const { body } = await made.route({ method: 'GET', header: () => undefined, read: async () => null });
  return z.string().parse(body);
}

/** What does not come by itself, and is not there yet. */
function unseen(): string[] {
  const expected = [
    ...['no_answer', 'unreadable', 'unknown'].map((value) => [
      'gateway_call_seconds_count',
      'outcome',
      value,
    ]),
    ['alarms', 'kind', 'credit'],
    ['telegram_429_total', 'method', 'sendMessage'],
  ];
  return expected
    .filter(
      ([metric, label = '', value = '']) => metrics.get(`peyk_${metric}`)?.get(label)?.has(value) !== true,
    )
    .map((each) => each.join(' '));
}

/** What is asked for and is not there, in words. */
function missing(expression: string, legend = ''): string[] {
  const { selectors, labels } = readPromql(expression);
  const known = new Set(OF_THE_TARGET);
  const lacking: string[] = [];
  for (const { metric, matchers } of selectors) {
    const found = metric === 'up' ? new Map<string, ReadonlySet<string>>() : metrics.get(metric);
    if (found === undefined) {
      lacking.push(`no metric ${metric}`);
      continue;
    }
    for (const label of found.keys()) known.add(label);
    for (const { label, values } of matchers.filter(({ label }) => !OF_THE_TARGET.includes(label))) {
      const all = found.get(label);
      if (all === undefined) lacking.push(`${metric} has no label ${label}`);
      else
        lacking.push(
          ...values.filter((value) => !all.has(value)).map((value) => `${metric} has no ${label} ${value}`),
        );
    }
  }
  const told = [...legend.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = '']) => label);
  const kept = expression.includes('by (') ? new Set(labels) : known;
  lacking.push(...labels.filter((label) => !known.has(label)).map((label) => `no label ${label}`));
  lacking.push(...told.filter((label) => !kept.has(label)).map((label) => `the legend has no ${label}`));
  return lacking;
}

describe('the dashboard', () => {
  const shown = dashboard.panels.flatMap(({ title, targets }) => targets.map((each) => ({ title, ...each })));

  it('asks for metrics and labels that are there', () => {
    const lacking = shown.flatMap(({ title, expr, legendFormat }) =>
      missing(expr, legendFormat).map((what) => `${title}: ${what}`),
    );
    expect(lacking).toEqual([]);
    process.stdout.write(`${shown.length} expressions in ${dashboard.panels.length} panels\n`);
    expect(shown.length).toBeGreaterThan(40);
  });

  it('leaves out none of what Peyk itself counts', () => {
    const asked = new Set(
      shown.flatMap(({ expr }) => readPromql(expr).selectors.map(({ metric }) => seriesOf(metric))),
    );
    expect(own().filter((name) => !asked.has(name))).toEqual([]);
  });

  it('has one source that is chosen when it is opened, and panels that do not lie on each other', () => {
    const names = dashboard.templating.list.map(({ name }) => name);
    expect(names).toEqual(['datasource', 'job']);
    for (const { expr, datasource } of shown) {
      expect(datasource.uid).toBe('${datasource}');
      expect(expr, expr).toContain('job=~"$job"');
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...dashboard.panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });
});

describe('the alert rules', () => {
  it('ask for metrics and labels that are there', () => {
    expect(alerts.flatMap(({ name, expr }) => missing(expr).map((what) => `${name}: ${what}`))).toEqual([]);
    expect(alerts.length).toBe(readProjectFile('docs/grafana/alerts.yaml').match(/\balert:/g)?.length);
    expect(alerts.length).toBeGreaterThan(10);
  });

  it('are those of which the page on watching Peyk says what to do', () => {
    const section = /^## When an alarm rings\n([^]*?)^## /m.exec(page)?.[1] ?? '';
    const named = [...section.matchAll(/`(Peyk[A-Z]\w+)`/g)].map(([, name = '']) => name);
    expect(new Set(named)).toEqual(new Set(alerts.map(({ name }) => name)));
  });
});

describe('the page on watching Peyk', () => {
  it('names every metric of its own', () => {
    expect(own().filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });
});

describe('what reads PromQL here', () => {
  it('finds selectors, labels and values, and what is not there', () => {
    expect(readPromql('sum by (le) (rate(a_bucket{x=~"y|z", w!="v"}[5m])) / 2 > time() - b')).toEqual({
      selectors: [
        {
          metric: 'a_bucket',
          matchers: [
            { label: 'x', values: ['y', 'z'] },
            { label: 'w', values: ['v'] },
          ],
        },
        { metric: 'b', matchers: [] },
      ],
      labels: ['le'],
    });
    expect(() => readPromql('summ(a)')).toThrow('no such function: summ');
    expect(() => readPromql('a{b}')).toThrow('no matcher');
    expect(missing('peyk_absent')).toEqual(['no metric peyk_absent']);
    expect(missing('sum by (account) (peyk_accounts{chat="1"})')).toEqual([
      'peyk_accounts has no label chat',
      'no label account',
    ]);
    expect(missing('peyk_attempts{state="gone"}', '{{kind}}')).toEqual([
      'peyk_attempts has no state gone',
      'the legend has no kind',
    ]);
  });
});

/** Without what the library itself counts of the process. */
function own(): string[] {
  return [...new Set([...metrics.keys()].map(seriesOf))].filter(
    (name) => name.startsWith('peyk_') && !/^peyk_(process|nodejs)_/.test(name),
  );
}

/** A histogram has three series. */
function seriesOf(name: string): string {
  return name.replace(/_(bucket|count|sum)$/, '');
}
