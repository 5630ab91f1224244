import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spellingsOf } from '../../src/domain/secret-spellings.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { startFaultyProxy, type FaultyProxy } from '../chaos/proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { spawnPeyk } from '../support/peyk-process.ts';
import { runTool } from '../support/run-tool.ts';
import { talkIn } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

/* `peyk doctor`, as an operator runs it: beside a Peyk that works, and in each situation in which one would not start. */

const PASSWORD = 'a-password-that-nobody-sees';
const WEBHOOK_SECRET = 'a-secret-of-the-webhook-that-nobody-sees';
const KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');
const HOUR_AHEAD = '--import data:text/javascript,Date.now=((now)=>()=>now()+3600000)(Date.now)';

type Settings = Readonly<Record<string, string>>;

let folder: string;
let world: World;
let wire: FaultyProxy;
let base: Settings;
let httpPort: number;
const servers: Server[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-doctor-'));
  httpPort = await freePort();
  world = await startWorld({}, { http: { host: '127.0.0.1', port: httpPort } });
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const talk = talkIn(world);
  await talk.connects(sara, { apiKey: talk.account().apiKey });
  const { socketDir, port } = world.database.target;
  wire = await startFaultyProxy({ path: `${socketDir}/.s.PGSQL.${port}` });
  base = {
    TELEGRAM_BOT_TOKEN: world.playground.token,
    TELEGRAM_API_ROOT: world.playground.apiRoot,
    GATEWAY_BASE_URL: world.sandbox.baseUrl,
    GATEWAY_WS_URL: world.sandbox.wsUrl,
    DATABASE_URL: urlOf(world.database.target),
    MASTER_KEYS: `test:${KEY}`,
    PORT: String(await freePort()),
  };
});
afterAll(async () => {
  for (const server of servers) server.close();
  await world.stop();
  await wire.close();
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = ({ user, database }: { readonly user: string; readonly database: string }): string =>
  `postgres://${user}:${PASSWORD}@127.0.0.1:${wire.port}/${database}`;

/** Its exit code and its lines; none has a secret in any spelling. */
async function examine(
  settings: Settings,
): Promise<{ readonly code: unknown; readonly lines: readonly string[] }> {
  const { code, text } = await runTool(['doctor'], settings, folder);
  const secrets = [PASSWORD, WEBHOOK_SECRET, KEY, OTHER_KEY, settings['TELEGRAM_BOT_TOKEN'] ?? PASSWORD];
  for (const spelling of secrets.flatMap((each) => spellingsOf(each))) expect(text).not.toContain(spelling);
  const lines = text.split('\n').map((line) => line.replaceAll(/ {2,}/gu, ' '));
  return { code, lines: lines.filter((line) => /^[✓!✗] /u.test(line)) };
}

/** Something else than a gateway, or a gateway by another clock. */
async function answering(
  body: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });
  servers.push(server);
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Takes every connection and says nothing. Gives the port. */
async function silent(): Promise<number> {
  const server = createTcpServer((socket) => void socket.on('error', () => undefined).resume());
  servers.push(server);
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return (server.address() as AddressInfo).port;
}

const without = (name: string): Settings =>
  Object.fromEntries(Object.entries(base).filter(([each]) => each !== name));

test('beside a Peyk that works all is well, nothing is changed, and Telegram is only asked', async () => {
  const standing = async () =>
    await world.database.sql`select (select count(*)::int from process) as processes,
      (select count(*)::int from audit) as audit, (select count(*)::int from drizzle.__drizzle_migrations) as migrations`;
  const before = await standing();
  const heard = () =>
    world.driver
      .calls()
      .map(({ method }) => method)
      .filter((method) => method !== 'getUpdates');
  const calls = heard().length;
  const { code, lines } = await examine({ ...base, PORT: String(httpPort) });
  const at = `127.0.0.1:${wire.port}`;
  expect(lines).toEqual([
    '✓ settings a bot token, long polling, roles bot, worker, poller.',
    expect.stringMatching(`^✓ database Postgres \\d+\\.\\d+ at ${at} answers and takes writes\\.$`),
    expect.stringMatching(/^✓ tables up to date, \d+ migrations\.$/u),
    '✓ master key test and what is stored fit.',
    `✓ Telegram ${new URL(world.playground.apiRoot).host} answers, and the token is that of @${world.app.botUsername}.`,
    expect.stringMatching(/^✓ updates asked for by long polling; \d+ wait\.$/u),
    '✓ groups privacy mode is on: it sees commands and replies, and where it is an administrator everything.',
    `✓ port ${httpPort} of 127.0.0.1 is that of a Peyk that runs.`,
    `✓ gateway ${new URL(world.sandbox.baseUrl).host} answers as version 3 does; accounts are not looked at.`,
    `✓ gateway ${new URL(world.sandbox.wsUrl).host} answers as version 1 does; accounts are not looked at.`,
    '✓ clock within 5 s of the database, Telegram, the gateway.',
  ]);
  expect(code).toBe(0);
  expect(await standing()).toEqual(before);
  expect(heard().slice(calls)).toEqual(['getMe', 'getWebhookInfo']);
  expect(readdirSync(folder)).toEqual([]);
});

describe('a start that would fail ends with its exit code, and its line says what to do', () => {
  test.each<readonly [string, () => Promise<Settings> | Settings, number, RegExp]>([
    [
      'a setting that is wrong',
      () => ({ ...base, PORT: 'none' }),
      78,
      /^✗ settings PORT: must be a whole number/u,
    ],
    [
      'a token that nobody gave out',
      () => ({ ...base, TELEGRAM_BOT_TOKEN: '7700000001:abcdefghijklmnopqrstuvwxyz012345678' }),
      78,
      /^✗ Telegram TELEGRAM_BOT_TOKEN: Telegram does not know this bot token\.$/u,
    ],
    [
      'no Telegram',
      () => ({ ...base, TELEGRAM_API_ROOT: 'http://127.0.0.1:9' }),
      69,
      /^✗ Telegram no answer from 127\.0\.0\.1:9: the connection is refused: .* is TELEGRAM_API_ROOT right/u,
    ],
    [
      'no proxy',
      () => ({ ...base, PROXY_URL: `http://somebody:${PASSWORD}@127.0.0.1:9` }),
      69,
      /^✗ proxy nothing answers at 127\.0\.0\.1:9\. Is PROXY_URL right/u,
    ],
    [
      'no database',
      () => ({ ...base, DATABASE_URL: `postgres://peyk:${PASSWORD}@127.0.0.1:9/peyk` }),
      69,
      /^✗ database the database at 127\.0\.0\.1:9: nothing listens there \(ECONNREFUSED\)\. Start it, or mend DATABASE_URL\.$/u,
    ],
    [
      'a database that takes the connection and never answers',
      async () => ({ ...base, DATABASE_URL: `postgres://peyk:${PASSWORD}@127.0.0.1:${await silent()}/peyk` }),
      69,
      /^✗ database the database at 127\.0\.0\.1:\d+: no answer in time/u,
    ],
    [
      'no database of that name',
      () => ({ ...base, DATABASE_URL: urlOf({ user: world.database.target.user, database: 'none' }) }),
      78,
      /^✗ database .*: it has no database of that name \(3D000\)/u,
    ],
    [
      'another master key under the same name',
      () => ({ ...base, MASTER_KEYS: `test:${OTHER_KEY}` }),
      78,
      /^✗ master key MASTER_KEYS: accounts are sealed under another key than these; add it behind the newest one\.$/u,
    ],
    [
      'a port that another program has',
      async () => ({ ...base, PORT: new URL(await answering('{}', {})).port }),
      78,
      /^✗ port PORT: another program has port \d+ of 127\.0\.0\.1 already: end that one, or set another port\.$/u,
    ],
    [
      'a folder for the data that cannot be made',
      () => {
        const file = join(folder, 'file');
        writeFileSync(file, '');
        return { ...without('DATABASE_URL'), DATA_DIR: join(file, 'data') };
      },
      78,
      /^✗ data .*file\/data cannot be made: .*file is no folder that can be written by this user\. Give it to the user, or set DATA_DIR/u,
    ],
    [
      'a master key that others can read',
      () => {
        const data = join(folder, 'open');
        mkdirSync(data, { recursive: true });
        writeFileSync(join(data, 'master.key'), `k1:${OTHER_KEY}\n`);
        chmodSync(join(data, 'master.key'), 0o644);
        return { DATA_DIR: data };
      },
      78,
      /^✗ database .*master\.key can be read by others: chmod 600 it/u,
    ],
  ])('%s', async (_title, settingsOf, exitCode, line) => {
    const { code, lines } = await examine(await settingsOf());
    expect(lines.filter((each) => each.startsWith('✗'))).toContainEqual(expect.stringMatching(line));
    expect(code).toBe(exitCode);
  });

  test('a newer Peyk that has taken something away; one that has only added does not matter', async () => {
    const { sql } = world.database;
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 99999999999999)`;
    const added = await examine(base);
    expect(added.lines).toContain('✓ tables a newer Peyk has added to them (1); this one can work on them.');
    expect(added.code).toBe(0);
    await sql`insert into drizzle.peyk_contracts (created_at) values (99999999999999)`;
    const taken = await examine(base);
    expect(taken.lines).toContainEqual(
      expect.stringMatching(/^✗ tables a newer Peyk has changed this database/u),
    );
    expect(taken.code).toBe(78);
    await sql`delete from drizzle.peyk_contracts where created_at = 99999999999999`;
    await sql`delete from drizzle.__drizzle_migrations where created_at = 99999999999999`;
  });

  test('an empty database, and a user who may make nothing in it', async () => {
    const empty = await createTestDatabase({ empty: true });
    const role = `${empty.target.database}_guest`;
    const first = await examine({ ...base, DATABASE_URL: urlOf(empty.target) });
    expect(first.lines).toContain('✓ tables none yet: the start makes them.');
    expect(first.lines).toContain('✓ master key test; nothing is stored under any yet.');
    expect(first.code).toBe(0);
    await empty.sql`create role ${empty.sql(role)} login`;
    const guest = await examine({ ...base, DATABASE_URL: urlOf({ ...empty.target, user: role }) });
    expect(guest.lines).toContainEqual(
      expect.stringMatching(
        /^✗ tables \d+ migrations wait, and the user in DATABASE_URL may not make any: grant it/u,
      ),
    );
    expect(guest.code).toBe(1);
    expect(await empty.sql`select 1 from pg_namespace where nspname = 'drizzle'`).toEqual([]);
    await empty.sql`drop role ${empty.sql(role)}`;
    await empty.close();
  });
});

describe('what does not keep Peyk from running is pointed at, and ends with 0', () => {
  test.each<readonly [string, () => Promise<Settings> | Settings, RegExp]>([
    [
      'no gateway',
      () => ({ ...base, GATEWAY_BASE_URL: 'http://127.0.0.1:9' }),
      /^! gateway no answer from 127\.0\.0\.1:9: nothing listens there\. .*is GATEWAY_BASE_URL right\?$/u,
    ],
    [
      'a page in place of the gateway',
      async () => ({ ...base, GATEWAY_WS_URL: await answering('<html>Hello</html>', {}) }),
      /^! gateway .* answers with HTTP 200 and something that no gateway says \(not_json\)\. Is GATEWAY_WS_URL the address of its version 1\?$/u,
    ],
    [
      'a gateway in trouble',
      async () => ({
        ...base,
        GATEWAY_BASE_URL: await answering('{"return":{"status":500,"message":"no"}}', {}, 500),
      }),
      /^! gateway .* answers as version 3 does, and is in trouble itself \(HTTP 500\)\.$/u,
    ],
    [
      'a gateway that is an hour behind',
      async () => ({
        ...base,
        GATEWAY_BASE_URL: await answering('{"return":{"status":412,"message":"no"}}', {
          date: new Date(Date.now() - 3_600_000).toUTCString(),
        }),
      }),
      /^! clock this machine is 3(?:599|6\d\d) s ahead of the gateway\. Have time synchronisation/u,
    ],
    [
      'a clock of this machine that is an hour ahead',
      () => ({ ...base, NODE_OPTIONS: HOUR_AHEAD }),
      /^! clock this machine is 3(?:599|6\d\d) s ahead of the database, 3\d+ s ahead of Telegram, 3\d+ s ahead of the gateway/u,
    ],
  ])('%s', async (_title, settingsOf, line) => {
    const { code, lines } = await examine(await settingsOf());
    expect(lines.filter((each) => each.startsWith('!'))).toEqual([expect.stringMatching(line)]);
    expect(code).toBe(0);
  });

  test('migrations that wait, and a user who could not apply the next ones', async () => {
    const { sql, target } = world.database;
    const newest = await sql<{ id: number; hash: string; created_at: string }[]>`
      delete from drizzle.__drizzle_migrations
      where id = (select max(id) from drizzle.__drizzle_migrations) returning id, hash, created_at`;
    const older = await examine(base);
    for (const row of newest) await sql`insert into drizzle.__drizzle_migrations ${sql(row)}`;
    expect(older.lines).toContain('! tables the start applies 1 migrations. Take a backup before.');

    const guest = `${target.database}_guest`;
    await sql`create role ${sql(guest)} login in role pg_read_all_data, pg_write_all_data`;
    const bare = await examine({ ...base, DATABASE_URL: urlOf({ ...target, user: guest }) });
    const notAny =
      'the user in DATABASE_URL may not make any: grant it CREATE on the database and on its schema';
    expect(bare.lines).toContain(`! tables up to date; for the next upgrade ${notAny}.`);
    await sql`grant create on database ${sql(target.database)} to ${sql(guest)}`;
    await sql`grant create on schema public to ${sql(guest)}`;
    const granted = await examine({ ...base, DATABASE_URL: urlOf({ ...target, user: guest }) });
    expect(granted.lines).toContainEqual(
      expect.stringMatching(
        /^! tables up to date; for the next upgrade \d+ of them belong to another user: /u,
      ),
    );
    await sql`drop owned by ${sql(guest)}`;
    await sql`drop role ${sql(guest)}`;
    expect([older.code, bare.code, granted.code]).toEqual([0, 0, 0]);
  });

  test('updates that Telegram could not bring; and where privacy mode is off the bot sees all', async () => {
    await using telegram = await emulator();
    const own = { WEBHOOK_URL: 'http://127.0.0.1:9/updates', WEBHOOK_SECRET };
    await telegram.ask('setWebhook', { url: own.WEBHOOK_URL });
    const { control, botUsername } = telegram;
    control.privacy({ enabled: false });
    const sara = control.user({ first_name: 'Sara' });
    control.start({ user_id: sara.id, bot: botUsername });
    await until(async () =>
      expect(await telegram.ask('getWebhookInfo', {})).toMatchObject({
        result: { pending_update_count: 1, last_error_date: expect.any(Number) as number },
      }),
    );
    const { code, lines } = await examine({ ...base, ...telegram.settings, ...own });
    expect(lines).toContain(
      '! updates Telegram could not bring updates here of late; 1 wait. Look at the proxy before Peyk, and whether a Peyk runs behind it.',
    );
    expect(lines).toContain('✓ groups privacy mode is off: it sees all that is written in its groups.');
    expect(code).toBe(0);
  });

  test('a webhook that somebody else has set, which stays where it is', async () => {
    await using telegram = await emulator();
    const elsewhere = 'http://127.0.0.1:9/of-others';
    await telegram.ask('setWebhook', { url: elsewhere });
    const polling = await examine({ ...base, ...telegram.settings });
    expect(polling.lines).toContainEqual(
      expect.stringMatching(
        /^! updates a webhook leads to 127\.0\.0\.1:9, and the start takes it away\. .*take the updates/u,
      ),
    );
    const own = { WEBHOOK_URL: 'http://127.0.0.1:8/updates', WEBHOOK_SECRET };
    const moved = await examine({ ...base, ...telegram.settings, ...own });
    expect(moved.lines).toContainEqual(
      expect.stringMatching(/^! updates they are brought to 127\.0\.0\.1:9, /u),
    );
    expect([polling.code, moved.code]).toEqual([0, 0]);
    expect(await telegram.ask('getWebhookInfo', {})).toMatchObject({ result: { url: elsewhere } });
    await telegram.ask('setWebhook', { url: own.WEBHOOK_URL });
    const right = await examine({ ...base, ...telegram.settings, ...own });
    expect(right.lines).toContain('✓ updates brought to WEBHOOK_URL; 0 wait.');
  });
});

test('on the embedded database it works beside a Peyk in try mode, and starts the server where none runs', async () => {
  const settings = { DATA_DIR: join(folder, 'data'), PORT: '0' };
  const none = await examine(settings);
  expect(none.lines).toContain('✓ database none yet: the first start makes it in DATA_DIR.');
  expect(readdirSync(folder)).not.toContain('data');
  await using peyk = spawnPeyk(settings, folder);
  await peyk.line('Ctrl-C');
  const beside = await examine(settings);
  expect(beside.lines[0]).toContain('so this is try mode');
  expect(beside.lines).toContainEqual(
    expect.stringMatching(
      /^✓ database Postgres \S+ in DATA_DIR, where a Peyk runs answers and takes writes\.$/u,
    ),
  );
  expect(await peyk.stop()).toBe(0);
  const alone = await examine(settings);
  expect(alone.lines).toContainEqual(
    expect.stringMatching(/^✓ database Postgres \S+ in DATA_DIR answers and takes writes\.$/u),
  );
  expect([none.code, beside.code, alone.code]).toEqual([0, 0, 0]);
});

async function emulator() {
  const { token, apiRoot, control, botUsername, close } = await startPlayground({ webhookRetryMs: 100 });
  return {
    control,
    botUsername,
    settings: { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot },
    async ask(method: string, body: object): Promise<unknown> {
      const answer = await fetch(`${apiRoot}/bot${token}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return await answer.json();
    },
    [Symbol.asyncDispose]: async () => await close(),
  };
}
