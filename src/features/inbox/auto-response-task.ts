import { z } from 'zod';
import { defineTask, type Task } from '../../ports/runtime.ts';
import { createAutoResponse, type AutoResponseDeps } from './auto-response.ts';

/** What storing a received message has asked for. */
export function createAutoResponseTask(deps: AutoResponseDeps): Task {
  const respond = createAutoResponse(deps);
  return defineTask({
    name: 'inbound-duty',
    schema: z.object({ inboundId: z.int(), tries: z.int().optional() }),
    run: async ({ inboundId, tries = 0 }, { log }) => await respond(inboundId, { tries, log }),
  });
}
