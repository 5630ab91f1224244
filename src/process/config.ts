import { join } from 'node:path';
import { z } from 'zod';

import { AppError } from '../domain/errors.ts';
import { gatewayAddressProblem } from '../domain/gateway-address.ts';
import type { AddressProblem } from '../domain/gateway-address.ts';
import { Secret } from '../domain/secret.ts';
import * as value from './setting-values.ts';
import type { MasterKey } from './setting-values.ts';

export type { MasterKey } from './setting-values.ts';

export type ProcessRole = 'bot' | 'worker' | 'poller';

export type GatewayVersion = 1 | 3 | 4;

export interface Config {
  /** `try` without a bot token: everything that is missing runs locally. */
  mode: 'try' | 'real';
  telegram: {
    token: Secret | null;
    /** Null for Telegram's own. */
    apiRoot: string | null;
    /** Null for long polling. */
    webhook: { url: string; secret: Secret } | null;
  };
  /** May hold a password; `forGateway` tells whether gateway calls take it too. */
  proxy: { url: Secret; forGateway: boolean } | null;
  /** `url` is null for the embedded server in `dataDir`. */
  database: { url: Secret | null; dataDir: string };
  gateway: {
    /** Versions 4 and 3; null only in try mode or where neither is offered. */
    baseUrl: string | null;
    /** Version 1; null only in try mode or where it is not offered. */
    wsUrl: string | null;
    /** In order of preference for reads. */
    versions: readonly GatewayVersion[];
    /** The way there is the operator's own: names may lead to inner addresses, and http will do. */
    isPrivateNetwork: boolean;
    /** Version 1: a time as one text, and yes and no as digits. */
    isV1Plain: boolean;
  };
  /** Newest first; empty means a generated one in `dataDir`. */
  masterKeys: readonly MasterKey[];
  http: { host: string; port: number };
  /** Whether others may look into the memory of the process, where its keys are. */
  allowInspector: boolean;
  roles: readonly ProcessRole[];
  /** Telegram ids of the people who run the deployment. */
  ownerIds: readonly number[];
  access: 'open' | 'allowlist';
  /** A factor on how much people may ask at once; 0 for no limits. */
  rateLimit: number;
  defaultLocale: 'en' | 'fa';
  defaultTimeZone: string;
  /** `pretty` is null when nothing was said: on for a terminal. */
  log: { level: LogLevel; pretty: boolean | null };
  /** Where traces go; null for none. The headers may hold a key of the collector's; `share` is how many of all, 0 to 1. */
  traces: { endpoint: string; headers: Secret | null; serviceName: string; share: number } | null;
  pacing: {
    inboxPollSeconds: number;
    creditPollSeconds: number;
    statusPollSeconds: number;
    /** 0 turns the hold off. */
    undoSeconds: number;
  };
  /** Days after which what is past its time goes; 0 for never. */
  keep: { sends: number; inbox: number; audit: number; other: number };
}

export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Reads the settings from environment variables. Pure. An empty value counts as absent, unknown names are
 * ignored. Throws AppError `config` whose params map every wrong or missing name to what it must be; a value
 * is never part of it, because it may be a secret in the wrong place.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = present(env);
  const parsed = settings.safeParse(Object.fromEntries(given));
  const mistakes = new Map(missing(given));
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    if (!mistakes.has(name)) mistakes.set(name, issue.message);
  }
  if (!parsed.success || mistakes.size > 0) {
    const params = Object.fromEntries([...mistakes].toSorted(([left], [right]) => left.localeCompare(right)));
    throw new AppError('config', `wrong settings: ${Object.keys(params).join(', ')}`, { params });
  }
  return toConfig(parsed.data);
}

/**
 * An error `config` for a person at a terminal: the mistakes of {@link loadConfig} one a line, or else the
 * error's own sentence.
 * @param outcome what that means: Peyk cannot start, unless a tool says otherwise
 */
export function describeConfigMistakes(error: AppError, outcome = 'Peyk cannot start'): string {
  const mistakes = settingMistakes(error);
  if (mistakes.length === 0) return `${outcome}: ${error.message}`;
  const lines = mistakes.map((mistake) => `  ${mistake}`);
  return [`${outcome}: these settings are wrong or missing.`, ...lines].join('\n');
}

/** What an error `config` says of settings, by name, one each; none where it is about something else. */
export function settingMistakes({ params }: AppError): readonly string[] {
  const names = Object.keys(params).filter((name) => /^[A-Z_]+$/.test(name));
  return names.map((name) => `${name}: ${String(params[name])}`);
}

/** What leads out of this machine, or to what others use. */
const OUTWARD: ReadonlySet<string> = new Set([
  'TELEGRAM_BOT_TOKEN',
  'TELEGRAM_API_ROOT',
  'PROXY_URL',
  'PROXY_GATEWAY',
  'DATABASE_URL',
  'MASTER_KEYS',
  'GATEWAY_BASE_URL',
  'GATEWAY_WS_URL',
  'WEBHOOK_URL',
  'WEBHOOK_SECRET',
  'ROLES',
]);

