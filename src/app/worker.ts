import type { Api } from 'grammy';
import { createNotificationCards } from '../features/alerts/kind-cards.ts';
import { createAlertTasks } from '../features/alerts/tasks.ts';
import { createChangeCards } from '../features/phonebook/change-cards.ts';
import { createPhonebookTasks } from '../features/phonebook/tasks.ts';
import { createUnansweredWatch } from '../features/inbox/unanswered-watch.ts';
import { createRegistrationCards } from '../features/registration/cards.ts';
import { createRegistrationTasks } from '../features/registration/tasks.ts';
import { createBulkTasks } from '../features/sending/bulk/tasks.ts';
import type { createCards } from '../features/sending/cards.ts';
import { createDateRunner } from '../features/sending/dates/runner.ts';
import { createDateTasks } from '../features/sending/dates/date-card.ts';
import { createLapse } from '../features/sending/draft/lapse-card.ts';
import { createLateAnswer } from '../features/sending/reconcile/doubt-card.ts';
import { createCallTasks } from '../features/sending/job-call-card.ts';
import { createSendTasks } from '../features/sending/tasks.ts';
import { createJobs } from '../jobs/engine.ts';
import { createKeptForms, type StateSealer } from '../telegram/forms/open-form.ts';
import type { Uploads } from '../ports/bulk.ts';
import type { Gateways } from '../ports/gateways.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Clock, Liveness } from '../ports/runtime.ts';
import type { Tracer } from '../ports/tracer.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { pgPoolConfig, type PostgresTarget } from '../storage/database/database.ts';
import { createGoneTasks } from '../telegram/alerts/gone.ts';
import { createNotificationTasks } from '../telegram/alerts/notifications.ts';
import { createMenuTask } from '../telegram/dispatch/menu-task.ts';
import type { Command } from '../telegram/feature.ts';
import type { Notifier } from '../telegram/outgoing/notifier.ts';
import type { Outgoing } from '../telegram/outgoing/outgoing.ts';
import { createFileThread } from './file-thread.ts';
import { createAppStallWatch } from './poller.ts';
import type { openStorage } from './storage.ts';
import { traceJobs } from './traced-jobs.ts';
import type { createTwoWay } from './two-way.ts';

