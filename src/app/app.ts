import { Api } from 'grammy';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import manifest from '../../package.json' with { type: 'json' };
import { createCharts } from '../charts/charts.ts';
import { AppError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import { createFeatures } from '../features/index.ts';
import { createCards } from '../features/sending/cards.ts';
import { createCreditCheck } from '../features/sending/draft/gauge.ts';
import { createAccounts } from '../gateway/accounts.ts';
import { healthRoutes, reasonsAgainst, type Check } from '../http/health.ts';
import { createMetrics } from '../http/metrics.ts';
import { startHttpServer } from '../http/server.ts';
import { prepareQueue } from '../jobs/engine.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { OtelTracer } from '../process/otel-tracer.ts';
import { createContinuity, type Continuity } from '../storage/restore/continuity.ts';
import { createLossStore } from '../storage/restore/loss-store.ts';
import { createDatabaseCheck } from '../storage/database/database-check.ts';
import { pgPoolConfig } from '../storage/database/database.ts';
import { enqueueMenus } from '../storage/enqueue.ts';
import { createForeignSeals } from '../storage/keys/foreign-seals.ts';
import { createLiveness } from '../storage/database/liveness.ts';
import { warnOfRisks } from '../storage/database/session-check.ts';
import { readOpenWork } from '../storage/sending/open-work.ts';
import { createTables } from '../tables/tables.ts';
import { createBot } from '../telegram/dispatch/bot.ts';
import { publishDefaultMenus } from '../telegram/dispatch/menus.ts';
import { createUploads } from '../telegram/forms/uploads.ts';
import { telegramFailure } from '../telegram/outgoing/errors.ts';
import { createTelegramFetch } from '../telegram/outgoing/http.ts';
import { createNotifier } from '../telegram/outgoing/notifier.ts';
import { createOutgoing, type OutgoingOptions } from '../telegram/outgoing/outgoing.ts';
import { createAppHealth } from './health.ts';
import { startAppPoller } from './poller.ts';
import { openStorage, type Started, type StorageOptions } from './storage.ts';
import { createTwoWay } from './two-way.ts';
import { startAppUpdates, type AppUpdates } from './updates.ts';
import { startAppWorker } from './worker.ts';
import { apiRootOf, whoAmI } from './who-am-i.ts';

export interface App {
  readonly botUsername: string;
  /** Resolves when the embedded database has ended without being asked to; never with a server of one's own. */
  readonly broken: Promise<void>;
  /** Ends everything in the reverse order of its start; what is on the wire may finish. */
  stop(): Promise<void>;
}

export interface AppOptions extends StorageOptions {
  /** Other limits than Telegram's, for measuring what Peyk itself can do. */
  readonly outgoingLimits?: OutgoingOptions['limits'];
  /** The most send calls of one account that are out at once; likewise. */
  readonly mostCalls?: number | undefined;
  /** How many updates may be in hand before no more are asked for; likewise. */
  readonly mostInHand?: number | undefined;
  /** Where `/livez`, `/readyz` and Telegram's updates are answered; absent: nowhere. */
  readonly http?: { readonly host: string; readonly port: number };
  /** Ends a start that still waits for Telegram: the start is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

const INNER_ADDRESS =
  'the name of the gateway leads into an inner network: nothing was sent there. Where that is meant, GATEWAY_PRIVATE_NETWORK=1 lets it';
const FOREIGN_SEALS = 'credentials are stored under a master key that this process does not have';

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
  const { config, log, secrets } = options;
  const token = config.telegram.token;
  if (token === null)
    throw new AppError('config', 'no bot token', { params: { TELEGRAM_BOT_TOKEN: 'missing' } });
  const started: Started = [];
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
    const tracer = await startTracer(config, log);
    if (tracer !== undefined) started.push({ name: 'traces', stop: () => tracer.stop() });

    // Storage
    const { target, broken, database, sealer, masterKeys, stores, hand } = await openStorage(
      options,
      started,
    );
    if (config.database.url !== null) await warnOfRisks(database.sql, log);
    const { bindings, identities, buttons, audit, drafts, updates } = stores;

    let taking: AppUpdates | undefined;
    let continuity: Continuity | undefined;
    const takesUpdates = config.roles.includes('bot');
    const foreignSeals = createForeignSeals(database, masterKeys, clock);
    const checks: Readonly<Record<string, Check>> = {
      database: createDatabaseCheck(database),
      commits: async () => continuity?.problem() ?? null,
      keys: async () => ((await foreignSeals()) === 0 ? null : FOREIGN_SEALS),
      ...(takesUpdates ? { telegram: async () => (await taking?.check()) ?? null } : {}),
    };
    const {
      metrics,
      putOff,
      route: metricsRoute,
    } = createMetrics({
      version: manifest.version,
      roles: config.roles,
      standing: async () => await readOpenWork(database),
      ready: async () => (await reasonsAgainst(checks)).length === 0,
      leads: () => (takesUpdates ? taking?.leads() === true : null),
      clock,
    });
    const readHealth = createAppHealth({
      config,
      version: manifest.version,
      isElsewhere: options.database !== undefined,
      checks,
      foreignSeals,
      standing: async () => await readOpenWork(database),
      putOff,
      leads: () => taking?.leads() === true,
      clock,
    });

    // Gateway
    const accounts = createAccounts({
      ...(config.gateway.baseUrl === null ? {} : { baseUrl: config.gateway.baseUrl }),
      ...(config.gateway.wsUrl === null ? {} : { wsUrl: config.gateway.wsUrl }),
      ...(config.proxy?.forGateway === true ? { proxy: config.proxy.url.reveal() } : {}),
      versions: config.gateway.versions,
      isPrivateNetwork: config.gateway.isPrivateNetwork,
      isV1Plain: config.gateway.isV1Plain,
      tracer,
      log: (record) => {
        if (record.reason === 'inner_address') log.warn(record, INNER_ADDRESS);
        else log.debug(record, 'a gateway call ended');
        metrics.gatewayCall(record);
      },
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
      answered: metrics.telegramCall,
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
      tracer,
      ...(options.outgoingLimits === undefined ? {} : { limits: options.outgoingLimits }),
      onMigrate: (from, to) => identities.migrateChat(from, to),
    });
    started.push({ name: 'telegram outgoing', stop: () => outgoing.close() });
    const { host } = new URL(apiRootOf(config));
    options.tell?.(`asking ${host} who the bot is`);
    const me = await whoAmI(new Api(token.reveal(), client), {
      config,
      host,
      clock,
      log,
      signal: options.signal,
    });
    const api = new Api(token.reveal(), client);
    outgoing.install(api);

    // Product
    const notifier = createNotifier({ api, editor: outgoing.editor, buttons, metrics, log });
    const cards = createCards({
      drafts,
      notifier,
      settle: async (draftId) => await stores.jobs.settle(draftId),
      clock,
      timeZone: config.defaultTimeZone,
      undoSeconds: config.pacing.undoSeconds,
      showAnswered: async (inboundId) => await stores.notifications.refresh({ inboundIds: [inboundId] }),
    });
    const twoWay = createTwoWay({ config, stores, gateways: accounts, api, botId: me.id, clock, log });
    const tables = createTables();
    const fileUrl = (path: string): string => `${apiRootOf(config)}/file/bot${token.reveal()}/${path}`;
    const uploads = createUploads({
      api,
      save: async (path, into) => await http.save(fileUrl(path), into),
      folder: tmpdir(),
      now: clock.now,
      log,
    });
    const features = createFeatures({
      ...stores,
      gateways: accounts,
      tables,
      blacklisting: twoWay.blacklisting,
      charts: createCharts(),
      clock,
      cards,
      keepSecret: (secret) => secrets.add(secret),
      readHealth,
      access: config.access,
      ownerIds: config.ownerIds,
      undoSeconds: config.pacing.undoSeconds,
      checkCredit: createCreditCheck({ gauges: stores.gauges, gateways: accounts, clock }),
      refreshMenus: async (chatId, personId) => {
        await database.sql.begin(async (tx) => await enqueueMenus(tx, chatId, personId));
      },
    });
    const commands = features.flatMap((feature) => feature.commands);
    const { bot, intake } = createBot({
      leads: () => taking?.leads() === true,
      metrics,
      tracer,
      clock,
      rateLimit: config.rateLimit,
      mostInHand: options.mostInHand,
      token: token.reveal(),
      me,
      client,
      outgoing,
      features,
      identities,
      buttons,
      bindings,
      gateways: accounts,
      forms: stores.forms,
      updates,
      audit,
      sealer,
      log,
      readFile: async (path, maxBytes) => await http.download(fileUrl(path), maxBytes),
      defaults: { lang: config.defaultLocale, timeZone: config.defaultTimeZone },
      placeOpened: async (change) => {
        await stores.absence.back(change);
        await stores.destinations.on(change.chatTelegramId);
        await stores.destinations.opened(change);
      },
      placeClosed: async (change) => {
        await stores.absence.left(change);
        await stores.destinations.closed(change.chatTelegramId);
      },
      team: stores.team,
    });

    // Work
    if (!config.roles.includes('worker')) await prepareQueue(pgPoolConfig(target, 1), log);
    const liveness = await createLiveness({ target, log });
    started.push({ name: 'liveness', stop: () => liveness.close() });
    const { defaultTimeZone: timeZone } = config;
    const store = createLossStore(database.sql, timeZone);
    const watch = await createContinuity({ store, hand, id: liveness.id, clock, log });
    continuity = watch;
    started.push({ name: 'continuity', stop: () => watch.close() });
    if (config.roles.includes('worker')) {
      const worker = await startAppWorker({
        config,
        target,
        stores,
        liveness,
        gateways: accounts,
        api,
        menuApi: bot.api,
        outgoing,
        metrics,
        tracer,
        notifier,
        cards,
        commands,
        sealer,
        uploads,
        twoWay,
        mostCalls: options.mostCalls,
        clock,
        log,
      });
      started.push({ name: 'jobs', stop: worker.stop });
    }
    if (config.roles.includes('poller')) {
      const poller = startAppPoller({ config, stores, gateways: accounts, liveness, clock, log });
      started.push({ name: 'poller', stop: () => poller.stop() });
    }
    if (takesUpdates) {
      await publishDefaultMenus(bot.api, commands, config.defaultLocale).catch((error: unknown) => {
        log.warn({ kind: telegramFailure(error).kind }, 'the command menus could not be set');
      });
      taking = startAppUpdates({ config, target, api: bot.api, botId: me.id, intake, clock, log });
      started.push({ name: 'updates', stop: taking.stop });
    }
    if (options.http !== undefined) {
      const server = await startHttpServer({
        ...options.http,
        routes: new Map([...(taking?.routes ?? []), ['/metrics', metricsRoute], ...healthRoutes(checks)]),
        log,
      });
      started.push({ name: 'http', stop: () => server.close() });
    }
    log.info({ bot: me.username, versions: config.gateway.versions }, 'Peyk is running');
    return { botUsername: me.username, broken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Absent where no traces are wanted: nothing of what makes them is loaded then. */
async function startTracer({ traces, roles }: Config, log: Logger): Promise<OtelTracer | undefined> {
  if (traces === null) return undefined;
  const { startOtelTracer } = await import('../process/otel-tracer.ts');
  return startOtelTracer({ traces, version: manifest.version, roles, log });
}
