import { randomUUID } from 'node:crypto';
import { fileOf } from '../../domain/kinds/index.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { CardView, DraftStore, Panel } from '../../ports/stores.ts';
import { LeftOut } from '../../telegram/outgoing/errors.ts';
import type { Notifier, RenderedCard } from '../../telegram/outgoing/notifier.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { renderCard } from './card.ts';
import { texts } from './texts.ts';

/** Steps of a file in which a task works on it. */
const UNDER_WAY: ReadonlySet<string> = new Set(['reading', 'counting']);

/** Cards of which it is remembered what they show. */
const MAX_REMEMBERED = 2000;

/** How often, and after how many milliseconds each, a card is to be looked at again while the database is away. */
const MOST_TRIES = 150;
const AGAIN_MS = 2000;

/** States of a send that has not begun: what could be pressed when it was approved still can. */
const WAITS: ReadonlySet<string> = new Set(['holding', 'scheduled']);

const HELD_UP: ReadonlySet<string> = new Set(['paused', 'stopped', 'missed']);

export interface Cards {
  /**
   * Brings the draft's message up to what is known now, for somebody who has done something; sends it when there is none.
   * What they did they did to what they saw, so it is edited whatever it is thought to show.
   */
  refresh(draftId: string): Promise<void>;
  /**
   * The same for the queue: while Telegram lets nobody edit the card, for minutes perhaps, it waits in the queue and not
   * here, where it would hold a place that others need. What shows it already is left alone, unless the work is done
   * again: an edit of whoever died over it may have come last.
   */
  follow(draftId: string, how?: { readonly isAgain: boolean }): Promise<void>;
  /**
   * Shows the card to whoever has just done something: where it is when they pressed a button of it, and else at the end
   * of the chat, so that what they see last has the buttons. One line without buttons stays where it was.
   */
  bring(draftId: string, ctx: BroughtTo): Promise<void>;
  /** What was pressed below a call about the card shows on the card itself: the call loses its buttons. */
  heard(draftId: string, ctx: Pick<RequestContext, 'pressedMessageId' | 'disarm'>): Promise<void>;
  /**
   * A message calls those who may approve the draft, and is taken away with the question; or the author of what was approved,
   * and loses its buttons when that has waited and leaves.
   */
  called(draftId: string, messageId: number): Promise<void>;
  /** Shows some of its buttons, and a rendered row of a file, until somebody does something else with it. */
  turn(draftId: string, panel: Panel, row?: number): Promise<void>;
}

/** Who is shown a card, and where: the topic counts only in the card's own chat. */
export type BroughtTo = Pick<RequestContext, 'pressedMessageId' | 'threadId' | 'isAway'>;

/** Refreshes of one card that are under way. A later one has read later, so it never gives way to an earlier one. */
interface Lane {
  under: number;
  asked: number;
  shown: number;
  /**
   * What is on its way, and whether it has got there: Telegram refuses an edit by which nothing changes. `claimedAt`: who
   * reads the card later sees whose it is by then.
   */
  going: { readonly print: string; readonly arrived: Promise<boolean>; readonly claimedAt: number } | null;
  /** Whatever sends a new message goes one after the other; `sent`: how many have come to their end. */
  sending: Promise<void> | null;
  sent: number;
}

interface How {
  /** Where it is sent as a new message, wherever it is now. */
  readonly anew: { readonly threadId: number | null } | null;
  /** Nobody has done anything with it: the buttons that somebody looks at stay. */
  readonly keeps: boolean;
  /** What was read a moment ago. */
  readonly seen?: Seen | undefined;
  /** The message below which somebody has pressed. */
  readonly pressedId?: number | null;
  /** Where it would have to wait, it is asked for again instead. */
  readonly orLater?: boolean;
  /** A message that is gone: where it still is the card's, another one is sent. */
  readonly goneId?: number | null;
  /** Nobody else sends a message now. */
  readonly isInTurn?: boolean;
}

