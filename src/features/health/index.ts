import { z } from 'zod';
import type { ReadHealth } from '../../ports/health.ts';
import type { Clock } from '../../ports/runtime.ts';
import { defineAction, LOOKING } from '../../telegram/action.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { healthCard } from './health-card.ts';
import { texts } from './texts.ts';

/** The button below the health of the deployment. */
const healthActions = {
  again: defineAction({
    name: 'health.again',
    permission: null,
    payload: z.object({}),
    ...LOOKING,
  }),
};

export interface HealthDeps {
  readonly readHealth: ReadHealth;
  /** The people who run the deployment. */
  readonly ownerIds: readonly number[];
  readonly clock: Clock;
}

/** How the deployment is, for those who run it; for everybody else there is no such command. */
export function createHealthFeature({ readHealth, ownerIds, clock }: HealthDeps): Feature {
  const look = async (ctx: RequestContext) => ({
    content: healthCard(await readHealth(), ctx.format, clock.now()),
    buttons: [[healthActions.again.button(texts(ctx.locale).again, {}, { personId: ctx.person.id })]],
  });

  return {
    name: 'health',
    commands: [
      defineCommand({
        name: 'health',
        alsoCalled: ['سلامت'],
        permission: null,
        place: 'private',
        typedBy: ownerIds,
        about: null,
        args: {},
        run: async (ctx) => {
          const { content, buttons } = await look(ctx);
          await ctx.say(content, { buttons });
        },
      }),
    ],
    actions: [
      healthActions.again.does(async (ctx) => {
        // The button is one person's; the settings may have changed since it was made.
        if (ctx.chat.type !== 'private' || !ownerIds.includes(ctx.person.id)) return;
        const { content, buttons } = await look(ctx);
        await ctx.rewrite(content, { buttons });
      }),
    ],
  };
}
