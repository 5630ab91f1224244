import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from 'grammy';
import type { Config } from './config.ts';
import { AppError, isAppError } from './domain/errors.ts';
import { Secret } from './domain/secret.ts';
import { createFeatures } from './features/index.ts';
import { createCards } from './features/send/cards.ts';
import { createSendTasks } from './features/send/tasks.ts';
import { createAccounts } from './gateway/accounts.ts';
import { startHealthServer } from './health.ts';
import { createJobs } from './jobs/engine.ts';
import type { Logger, SecretRegistry } from './log.ts';
import type { Clock } from './ports/runtime.ts';
import type { BindingStore } from './ports/stores.ts';
import { createAuditStore } from './storage/audit-store.ts';
import { createBindingStore } from './storage/binding-store.ts';
import { createButtonStore } from './storage/button-store.ts';
import { createSealer } from './storage/crypto.ts';
import { openDatabase, pgPoolConfig, type Database, type PostgresTarget } from './storage/database.ts';
import { createDraftStore } from './storage/draft-store.ts';
import { startEmbeddedPostgres } from './storage/embedded.ts';
import { createFingerprint } from './storage/fingerprint.ts';
import { createIdentityStore } from './storage/identity-store.ts';
import { createJobStore } from './storage/job-store.ts';
import { createLinkStore } from './storage/link-store.ts';
import { createLiveness } from './storage/liveness.ts';
import { loadMasterKeys, type MasterKeys } from './storage/master-keys.ts';
import { migrate } from './storage/migrate.ts';
import { createFormStore, createUpdateStore } from './storage/update-store.ts';
import { createBot } from './telegram/bot.ts';
import { telegramFailure } from './telegram/errors.ts';
import { createTelegramFetch } from './telegram/http.ts';
import { publishMenus } from './telegram/menus.ts';
import { createNotifier } from './telegram/notifier.ts';
import { createOutgoing, type OutgoingOptions } from './telegram/outgoing.ts';
import { isClientSignal, startPolling } from './telegram/polling.ts';

export interface App {
  readonly botUsername: string;
  /** Resolves when the embedded database has ended without being asked to; never with a server of one's own. */
  readonly broken: Promise<void>;
  /** Ends everything in the reverse order of its start; what is on the wire may finish. */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly secrets: SecretRegistry;
  /** The folder with the SQL migrations. */
  readonly migrations: string;
  /** A database that is there already, instead of the one that the settings name. */
  readonly database?: PostgresTarget;
  /** Other limits than Telegram's, for measuring what Peyk itself can do. */
  readonly outgoingLimits?: OutgoingOptions['limits'];
  /** Where `/livez` and `/readyz` are answered; absent: nowhere. */
  readonly health?: { readonly host: string; readonly port: number };
  /** Ends a start that still waits for Telegram: the start is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

const SWEEP_SECONDS = 10;
const PURGE_SECONDS = 3600;
const IDLE_WAIT_MS = 10_000;
/** A long poll answers within a minute; two without one mean that something is wrong. */
const SILENCE_MS = 120_000;

const clock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => await sleep(ms, undefined, signal === undefined ? {} : { signal }),
};

