import { z } from 'zod';
import { defineTask, type Task } from '../../ports/runtime.ts';
import { createNoticeSender, type NoticeDeps } from './notice-sender.ts';

/** The tasks by which sinks are told: what is new, what has changed, and that one of them is out of reach. */
export function createNoticeTasks(deps: NoticeDeps): readonly Task[] {
  const { notices, sinks, clock } = deps;
  const sender = createNoticeSender(deps);
  return [
    defineTask({
      name: 'notify',
      schema: z.object({ sinkId: z.uuid() }),
      async run({ sinkId }, { signal }) {
        const until = clock.monotonic() + TURN_MS;
        while (clock.monotonic() < until && !signal.aborted) {
          const next = await notices.next(sinkId);
          if (next.kind === 'wait') {
            if (next.ms !== null) await notices.wake(sinkId, Math.max(next.ms, LEAST_WAIT_MS));
            return;
          }
          const sink = await sinks.get(sinkId);
          if (sink === null) return;
          const all = next.kind === 'say' ? [next.notice] : next.notices;
          await sender.say(sink, all);
        }
        await notices.wake(sinkId, 0);
      },
    }),
    defineTask({
      name: 'renotice',
      schema: z.union([z.object({ alarmId: z.uuid() }), z.object({ inboundIds: z.array(z.number().int()) })]),
      run: async (of) => await sender.rewrite(of),
    }),
    defineTask({
      name: 'sink-off',
      schema: z.object({ sinkId: z.uuid() }),
      async run({ sinkId }) {
        const sink = await sinks.get(sinkId);
        if (sink !== null && sink.offReason !== null) await sender.tellOff(sink, sink.offReason);
      },
    }),
  ];
}

/** One run of the task goes on for so long at Telegram's pace; then others have their turn. */
const TURN_MS = 20_000;
const LEAST_WAIT_MS = 100;
