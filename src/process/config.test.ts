import { inspect } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { describeConfigMistakes, loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { AppError, isAppError } from '../domain/errors.ts';

type Env = Record<string, string | undefined>;

const KEY_1 = Buffer.alloc(32, 1).toString('base64');
const KEY_2 = Buffer.alloc(32, 2).toString('base64');

const REAL = {
  TELEGRAM_BOT_TOKEN: '123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw-',
  GATEWAY_BASE_URL: 'https://gateway.example.com/',
  GATEWAY_WS_URL: 'https://ws.example.com/path/',
};

const NAMES = [
  'TELEGRAM_BOT_TOKEN',
  'TELEGRAM_API_ROOT',
  'PROXY_URL',
  'PROXY_GATEWAY',
  'DATABASE_URL',
  'DATA_DIR',
  'GATEWAY_BASE_URL',
  'GATEWAY_WS_URL',
  'GATEWAY_VERSIONS',
  'GATEWAY_PRIVATE_NETWORK',
  'GATEWAY_V1_PLAIN',
  'MASTER_KEYS',
  'WEBHOOK_URL',
  'WEBHOOK_SECRET',
  'HOST',
  'PORT',
  'ROLES',
  'OWNER_IDS',
  'ACCESS',
  'DEFAULT_LANG',
  'DEFAULT_TZ',
  'LOG_LEVEL',
  'LOG_PRETTY',
  'ALLOW_INSPECTOR',
  'INBOX_POLL_SECONDS',
  'CREDIT_POLL_SECONDS',
  'STATUS_POLL_SECONDS',
  'UNDO_SECONDS',
  'KEEP_SENDS_DAYS',
  'KEEP_INBOX_DAYS',
  'KEEP_AUDIT_DAYS',
  'KEEP_OTHER_DAYS',
  'RATE_LIMIT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER_ARG',
];

const DEFAULTS: Config = {
  mode: 'try',
  telegram: { token: null, apiRoot: null, webhook: null },
  proxy: null,
  database: { url: null, dataDir: './data' },
  gateway: { baseUrl: null, wsUrl: null, versions: [3, 4, 1], isPrivateNetwork: false, isV1Plain: false },
  masterKeys: [],
  http: { host: '127.0.0.1', port: 8080 },
  allowInspector: false,
  roles: ['bot', 'worker', 'poller'],
  ownerIds: [],
  access: 'open',
  rateLimit: 1,
  defaultLocale: 'en',
  defaultTimeZone: 'Asia/Tehran',
  log: { level: 'info', pretty: null },
  traces: null,
  pacing: { inboxPollSeconds: 0.5, creditPollSeconds: 300, statusPollSeconds: 5, undoSeconds: 10 },
  keep: { sends: 400, inbox: 400, audit: 1100, other: 90 },
};

describe('settings', () => {
  it('may all be absent: that is try mode', () => {
    expect(loadConfig({})).toEqual(DEFAULTS);
    expect(loadConfig(REAL).pacing.inboxPollSeconds).toBe(15);
  });

  it('count as absent when empty, and unknown ones are ignored', () => {
    const empty = Object.fromEntries(NAMES.map((name) => [name, '  ']));
    expect(loadConfig({ ...empty, PATH: '/bin', TELEGRAM_TOKEN: 'x', __proto__: 'x' })).toEqual(DEFAULTS);
  });

  it('are read into what the program works with', () => {
    const config = loadConfig({
      ...REAL,
      TELEGRAM_API_ROOT: 'http://127.0.0.1:8081',
      PROXY_URL: 'socks5://user:pass@proxy.example.com:1080',
      PROXY_GATEWAY: '1',
      DATABASE_URL: 'postgres://peyk:pass@db.example.com/peyk',
      DATA_DIR: '/var/lib/peyk',
      GATEWAY_VERSIONS: '4, 3',
      GATEWAY_PRIVATE_NETWORK: '1',
      GATEWAY_V1_PLAIN: '1',
      MASTER_KEYS: `k2:${KEY_2}, k1:${KEY_1}`,
      WEBHOOK_URL: 'https://bot.example.com/hook',
      WEBHOOK_SECRET: 's'.repeat(32),
      HOST: '0.0.0.0',
      PORT: '0',
      ROLES: 'worker,bot',
      OWNER_IDS: '42, 7000000001',
      ACCESS: 'allowlist',
      DEFAULT_LANG: 'fa',
      DEFAULT_TZ: 'Europe/Berlin',
      LOG_LEVEL: 'trace',
      LOG_PRETTY: 'off',
      ALLOW_INSPECTOR: '1',
      INBOX_POLL_SECONDS: '0.2',
      CREDIT_POLL_SECONDS: '1',
      STATUS_POLL_SECONDS: '86400',
      UNDO_SECONDS: '0',
      KEEP_SENDS_DAYS: '0',
      KEEP_INBOX_DAYS: '30',
      KEEP_AUDIT_DAYS: '36500',
      KEEP_OTHER_DAYS: '31',
      RATE_LIMIT: '2.5',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, authorization=Bearer c',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(config).toMatchObject({
      mode: 'real',
      telegram: { apiRoot: 'http://127.0.0.1:8081', webhook: { url: 'https://bot.example.com/hook' } },
      proxy: { forGateway: true },
      database: { dataDir: '/var/lib/peyk' },
      gateway: {
        baseUrl: 'https://gateway.example.com',
        wsUrl: 'https://ws.example.com/path',
        versions: [4, 3],
        isPrivateNetwork: true,
        isV1Plain: true,
      },
      http: { host: '0.0.0.0', port: 0 },
      allowInspector: true,
      roles: ['worker', 'bot'],
      ownerIds: [42, 7_000_000_001],
      access: 'allowlist',
      rateLimit: 2.5,
      traces: { endpoint: 'http://127.0.0.1:4318', serviceName: 'peyk', share: 0.25 },
      defaultLocale: 'fa',
      defaultTimeZone: 'Europe/Berlin',
      log: { level: 'trace', pretty: false },
      pacing: { inboxPollSeconds: 0.2, creditPollSeconds: 1, statusPollSeconds: 86_400, undoSeconds: 0 },
      keep: { sends: 0, inbox: 30, audit: 36_500, other: 31 },
    });
    expect(config.telegram.token?.reveal()).toBe(REAL.TELEGRAM_BOT_TOKEN);
    expect(config.telegram.webhook?.secret.reveal()).toBe('s'.repeat(32));
    expect(config.proxy?.url.reveal()).toBe('socks5://user:pass@proxy.example.com:1080');
    expect(config.traces?.headers?.reveal()).toBe('x-key=a%20b, authorization=Bearer c');
    expect(config.database.url?.reveal()).toBe('postgres://peyk:pass@db.example.com/peyk');
    expect(config.masterKeys.map(({ kid, key }) => [kid, key.reveal()])).toEqual([
      ['k2', KEY_2],
      ['k1', KEY_1],
    ]);
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toMatch(
      /pass|AAHdq|sssss|AgICAg|Bearer/,
    );
  });

  it.each([
    ['TELEGRAM_BOT_TOKEN', 'token'],
    ['TELEGRAM_API_ROOT', 'api.example.com'],
    ['TELEGRAM_API_ROOT', 'ftp://api.example.com'],
    ['PROXY_URL', 'socks4://proxy.example.com'],
    ['PROXY_URL', 'proxy.example.com:1080'],
    ['PROXY_GATEWAY', '2'],
    ['DATABASE_URL', 'mysql://db.example.com/peyk'],
    ['GATEWAY_BASE_URL', 'http:gateway.example.com'],
    ['GATEWAY_WS_URL', 'ws://gateway.example.com'],
    ['GATEWAY_BASE_URL', 'https://user:secret@gateway.example.com'],
    ['GATEWAY_BASE_URL', 'https://gateway.example.com?key=x'],
    ['GATEWAY_BASE_URL', 'https://169.254.169.254/latest'],
    ['GATEWAY_BASE_URL', 'http://2130706433:5432'],
    ['GATEWAY_WS_URL', 'http://0.0.0.0:80'],
    ['GATEWAY_PRIVATE_NETWORK', 'maybe'],
    ['GATEWAY_V1_PLAIN', 'maybe'],
    ['GATEWAY_VERSIONS', '3,2'],
    ['GATEWAY_VERSIONS', '3,3'],
    ['GATEWAY_VERSIONS', ','],
    ['MASTER_KEYS', KEY_1],
    ['MASTER_KEYS', `k1:${KEY_1},k1:${KEY_2}`],
    ['MASTER_KEYS', `k1:${Buffer.alloc(31).toString('base64')}`],
    ['MASTER_KEYS', `k1:${Buffer.alloc(33).toString('base64')}`],
    ['MASTER_KEYS', `k1:${KEY_1.slice(0, -2)}F=`],
    ['MASTER_KEYS', `k1:${KEY_1},`],
    ['WEBHOOK_URL', 'bot.example.com/hook'],
    ['WEBHOOK_SECRET', 's'.repeat(31)],
    ['WEBHOOK_SECRET', 's'.repeat(257)],
    ['WEBHOOK_SECRET', `${'s'.repeat(40)} `.padEnd(42, '!')],
    ['HOST', 'not a host'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '-1'],
    ['PORT', '0x50'],
    ['ROLES', 'bot,admin'],
    ['ROLES', 'bot,bot'],
    ['OWNER_IDS', '@owner'],
    ['OWNER_IDS', '0'],
    ['OWNER_IDS', '1,,2'],
    ['ACCESS', 'closed'],
    ['DEFAULT_LANG', 'de'],
    ['DEFAULT_TZ', 'Mars/Olympus'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_PRETTY', 'maybe'],
    ['INBOX_POLL_SECONDS', '0'],
    ['CREDIT_POLL_SECONDS', '1e3'],
    ['STATUS_POLL_SECONDS', '86401'],
    ['UNDO_SECONDS', '-1'],
    ['KEEP_SENDS_DAYS', '29'],
    ['KEEP_INBOX_DAYS', '1.5'],
    ['KEEP_AUDIT_DAYS', 'ever'],
    ['KEEP_OTHER_DAYS', '36501'],
    ['RATE_LIMIT', '1e3'],
    ['RATE_LIMIT', '-1'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=a%2'],
    ['OTEL_SERVICE_NAME', 'two words'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ])('refuse %s=%j', (name, value) => {
    expect(Object.keys(mistakesOf({ [name]: value }))).toContain(name);
  });

  it.each([
    [{ TELEGRAM_BOT_TOKEN: '1:a' }, ['GATEWAY_BASE_URL', 'GATEWAY_WS_URL']],
    [{ TELEGRAM_BOT_TOKEN: '1:a', GATEWAY_VERSIONS: '3,4' }, ['GATEWAY_BASE_URL']],
    [{ TELEGRAM_BOT_TOKEN: '1:a', GATEWAY_VERSIONS: '1' }, ['GATEWAY_WS_URL']],
    [{ DATABASE_URL: 'postgres://db/peyk' }, ['MASTER_KEYS']],
    [{ ...REAL, WEBHOOK_URL: 'https://bot.example.com/hook' }, ['WEBHOOK_SECRET']],
    [{ WEBHOOK_URL: 'https://bot.example.com/hook', WEBHOOK_SECRET: 's'.repeat(32) }, ['TELEGRAM_BOT_TOKEN']],
  ])('need one another: %j', (env, names) => {
    const mistakes = mistakesOf(env);
    expect(Object.keys(mistakes)).toEqual(names);
    for (const reason of Object.values(mistakes)) expect(reason).toMatch(/^is required with /);
  });

  it.each([
    ['http://bot.example.com/hook', 'https://'],
    ['https://bot.example.com', 'path of its own'],
    ['https://bot.example.com/readyz?x=1', 'path of its own'],
    ['https://bot.example.com/metrics', 'path of its own'],
    ['https://bot.example.com/123456:secret-part', 'bot token'],
    ['https://bot.example.com/hook?key=secret-part', 'bot token'],
  ])('keep a webhook at an address that Telegram can call and that gives nothing away: %s', (url, reason) => {
    const env = { ...REAL, TELEGRAM_BOT_TOKEN: '123456:secret-part', WEBHOOK_SECRET: 's'.repeat(32) };
    const mistakes = mistakesOf({ ...env, WEBHOOK_URL: url });
    expect(Object.keys(mistakes)).toEqual(['WEBHOOK_URL']);
    expect(mistakes['WEBHOOK_URL']).toContain(reason);
    expect(mistakes['WEBHOOK_URL']).not.toContain('secret-part');
  });

  it.each([
    ['http://gateway.example.com', 'https://gateway.example.com'],
    ['http://sandbox:8801', 'http://127.0.0.1:8801'],
    ['http://5.6.7.8', 'http://10.0.0.5'],
  ])('keep keys off networks that are not the operator’s: %s is refused, %s is not', (open, near) => {
    for (const name of ['GATEWAY_BASE_URL', 'GATEWAY_WS_URL']) {
      const mistakes = mistakesOf({ ...REAL, [name]: open });
      expect(Object.keys(mistakes)).toEqual([name]);
      expect(mistakes[name]).toMatch(/^must begin with https:\/\/: .*GATEWAY_PRIVATE_NETWORK=1/);
      expect(attempt({ ...REAL, [name]: near })).toBeNull();
      expect(attempt({ ...REAL, [name]: open, GATEWAY_PRIVATE_NETWORK: '1' })).toBeNull();
      expect(mistakesOf({ ...REAL, [name]: open, GATEWAY_PRIVATE_NETWORK: '0' })).toHaveProperty(name);
    }
  });

  it('let a webhook on this machine do without TLS', () => {
    const env = { ...REAL, WEBHOOK_SECRET: 's'.repeat(32), WEBHOOK_URL: 'http://127.0.0.1:8080/hook' };
    expect(loadConfig(env).telegram.webhook?.url).toBe('http://127.0.0.1:8080/hook');
  });

  it('are told wrong all at once, missing ones too, in one text without values', () => {
    const env = {
      TELEGRAM_BOT_TOKEN: 'leaked-token',
      DATABASE_URL: 'leaked-database',
      WEBHOOK_URL: 'leaked-url',
      PORT: 'leaked-port',
    };
    const error = failure(env);
    expect(Object.keys(error.params)).toEqual([
      'DATABASE_URL',
      'GATEWAY_BASE_URL',
      'GATEWAY_WS_URL',
      'MASTER_KEYS',
      'PORT',
      'TELEGRAM_BOT_TOKEN',
      'WEBHOOK_SECRET',
      'WEBHOOK_URL',
    ]);
    expect(describeConfigMistakes(error).split('\n')).toHaveLength(9);
    expect(describeConfigMistakes(error)).toContain('  PORT: must be a whole number from 0 to 65535');
    expect(inspect(error) + describeConfigMistakes(error)).not.toContain('leaked');
  });

  it('are described by their own sentence where no setting is named', () => {
    const error = new AppError('config', 'another Peyk already runs on ./data', { params: { pid: 7 } });
    expect(describeConfigMistakes(error)).toBe('Peyk cannot start: another Peyk already runs on ./data');
  });

  it('either load or fail with names and no values, whatever they hold', () => {
    const values = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('1', '0', '3,4,1', 'https://a.example.com', 'bot', `k:${KEY_1}`, 'fa', 'x'.repeat(40)),
    );
    const envs = fc.dictionary(
      fc.constantFrom(...NAMES),
      values.map((value) => `canary${value}`),
      { maxKeys: 8 },
    );
    fc.assert(
      fc.property(fc.oneof(envs, fc.dictionary(fc.constantFrom(...NAMES), values)), (env) => {
        const outcome = attempt(env);
        expect(outcome === null || Object.keys(outcome.params).every((name) => NAMES.includes(name))).toBe(
          true,
        );
        expect(outcome === null ? '' : inspect(outcome) + describeConfigMistakes(outcome)).not.toContain(
          'canary',
        );
      }),
      { numRuns: 500 },
    );
  });
});

/** The error that loading throws, or null if it loads; anything but a config error is a failure. */
function attempt(env: Env): AppError | null {
  try {
    loadConfig(env);
    return null;
  } catch (error) {
    if (isAppError(error, 'config')) return error;
    throw error;
  }
}

function failure(env: Env): AppError {
  return attempt(env) ?? new AppError('internal', 'these settings should have been refused');
}

function mistakesOf(env: Env): AppError['params'] {
  return failure(env).params;
}
