import { afterAll, expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/pace.ts';
import { DEFAULT_LIMITS } from '../../domain/limits.ts';
import { createPaceClocks, openPace } from './pace-in.ts';
import { openTestStorage } from '../testing.ts';

/* What counts against the pace of a send, by the rows of its calls. Whole days of it: test/scenario/paced-days.test.ts. */

const storage = await openTestStorage();
afterAll(async () => await storage.close());

const CLOCK = 10 * HOUR_MS;
const MINUTE_MS = 60_000;

interface Call {
  readonly state: string;
  readonly agoMs: number | null;
  readonly size?: number;
}

/** A send of ten an hour whose calls stand so: how long one for a single recipient waits, and what its calls passed by. */
async function waitAmong(calls: readonly Call[]) {
  const place = await storage.addPlace();
  const { jobId: other } = await storage.addRunningJob(place, { text: 'another send' });
  await storage.sql`update attempt set state = 'accepted' where job_id = ${other}`;
  const { jobId, draftId } = await storage.addRunningJob(place);
  await storage.sql`update job set pace_ms = ${CLOCK} where id = ${jobId}`;
  for (const [at, { state, agoMs, size = 1 }] of calls.entries())
    await storage.sql`
      insert into attempt (id, job_id, binding_id, chunk, state, pace_ms, payload_sha256, text_sha256, line, recipients)
      select gen_random_uuid(), job_id, binding_id, ${100 + at}, ${state}, ${agoMs === null ? null : CLOCK - agoMs}::bigint,
        payload_sha256, text_sha256, line, (array_fill('989121234567'::text, array[10]))[1:${size}]
      from attempt where job_id = ${jobId} and chunk < 100`;
  const payload = {
    outgoing: { kind: 'text' },
    line: '3000123456',
    text: 'Hello',
    flash: false,
    recipients: [],
  } as const;
  const pace = { perHour: 10, window: null };
  const clocks = createPaceClocks(() => 0);
  const of = { jobId, draftId, pace, limits: DEFAULT_LIMITS, room: null, payload, timeZone: 'UTC', clocks };
  const waitMs = await storage.sql.begin(async (tx) => {
    const gate = await openPace(tx, of);
    await gate.shut(HOUR_MS);
    return gate.wait(1);
  });
  const [untouched] = await storage.sql`
    select j.pace_ms as clock, j.pace_until as until, a.pace_ms as passed from job j join attempt a on a.job_id = j.id where j.id = ${other}`;
  expect(untouched).toEqual({ clock: null, until: null, passed: null });
  const passed = await storage.sql<{ ago: number | null }[]>`
    select (${CLOCK}::bigint - pace_ms)::float8 as ago from attempt where job_id = ${jobId} and chunk >= 100 order by chunk`;
  return { waitMs, passed: passed.map(({ ago }) => ago) };
}

test('a call has passed when it is first seen to be out, and one that may still be taken back has not', async () => {
  const { passed } = await waitAmong([
    { state: 'planned', agoMs: null },
    { state: 'reserved', agoMs: null },
    { state: 'on_wire', agoMs: null },
    { state: 'accepted', agoMs: null },
    { state: 'accepted', agoMs: 5 * MINUTE_MS },
  ]);
  expect(passed).toEqual([null, null, 0, 0, 5 * MINUTE_MS]);
});

test.each<[name: string, calls: readonly Call[], minutes: number]>([
  ['nothing', [], 0],
  [
    'one that is held passes now',
    [
      { state: 'accepted', agoMs: 2 * MINUTE_MS },
      { state: 'reserved', agoMs: null },
    ],
    6,
  ],
  ['one that is planned takes nothing', [{ state: 'planned', agoMs: null }], 0],
  ['one of two minutes ago', [{ state: 'accepted', agoMs: 2 * MINUTE_MS }], 4],
  [
    'one that has left all its recipients out takes nothing',
    [
      { state: 'rejected', agoMs: 0, size: 0 },
      { state: 'accepted', agoMs: 2 * MINUTE_MS },
    ],
    4,
  ],
  ['a whole hour’s worth of forty minutes ago', [{ state: 'accepted', agoMs: 40 * MINUTE_MS, size: 10 }], 20],
  ['what is an hour ago', [{ state: 'accepted', agoMs: HOUR_MS, size: 10 }], 0],
])('the next waits for what it has to: %s', async (_, calls, minutes) => {
  expect((await waitAmong(calls)).waitMs).toBe(minutes * MINUTE_MS);
});

test('the hours of a send are by the clocks of its own chat', async () => {
  for (let at = 0; at < 3; at += 1) {
    const { chat } = await storage.addPlace();
    await storage.sql`update chat set time_zone = 'Pacific/Kiritimati' where id = ${chat.id}`;
  }
  const place = await storage.addPlace();
  await storage.sql`update chat set time_zone = 'UTC' where id = ${place.chat.id}`;
  const { jobId, draftId } = await storage.addRunningJob(place);
  // An hour before now and one after it: on the other clocks it is fourteen hours later.
  const [now] = await storage.sql<{ minute: number }[]>`
    select extract(hour from at)::int * 60 + extract(minute from at)::int as minute from (select now() at time zone 'UTC' as at) as n`;
  const minute = now?.minute ?? 0;
  await storage.sql`
    update draft set pace_per_hour = 50, pace_from = ${(minute + 1380) % 1440}, pace_to = ${(minute + 60) % 1440}
    where id = ${draftId}`;
  expect((await storage.jobs.reserve(jobId, 'process-1')).ok).toBe(true);
});
