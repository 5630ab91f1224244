import { createEvaluator } from '../features/alerts/evaluator.ts';
import { startPoller, type Poller } from '../features/inbox/poller.ts';
import { createStallWatch } from '../features/inbox/stall-watch.ts';
import type { Gateways } from '../ports/gateways.ts';
import type { Clock, Liveness } from '../ports/runtime.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { Stores } from '../storage/stores.ts';

export interface AppPollerOptions {
  readonly config: Config;
  readonly stores: Pick<Stores, 'accounts' | 'inbound' | 'alarms' | 'alertReads' | 'bindings' | 'gauges'>;
  readonly gateways: Gateways;
  readonly liveness: Liveness;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Begins to look after the accounts of this deployment. */
export function startAppPoller({ config, stores, gateways, liveness, clock, log }: AppPollerOptions): Poller {
  const { accounts, inbound, alarms } = stores;
  return startPoller({
    accounts,
    inbound,
    alarms,
    gateways,
    evaluator: createEvaluator({
      alarms,
      accounts,
      bindings: stores.bindings,
      reads: stores.alertReads,
      gauges: stores.gauges,
      gateways,
      clock,
      creditSeconds: config.pacing.creditPollSeconds,
    }),
    clock,
    log: log.child({ part: 'poller' }),
    owner: liveness.id,
    timeZone: config.defaultTimeZone,
    inboxSeconds: config.pacing.inboxPollSeconds,
    creditSeconds: config.pacing.creditPollSeconds,
  });
}

/** Looks for inboxes that nobody reads: whatever role a process has, it may be the one that notices. */
export function createAppStallWatch(options: Pick<AppPollerOptions, 'config' | 'stores' | 'clock'>): {
  readonly seconds: number;
  readonly run: () => Promise<void>;
} {
  const { config, stores, clock } = options;
  const { inboxPollSeconds: inboxSeconds } = config.pacing;
  return {
    seconds: Math.max(1, inboxSeconds),
    run: createStallWatch({ accounts: stores.accounts, alarms: stores.alarms, clock, inboxSeconds }),
  };
}
