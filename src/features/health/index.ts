import type { ReadHealth } from '../../ports/health.ts';
import type { Clock } from '../../ports/runtime.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import type { Turn } from '../../telegram/turn.ts';
import { healthActions } from './actions.ts';
import { healthCard } from './health-card.ts';
import { texts } from './texts.ts';

export interface HealthDeps {
  readonly readHealth: ReadHealth;
  /** The people who run the deployment. */
  readonly ownerIds: readonly number[];
  readonly clock: Clock;
}

/** How the deployment is, for those who run it; for everybody else there is no such command. */
export function createHealthFeature({ readHealth, ownerIds, clock }: HealthDeps): Feature {
  const look = async (turn: Turn) => ({
    content: healthCard(await readHealth(), turn.format, clock.now()),
    buttons: [[healthActions.again.button(texts(turn.locale).again, {}, { personId: turn.person.id })]],
  });

  return {
    name: 'health',
    commands: [
      defineCommand({
        name: 'health',
        permission: null,
        place: 'private',
        internal: true,
        typedBy: ownerIds,
        about: (locale) => texts(locale).about,
        args: {},
        run: async (turn) => {
          const { content, buttons } = await look(turn);
          await turn.say(content, { buttons });
        },
      }),
    ],
    actions: [
      healthActions.again.does(async (turn) => {
        // The button is one person's; the settings may have changed since it was made.
        if (turn.chat.type !== 'private' || !ownerIds.includes(turn.person.id)) return;
        const { content, buttons } = await look(turn);
        await turn.rewrite(content, { buttons });
      }),
    ],
  };
}
