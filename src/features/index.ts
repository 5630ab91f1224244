import type { AlarmStore, NoticeStore, SinkStore } from '../ports/alerts.ts';
import type { BulkStore } from '../ports/bulk.ts';
import type { Charts } from '../ports/charts.ts';
import type { Gateways } from '../ports/gateways.ts';
import type { GaugeStore } from '../ports/gauge.ts';
import type { AccountStore, InboundStore, TalkStore } from '../ports/inbound.ts';
import type { LimitsStore } from '../ports/limits.ts';
import type { RegistrationStore } from '../ports/registrations.ts';
import type { ReportStore } from '../ports/reports.ts';
import type { PhonebookChangeStore } from '../ports/phonebook-changes.ts';
import type { ReconcileStore } from '../ports/reconcile.ts';
import type { ScheduleStore } from '../ports/schedule.ts';
import type { AbsenceStore } from '../ports/absence.ts';
import type { ReadHealth } from '../ports/health.ts';
import type { RestStore } from '../ports/rest.ts';
import type { Clock } from '../ports/runtime.ts';
import type { JobStore } from '../ports/jobs.ts';
import type { AuditStore, BindingStore, DraftStore, IdentityStore, LinkStore } from '../ports/stores.ts';
import type { Tables } from '../ports/tables.ts';
import type { TagStore } from '../ports/tags.ts';
import type { TeamStore } from '../ports/team.ts';
import type { TemplateStore } from '../ports/templates.ts';
import type { Blacklisting, DutyStore, RuleStore, TopicStore } from '../ports/two-way.ts';
import type { Secret } from '../domain/secret.ts';
import type { Feature } from '../telegram/feature.ts';
import { createAlertsFeature } from './alerts/index.ts';
import { alertName } from './alerts/kind-cards.ts';
import { createAccountFeature } from './account/index.ts';
import { createAuditFeature } from './audit/index.ts';
import { createBlacklistFeature } from './blacklist/index.ts';
import { createBookSendFeature } from './sending/kinds/book/index.ts';
import { createBulkFeature } from './sending/bulk/index.ts';
import { createConnectFeature } from './connect/index.ts';
import { createFutureFeature } from './sending/kinds/future/index.ts';
import { createHealthFeature } from './health/index.ts';
import { createInboxFeature } from './inbox/index.ts';
import { createLimitsFeature } from './limits/index.ts';
import { createLineFeature } from './sending/line/index.ts';
import { createMultiFeature } from './sending/kinds/multi/index.ts';
import { createPatternFeature } from './sending/kinds/pattern/index.ts';
import { createPhonebookFeature } from './phonebook/index.ts';
import { createRegistrationFeature } from './registration/index.ts';
import { createReportsFeature } from './reports/index.ts';
import { createRulesFeature } from './rules/index.ts';
import type { Cards } from './sending/cards.ts';
import { createScheduleFeature } from './sending/schedule/index.ts';
import { createSendFeature } from './sending/index.ts';
import { createSettleFeature } from './sending/reconcile/index.ts';
import { createStartFeature } from './start/index.ts';
import { createTagsFeature } from './sending/tags/index.ts';
import { createTeamFeature } from './team/index.ts';
import { createTemplatesFeature } from './templates/index.ts';

export interface FeatureDeps {
  readonly bindings: BindingStore;
  readonly bulks: BulkStore;
  readonly drafts: DraftStore;
  readonly identities: IdentityStore;
  readonly jobs: JobStore;
  readonly links: LinkStore;
  readonly audit: AuditStore;
  readonly team: TeamStore;
  readonly templates: TemplateStore;
  readonly limits: LimitsStore;
  readonly gauges: GaugeStore;
  readonly phonebookChanges: PhonebookChangeStore;
  readonly registrations: RegistrationStore;
  readonly absence: AbsenceStore;
  readonly accounts: AccountStore;
  readonly inbound: InboundStore;
  readonly talks: TalkStore;
  readonly rules: RuleStore;
  readonly duties: DutyStore;
  readonly topics: TopicStore;
  readonly blacklisting: Blacklisting;
  readonly gateways: Gateways;
  readonly tables: Tables;
  readonly sinks: SinkStore;
  readonly alarms: AlarmStore;
  readonly notices: NoticeStore;
  readonly charts: Charts;
  readonly reconciles: ReconcileStore;
  readonly rests: RestStore;
  readonly reports: ReportStore;
  readonly tags: TagStore;
  readonly schedule: ScheduleStore;
  readonly clock: Clock;
  readonly cards: Cards;
  readonly keepSecret: (secret: Secret) => void;
  readonly readHealth: ReadHealth;
  readonly access: 'open' | 'allowlist';
  readonly ownerIds: readonly number[];
  readonly undoSeconds: number;
  readonly checkCredit: (bindingId: string) => Promise<void>;
  /** Has a chat's command menus looked at again: of everybody with a role there, or of one person. */
  readonly refreshMenus: (chatId: string, personId?: number) => Promise<void>;
}

/** Every feature, in the order of help. A new one is one folder and one line here. */
export function createFeatures(deps: FeatureDeps): readonly Feature[] {
  const features: Feature[] = [
    createStartFeature({ ...deps, features: () => features }),
    createSendFeature(deps),
    createMultiFeature(deps),
    createBulkFeature(deps),
    createPatternFeature(deps),
    createScheduleFeature(deps),
    createFutureFeature(deps),
    createBookSendFeature(deps),
    createTemplatesFeature(deps),
    createSettleFeature(deps),
    createReportsFeature(deps),
    createTagsFeature(deps),
    createInboxFeature(deps),
    createRulesFeature(deps),
    createPhonebookFeature(deps),
    createBlacklistFeature(deps),
    createAccountFeature(deps),
    createLineFeature(deps),
    createRegistrationFeature(deps),
    createConnectFeature(deps),
    createTeamFeature(deps),
    createLimitsFeature(deps),
    createAlertsFeature(deps),
    createAuditFeature({ ...deps, alertName }),
    createHealthFeature(deps),
  ];
  return features;
}
