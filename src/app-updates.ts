import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { Config } from './config.ts';
import type { Check } from './http/health.ts';
import { startInterval } from './jobs/interval.ts';
import type { Logger } from './log.ts';
import type { HttpRoute } from './ports/http.ts';
import type { Clock, Leader } from './ports/runtime.ts';
import type { PostgresTarget } from './storage/database.ts';
import { startLeader } from './storage/leader.ts';
import { updatesChannel } from './storage/update-store.ts';
import type { Intake } from './telegram/intake.ts';
import { createPolling } from './telegram/polling.ts';
import { createWebhook } from './telegram/webhook.ts';
import { createWebhookAddress } from './telegram/webhook-address.ts';

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
  readonly intake: Intake;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What failed for want of the database, and what nobody announced, is taken up so soon. */
const RESUME_SECONDS = 2;
const IDLE_WAIT_MS = 10_000;
/** A long poll answers within a minute; two without one mean that something is wrong. */
const SILENCE_MS = 120_000;

/**
 * Takes updates in. By long polling the leader asks for them; by webhook every process writes down what it is brought.
 * Either way the leader alone handles them, so that the messages of a chat are handled in their order.
 */
export function startAppUpdates(options: AppUpdatesOptions): AppUpdates {
  const { config, target, botId, intake, clock, log } = options;
  const source = sourceOf(options);
  const take = createTaker(intake, log);
  const leader: Leader = startLeader({
    target,
    log,
    name: `updates of bot ${botId}`,
    news: { channel: updatesChannel(botId), heard: take },
    work: async (signal) => {
      // What a dead leader left open, before what is new.
      await intake.resume().catch((error: unknown) => log.warn({ err: error }, 'open updates stay open'));
      await source.run(signal);
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
    // Another process leads; this one is ready to work and to take over.
    check: async () => (leader.leads() ? source.problem() : null),
    leads: () => leader.leads(),
    async stop() {
      await resuming.stop();
      await leader.close();
      await Promise.race([intake.idle(), sleep(IDLE_WAIT_MS, undefined, { ref: false })]);
    },
  };
}

function sourceOf({ config, api, intake, clock, log }: AppUpdatesOptions) {
  const { webhook } = config.telegram;
  if (webhook !== null) return createWebhookAddress({ api, ...webhook, clock, log });
  const polling = createPolling({ api, intake, clock, log });
  return {
    run: polling.run,
    problem(): string | null {
      const last = polling.lastAnswer();
      if (last === null) return 'no answer from Telegram yet';
      const isSilent = clock.now().getTime() - last.getTime() > SILENCE_MS;
      return isSilent ? 'no answer from Telegram for two minutes' : null;
    },
  };
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
