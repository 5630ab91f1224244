import { randomUUID } from 'node:crypto';
import { fileOf } from '../../domain/kinds/index.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { CardView, DraftStore } from '../../ports/stores.ts';
import type { Notifier } from '../../telegram/outgoing/notifier.ts';
import type { Turn } from '../../telegram/turn.ts';
import { renderCard, type RenderedCard } from './card.ts';

/** Progress is shown at most so often; what a person did is shown at once. */
const PROGRESS_GAP_MS = 5000;

/** Steps of a file in which a task works on it. */
const UNDER_WAY: ReadonlySet<string> = new Set(['reading', 'counting']);

/** Cards of which it is remembered what they show. */
const MAX_REMEMBERED = 2000;

const HELD_UP: ReadonlySet<string> = new Set(['paused', 'stopped', 'missed']);

export interface Cards {
  /** Brings the draft's message up to what is known now; sends it when there is none. */
  refresh(draftId: string): Promise<void>;
  /**
   * The same for the queue, where a card may be asked for many times while Telegram lets nobody edit it, for minutes
   * perhaps: the newest one waits for all until they are shown, those before it return at once. When the process ends
   * meanwhile, the newest is asked for again; the queue has given up the others.
   */
  follow(draftId: string): Promise<void>;
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
  /** The cards of a received message follow the send that answers it. */
  readonly showAnswered?: (inboundId: number) => Promise<void>;
}): Cards {
  const me = randomUUID();
  const lanes = new Map<string, Lane>();
  /** What the cards show that no other process has edited since. */
  const shown = new Map<string, string>();
  const followed = new Map<string, { readonly open: Set<Promise<void>>; readonly relieve: () => void }>();

  return {
    refresh,

    async follow(draftId) {
      const before = followed.get(draftId);
      const open = before?.open ?? new Set();
      const relieved = Promise.withResolvers<void>();
      const mine = { open, relieve: relieved.resolve };
      followed.set(draftId, mine);
      // The queue asks again only for the newest: that one waits, and those before it go.
      before?.relieve();
      open.add(refresh(draftId));
      for (const each of open) each.catch(() => undefined);
      try {
        await Promise.race([relieved.promise, allOf(open)]);
      } finally {
        if (followed.get(draftId) === mine) followed.delete(draftId);
      }
    },

    async copy(draftId, turn) {
      const view = await deps.drafts.card(draftId);
      if (view !== null) await turn.say(render(view).content);
    },
  };

  async function refresh(draftId: string): Promise<void> {
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
  }

  function render(view: CardView, at = deps.clock.now()): RenderedCard {
    return renderCard({ ...view, timeZone: view.timeZone ?? deps.timeZone }, at);
  }

  async function show(draftId: string, lane: Lane): Promise<void> {
    lane.asked += 1;
    const mine = lane.asked;
    const view = await deps.drafts.card(draftId);
    if (view === null) return;
    if (view.draft.answers !== undefined && view.job !== null)
      await deps.showAnswered?.(view.draft.answers.inboundId);
    if (goesUnseen(view)) return;
    const at = deps.clock.now();
    const { content, buttons } = render(view, at);
    const print = printOf({ content, buttons });
    const { messageId: before, shownBy } = view.place;
    // Buttons are made anew for each time they are shown, so only a card without any can be the same.
    if (shownBy === me && !hasButtons(buttons) && shown.get(draftId) === print) return;
    // Before the edit: from here on no other process takes for granted what it has shown itself.
    if (before !== null && shownBy !== me) await deps.drafts.setCard(draftId, before, me);
    shown.delete(draftId);
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
    if (messageId !== null) remember(draftId, print);
    if (messageId !== null && messageId !== before) await deps.drafts.setCard(draftId, messageId, me);
    // Another process may have shown something newer before this: whoever was last looks once more, and nobody knows
    // which of the two edits came last.
    const now = await deps.drafts.card(draftId);
    if (now === null || printOf(render(now, at)) === print) return;
    if (now.place.messageId !== null && now.place.shownBy !== me)
      await deps.drafts.setCard(draftId, now.place.messageId, null);
    await deps.drafts.showLater(draftId);
  }

  function remember(draftId: string, print: string): void {
    shown.set(draftId, print);
    const [oldest] = shown.keys();
    if (shown.size > MAX_REMEMBERED && oldest !== undefined) shown.delete(oldest);
  }
}

/** Also of those that come in while it waits. */
async function allOf(open: ReadonlySet<Promise<void>>): Promise<void> {
  for (const each of open) await each;
}

/** What a rule answers stands on the card of what it answers; one of its own it gets when somebody has to look at it. */
function goesUnseen({ draft, job, place }: CardView): boolean {
  if (draft.answers?.isAuto !== true || place.messageId !== null) return false;
  return job === null || (job.asked === 0 && job.counts.rejected === 0 && !HELD_UP.has(job.state));
}

function hasButtons(buttons: RenderedCard['buttons']): boolean {
  return buttons.flat().some((button) => button !== null && button !== false);
}

function printOf({ content, buttons }: RenderedCard): string {
  return JSON.stringify([content.markup, buttons]);
}

/** The outcome of a press and the end of the calls are shown at once; what trickles in between and after is paced. */
function isProgress({ job, draft: { outgoing } }: CardView): boolean {
  if (job === null) {
    const file = fileOf(outgoing);
    return file !== null && file.done > 0 && UNDER_WAY.has(file.step);
  }
  return job.state === 'running' || job.counts.delivered + job.counts.failed > 0;
}