/** A card as it was read; `mine` is the place of that reading among all of the card, `sent` how many had been by then. */
interface Seen {
  readonly mine: number;
  readonly sent: number;
  readonly view: CardView | null;
}

export function createCards(deps: {
  readonly drafts: DraftStore;
  readonly notifier: Notifier;
  /** Brings its job up to what its calls have come to since. */
  readonly settle: (draftId: string) => Promise<void>;
  readonly clock: Clock;
  /** Of chats that have none of their own. */
  readonly timeZone: string;
  readonly undoSeconds: number;
  /** The cards of a received message follow the send that answers it. */
  readonly showAnswered?: (inboundId: number) => Promise<void>;
}): Cards {
  const me = randomUUID();
  const lanes = new Map<string, Lane>();
  /** What the cards show that no other process has edited since, and in which message. */
  const shown = new Map<string, string>();

  return {
    async refresh(draftId) {
      shown.delete(draftId);
      await refresh(draftId, { keeps: false });
    },

    // Nobody has done anything: whoever looks at some of its buttons goes on looking at them.
    async follow(draftId, { isAgain } = { isAgain: false }) {
      if (isAgain) shown.delete(draftId);
      await refresh(draftId, { keeps: true, orLater: true });
    },

    async bring(draftId, ctx) {
      await inLane(draftId, async (lane) => {
        const seen = await look(draftId, lane);
        if (seen.view === null) return;
        const { messageId, threadId } = seen.view.place;
        const { pressedMessageId: pressedId } = ctx;
        const how = { anew: null, keeps: false, seen, pressedId };
        if (messageId !== null && messageId === pressedId) return await show(draftId, lane, how);
        const anew = { threadId: ctx.isAway ? threadId : (ctx.threadId ?? null) };
        await inTurn(draftId, lane, { ...how, anew });
      });
    },

    async heard(draftId, { pressedMessageId, disarm }) {
      if (pressedMessageId !== null && (await isCall(draftId, pressedMessageId)))
        await disarm(pressedMessageId);
    },

    async called(draftId, messageId) {
      const before = await deps.drafts.card(draftId);
      if (before !== null) await endCall(before, before.place.callId);
      if (before !== null && before.job !== null && !hasWaited(before)) return;
      await deps.drafts.setCall(draftId, messageId);
      // It may have been answered on the card meanwhile.
      const view = await deps.drafts.card(draftId);
      if (view !== null) await endCall(view);
    },

    async turn(draftId, panel, row) {
      await deps.drafts.turn(draftId, panel, row);
      await refresh(draftId, { keeps: true });
    },
  };

  /** Whether a message with buttons of a card is another one than the card. */
  async function isCall(draftId: string, messageId: number): Promise<boolean> {
    // One that is just being said can be pressed before it is known which message it is.
    await lanes.get(draftId)?.sending?.catch(() => undefined);
    const card = (await deps.drafts.card(draftId))?.place.messageId ?? null;
    return card !== null && card !== messageId;
  }

  /** Nobody is called to what is decided; a call whose button was pressed has used it up, and the card has fresh ones. */
  async function endCall({ draft, job, place }: CardView, pressedId: number | null = null): Promise<void> {
    const { callId } = place;
    const isOpen = job === null ? draft.state === 'asked' && !draft.expired : WAITS.has(job.state);
    const isUsed = callId === pressedId;
    if (callId === null || (isOpen && !isUsed)) return;
    const keepsText = job !== null && !isUsed && hasWaited({ draft });
    if (await deps.notifier.withdraw({ ...place, messageId: callId }, { keepsText }))
      await deps.drafts.forgetCall(draft.id, callId);
  }

  /** Whether a send does not leave at once when it is approved: its author is called then, and that call follows it. */
  function hasWaited({ draft }: Pick<CardView, 'draft'>): boolean {
    return deps.undoSeconds > 0 || draft.sendAt !== null;
  }

  async function refresh(draftId: string, how: Pick<How, 'keeps' | 'orLater'>): Promise<void> {
    await inLane(draftId, async (lane) => {
      const seen = await look(draftId, lane);
      // Two at once would each send a card where there is none yet, and one that moves is edited where it went.
      const waits = lane.sending !== null || seen.view?.place.messageId === null;
      const here = { anew: null, ...how, seen };
      await (waits ? inTurn(draftId, lane, here) : show(draftId, lane, here));
    });
  }

  /** Reads a card to be shown, and takes its place among those who read it. */
  async function look(draftId: string, lane: Lane): Promise<Seen> {
    lane.asked += 1;
    const { asked: mine, sent } = lane;
    const view = await read(draftId);
    if (view?.job?.toSettle !== true) return { mine, sent, view };
    await deps.settle(draftId);
    return { mine, sent, view: await read(draftId) };
  }

  async function inLane(draftId: string, work: (lane: Lane) => Promise<void>): Promise<void> {
    const lane = lanes.get(draftId) ?? { under: 0, asked: 0, shown: 0, going: null, sending: null, sent: 0 };
    lanes.set(draftId, lane);
    lane.under += 1;
    try {
      await work(lane);
    } finally {
      lane.under -= 1;
      if (lane.under === 0) lanes.delete(draftId);
    }
  }

  /** Where another message was sent since the card was read, it is read anew. */
  async function inTurn(draftId: string, lane: Lane, { seen, ...how }: How): Promise<void> {
    const before = (lane.sending ?? Promise.resolve()).catch(() => undefined);
    const turn = { ...how, isInTurn: true };
    const mine = before.then(
      async () => await show(draftId, lane, seen?.sent === lane.sent ? { ...turn, seen } : turn),
    );
    lane.sending = mine;
    try {
      await mine;
    } finally {
      lane.sent += 1;
      if (lane.sending === mine) lane.sending = null;
    }
  }

  /** A draft as it would be judged if it were confirmed now. */
  async function read(draftId: string): Promise<CardView | null> {
    return await deps.drafts.card(draftId, deps);
  }

  function render(view: CardView, at: Date): RenderedCard {
    return renderCard({ ...view, timeZone: view.timeZone ?? deps.timeZone }, at);
  }

  /** The card with the buttons that decide in sight again. */
  async function turnedBack(view: CardView): Promise<CardView> {
    const { panel, ...draft } = view.draft;
    if (panel !== undefined) await deps.drafts.turn(draft.id, null);
    return { ...view, draft };
  }

  async function show(draftId: string, lane: Lane, how: How): Promise<void> {
    const { anew, keeps, seen, pressedId = null, orLater = false, goneId = null } = how;
    const { mine, view: found } = seen ?? (await look(draftId, lane));
    if (found === null) return;
    const view = keeps ? found : await turnedBack(found);
    await endCall(view, pressedId);
    if (view.draft.answers !== undefined && view.job !== null)
      await deps.showAnswered?.(view.draft.answers.inboundId);
    if (anew === null && goesUnseen(view)) return;
    const at = deps.clock.now();
    const { content, buttons } = render(view, at);
    const { messageId: stands, shownBy } = view.place;
    const before = stands === goneId ? null : stands;
    const print = printOf({ content, buttons });
    const printHere = `${before} ${print}`;
    // Buttons are made anew for each time they are shown, so only a card without any can be the same.
    if (anew === null && !hasButtons(buttons)) {
      const isMine = shownBy === me;
      if (isMine && shown.get(draftId) === printHere) return;
      const { going } = lane;
      // An edit of another process may have come after mine, though I have no answer yet: then the card is nobody's.
      const counts = isMine || mine <= (going?.claimedAt ?? 0);
      if (going?.print === printHere && counts && (await going.arrived)) return;
    }
    const arrived = Promise.withResolvers<boolean>();
    const going = { print: printHere, arrived: arrived.promise, claimedAt: Infinity };
    lane.going = going;
    let messageId: number | null = null;
    let shownLast = 0;
    let gaveWay = false;
    let isGone = false;
    try {
      // Before the edit: from here on no other process takes for granted what it has shown itself.
      if (before !== null && shownBy !== me) await deps.drafts.claimCard(draftId, me);
      going.claimedAt = lane.asked;
      shown.delete(draftId);
      messageId = await deps.notifier.show(
        { ...view.place, ...anew, messageId: anew === null ? before : null },
        {
          chatId: view.draft.chatId,
          locale: view.draft.lang,
          content,
          buttons,
          isProgress: isProgress(view),
          orLater,
          goAhead: () => {
            gaveWay = lane.shown > mine;
            if (gaveWay) return false;
            shownLast = lane.shown;
            lane.shown = mine;
            return true;
          },
          onGone: () => (isGone = true),
        },
      );
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      // What somebody has pressed, and read before this, is not to wait for it.
      if (lane.shown === mine) lane.shown = shownLast;
      return await deps.drafts.showLater(draftId, error.afterMs);
    } finally {
      arrived.resolve(messageId !== null);
    }
    const again = { ...how, seen: undefined };
    // What was read later was shown where the card was: it is to be seen at the end of the chat all the same.
    if (gaveWay && anew !== null) return await show(draftId, lane, again);
    // Somebody may have sent another one by then.
    if (isGone)
      return await (how.isInTurn === true ? show : inTurn)(draftId, lane, { ...again, goneId: before });
    // Others have given way to what may have come nowhere.
    if (messageId === null && anew !== null) return await deps.drafts.showLater(draftId);
    // An edit of whoever had the card before may yet come after this one, and nobody be left to say so: what is shown is
    // certain of a message that nobody else has, and else from the next time on.
    if (messageId !== null && (messageId !== before || shownBy === me))
      remember(draftId, `${messageId} ${print}`);
    // Nor is what was shown meanwhile, by one that had asked before this and read after it.
    else if (messageId !== null) shown.delete(draftId);
    if (messageId !== null && messageId !== before) {
      const at = { messageId, threadId: (anew ?? view.place).threadId };
      const replaced = await deps.drafts.setCard(draftId, at, me);
      // It may be one that another process has sent since.
      if (replaced !== null && replaced !== goneId) await retire(view, replaced);
    }
    try {
      await lookAgain(view, messageId, print, at);
    } catch (error) {
      insist(draftId).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Another process may have shown something newer before this: whoever was last looks once more, and nobody knows
   * which of the two edits came last.
   */
  async function lookAgain(view: CardView, messageId: number | null, print: string, at: Date): Promise<void> {
    const draftId = view.draft.id;
    const now = await read(draftId);
    if (now === null) return;
    const turnsInMs = now.judged?.turnsInMs ?? null;
    if (turnsInMs !== null) await deps.drafts.showLater(draftId, turnsInMs, 'turn');
    const stands = now.place.messageId;
    if (messageId !== null && stands !== null && stands !== messageId) await retire(now, messageId);
    else if (printOf(render(now, at)) === print) return;
    if (stands !== null && now.place.shownBy !== me) await deps.drafts.claimCard(draftId, null);
    await deps.drafts.showLater(draftId);
  }

  /** Nobody else knows of an edit after which nobody has looked: it is to be looked at as soon as the database is there. */
  async function insist(draftId: string): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await deps.clock.sleep(AGAIN_MS);
      try {
        await deps.drafts.claimCard(draftId, null);
        return await deps.drafts.showLater(draftId);
      } catch {}
    }
  }

  /** Of a card that has moved on, one line. */
  async function retire({ draft, place }: CardView, messageId: number): Promise<void> {
    await deps.notifier.retire({ ...place, messageId }, texts(draft.lang).isBelow(draft.code));
  }

  function remember(draftId: string, print: string): void {
    shown.set(draftId, print);
    const [oldest] = shown.keys();
    if (shown.size > MAX_REMEMBERED && oldest !== undefined) shown.delete(oldest);
  }
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
