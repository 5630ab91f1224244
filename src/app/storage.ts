import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError, isAppError } from '../domain/errors.ts';
import type { BindingStore } from '../ports/stores.ts';
import type { Config } from '../process/config.ts';
import type { Logger, SecretRegistry } from '../process/log.ts';
import { createAbsenceStore } from '../storage/absence-store.ts';
import { createAccountStore } from '../storage/account-store.ts';
import { createAlarmStore } from '../storage/alarm-store.ts';
import { createAlertReads } from '../storage/alert-reads.ts';
import { createAuditStore } from '../storage/audit-store.ts';
import { createBindingStore } from '../storage/binding-store.ts';
import { createBulkStore } from '../storage/bulk-store.ts';
import { createButtonStore } from '../storage/button-store.ts';
import { createCallsInHand, type CallsInHand } from '../storage/calls-in-hand.ts';
import { createSealer, type Sealer } from '../storage/crypto.ts';
import { openDatabase, type Database, type PostgresTarget } from '../storage/database.ts';
import { createDraftStore } from '../storage/draft-store.ts';
import { createDutyStore } from '../storage/duty-store.ts';
import { runningPostgres, startEmbeddedPostgres } from '../storage/embedded.ts';
import { createFingerprint } from '../storage/fingerprint.ts';
import { createGaugeStore } from '../storage/gauge-store.ts';
import { createIdentityStore } from '../storage/identity-store.ts';
import { createInboundStore } from '../storage/inbound-store.ts';
import { createJobStore } from '../storage/job-store.ts';
import { createLimitsStore } from '../storage/limits-store.ts';
import { createLinkStore } from '../storage/link-store.ts';
import { loadMasterKeys, type MasterKeys } from '../storage/master-keys.ts';
import { createMenuStore } from '../storage/menu-store.ts';
import { migrate } from '../storage/migrate.ts';
import { createNoticeStore } from '../storage/notice-store.ts';
import { createPhonebookChangeStore } from '../storage/phonebook-change-store.ts';
import { createReconcileStore } from '../storage/reconcile-store.ts';
import { createRegistrationStore } from '../storage/registration-store.ts';
import { createReportStore } from '../storage/report-store.ts';
import { createRestStore } from '../storage/rest-store.ts';
import { createRuleStore } from '../storage/rule-store.ts';
import { createScheduleStore } from '../storage/schedule-store.ts';
import { checkSession } from '../storage/session-check.ts';
import { createSinkStore } from '../storage/sink-store.ts';
import { createTagStore } from '../storage/tag-store.ts';
import { createTalkStore } from '../storage/talk-store.ts';
import { createTeamStore } from '../storage/team-store.ts';
import { createTemplateStore } from '../storage/template-store.ts';
import { createTopicStore } from '../storage/topic-store.ts';
import { createFormStore, createUpdateStore } from '../storage/update-store.ts';

/** What has been started, in order; it is stopped in the reverse. */
export type Started = { readonly name: string; readonly stop: () => Promise<void> }[];

export interface StorageOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly secrets: SecretRegistry;
  /** The folder with the SQL migrations. */
  readonly migrations: string;
  /** A database that is there already, instead of the one that the settings name. */
  readonly database?: PostgresTarget;
  /** For a tool: where a Peyk runs on the embedded database, its server is used, and left as it is. */
  readonly besidePeyk?: boolean;
}

/** Opens the database, brings its tables up to date, and makes every store. */
export async function openStorage(options: StorageOptions, started: Started) {
  const { config, secrets } = options;
  const { target, broken, database } = await openTables(options, started);
  const masterKeys = await masterKeysOf(config, secrets, database);
  const sealer = createSealer(masterKeys);
  const hand = createCallsInHand();
  const stores = createStores(database, sealer, masterKeys, config, hand);
  await checkKeys(stores.bindings);
  return { target, broken, database, sealer, masterKeys, stores, hand };
}

/** Opens the database and brings its tables up to date. Of what they hold nothing is opened: no key is needed. */
export async function openTables(options: StorageOptions, started: Started) {
  const { log, migrations } = options;
  const { target, broken } = await openServer(options, started);
  const database = openDatabase({ target, max: 16, log: (message) => log.debug({}, message) });
  started.push({ name: 'database', stop: () => database.close() });
  await checkSession(database.sql);
  await migrate(database.sql, migrations);
  return { target, broken, database };
}

function createStores(
  database: Database,
  sealer: Sealer,
  masterKeys: MasterKeys,
  { defaultTimeZone: timeZone, gateway: { baseUrl, wsUrl } }: Config,
  hand: CallsInHand,
) {
  const gateway = baseUrl ?? wsUrl ?? '';
  return {
    absence: createAbsenceStore(database),
    accounts: createAccountStore(database),
    alarms: createAlarmStore(database, timeZone),
    alertReads: createAlertReads(database),
    audit: createAuditStore(database),
    bindings: createBindingStore(database, sealer, createFingerprint(masterKeys), gateway),
    bulks: createBulkStore(database),
    buttons: createButtonStore(database),
    drafts: createDraftStore(database),
    duties: createDutyStore(database),
    forms: createFormStore(database),
    gauges: createGaugeStore(database),
    identities: createIdentityStore(database),
    inbound: createInboundStore(database),
    jobs: createJobStore(database, timeZone, hand),
    limits: createLimitsStore(database),
    links: createLinkStore(database),
    menus: createMenuStore(database),
    notices: createNoticeStore(database, timeZone),
    phonebookChanges: createPhonebookChangeStore(database),
    reconciles: createReconcileStore(database),
    rests: createRestStore(database),
    registrations: createRegistrationStore(database, sealer),
    reports: createReportStore(database),
    tags: createTagStore(database),
    rules: createRuleStore(database),
    schedule: createScheduleStore(database, timeZone),
    sinks: createSinkStore(database, timeZone),
    talks: createTalkStore(database),
    team: createTeamStore(database),
    templates: createTemplateStore(database),
    topics: createTopicStore(database),
    updates: createUpdateStore(database),
  };
}

async function openServer(
  { config, log, database, besidePeyk = false }: StorageOptions,
  started: Started,
): Promise<{ target: PostgresTarget; broken: Promise<void> }> {
  if (database !== undefined) return { target: database, broken: new Promise(() => undefined) };
  if (config.database.url !== null) {
    return { target: { url: config.database.url }, broken: new Promise(() => undefined) };
  }
  const dataDir = resolve(config.database.dataDir);
  const running = besidePeyk ? runningPostgres(dataDir) : null;
  if (running !== null) return { target: running, broken: new Promise(() => undefined) };
  const server = await startEmbeddedPostgres({
    dataDir,
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
  for (const { key } of keys) secrets.keep(key);
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