/**
 * Builds Peyk from its parts and starts it: the only place that knows every concrete implementation.
 * What has been started is stopped again when a later step fails.
 */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, log, secrets, migrations } = options;
  const token = config.telegram.token;
  if (token === null)
    throw new AppError('config', 'no bot token', { params: { TELEGRAM_BOT_TOKEN: 'missing' } });
  refuseWhatIsNotThere(config);
  const started: { readonly name: string; readonly stop: () => Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (let part = started.pop(); part !== undefined; part = started.pop()) {
      try {
        await part.stop();
      } catch (error) {
        log.warn({ err: error, part: part.name }, 'a part did not stop in order');
      }
    }
  };

  try {
    // Storage
    const { target, broken } = await openServer(options, started);
    const database = openDatabase({ target, max: 16, log: (message) => log.debug({}, message) });
    started.push({ name: 'database', stop: () => database.close() });
    await migrate(database.sql, migrations);
    const masterKeys = await masterKeysOf(config, secrets, database);
    const sealer = createSealer(masterKeys);
    const bindings = createBindingStore(database, sealer, createFingerprint(masterKeys));
    await checkKeys(bindings);
    const identities = createIdentityStore(database);
    const buttons = createButtonStore(database);
    const drafts = createDraftStore(database);
    const jobStore = createJobStore(database);
    const updates = createUpdateStore(database);

    // Gateway
    const accounts = createAccounts({
      ...(config.gateway.baseUrl === null ? {} : { baseUrl: config.gateway.baseUrl }),
      ...(config.gateway.wsUrl === null ? {} : { wsUrl: config.gateway.wsUrl }),
      ...(config.proxy?.forGateway === true ? { proxy: config.proxy.url.reveal() } : {}),
      versions: config.gateway.versions,
      log: (record) => log.debug(record, 'a gateway call ended'),
      credentialsOf: async (bindingId) => {
        const credentials = await bindings.credentials(bindingId);
        for (const secret of Object.values(credentials ?? {}))
          if (secret instanceof Secret) secrets.add(secret);
        return credentials;
      },
    });
    started.push({ name: 'gateway', stop: () => accounts.close() });

    // Telegram
    const http = createTelegramFetch({
      log,
      ...(config.proxy === null ? {} : { proxy: new URL(config.proxy.url.reveal()) }),
    });
    started.push({ name: 'telegram http', stop: () => http.close() });
    const client = {
      ...(config.telegram.apiRoot === null ? {} : { apiRoot: config.telegram.apiRoot }),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client declares the whole of fetch and uses what ours has
      fetch: http.fetch as unknown as typeof fetch,
    };
    const outgoing = createOutgoing({
      log,
      ...(options.outgoingLimits === undefined ? {} : { limits: options.outgoingLimits }),
      onMigrate: (from, to) => identities.migrateChat(from, to),
    });
    started.push({ name: 'telegram outgoing', stop: () => outgoing.close() });
    const me = await whoAmI(new Api(token.reveal(), client), log, options.signal);
    const api = new Api(token.reveal(), client);
    outgoing.install(api);

    // Product
    const notifier = createNotifier({ api, editor: outgoing.editor, buttons, log });
    const cards = createCards({ drafts, notifier, clock });
    const features = createFeatures({
      bindings,
      drafts,
      identities,
      jobs: jobStore,
      links: createLinkStore(database),
      gateways: accounts,
      clock,
      cards,
      keepSecret: (secret) => secrets.add(secret),
      access: config.access,
      ownerIds: config.ownerIds,
      undoSeconds: config.pacing.undoSeconds,
    });
    const { bot, intake } = createBot({
      token: token.reveal(),
      me,
      client,
      outgoing,
      features,
      identities,
      buttons,
      bindings,
      gateways: accounts,
      forms: createFormStore(database),
      updates,
      audit: createAuditStore(database),
      sealer,
      log,
      defaults: { lang: config.defaultLocale, timeZone: config.defaultTimeZone },
    });

    // Work
    const liveness = await createLiveness({ target, log });
    started.push({ name: 'liveness', stop: () => liveness.close() });
    const engine = await createJobs({
      connection: pgPoolConfig(target, 10),
      liveness,
      log,
      tasks: createSendTasks({
        jobs: jobStore,
        gateways: accounts,
        clock,
        cards,
        owner: liveness.id,
        pollSeconds: config.pacing.statusPollSeconds,
      }),
    });
    started.push({ name: 'jobs', stop: () => engine.stop() });
    engine.every(SWEEP_SECONDS, 'abandoned attempts', async () => {
      const gone = await liveness.gone((await jobStore.owners()).filter((owner) => owner !== liveness.id));
      if (gone.length === 0) return;
      const concerned = await jobStore.abandon(gone);
      log.warn({ jobs: concerned.length }, 'a process ended with calls in hand; their outcome is unknown');
    });
    engine.every(PURGE_SECONDS, 'purge', () => updates.purge());
    engine.every(SWEEP_SECONDS, 'open updates', () => intake.resume());
    await engine.start();
    await publishMenus(
      bot.api,
      features.flatMap((feature) => feature.commands),
    ).catch((error: unknown) => {
      log.warn({ kind: telegramFailure(error).kind }, 'the command menus could not be set');
    });
    const polling = startPolling({ api: bot.api, intake, clock, log });
    started.push({
      name: 'updates',
      stop: async () => {
        await polling.stop();
        await Promise.race([intake.idle(), sleep(IDLE_WAIT_MS, undefined, { ref: false })]);
      },
    });
    if (options.health !== undefined) {
      const health = await startHealthServer({
        ...options.health,
        checks: {
          database: async () => {
            await database.sql`select 1`;
            return null;
          },
          telegram: async () => {
            const last = polling.lastAnswer();
            if (last === null) return 'no answer from Telegram yet';
            return clock.now().getTime() - last.getTime() > SILENCE_MS
              ? 'no answer from Telegram for two minutes'
              : null;
          },
        },
      });
      started.push({ name: 'health', stop: () => health.close() });
    }
    log.info({ bot: me.username, versions: config.gateway.versions }, 'Peyk is running');
    return { botUsername: me.username, broken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openServer(
  { config, log, database }: AppOptions,
  started: { name: string; stop: () => Promise<void> }[],
): Promise<{ target: PostgresTarget; broken: Promise<void> }> {
  if (database !== undefined) return { target: database, broken: new Promise(() => undefined) };
  if (config.database.url !== null) {
    return { target: { url: config.database.url }, broken: new Promise(() => undefined) };
  }
  const server = await startEmbeddedPostgres({
    dataDir: resolve(config.database.dataDir),
    log: (message) => log.info({}, message),
  });
  let stopping = false;
  started.push({
    name: 'embedded database',
    stop: async () => {
      stopping = true;
      await server.stop();
    },
  });
  const broken = new Promise<void>((ended) => {
    void server.exited.then(() => {
      if (!stopping) ended();
    });
  });
  return { target: server.target, broken };
}

async function masterKeysOf(config: Config, secrets: SecretRegistry, { sql }: Database): Promise<MasterKeys> {
  const [newest, ...older] = config.masterKeys;
  let keys: MasterKeys;
  if (newest === undefined) {
    const dataDir = resolve(config.database.dataDir);
    const sealed = await sql`select 1 from binding where credentials is not null limit 1`;
    // A new key would open nothing, and would hide that the old one is missing.
    if (sealed.length > 0 && !existsSync(join(dataDir, 'master.key'))) {
      throw new AppError('config', 'the master key is gone', {
        params: {
          MASTER_KEYS:
            'accounts are linked, but the file master.key in DATA_DIR is missing; put the old one back',
        },
      });
    }
    keys = loadMasterKeys({ masterKeys: undefined, dataDir }).keys;
  } else {
    keys = [newest, ...older];
  }
  for (const { key } of keys) secrets.add(key);
  return keys;
}

/** Wrong keys would otherwise show only when somebody needs their account. */
async function checkKeys(bindings: BindingStore): Promise<void> {
  try {
    await bindings.probeSeal();
  } catch (error) {
    if (!isAppError(error, 'crypto')) throw error;
    throw new AppError('config', 'the master keys do not open what is stored', {
      params: {
        MASTER_KEYS: 'accounts are sealed under another key than these; add it behind the newest one',
      },
    });
  }
}

/** A setting that would be accepted and do nothing is worse than one that is refused. */
function refuseWhatIsNotThere(config: Config): void {
  const params: Record<string, string> = {};
  if (config.telegram.webhook !== null) {
    params['WEBHOOK_URL'] = 'webhooks are not there yet; leave it out, and Peyk uses long polling';
  }
  if (!config.roles.includes('bot') || !config.roles.includes('worker')) {
    params['ROLES'] = 'one process does everything so far; leave it out';
  }
  if (Object.keys(params).length > 0)
    throw new AppError('config', 'settings that are not there yet', { params });
}

/** Telegram may be out of reach when Peyk starts; a wrong token never becomes right. */
async function whoAmI(api: Api, log: Logger, signal: AbortSignal | undefined) {
  for (let pause = 500; ; pause = Math.min(pause * 2, 30_000)) {
    try {
      return await api.getMe(isClientSignal(signal) ? signal : undefined);
    } catch (error) {
      signal?.throwIfAborted();
      const { kind } = telegramFailure(error);
      if (kind === 'unauthorized') {
        throw new AppError('config', 'Telegram refuses the bot token', {
          params: { TELEGRAM_BOT_TOKEN: 'Telegram does not know this bot token' },
        });
      }
      log.warn({ kind, pauseMs: pause }, 'Telegram does not answer yet');
      await clock.sleep(pause, signal);
    }
  }
}
