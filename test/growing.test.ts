import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkOwner, seedOwners } from '../bench/people.ts';
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

/** What looks through one all the same, and in how many statements: that is what it is for, or it is rare. */
const LOOKED_THROUGH: Readonly<Record<string, readonly string[]>> = {
  'a chat becomes a supergroup, or is linked to another account': [
    'people/identity-store.ts draft 1',
    'people/identity-store.ts job 1',
    'people/identity-store.ts notice 1',
    'sending/ended-binding.ts draft 1',
    'sending/ended-binding.ts job 2',
  ],
  'a chat can be reached again, or changes its limits': [
    'alerts/absence-store.ts attempt 1',
    'alerts/absence-store.ts job 1',
    'sending/limits-store.ts job 1',
  ],
  'a person is forgotten': ['forget.ts attempt 2', 'forget.ts draft 2', 'forget.ts job 4'],
  'a backup was brought back': [
    'restore/loss-store.ts job 1',
    'restore/restored-backup.ts attempt 1',
    'restore/restored-backup.ts audit 1',
    'restore/restored-backup.ts job 3',
  ],
  'the audit is proved': ['audit-chain.ts audit 2', 'purge/audit-steps.ts audit 1'],
  'received messages are searched for some words': ['inbox/inbound-reads.ts inbound 1'],
  'the first start of a release': ['reports/call-reports.ts job 1'],
  // What is found before is thought to be a good part of the table, and is next to nothing.
  'Postgres cannot tell': [
    'purge/send-steps.ts attempt 1',
    'purge/steps.ts notice 1',
    'sending/record-late.ts draft 4',
    'sending/record-late.ts job 1',
    'sending/resent-in.ts attempt 1',
  ],
};

/** The tables that have a row for each chat, its account or its members. */
const OF_EACH_CHAT = new Set(['account', 'binding', 'chat', 'member']);

const OF_ALL_CHATS: Readonly<Record<string, readonly string[]>> = {
  'the start, and keys that are changed': [
    'app/storage.ts binding 1',
    'accounts/key-rotation.ts binding 1',
    'keys/foreign-seals.ts binding 1',
  ],
  'sweeps: what is due, and what an earlier release or a process that ended has left': [
    'accounts/account-store.ts account 4',
    'accounts/account-store.ts binding 1',
    'purge/audit-steps.ts chat 1',
    'purge/steps.ts binding 1',
    'sending/open-work.ts account 1',
  ],
  // Which of all keys a word of a message is, whether any key is kept, and who is of the same account.
  'all accounts are meant': [
    'accounts/binding-store.ts binding 2',
    'accounts/binding-store.ts chat 1',
    'accounts/gateway-user.ts binding 1',
  ],
  'the places that a new destination can be': ['inbox/destination-store.ts chat 1'],
  'a person is forgotten': ['forget.ts binding 1'],
  'a backup was brought back': ['restore/loss-store.ts chat 1', 'restore/restored-backup.ts chat 1'],
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

const sources = projectFiles('src/**/*.ts')
  .filter(({ path }) => !/\.test\.ts$|\/schema\.ts$|\/testing\.ts$/u.test(path))
  .map(({ path, text }) => readSource(path, text));

test('no statement that runs every day looks through what grows', async () => {
  expect(await faultsOf(GROWING, LOOKED_THROUGH)).toEqual([]);
});

test('no statement that runs for one chat looks through those of all', async () => {
  await seedOwners({ database }, 8_000_000, 5000);
  await database.sql`insert into account (chat_id, binding_id, name) select chat_id, id, 'demo' from binding where id not in (select binding_id from account)`;
  await database.sql`analyze`;
  expect(await faultsOf(OF_EACH_CHAT, OF_ALL_CHATS)).toEqual([]);
});

/** What looks through a table and is not listed, and what is listed and does not. */
async function faultsOf(
  tables: ReadonlySet<string>,
  through: Readonly<Record<string, readonly string[]>>,
): Promise<string[]> {
  const found = new Map<string, Set<string>>();
  let planned = 0;
  for (const { source, at, texts } of readStatements(sources).statements) {
    for (const text of texts) {
      const plan = await planOf(text);
      planned += Number(plan !== null);
      for (const table of lookedThrough(plan).filter((each) => tables.has(each))) {
        const what = `${source.path.replace(/^src\/(?:storage\/)?/u, '')} ${table}`;
        found.set(what, (found.get(what) ?? new Set()).add(at));
      }
    }
  }
  const told = [...found].map(([what, places]) => `${what} ${places.size}`);
  const listed = Object.values(through).flat();
  const places = (what: string): string => [...(found.get(what.replace(/ \d+$/u, '')) ?? [])].join(' ');
  if (planned < 700) throw new Error(`only ${planned} statements were planned`);
  return [
    ...told.filter((what) => !listed.includes(what)).map((what) => `${what}: ${places(what)}`),
    ...listed.filter((what) => !told.includes(what)).map((what) => `not so: ${what}`),
  ];
}

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
  return [...(plan['Node Type'] === 'Seq Scan' ? [table] : []), ...(plan.Plans ?? []).flatMap(lookedThrough)];
}
