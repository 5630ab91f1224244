import type { Charts } from '../ports/charts.ts';
import type { Gateways } from '../ports/gateways.ts';
import type { ReadHealth } from '../ports/health.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Tables } from '../ports/tables.ts';
import type { Blacklisting } from '../ports/two-way.ts';
import type { Secret } from '../domain/secret.ts';
import type { Stores } from '../storage/stores.ts';
import type { Feature } from '../telegram/feature.ts';
import { createAlertsFeature } from './alerts/index.ts';
import { alertName } from './alerts/kind-cards.ts';
import { createAccountFeature } from './account/index.ts';
import { createAuditFeature } from './audit/index.ts';
import { createBlacklistFeature } from './blacklist/index.ts';
import { createBookSendFeature } from './sending/kinds/book/index.ts';
import { createBulkFeature, createKeepFile } from './sending/bulk/index.ts';
import { createConnectFeature } from './connect/index.ts';
import { createLetLeave } from './sending/confirm/press-card.ts';
import { createDatesFeature } from './sending/dates/index.ts';
import { createFutureFeature } from './sending/kinds/future/index.ts';
import { createHealthFeature } from './health/index.ts';
import { createInboxFeature } from './inbox/index.ts';
import { createLimitsFeature } from './limits/index.ts';
import { createLineFeature } from './sending/line/index.ts';
import { createMultiFeature } from './sending/kinds/multi/index.ts';
import { createPatternFeature } from './sending/kinds/pattern/index.ts';
import { createPeopleFeature } from './people/index.ts';
import { createPhonebookFeature } from './phonebook/index.ts';
import { createRegistrationFeature } from './registration/index.ts';
import { createReportsFeature } from './reports/index.ts';
import { createRulesFeature } from './rules/index.ts';
import type { Cards } from './sending/cards.ts';
import { createScheduleFeature } from './sending/schedule/index.ts';
import { createSendFeature } from './sending/index.ts';
import { createReconcileFeature } from './sending/reconcile/index.ts';
import { createStartFeature } from './start/index.ts';
import { createUndo } from './sending/run/undo-card.ts';
import { createTagsFeature } from './sending/tags/index.ts';
import { createTeamFeature } from './team/index.ts';
import { createTemplatesFeature } from './templates/index.ts';

export interface FeatureDeps extends Stores {
  readonly blacklisting: Blacklisting;
  readonly gateways: Gateways;
  readonly tables: Tables;
  readonly charts: Charts;
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
    createStartFeature({ ...deps, undo: createUndo(deps), features: () => features }),
    createSendFeature(deps),
    createMultiFeature(deps),
    createBulkFeature(deps),
    createPatternFeature(deps),
    createScheduleFeature(deps),
    createDatesFeature(deps),
    createFutureFeature(deps),
    createBookSendFeature(deps),
    createTemplatesFeature(deps),
    createReconcileFeature(deps),
    createReportsFeature(deps),
    createTagsFeature(deps),
    createInboxFeature({ ...deps, letLeave: createLetLeave(deps), undo: createUndo(deps) }),
    createRulesFeature(deps),
    createPhonebookFeature(deps),
    createPeopleFeature({ ...deps, keepFile: createKeepFile(deps) }),
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
