import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardSays, draft, gatewaySaw, harm, linkedPeople, numbers, PATIENT, says } from '../support/story.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

const NAMES = [
  'Stuck',
  'Free',
  'Reader',
  'Other',
  'Flooder',
  'Calm',
  'Asker',
  'Quiet',
  'Crowd',
  'Alone',
] as const;

let world: World;
let people: Awaited<ReturnType<typeof linkedPeople<(typeof NAMES)[number]>>>;
beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 600 });
  people = await linkedPeople(world, NAMES);
});
afterAll(async () => {
  // Ends what still hangs.
  await world.sandbox.close();
  await world.stop();
});

test('while one account hangs in everything, another chat asks its credit and sends', async () => {
  const { person: stuck, account: hanging } = people.Stuck;
  const { person: free, account } = people.Free;
  const waiting = await draft(world, stuck, { to: '9124440001', text: 'will hang' });
  const { struck } = harm(world, hanging, { operation: undefined, kind: 'hang' });
  stuck.tap(waiting, '✅ Send');
  await struck();
  const { message_id: after } = stuck.send(stuck, '/credit');
  await struck(2);

  free.send(free, '/credit');
  await world.driver.waitForMessage(free, says('💰'), PATIENT);
  const card = await draft(world, free, { to: '9124440002', text: 'goes through' });
  free.tap(card, '✅ Send');
  await cardSays(world, card, '1 accepted');
  expect(gatewaySaw(world, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });

  // All of that has happened while the other chat still waited for both of its answers.
  const inOther = world.driver.messages(stuck).filter((m) => m.message_id > after && m.from?.is_bot === true);
  expect(inOther).toEqual([]);
  await cardSays(world, waiting, 'waiting for the gateway’s answer');
});

test('in the chat whose command hangs, a press is still answered and does its work', async () => {
  const { person, account } = people.Reader;
  const card = await draft(world, person, { to: '9124440003', text: 'pressed meanwhile' });
  const { struck } = harm(world, account, { operation: 'credit', kind: 'hang' });
  const { message_id: after } = person.send(person, '/credit');
  await struck();
  const query = person.tap(card, '✅ Send');
  expect((await world.driver.waitForAnswer(query, PATIENT)).text).toBeUndefined();
  await cardSays(world, card, '1 accepted');
  const told = world.driver.messages(person).filter((m) => m.message_id > after && m.from?.is_bot === true);
  expect(told).toEqual([]);
});

test('the person whose command hangs is told in the end, and the chat goes on', async () => {
  const { person, account } = people.Other;
  const { struck, heal } = harm(world, account, { operation: 'credit', kind: 'hang' });
  const { message_id: after } = person.send(person, '/credit');
  await struck();
  person.send(person, '/whoami');
  await world.driver.waitForMessage(person, says('did not answer in time'), { ...PATIENT, after });
  await world.driver.waitForMessage(person, says('owner'), { ...PATIENT, after });
  heal();
  person.send(person, '/credit');
  const credit = await world.driver.waitForMessage(person, says('💰'), { ...PATIENT, after });
  expect(credit.text).toContain('100,000,000');
});