export interface AppWorkerOptions {
  readonly config: Config;
  readonly target: PostgresTarget;
  readonly stores: Awaited<ReturnType<typeof openStorage>>['stores'];
  readonly liveness: Liveness;
  readonly gateways: Gateways;
  readonly api: Api;
  readonly menuApi: Api;
  readonly outgoing: Outgoing;
  readonly notifier: Notifier;
  readonly metrics: Metrics;
  readonly tracer: Tracer | undefined;
  readonly cards: ReturnType<typeof createCards>;
  readonly commands: readonly Command[];
  readonly sealer: StateSealer;
  readonly uploads: Uploads;
  readonly twoWay: ReturnType<typeof createTwoWay>;
  /** The most send calls of one account that are out at once. */
  readonly mostCalls?: number | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

const SWEEP_SECONDS = 10;
const PURGE_SECONDS = 3600;
const FORGET_SECONDS = 60;
const WAKE_SECONDS = 60;
const ALERT_SECONDS = 30;
const DATES_SECONDS = 5;
/** A million reports, some seconds of the database. */
const MOVES_AT_ONCE = 100;
const UPLOAD_SWEEP_SECONDS = 600;
/** What still runs so long after a stop is told to hurry. */
const HURRY_MS = 5000;

/** Runs the jobs of the queue, and looks now and then for what nothing in it would find. */
export async function startAppWorker(
  options: AppWorkerOptions,
): Promise<{ readonly stop: () => Promise<void> }> {
  const { config, target, stores, liveness, gateways, api, menuApi, outgoing, notifier, cards } = options;
  const { commands, uploads, twoWay, mostCalls, metrics, clock, log } = options;
  const { bindings, buttons, drafts, phonebookChanges, registrations } = stores;
  const jobStore = options.tracer === undefined ? stores.jobs : traceJobs(stores.jobs);
  const files = createFileThread();
  const engine = await createJobs({
    connection: pgPoolConfig(target, 10),
    liveness,
    log,
    tracer: options.tracer,
    abortAfterMs: HURRY_MS,
    tasks: [
      ...createSendTasks({
        jobs: jobStore,
        gateways,
        reconciles: stores.reconciles,
        gauges: stores.gauges,
        drafts,
        clock,
        cards,
        tellLate: createLateAnswer({ jobs: jobStore, drafts, notifier }),
        tellLapse: createLapse({ drafts, notifier, timeZone: config.defaultTimeZone }),
        owner: liveness.id,
        mostCalls,
        pollSeconds: config.pacing.statusPollSeconds,
      }),
      ...createBulkTasks({
        bulks: stores.bulks,
        people: stores.people,
        uploads,
        files,
        gateways,
        cards,
        clock,
        log,
      }),
      ...createCallTasks({
        jobs: jobStore,
        drafts,
        cards,
        notifier,
        clock,
        timeZone: config.defaultTimeZone,
      }),
      ...createDateTasks({ dateSends: stores.dateSends, notifier }),
      twoWay.autoResponse,
      ...createAlertTasks({ alarms: stores.alarms }),
      ...createNotificationTasks({
        api,
        editor: outgoing.editor,
        destinations: stores.destinations,
        notifications: stores.notifications,
        cards: createNotificationCards(
          {
            alarms: stores.alarms,
            reads: stores.alertReads,
            notifications: stores.notifications,
            drafts,
            clock,
          },
          twoWay.card,
        ),
        buttons,
        bindings,
        metrics,
        clock,
        log,
        defaults: { lang: config.defaultLocale, timeZone: config.defaultTimeZone },
      }),
      ...createRegistrationTasks(createRegistrationCards({ registrations, notifier })),
      ...createPhonebookTasks({
        changes: phonebookChanges,
        gateways,
        cards: createChangeCards({ notifier, log }),
      }),
      ...createGoneTasks({ ...stores, api, log, fallback: config.defaultLocale }),
      createMenuTask({
        api: menuApi,
        menus: stores.menus,
        gateways,
        commands,
        fallback: config.defaultLocale,
      }),
    ],
  });
  engine.every(SWEEP_SECONDS, 'abandoned attempts', async () => {
    const forgotten = await jobStore.takeUp(liveness.id);
    if (forgotten.length > 0)
      log.warn(
        { jobs: forgotten.length },
        'calls that nothing here knows of any more; their outcome is unknown',
      );
    const gone = await liveness.gone((await jobStore.owners()).filter((owner) => owner !== liveness.id));
    if (gone.length === 0) return;
    const concerned = await jobStore.abandon(gone);
    if (concerned.length === 0) return;
    log.warn({ jobs: concerned.length }, 'a process ended with calls in hand; their outcome is unknown');
  });
  engine.every(PURGE_SECONDS, 'purge', async ({ signal }) => {
    const gone = await stores.purge.run(signal);
    if (Object.keys(gone).length > 0) log.info({ gone }, 'what was past its time has gone');
  });
  engine.every(UPLOAD_SWEEP_SECONDS, 'files left behind', () => uploads.sweep());
  engine.every(WAKE_SECONDS, 'sends that are due', async () => {
    const woken = await stores.schedule.wake();
    if (woken > 0) log.warn({ jobs: woken }, 'sends were due that nothing in the queue would have woken');
  });
  const runDates = createDateRunner({ ...stores, gateways });
  engine.every(DATES_SECONDS, 'sends by dates that are due', async ({ signal }) => await runDates(signal));
  engine.every(SWEEP_SECONDS, 'reports of an earlier release', async () => {
    for (let moved = 0; moved < MOVES_AT_ONCE && (await jobStore.moveReports()); moved++);
  });
  const lookForUnanswered = createUnansweredWatch(stores);
  engine.every(ALERT_SECONDS, 'alerts that are due', async () => {
    await stores.unanswered.snoozesOver();
    await lookForUnanswered();
    await stores.alarms.remind();
    await stores.alarms.digests();
    const woken = await stores.notifications.wakeAll();
    if (woken > 0)
      log.warn({ destinations: woken }, 'alerts were due that nothing in the queue would have said');
  });
  const { restOf } = createKeptForms(new Map(commands.map((each) => [each.name, each])), options.sealer);
  engine.every(FORGET_SECONDS, 'overdue answers', async () => {
    await registrations.forgetOverdue();
    await stores.forms.sweep(restOf);
  });
  const stallWatch = createAppStallWatch({ config, stores, clock });
  engine.every(stallWatch.seconds, 'inboxes that nobody reads', stallWatch.run);
  await engine.start();
  return {
    async stop() {
      // Telegram may want an hour of patience; whoever runs this job next can say it as well.
      const hurry = setTimeout(() => void outgoing.close(), HURRY_MS);
      await engine.stop();
      clearTimeout(hurry);
      await files.close();
    },
  };
}
