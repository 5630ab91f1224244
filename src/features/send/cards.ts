import type { Clock } from '../../ports/runtime.ts';
import type { CardView, DraftStore } from '../../ports/stores.ts';
import type { Notifier } from '../../telegram/notifier.ts';
import type { Turn } from '../../telegram/turn.ts';
import { renderCard, type RenderedCard } from './card.ts';

/** Progress is shown at most so often; what a person did is shown at once. */
const PROGRESS_GAP_MS = 5000;

export interface Cards {
  /** Brings the draft's message up to what is known now; sends it when there is none. */
  refresh(draftId: string): Promise<void>;
  /** Shows the same as a new message, without buttons; the card stays where it is. */
  copy(draftId: string, turn: Turn): Promise<void>;
}

/** Refreshes of one card that are under way. A later one has read later, so it never gives way to an earlier one. */
interface Lane {
  under: number;
  asked: number;
  shown: number;
  sending: Promise<void>;
}

export function createCards(deps: {
  readonly drafts: DraftStore;
  readonly notifier: Notifier;
  readonly clock: Clock;
  /** Of chats that have none of their own. */
  readonly timeZone: string;
}): Cards {
  const lanes = new Map<string, Lane>();

  return {
    async refresh(draftId) {
      const lane = lanes.get(draftId) ?? { under: 0, asked: 0, shown: 0, sending: Promise.resolve() };
      lanes.set(draftId, lane);
      lane.under += 1;
      try {
        const view = await deps.drafts.card(draftId);
        if (view?.place.messageId !== null) await show(draftId, lane);
        else {
          // Two at once would each send a card where there is none yet.
          const mine = lane.sending.catch(() => undefined).then(async () => await show(draftId, lane));
          lane.sending = mine;
          await mine;
        }
      } finally {
        lane.under -= 1;
        if (lane.under === 0) lanes.delete(draftId);
      }
    },

    async copy(draftId, turn) {
      const view = await deps.drafts.card(draftId);
      if (view !== null) await turn.say(render(view).content);
    },
  };

  function render(view: CardView): RenderedCard {
    return renderCard({ ...view, timeZone: view.timeZone ?? deps.timeZone }, deps.clock.now());
  }

  async function show(draftId: string, lane: Lane): Promise<void> {
    lane.asked += 1;
    const mine = lane.asked;
    const view = await deps.drafts.card(draftId);
    if (view === null) return;
    const { content, buttons } = render(view);
    const messageId = await deps.notifier.show(view.place, {
      chatId: view.draft.chatId,
      locale: view.draft.lang,
      content,
      buttons,
      minGapMs: isProgress(view) ? PROGRESS_GAP_MS : 0,
      goAhead: () => {
        if (lane.shown > mine) return false;
        lane.shown = mine;
        return true;
      },
    });
    if (messageId !== null && messageId !== view.place.messageId)
      await deps.drafts.setCard(draftId, messageId);
  }
}

/** The outcome of a press and the end of the calls are shown at once; what trickles in between and after is paced. */
function isProgress({ job }: CardView): boolean {
  if (job === null) return false;
  return job.state === 'running' || job.counts.delivered + job.counts.failed > 0;
}