/**
 * The environment for try mode whatever it says of a real deployment. The data lies in a folder of its own: sends that
 * wait in the deployment's must not leave for a sandbox.
 */
export function tryEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const inward = Object.entries(env).filter(([name]) => !OUTWARD.has(name));
  return { ...Object.fromEntries(inward), DATA_DIR: join(env['DATA_DIR']?.trim() || './data', 'try') };
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const PROCESS_ROLES = ['bot', 'worker', 'poller'] as const satisfies readonly ProcessRole[];

const settings = z.object({
  TELEGRAM_BOT_TOKEN: value
    .pattern(/^\d+:[\w-]+$/, 'must be a bot token: digits, a colon, then letters and digits')
    .optional(),
  TELEGRAM_API_ROOT: value.address('http', 'https').optional(),
  PROXY_URL: value.address('http', 'https', 'socks5').optional(),
  PROXY_GATEWAY: value.flag().default(false),
  DATABASE_URL: value.address('postgres', 'postgresql').optional(),
  DATA_DIR: z.string().default('./data'),
  GATEWAY_BASE_URL: value.address('http', 'https').optional(),
  GATEWAY_WS_URL: value.address('http', 'https').optional(),
  GATEWAY_VERSIONS: value
    .listOf(['3', '4', '1'], 'must be a list of different versions from 3, 4, 1')
    .default(['3', '4', '1']),
  GATEWAY_PRIVATE_NETWORK: value.flag().default(false),
  GATEWAY_V1_PLAIN: value.flag().default(false),
  MASTER_KEYS: value.masterKeys().optional(),
  WEBHOOK_URL: value.address('http', 'https').optional(),
  WEBHOOK_SECRET: value.pattern(/^[\w-]{32,256}$/, 'must be 32 to 256 letters, digits, - and _').optional(),
  HOST: value.pattern(/^[\w.:[\]-]+$/, 'must be a host name or an address').default('127.0.0.1'),
  PORT: value.wholeNumber(0, 65_535).default(8080),
  ROLES: value
    .listOf(PROCESS_ROLES, 'must be a list of different roles from bot, worker, poller')
    .default([...PROCESS_ROLES]),
  OWNER_IDS: value.telegramIds().default([]),
  ACCESS: value.oneOf(['open', 'allowlist']).default('open'),
  RATE_LIMIT: value.factor().default(1),
  DEFAULT_LANG: value.oneOf(['en', 'fa']).default('en'),
  DEFAULT_TZ: value.timeZone().default('Asia/Tehran'),
  LOG_LEVEL: value.oneOf(LOG_LEVELS).default('info'),
  LOG_PRETTY: value.flag().optional(),
  ALLOW_INSPECTOR: value.flag().default(false),
  OTEL_EXPORTER_OTLP_ENDPOINT: value.address('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: value.headers().optional(),
  OTEL_SERVICE_NAME: value
    .pattern(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, ., - and _')
    .default('peyk'),
  OTEL_TRACES_SAMPLER_ARG: value.share().default(1),
  INBOX_POLL_SECONDS: value.seconds(0.01).optional(),
  CREDIT_POLL_SECONDS: value.seconds(0.01).default(300),
  STATUS_POLL_SECONDS: value.seconds(0.01).default(5),
  UNDO_SECONDS: value.seconds(0).default(10),
  KEEP_SENDS_DAYS: value.daysKept().default(400),
  KEEP_INBOX_DAYS: value.daysKept().default(400),
  KEEP_AUDIT_DAYS: value.daysKept().default(1100),
  KEEP_OTHER_DAYS: value.daysKept().default(90),
});

type Settings = z.output<typeof settings>;

/** In try mode somebody plays both sides, and the other one is on this machine. */
const INBOX_POLL_SECONDS = { try: 0.5, real: 15 } as const;

const VERSION_NUMBERS = { '1': 1, '3': 3, '4': 4 } as const satisfies Record<string, GatewayVersion>;

/** Only names that were given, trimmed: an empty line in a file of settings is no setting. */
function present(env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const names = Object.keys(settings.shape);
  const pairs = names.map((name): [string, string] => [
    name,
    (Object.hasOwn(env, name) ? env[name] : '')?.trim() ?? '',
  ]);
  return new Map(pairs.filter(([, value]) => value !== ''));
}

/** What other settings make necessary. Apart from the schema, so that it is told along with its mistakes. */
function missing(given: ReadonlyMap<string, string>): [string, string][] {
  const found: [string, string][] = [];
  const need = (name: string, withCorrelation: string): void => {
    if (!given.has(name)) found.push([name, `is required ${withCorrelation}`]);
  };
  const versions = given.get('GATEWAY_VERSIONS') ?? '3,4,1';
  if (given.has('TELEGRAM_BOT_TOKEN')) {
    if (/[34]/.test(versions)) need('GATEWAY_BASE_URL', 'with TELEGRAM_BOT_TOKEN, for versions 3 and 4');
    if (versions.includes('1')) need('GATEWAY_WS_URL', 'with TELEGRAM_BOT_TOKEN, for version 1');
  }
  const network = settings.shape.GATEWAY_PRIVATE_NETWORK.safeParse(given.get('GATEWAY_PRIVATE_NETWORK'));
  for (const name of ['GATEWAY_BASE_URL', 'GATEWAY_WS_URL']) {
    const problem = gatewayAddressProblem(given.get(name) ?? '', network.data ?? false);
    if (given.has(name) && problem !== null) found.push([name, ADDRESS_MISTAKES[problem]]);
  }
  if (given.has('DATABASE_URL')) need('MASTER_KEYS', 'with DATABASE_URL');
  if (given.has('WEBHOOK_URL')) {
    need('WEBHOOK_SECRET', 'with WEBHOOK_URL');
    need('TELEGRAM_BOT_TOKEN', 'with WEBHOOK_URL');
    const problem = webhookProblem(given.get('WEBHOOK_URL') ?? '', given.get('TELEGRAM_BOT_TOKEN'));
    if (problem !== null) found.push(['WEBHOOK_URL', problem]);
  }
  return found;
}

const ADDRESS_MISTAKES: Readonly<Record<AddressProblem, string>> = {
  unreadable:
    'must be an address that begins with http:// or https:// and has no user name, no password, no ? and no # in it',
  disguised: 'must have its IP address written as four numbers with dots between',
  nowhere: 'must not be an IP address of the link itself, of many machines, or reserved: no gateway is there',
  open: 'must begin with https://: anybody on the way could read the keys. Where the way is your own network, GATEWAY_PRIVATE_NETWORK=1 lets it',
};

const OTHER_PATHS: ReadonlySet<string> = new Set(['/', '/livez', '/readyz', '/metrics']);

/** What Telegram would refuse, or would let others in. An address that is none at all is its schema's to tell. */
function webhookProblem(url: string, token: string | undefined): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, pathname } = new URL(url);
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !isHere)
    return 'must begin with https://: Telegram brings updates no other way';
  if (OTHER_PATHS.has(pathname)) return 'must have a path of its own, such as /updates';
  const secret = token?.split(':')[1];
  if (secret !== undefined && url.includes(secret))
    return 'must not have the bot token in it: proxies write addresses down';
  return null;
}