test('an account with more hanging sends than there are slots for work leaves room for the others', async () => {
  const { person: flooder, account: hanging } = people.Flooder;
  const { person: calm, account } = people.Calm;
  const SENDS = 30;
  const { struck } = harm(world, hanging, { kind: 'hang' });
  // Confirmed in the database as a press does it, since a chat may be written to only so fast.
  const first = await draft(world, flooder, { to: '9124440004', text: 'one of many' });
  flooder.tap(first, '✅ Send');
  await struck();
  const { sql } = world.database;
  await sql.begin(async (tx) => {
    const [model] = await tx<{ draft: string; job: string }[]>`
      select d.id as draft, j.id as job from draft d join job j on j.draft_id = d.id where d.text = 'one of many'`;
    for (const [index, number] of numbers(SENDS, 5000).entries()) {
      await tx`
        with d as (
          insert into draft select (jsonb_populate_record(draft, jsonb_build_object('id', gen_random_uuid(),
            'code', ${`B${index}`}::text, 'source_update', ${-index}::bigint, 'card_message_id', null))).*
          from draft where id = ${model?.draft ?? ''} returning id
        ), j as (
          insert into job select (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid(),
            'draft_id', d.id, 'state', 'holding'))).* from job, d where job.id = ${model?.job ?? ''} returning id
        ), a as (
          insert into attempt (id, job_id, binding_id, chunk, payload_sha256, text_sha256, line, message_keys, recipients)
          select gen_random_uuid(), j.id, a.binding_id, a.chunk, a.payload_sha256, a.text_sha256, a.line,
            array[${number}::text], array[${`98${number}`}::text]
          from attempt a, j where a.job_id = ${model?.job ?? ''} returning job_id
        )
        select graphile_worker.add_job('send', json_build_object('jobId', job_id), job_key := 'send:' || job_id) from a`;
    }
  });
  await struck(2);
  const card = await draft(world, calm, { to: '9124440005', text: 'not held up' });
  calm.tap(card, '✅ Send');
  await cardSays(world, card, '1 accepted');
  expect(gatewaySaw(world, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
  expect(gatewaySaw(world, hanging).sends).toBe(0);
});

test('an account with more hanging reads than there are slots for work leaves room for the others', async () => {
  const { person: asker, account: hanging } = people.Asker;
  const { person: quiet, account } = people.Quiet;
  await draft(world, asker, { to: '9124440006', text: 'whose price is not known' });
  const { sql } = world.database;
  // What the draft itself has asked for is answered: it would hold one of the account's places.
  await until(async () => {
    expect(await sql`select 1 from graphile_worker.jobs where task_identifier = 'gauge'`).toEqual([]);
  });
  const { struck } = harm(world, hanging, { operation: undefined, kind: 'hang' });
  const READS = 60;
  await sql`
    update account_gauge set credit_at = now() - interval '1 day'
    where binding_id = (select binding_id from draft where text = 'whose price is not known')`;
  await sql`
    select graphile_worker.add_job('gauge', json_build_object('bindingId', binding_id), job_key := 'gauge:' || n)
    from draft, generate_series(1, ${READS}::int) as n where text = 'whose price is not known'`;
  await struck();
  const card = await draft(world, quiet, { to: '9124440007', text: 'not held up either' });
  quiet.tap(card, '✅ Send');
  await cardSays(world, card, '1 accepted');
  expect(gatewaySaw(world, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
  // One that is put off, since its account has no place for it, is held for a moment too. On a slow machine some have waited
  // long enough by now, and others take their places.
  await until(async () => {
    const [left] = await sql<{ all: number; runs: number }[]>`
      select count(*)::int as all, count(locked_at)::int as runs from graphile_worker.jobs where key like 'gauge:__' or key like 'gauge:_'`;
    expect(left?.runs).toBeLessThanOrEqual(2);
    expect(left?.all).toBeGreaterThan(READS / 2);
  });
});

test('a chat with more cards to be edited than there are slots for work, which Telegram lets nobody edit, leaves room for the others', async () => {
  const { person: crowd } = people.Crowd;
  const { person: alone, account } = people.Alone;
  await draft(world, crowd, { to: '9124440008', text: 'shown by many' });
  const fault = { method: 'editMessageText', match: { chat_id: crowd.id }, retry_after: 3600, times: 1000 };
  world.playground.control.fault(fault);
  const { sql } = world.database;
  // Copied before it is written down which message shows it, each would send one of its own.
  await until(async () => {
    expect(
      await sql`select 1 from draft where text = 'shown by many' and card_message_id is not null`,
    ).toHaveLength(1);
  });
  const CARDS = 40;
  await sql`
    with copies as (
      insert into draft select (jsonb_populate_record(draft, jsonb_build_object('id', gen_random_uuid(),
        'code', 'C' || n, 'source_update', -1000 - n))).* from draft, generate_series(1, ${CARDS}::int) as n
      where text = 'shown by many' returning id)
    select graphile_worker.add_job('card', json_build_object('draftId', id), job_key := 'card:' || id) from copies`;
  const mine = await draft(world, alone, { to: '9124440009', text: 'not held up by them' });
  alone.tap(mine, '✅ Send');
  await cardSays(world, mine, '1 accepted');
  expect(gatewaySaw(world, account)).toEqual({ calls: 1, sends: 1, recipients: 1 });
  // They wait in the queue, each for its time.
  await until(async () => {
    const [left] = await sql<{ run: number; wait: number }[]>`
      select count(locked_at)::int as run, (count(*) filter (where run_at > now() + interval '10 minutes'))::int as wait
      from graphile_worker.jobs where key in (select 'card:' || id from draft where text = 'shown by many')`;
    expect(left).toEqual({ run: 0, wait: CARDS });
  });
});
