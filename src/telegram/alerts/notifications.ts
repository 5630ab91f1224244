import { z } from 'zod';
import { defineTask, type Task } from '../../ports/runtime.ts';
import { createNotificationSender, type NotificationDeps } from './notification-sender.ts';

/** The tasks by which destinations are told: what is new, what has changed, and that one of them is out of reach. */
export function createNotificationTasks(deps: NotificationDeps): readonly Task[] {
  const { notifications, destinations, clock } = deps;
  const sender = createNotificationSender(deps);
  return [
    defineTask({
      name: 'notify',
      schema: z.object({ sinkId: z.uuid() }),
      async run({ sinkId: destinationId }, { signal }) {
        const until = clock.monotonic() + TURN_MS;
        while (clock.monotonic() < until && !signal.aborted) {
          const next = await notifications.next(destinationId);
          if (next.kind === 'wait') {
            if (next.ms !== null) await notifications.wake(destinationId, Math.max(next.ms, LEAST_WAIT_MS));
            return;
          }
          const destination = await destinations.get(destinationId);
          if (destination === null) return;
          const all = next.kind === 'say' ? [next.notification] : next.notifications;
          await sender.say(destination, all);
        }
        await notifications.wake(destinationId, 0);
      },
    }),
    defineTask({
      name: 'renotice',
      schema: z.union([z.object({ alarmId: z.uuid() }), z.object({ inboundIds: z.array(z.number().int()) })]),
      async run(of) {
        // What is being said at this moment is no message to edit yet, and says what held before, perhaps.
        if (await notifications.isBeingSaid(of)) await notifications.refresh(of, AFTER_SAYING_MS);
        await sender.rewrite(of);
      },
    }),
    defineTask({
      name: 'sink-off',
      schema: z.object({ sinkId: z.uuid() }),
      async run({ sinkId: destinationId }) {
        const destination = await destinations.get(destinationId);
        if (destination !== null && destination.offReason !== null)
          await sender.tellOff(destination, destination.offReason);
      },
    }),
  ];
}

/** One run of the task goes on for so long at Telegram's pace; then others have their turn. */
const TURN_MS = 20_000;
const LEAST_WAIT_MS = 100;
const AFTER_SAYING_MS = 1000;
