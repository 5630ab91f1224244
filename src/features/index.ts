import type { Gateways } from '../ports/gateways.ts';
import type { Clock } from '../ports/runtime.ts';
import type { BindingStore, DraftStore, IdentityStore, JobStore, LinkStore } from '../ports/stores.ts';
import type { Secret } from '../domain/secret.ts';
import type { Feature } from '../telegram/feature.ts';
import { createAccountFeature } from './account/index.ts';
import { createConnectFeature } from './connect/index.ts';
import { createLineFeature } from './line/index.ts';
import { createReportsFeature } from './reports/index.ts';
import type { Cards } from './send/cards.ts';
import { createSendFeature } from './send/index.ts';
import { createStartFeature } from './start/index.ts';

export interface FeatureDeps {
  readonly bindings: BindingStore;
  readonly drafts: DraftStore;
  readonly identities: IdentityStore;
  readonly jobs: JobStore;
  readonly links: LinkStore;
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly cards: Cards;
  readonly keepSecret: (secret: Secret) => void;
  readonly access: 'open' | 'allowlist';
  readonly ownerIds: readonly number[];
  readonly undoSeconds: number;
}

/** Every feature, in the order of help. A new one is one folder and one line here. */
export function createFeatures(deps: FeatureDeps): readonly Feature[] {
  const features: Feature[] = [
    createStartFeature({ ...deps, commands: () => features.flatMap((feature) => feature.commands) }),
    createSendFeature(deps),
    createReportsFeature(deps),
    createAccountFeature(deps),
    createLineFeature(deps),
    createConnectFeature(deps),
  ];
  return features;
}
