import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dayText } from '../../src/domain/date-send.ts';
import { localTimeOf } from '../../src/domain/calendar.ts';
import { startFaultyProxy } from '../chaos/proxy.ts';
import { freePort } from '../support/free-port.ts';
import { spawnPeyk } from '../support/peyk-process.ts';
import { restart } from '../support/restart.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { until } from '../support/story.ts';
import { talkIn } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';

// Processes start.
const keyOf = (kid: string, byte: number): string => `${kid}:${Buffer.alloc(32, byte).toString('base64')}`;

test('a process is not ready while a credential is stored under a master key that it does not have, and says so', async () => {
  await using world = await startWorld();
  const talk = talkIn(world);
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = talk.account();
  await talk.connects(sara, { apiKey: account.apiKey });
  // One more, which another process has stored under a newer key.
  await world.database.sql`
    insert into binding (id, chat_id, state, credentials, kinds, prints, created_by)
    select gen_random_uuid(), chat_id, 'pending', overlay(credentials placing ${Buffer.from('next')} from 3), kinds, '{}', created_by
    from binding`;
  await world.app.stop();

  const { user, socketDir, port, database } = world.database.target;
  await using wire = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` }).then((proxy) =>
    Object.assign(proxy, { [Symbol.asyncDispose]: async () => await proxy.close() }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'peyk-ready-'));
  const readyWith = async (keys: string, answer: number): Promise<unknown> => {
    const httpPort = await freePort();
    await using peyk = spawnPeyk(
      {
        TELEGRAM_BOT_TOKEN: world.playground.token,
        TELEGRAM_API_ROOT: world.playground.apiRoot,
        GATEWAY_BASE_URL: world.sandbox.baseUrl,
        GATEWAY_WS_URL: world.sandbox.wsUrl,
        DATABASE_URL: `postgres://${user}@127.0.0.1:${wire.port}/${database}`,
        MASTER_KEYS: keys,
        PORT: String(httpPort),
        ROLES: 'worker',
      },
      folder,
    );
    await peyk.line('Peyk is running');
    let body: unknown;
    await until(async () => {
      const said = await fetch(`http://127.0.0.1:${httpPort}/readyz`);
      body = await said.json();
      expect(said.status).toBe(answer);
    });
    return body;
  };
  try {
    expect(await readyWith(keyOf('test', 7), 503)).toEqual({
      ready: false,
      reasons: ['keys: credentials are stored under a master key that this process does not have'],
    });
    expect(await readyWith(`${keyOf('next', 8)},${keyOf('test', 7)}`, 200)).toEqual({
      ready: true,
      reasons: [],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what comes due for an account that cannot be opened waits on its card, and leaves once when it can', async () => {
  await using world = await startWorld({}, { deliverySeconds: 0.3 });
  const { talk, ...on } = schedulesIn(world);
  const { owner, group, account } = await on.team();
  const { sql } = world.database;
  const card = await on.schedules(owner, group, 'tomorrow 10:00');
  const zone = 'Asia/Tehran';
  await sql`
    insert into contact (chat_id, number, name, fields, tags, set_by)
    select id, '989121234567', 'Sara', jsonb_build_object('birthday', ${dayText(localTimeOf(new Date(), zone))}::text), array['club'], 1
    from chat where telegram_id = ${group}`;
  const order = await talk.asks(owner, group, '/dates #club birthday 23:59 Dear {name}', 'Once it is on');
  await talk.presses(owner, order, '✅');
  await talk.turns(order, 'It is on.');
  const seal = async (kid: string) =>
    await sql`update binding set credentials = overlay(credentials placing ${Buffer.from(kid)} from 3)`;
  // A process that has opened it lately keeps it so; another one seals it under a key that this one does not have.
  await using started = await restart(world);
  expect(started.botUsername).toBe('PeykSandboxBot');
  await seal('gone');

  const list = await talk.asks(owner, group, '/dates', '1 send by date');
  await on.comes(group, 'A1');
  await sql`
    update date_send set minute = extract(hour from l.at)::int * 60 + extract(minute from l.at)::int,
      done_on = to_char(l.at - interval '1 day', 'YYYY-MM-DD')
    from (select now() at time zone ${zone} as at) as l`;
  await talk.turns(card, /0 of 2|2 not sent yet|waiting/u);
  await talk.hears(group, /waiting[^]*🎂 Sent by date/u, list.message_id);
  expect(talk.sends(account.username)).toEqual([]);
  expect(world.logs.filter((line) => line.includes('sweep failed'))).toEqual([]);

  await seal('test');
  await sql`update graphile_worker._private_jobs set run_at = now() where key like 'send:%' and locked_at is null`;
  await talk.turns(card, '2 delivered');
  await talk.hears(group, /1 delivered[^]*🎂 Sent by date/u, list.message_id);
  expect(
    talk
      .sends(account.username)
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual(['Dear Sara', 'Later']);
});
