import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkOwner } from '../bench/people.ts';
import { fillYear } from '../bench/year-data.ts';
import { Secret } from '../src/domain/secret.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { projectFiles } from './support/project-files.ts';
import { readSource, readStatements } from './support/statements.ts';

/* What a chat has done since ever is found by an index, and not looked through, by whatever is asked for every day. */

/** The tables that have a row for each send, call, message or entry. */
const GROWING = new Set([
  'attempt',
  'audit',
  'call_report',
  'draft',
  'inbound',
  'job',
  'notice',
  'sent_number',
  'talk',
]);

/** What looks through one all the same: that is what it is for, or it is rare. */
const LOOKED_THROUGH: Readonly<Record<string, readonly string[]>> = {
  'a chat becomes a supergroup, or is linked to another account': [
    'people/identity-store.ts draft',
    'people/identity-store.ts job',
    'people/identity-store.ts notice',
    'sending/ended-binding.ts draft',
    'sending/ended-binding.ts job',
  ],
  'a chat can be reached again, or changes its limits': [
    'alerts/absence-store.ts attempt',
    'alerts/absence-store.ts job',
    'sending/limits-store.ts job',
  ],
  'a person is forgotten': ['forget.ts attempt', 'forget.ts draft', 'forget.ts job'],
  'a backup was brought back': [
    'restore/loss-store.ts job',
    'restore/restored-backup.ts attempt',
    'restore/restored-backup.ts audit',
    'restore/restored-backup.ts job',
  ],
  'the audit is proved': ['audit-chain.ts audit', 'purge/audit-steps.ts audit'],
  'received messages are searched for some words': ['inbox/inbound-reads.ts inbound'],
  'the first start of a release': ['reports/call-reports.ts job'],
  // What is found before is thought to be a good part of the table, and is next to nothing.
  'Postgres cannot tell': [
    'purge/send-steps.ts attempt',
    'purge/steps.ts notice',
    'sending/record-late.ts draft',
    'sending/record-late.ts job',
    'sending/resent-in.ts attempt',
  ],
};

/** Enough of each for Postgres to see what an index is worth. */
const YEAR = {
  small: 20_000,
  large: 0,
  received: 20_000,
  correspondents: 5000,
  entries: 20_000,
  told: 20_000,
  lapsed: 2000,
  updates: 1,
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ max: 1 });
  const masterKey = { kid: 'test', key: new Secret(randomBytes(32).toString('base64')) };
  const owner = await linkOwner({ database, masterKey }, 7_000_001, 'demo');
  const filling = openDatabase({ target: database.target, max: 1 });
  await fillYear(filling.sql, owner, YEAR);
  await filling.close();
  // Of a table that does not fit into memory a page costs the same wherever it stands.
  await database.sql`set seq_page_cost = 4`;
});

afterAll(() => database.close());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

test('no statement that runs every day looks through what grows', async () => {
  const sources = projectFiles('src/**/*.ts')
    .filter(({ path }) => !/\.test\.ts$|\/schema\.ts$|\/testing\.ts$/u.test(path))
    .map(({ path, text }) => readSource(path, text));
  const letThrough = new Set(Object.values(LOOKED_THROUGH).flat());
  const [found, used] = [new Set<string>(), new Set<string>()];
  let planned = 0;
  for (const { source, at, texts } of readStatements(sources).statements) {
    for (const text of texts) {
      const plan = await planOf(text);
      planned += Number(plan !== null);
      for (const table of lookedThrough(plan)) {
        const what = `${source.path.replace('src/storage/', '')} ${table}`;
        if (letThrough.has(what)) used.add(what);
        else found.add(`${what}: ${at}`);
      }
    }
  }
  expect([...found]).toEqual([]);
  expect(letThrough.difference(used)).toEqual(new Set());
  expect(planned).toBeGreaterThan(700);
});

/** Null: it is none that is planned, or is put together as the program runs. */
async function planOf(text: string): Promise<Plan | null> {
  try {
    const [row] = await database.sql
      .unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(`explain (generic_plan, format json) ${text}`)
      .simple();
    return row?.['QUERY PLAN'][0]?.Plan ?? null;
  } catch {
    return null;
  }
}

function lookedThrough(plan: Plan | null): string[] {
  if (plan === null) return [];
  const table = plan['Relation Name'] ?? '';
  const isWhole = plan['Node Type'] === 'Seq Scan' && GROWING.has(table);
  return [...(isWhole ? [table] : []), ...(plan.Plans ?? []).flatMap(lookedThrough)];
}
