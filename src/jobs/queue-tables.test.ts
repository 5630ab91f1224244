import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import { pgPoolConfig } from '../storage/database/database.ts';
import { prepareQueue } from './engine.ts';
import { QUEUE_SQL } from './queue-tables.ts';

/*
 * What is said to the library's own tables is written for one release of it. Another release, or another layout, is read
 * first: what a statement relies on may have gone without any error.
 */

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await prepareQueue(pgPoolConfig(database.target), createMemoryLog());
});

afterAll(() => database.close());

describe('the tables of the queue', () => {
  test('are those of the release that the statements were written for', () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(
        JSON.parse(
          readFileSync(new URL('../../node_modules/graphile-worker/package.json', import.meta.url), 'utf8'),
        ),
      );
    expect(version).toBe('0.18.0');
  });

  test('have the columns that they had', async () => {
    const rows = await database.sql<{ of: string; columns: string }[]>`
      select table_name as of, string_agg(column_name || ' ' || data_type, ', ' order by column_name) as columns
      from information_schema.columns where table_schema = 'graphile_worker' and table_name like '\\_private\\_%'
      group by table_name order by table_name`;
    expect(Object.fromEntries(rows.map(({ of, columns }) => [of, columns.split(', ')]))).toEqual(LAYOUT);
  });

  test('have the functions that they had', async () => {
    const rows = await database.sql<{ shape: string }[]>`
      select proname || '(' || pg_get_function_identity_arguments(oid) || ')' as shape
      from pg_proc where pronamespace = 'graphile_worker'::regnamespace and proname = any(${[...USED]}::text[]) order by 1`;
    expect(rows.map(({ shape }) => shape)).toEqual(FUNCTIONS);
  });

  test.each(Object.entries(QUEUE_SQL))('take what the engine says: %s', async (name, text) => {
    const prepared = await database.sql.unsafe(`prepare queue_${name.toLowerCase()} as ${text}`);
    expect(prepared.command).toBe('PREPARE');
  });
});

const USED = ['add_job', 'remove_job', 'complete_jobs', 'permanently_fail_jobs'];
const FUNCTIONS = [
  'add_job(identifier text, payload json, queue_name text, run_at timestamp with time zone, max_attempts integer, job_key text, priority integer, flags text[], job_key_mode text)',
  'complete_jobs(job_ids bigint[])',
  'permanently_fail_jobs(job_ids bigint[], error_message text)',
  'remove_job(job_key text)',
];
const LAYOUT = {
  _private_job_queues: [
    'id integer',
    'is_available boolean',
    'locked_at timestamp with time zone',
    'locked_by text',
    'queue_name text',
  ],
  _private_jobs: [
    'attempts smallint',
    'created_at timestamp with time zone',
    'flags jsonb',
    'id bigint',
    'is_available boolean',
    'job_queue_id integer',
    'key text',
    'last_error text',
    'locked_at timestamp with time zone',
    'locked_by text',
    'max_attempts smallint',
    'payload json',
    'priority smallint',
    'revision integer',
    'run_at timestamp with time zone',
    'task_id integer',
    'updated_at timestamp with time zone',
  ],
  _private_known_crontabs: [
    'identifier text',
    'known_since timestamp with time zone',
    'last_execution timestamp with time zone',
  ],
  _private_tasks: ['id integer', 'identifier text'],
};
