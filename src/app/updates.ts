import type { Api } from 'grammy';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Check } from '../http/health.ts';
import { startInterval } from '../jobs/interval.ts';
import type { HttpRoute } from '../ports/http.ts';
import type { Clock, Leader } from '../ports/runtime.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { PostgresTarget } from '../storage/database/database.ts';
import { startLeader } from '../storage/database/leader.ts';
import { updatesChannel } from '../storage/chat/update-store.ts';
import type { Intake } from '../telegram/updates/intake.ts';
import { createPolling } from '../telegram/updates/polling.ts';
import type { WatchedIntake } from '../telegram/updates/database-away/intake-health.ts';
import { createWebhookAddress } from '../telegram/updates/webhook-address.ts';
import { createWebhook } from '../telegram/updates/webhook.ts';

export interface AppUpdates {
  /** Where Telegram brings updates; empty with long polling. */
  readonly routes: ReadonlyMap<string, HttpRoute>;
  readonly check: Check;
  leads(): boolean;
  stop(): Promise<void>;
}

export interface AppUpdatesOptions {
  readonly config: Config;
  readonly target: PostgresTarget;
  readonly api: Api;
  readonly botId: number;
  readonly intake: WatchedIntake;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What failed for want of the database, and what nobody announced, is taken up so soon. */
const RESUME_SECONDS = 2;
/** What is in hand may have to wait for the pace that Telegram allows in a group: 20 messages a minute. */
const IDLE_WAIT_MS = 20_000;

/**
 * Takes updates in. By long polling the leader asks for them; by webhook every process writes down what it is brought.
 * Either way the leader alone handles them, so that the messages of a chat are handled in their order.
 */
export function startAppUpdates(options: AppUpdatesOptions): AppUpdates {
  const { config, target, botId, intake, clock, log } = options;
  const source = sourceOf(options);
  const take = createTaker(intake, log);
  let isStopping = false;
  let idling: Promise<unknown> | undefined;
  const leader: Leader = startLeader({
    target,
    log,
    name: `updates of bot ${botId}`,
    news: { channel: updatesChannel(botId), heard: take },
    work: async (signal) => {
      // What a dead leader left open, before what is new.
      await intake.resume().catch((error: unknown) => log.warn({ err: error }, 'open updates stay open'));
      await source.run(signal);
      // Whoever leads next takes up what is open, and would handle once more what is still in hand here.
      if (isStopping) await untilIdle();
    },
  });
  // What is open belongs to the leader: another process would handle a second time what it has in hand.
  const resuming = startInterval({
    seconds: RESUME_SECONDS,
    name: 'open updates',
    log,
    run: async () => {
      if (leader.leads()) await intake.resume();
    },
  });
  const { webhook } = config.telegram;
  const routes = new Map<string, HttpRoute>();
  if (webhook !== null)
    routes.set(new URL(webhook.url).pathname, createWebhook({ secret: webhook.secret, intake, clock, log }));
  return {
    routes,
    // Where another process leads, this one is ready to work and to take over.
    check: async () => intake.problem() ?? (leader.leads() ? source.problem() : null),
    leads: () => leader.leads(),
    async stop() {
      isStopping = true;
      await resuming.stop();
      await leader.close();
      // One that has lost the lead before may still have something in hand.
      await untilIdle();
    },
  };

  async function untilIdle(): Promise<void> {
    idling ??= Promise.race([intake.idle(), sleep(IDLE_WAIT_MS, undefined, { ref: false })]);
    await idling;
  }
}

function sourceOf({ config, api, intake, clock, log }: AppUpdatesOptions) {
  const { webhook } = config.telegram;
  if (webhook !== null) return createWebhookAddress({ api, ...webhook, clock, log });
  return createPolling({ api, intake, clock, log });
}

/** Takes up what is open, once more when it was asked to meanwhile, however often that was. */
function createTaker(intake: Pick<Intake, 'resume'>, log: Logger): () => void {
  let state: 'idle' | 'busy' | 'again' = 'idle';
  const run = async (): Promise<void> => {
    do {
      state = 'busy';
      await intake.resume().catch((error: unknown) => log.warn({ err: error }, 'open updates stay open'));
    } while (isAgain());
    state = 'idle';
  };
  const isAgain = (): boolean => state === 'again';
  return () => {
    if (state === 'idle') void run();
    else state = 'again';
  };
}