function toConfig(values: Settings): Config {
  const token = values.TELEGRAM_BOT_TOKEN;
  const { WEBHOOK_URL: webhookUrl, WEBHOOK_SECRET: webhookSecret } = values;
  return {
    mode: token === undefined ? 'try' : 'real',
    telegram: {
      token: secretOf(token),
      apiRoot: values.TELEGRAM_API_ROOT ?? null,
      webhook:
        webhookUrl === undefined || webhookSecret === undefined
          ? null
          : { url: webhookUrl, secret: new Secret(webhookSecret) },
    },
    proxy:
      values.PROXY_URL === undefined
        ? null
        : { url: new Secret(values.PROXY_URL), forGateway: values.PROXY_GATEWAY },
    database: { url: secretOf(values.DATABASE_URL), dataDir: values.DATA_DIR },
    gateway: {
      baseUrl: values.GATEWAY_BASE_URL ?? null,
      wsUrl: values.GATEWAY_WS_URL ?? null,
      versions: values.GATEWAY_VERSIONS.map((version) => VERSION_NUMBERS[version]),
      isPrivateNetwork: values.GATEWAY_PRIVATE_NETWORK,
      isV1Plain: values.GATEWAY_V1_PLAIN,
    },
    masterKeys: values.MASTER_KEYS ?? [],
    http: { host: values.HOST, port: values.PORT },
    allowInspector: values.ALLOW_INSPECTOR,
    roles: values.ROLES,
    ownerIds: values.OWNER_IDS,
    access: values.ACCESS,
    rateLimit: values.RATE_LIMIT,
    defaultLocale: values.DEFAULT_LANG,
    defaultTimeZone: values.DEFAULT_TZ,
    log: { level: values.LOG_LEVEL, pretty: values.LOG_PRETTY ?? null },
    traces:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: secretOf(values.OTEL_EXPORTER_OTLP_HEADERS),
            serviceName: values.OTEL_SERVICE_NAME,
            share: values.OTEL_TRACES_SAMPLER_ARG,
          },
    pacing: {
      inboxPollSeconds: values.INBOX_POLL_SECONDS ?? INBOX_POLL_SECONDS[token === undefined ? 'try' : 'real'],
      creditPollSeconds: values.CREDIT_POLL_SECONDS,
      statusPollSeconds: values.STATUS_POLL_SECONDS,
      undoSeconds: values.UNDO_SECONDS,
    },
    keep: {
      sends: values.KEEP_SENDS_DAYS,
      inbox: values.KEEP_INBOX_DAYS,
      audit: values.KEEP_AUDIT_DAYS,
      other: values.KEEP_OTHER_DAYS,
    },
  };
}

function secretOf(plain: string | undefined): Secret | null {
  return plain === undefined ? null : new Secret(plain);
}
