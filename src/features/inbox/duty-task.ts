import { z } from 'zod';
import { defineTask, type Task } from '../../ports/runtime.ts';
import { createDuty, type DutyDeps } from './duty.ts';

/** What storing a received message has asked for. */
export function createDutyTask(deps: DutyDeps): Task {
  const doDuty = createDuty(deps);
  return defineTask({
    name: 'inbound-duty',
    schema: z.object({ inboundId: z.int(), tries: z.int().optional() }),
    run: async ({ inboundId, tries = 0 }, { log }) => await doDuty(inboundId, { tries, log }),
  });
}
