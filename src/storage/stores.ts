import { createAbsenceStore } from './alerts/absence-store.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { createAlarmStore } from './alerts/alarm-store.ts';
import { createAlertReads } from './alerts/alert-reads.ts';
import { createAuditStore } from './audit-store.ts';
import { createBindingStore } from './accounts/binding-store.ts';
import { createBulkStore } from './sending/bulk-store.ts';
import { createButtonStore } from './chat/button-store.ts';
import type { CallsInHand } from './restore/calls-in-hand.ts';
import type { Sealer } from './keys/crypto.ts';
import type { Database } from './database/database.ts';
import { createDateSendStore } from './sending/date-send-store.ts';
import { createDecide } from './sending/decide.ts';
import { createDraftStore } from './sending/draft-store.ts';
import { createAutoResponseStore } from './inbox/auto-response-store.ts';
import { createFingerprint } from './keys/fingerprint.ts';
import { createGaugeStore } from './accounts/gauge-store.ts';
import { createIdentityStore } from './people/identity-store.ts';
import { createInboundStore } from './inbox/inbound-store.ts';
import { createJobStore } from './sending/job-store.ts';
import { createLimitsStore } from './sending/limits-store.ts';
import { createLinkStore } from './people/link-store.ts';
import type { MasterKeys } from './keys/master-keys.ts';
import { createMenuStore } from './chat/menu-store.ts';
import { createNotificationStore } from './alerts/notification-store.ts';
import { createPeopleStore } from './people/people-store.ts';
import { createPhonebookChangeStore } from './people/phonebook-change-store.ts';
import { createPurge, type KeptDays } from './purge/purge.ts';
import { createReconcileStore } from './sending/reconcile-store.ts';
import { createRegistrationStore } from './accounts/registration-store.ts';
import { createReportStore } from './reports/report-store.ts';
import { createUnansweredStore } from './inbox/unanswered-store.ts';
import { createUnsentStore } from './sending/unsent-store.ts';
import { createRuleStore } from './inbox/rule-store.ts';
import { createScheduleStore } from './sending/schedule-store.ts';
import { createDestinationStore } from './inbox/destination-store.ts';
import { createTagStore } from './sending/tag-store.ts';
import { createTalkStore } from './inbox/talk-store.ts';
import { createTeamStore } from './people/team-store.ts';
import { createTemplateStore } from './people/template-store.ts';
import { createTopicStore } from './inbox/topic-store.ts';
import { createFormStore, createUpdateStore } from './chat/update-store.ts';

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
