import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from 'grammy';
import { createAppStallWatch, startAppPoller } from './app-poller.ts';
import { createTwoWay } from './app-two-way.ts';
import { openStorage, type Started, type StorageOptions } from './app-storage.ts';
import type { Config } from './config.ts';
import { AppError } from './domain/errors.ts';
import { Secret } from './domain/secret.ts';
import { createAlertTasks } from './features/alerts/tasks.ts';
import { createNoticeCards } from './features/alerts/notice-cards.ts';
import { createBulkTasks } from './features/bulk/tasks.ts';
import { createFeatures } from './features/index.ts';
import { createCards } from './features/send/cards.ts';
import { createChangeCards } from './features/phonebook/change-cards.ts';
import { createPhonebookTasks } from './features/phonebook/tasks.ts';
import { createRegistrationCards } from './features/registration/cards.ts';
import { createRegistrationTasks } from './features/registration/tasks.ts';
import { createCreditCheck } from './features/send/gauge.ts';
import { createMissedTask } from './features/send/missed-card.ts';
import { createReminder } from './features/send/reminder-card.ts';
import { createSendTasks } from './features/send/tasks.ts';
import { createAccounts } from './gateway/accounts.ts';
import { createCharts } from './charts/charts.ts';
import { startHealthServer } from './health.ts';
import { createJobs } from './jobs/engine.ts';
import type { Logger } from './log.ts';
import type { Clock } from './ports/runtime.ts';
import { pgPoolConfig } from './storage/database.ts';
import { enqueueMenus } from './storage/enqueue.ts';
import { startLeader } from './storage/leader.ts';
import { createLiveness } from './storage/liveness.ts';
import { createTables } from './tables/tables.ts';
import { createBot } from './telegram/bot.ts';
import { telegramFailure } from './telegram/errors.ts';
import { createTelegramFetch } from './telegram/http.ts';
import { createMenuTask } from './telegram/menu-task.ts';
import { publishDefaultMenus } from './telegram/menus.ts';
import { createNoticeTasks } from './telegram/notices.ts';
import { createNotifier } from './telegram/notifier.ts';
import { createOutgoing, type OutgoingOptions } from './telegram/outgoing.ts';
import { createPolling, isClientSignal } from './telegram/polling.ts';
import { createUploads } from './telegram/uploads.ts';

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
  /** Where `/livez` and `/readyz` are answered; absent: nowhere. */
  readonly health?: { readonly host: string; readonly port: number };
  /** Ends a start that still waits for Telegram: the start is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

const TELEGRAM_API = 'https://api.telegram.org';
const SWEEP_SECONDS = 10;
/** A press that met no database is made again so soon. */
const RESUME_SECONDS = 2;
const PURGE_SECONDS = 3600;
const FORGET_SECONDS = 60;
const WAKE_SECONDS = 60;
const ALERT_SECONDS = 30;
const UPLOAD_SWEEP_SECONDS = 600;
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
  const { config, log, secrets } = options;
  const token = config.telegram.token;
  if (token === null)
    throw new AppError('config', 'no bot token', { params: { TELEGRAM_BOT_TOKEN: 'missing' } });
  refuseWhatIsNotThere(config);
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
    // Storage
    const { target, broken, database, sealer, stores } = await openStorage(options, started);
    const { bindings, identities, buttons, audit, drafts, updates } = stores;
    const { jobs: jobStore, phonebookChanges, registrations } = stores;

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
    const cards = createCards({
      drafts,
      notifier,
      clock,
      timeZone: config.defaultTimeZone,
      showAnswered: async (inboundId) => await stores.notices.refresh({ inboundIds: [inboundId] }),
    });
    const twoWay = createTwoWay({ config, stores, gateways: accounts, api, botId: me.id, clock, log });
    const tables = createTables();
    const fileUrl = (path: string): string =>
      `${config.telegram.apiRoot ?? TELEGRAM_API}/file/bot${token.reveal()}/${path}`;
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
      placeOpened: async (chatTelegramId) => void (await stores.sinks.on(chatTelegramId)),
    });

    // Work
    const liveness = await createLiveness({ target, log });
    started.push({ name: 'liveness', stop: () => liveness.close() });
    const engine = await createJobs({
      connection: pgPoolConfig(target, 10),
      liveness,
      log,
      tasks: [
        ...createSendTasks({
          jobs: jobStore,
          gateways: accounts,
          reconciles: stores.reconciles,
          gauges: stores.gauges,
          drafts,
          clock,
          cards,
          remind: createReminder({ jobs: jobStore, drafts, notifier }),
          owner: liveness.id,
          mostCalls: options.mostCalls,
          pollSeconds: config.pacing.statusPollSeconds,
        }),
        ...createBulkTasks({
          bulks: stores.bulks,
          uploads,
          tables,
          gateways: accounts,
          cards,
          clock,
          log,
        }),
        createMissedTask({
          jobs: jobStore,
          drafts,
          cards,
          notifier,
          clock,
          timeZone: config.defaultTimeZone,
        }),
        twoWay.duty,
        ...createAlertTasks({ alarms: stores.alarms }),
        ...createNoticeTasks({
          api,
          editor: outgoing.editor,
          sinks: stores.sinks,
          notices: stores.notices,
          cards: createNoticeCards(
            {
              alarms: stores.alarms,
              reads: stores.alertReads,
              notices: stores.notices,
              drafts,
              clock,
            },
            twoWay.card,
          ),
          buttons,
          bindings,
          clock,
          log,
          defaults: { lang: config.defaultLocale, timeZone: config.defaultTimeZone },
        }),
        ...createRegistrationTasks(createRegistrationCards({ registrations, notifier })),
        ...createPhonebookTasks({
          changes: phonebookChanges,
          gateways: accounts,
          cards: createChangeCards({ notifier, log }),
        }),
        createMenuTask({
          api: bot.api,
          menus: stores.menus,
          gateways: accounts,
          commands,
          fallback: config.defaultLocale,
        }),
      ],
    });
    started.push({ name: 'jobs', stop: () => engine.stop() });
    engine.every(SWEEP_SECONDS, 'abandoned attempts', async () => {
      const gone = await liveness.gone((await jobStore.owners()).filter((owner) => owner !== liveness.id));
      if (gone.length === 0) return;
      const concerned = await jobStore.abandon(gone);
      log.warn({ jobs: concerned.length }, 'a process ended with calls in hand; their outcome is unknown');
    });
    engine.every(PURGE_SECONDS, 'purge', () => updates.purge());
    engine.every(PURGE_SECONDS, 'rows of files', () => stores.bulks.purge());
    engine.every(UPLOAD_SWEEP_SECONDS, 'files left behind', () => uploads.sweep());
    engine.every(WAKE_SECONDS, 'sends that are due', async () => {
      const woken = await stores.schedule.wake();
      if (woken > 0) log.warn({ jobs: woken }, 'sends were due that nothing in the queue would have woken');
    });
    engine.every(ALERT_SECONDS, 'alerts that are due', async () => {
      await stores.alarms.remind();
      await stores.alarms.digests();
      const woken = await stores.notices.wakeAll();
      if (woken > 0) log.warn({ sinks: woken }, 'alerts were due that nothing in the queue would have said');
    });
    engine.every(FORGET_SECONDS, 'overdue answers', () => registrations.forgetOverdue());
    const stallWatch = createAppStallWatch({ config, stores, clock });
    engine.every(stallWatch.seconds, 'inboxes that nobody reads', stallWatch.run);
    await engine.start();
    if (config.roles.includes('poller')) {
      const poller = startAppPoller({ config, stores, gateways: accounts, liveness, clock, log });
      started.push({ name: 'poller', stop: () => poller.stop() });
    }
    await publishDefaultMenus(bot.api, commands, config.defaultLocale).catch((error: unknown) => {
      log.warn({ kind: telegramFailure(error).kind }, 'the command menus could not be set');
    });
    const polling = createPolling({ api: bot.api, intake, clock, log });
    const leader = startLeader({
      target,
      log,
      name: `updates of bot ${me.id}`,
      work: async (signal) => {
        // What a dead leader left open, before what is new.
        await intake.resume().catch((error: unknown) => log.warn({ err: error }, 'open updates stay open'));
        await polling.run(signal);
      },
    });
    started.push({
      name: 'updates',
      stop: async () => {
        await leader.close();
        await Promise.race([intake.idle(), sleep(IDLE_WAIT_MS, undefined, { ref: false })]);
      },
    });
    // What is open belongs to the leader: another process would handle a second time what it has in hand.
    engine.every(RESUME_SECONDS, 'open updates', async () => {
      if (leader.leads()) await intake.resume();
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
            // Another process asks; this one is ready to work and to take over.
            if (!leader.leads()) return null;
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
