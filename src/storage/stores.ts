import { createAbsenceStore } from './absence-store.ts';
import { createAccountStore } from './account-store.ts';
import { createAlarmStore } from './alarm-store.ts';
import { createAlertReads } from './alert-reads.ts';
import { createAuditStore } from './audit-store.ts';
import { createBindingStore } from './binding-store.ts';
import { createBulkStore } from './bulk-store.ts';
import { createButtonStore } from './button-store.ts';
import type { CallsInHand } from './calls-in-hand.ts';
import type { Sealer } from './crypto.ts';
import type { Database } from './database.ts';
import { createDateSendStore } from './date-send-store.ts';
import { createDecide } from './decide.ts';
import { createDraftStore } from './draft-store.ts';
import { createAutoResponseStore } from './auto-response-store.ts';
import { createFingerprint } from './fingerprint.ts';
import { createGaugeStore } from './gauge-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { createInboundStore } from './inbound-store.ts';
import { createJobStore } from './job-store.ts';
import { createLimitsStore } from './limits-store.ts';
import { createLinkStore } from './link-store.ts';
import type { MasterKeys } from './master-keys.ts';
import { createMenuStore } from './menu-store.ts';
import { createNotificationStore } from './notification-store.ts';
import { createPeopleStore } from './people-store.ts';
import { createPhonebookChangeStore } from './phonebook-change-store.ts';
import { createPurge, type KeptDays } from './purge/purge.ts';
import { createReconcileStore } from './reconcile-store.ts';
import { createRegistrationStore } from './registration-store.ts';
import { createReportStore } from './report-store.ts';
import { createUnansweredStore } from './unanswered-store.ts';
import { createUnsentStore } from './unsent-store.ts';
import { createRuleStore } from './rule-store.ts';
import { createScheduleStore } from './schedule-store.ts';
import { createDestinationStore } from './destination-store.ts';
import { createTagStore } from './tag-store.ts';
import { createTalkStore } from './talk-store.ts';
import { createTeamStore } from './team-store.ts';
import { createTemplateStore } from './template-store.ts';
import { createTopicStore } from './topic-store.ts';
import { createFormStore, createUpdateStore } from './update-store.ts';

export interface StoresOptions {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly masterKeys: MasterKeys;
  /** Of chats that have none of their own. */
  readonly timeZone: string;
  /** The address of the gateway. */
  readonly gateway: string;
  readonly hand: CallsInHand;
  readonly keep: KeptDays;
}

/** The stores by name. Features and the kit know this type and nothing else of storage. */
export type Stores = ReturnType<typeof createStores>;

/** Makes every store. */
export function createStores(options: StoresOptions) {
  const { database, sealer, masterKeys, timeZone, gateway, hand, keep } = options;
  const decide = createDecide(database, hand);
  return {
    absence: createAbsenceStore(database),
    accounts: createAccountStore(database),
    alarms: createAlarmStore(database, timeZone),
    alertReads: createAlertReads(database),
    audit: createAuditStore(database),
    bindings: createBindingStore(database, sealer, createFingerprint(masterKeys), { gateway, timeZone }),
    bulks: createBulkStore(database),
    buttons: createButtonStore(database),
    dateSends: createDateSendStore(database, timeZone, decide),
    drafts: createDraftStore(database, decide),
    autoResponses: createAutoResponseStore(database, timeZone),
    forms: createFormStore(database),
    gauges: createGaugeStore(database),
    identities: createIdentityStore(database),
    inbound: createInboundStore(database, keep.inbox),
    jobs: createJobStore(database, timeZone, hand),
    limits: createLimitsStore(database),
    links: createLinkStore(database),
    menus: createMenuStore(database),
    notifications: createNotificationStore(database, timeZone),
    people: createPeopleStore(database),
    phonebookChanges: createPhonebookChangeStore(database),
    purge: createPurge(database, keep),
    reconciles: createReconcileStore(database, decide),
    rests: createUnsentStore(database),
    registrations: createRegistrationStore(database, sealer),
    reports: createReportStore(database),
    tags: createTagStore(database),
    rules: createRuleStore(database),
    schedule: createScheduleStore(database, timeZone, decide),
    destinations: createDestinationStore(database, timeZone),
    talks: createTalkStore(database),
    team: createTeamStore(database),
    templates: createTemplateStore(database),
    topics: createTopicStore(database),
    unanswered: createUnansweredStore(database, timeZone),
    updates: createUpdateStore(database),
  };
}
