import { goBack } from './going-back.ts';
import { runDrills } from './drill.ts';
import { hastenInbox } from './hasten-inbox.ts';
import { openInbox, playInboxRound, type InboxContext } from './inbox-round.ts';
import type { InboxPlan } from './inbox-schedule.ts';
import { openRound, playRound, type RoundContext } from './round.ts';
import type { Mode } from './run.ts';
import type { Plan } from './schedule.ts';

/** Drills come after every so many rounds. */
const DRILL_EVERY = 5;
/** Their texts name rounds that are never played. */
const DRILL_ROUNDS = 1_000_000;

/**
 * Rounds of sends. `drills`: blows in the calm are timed in between; `goesBack`: at the very end the database is set back by
 * some seconds.
 */
export function storms({
  drills = false,
  goesBack = false,
}: {
  readonly drills?: boolean;
  readonly goesBack?: boolean;
}): Mode<Plan, RoundContext> {
  return {
    judges: [
      ...(['lost', 'doubled', 'wrong', 'unordered', 'card', 'dead', 'silent', 'replay'] as const),
      ...(['stranded', 'stuck', 'slow', 'idle', 'secret', 'crash'] as const),
    ],
    // A third of what people may do: hardly anybody but the hasty meets it.
    env: { RATE_LIMIT: '0.3' },
    open: async (stand, { signal }) => await openRound(stand, signal),
    async play(context, plan) {
      const played = await playRound(context, plan);
      if (!drills || plan.round % DRILL_EVERY !== 0) return played;
      // That one is long: once is enough.
      const long = plan.round === DRILL_EVERY ? (['freeze'] as const) : [];
      const drilled = await runDrills(context, DRILL_ROUNDS + plan.round, ['kill', 'postgres', ...long]);
      return {
        ...played,
        findings: [...played.findings, ...drilled.findings],
        times: { ...played.times, ...drilled.times },
      };
    },
    async finish(context, say) {
      const found = goesBack ? await goBack(context, DRILL_ROUNDS) : [];
      return [...found, ...(await context.watch.finish(say))];
    },
  };
}

/** Rounds of received messages. @param patienceMs see `playInboxRound` */
export function inboxes(patienceMs?: number): Mode<InboxPlan, InboxContext> {
  return {
    judges: ['lost', 'doubled', 'wrong', 'untold', 'marked', 'stuck', 'secret', 'crash'],
    env: { INBOX_POLL_SECONDS: '0.25', CREDIT_POLL_SECONDS: '5' },
    hasten: hastenInbox,
    open: async (stand, { signal }) => await openInbox(stand, signal),
    play: async (context, plan) => await playInboxRound(context, plan, patienceMs),
    finish: async ({ watch }, say) => await watch.finish(say),
  };
}
