import { z } from 'zod';
import { handlingOf } from '../../domain/talk.ts';
import { isolateAuto, type Format } from '../../i18n/format.ts';
import type { InboundView, LastSent } from '../../ports/inbound.ts';
import type { CardView, DraftStore } from '../../ports/stores.ts';
import type { CardNote } from '../../ports/two-way.ts';
import type { Stores } from '../../storage/stores.ts';
import type { NotificationCard } from '../../telegram/alerts/notification-card.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { clip, code, lines, quote, type Html } from '../../telegram/html.ts';
import { inert } from '../../telegram/inert.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import { mention } from '../shared/mention.ts';
import { inboxActions } from './actions.ts';
import { inboundTexts, type Progress } from './inbound-texts.ts';
import type { TalkTopics } from './topic-cards.ts';

/** What one received message's card tells. */
export interface InboundCard {
  readonly message: InboundView;
  readonly lastSent: LastSent | null;
  /** The send that answers it, once that was confirmed. */
  readonly answer: CardView | null;
  readonly note: CardNote;
}

const TEXT_UNITS = 2000;
const EXPANDABLE_FROM = 300;
const NAME_UNITS = 60;

/** A sender as the card shows it. */
export function shownSender(number: string, format: Format): Html {
  return code(format.phone(number));
}

/** So much of what was received, and how much that is; `units` may be infinite. */
export function receivedText(text: string, units: number, format: Format): Html {
  const t = inboundTexts(format.locale);
  if (text.trim() === '') return t.noText;
  const shown = clip(text, units);
  return lines(
    quote(isolateAuto(inert(shown)), { expandable: shown.length > EXPANDABLE_FROM }),
    text.length > units && t.cut(format.number(shown.length), format.number(text.length)),
  );
}

/** The card of a received message: what came, what was last sent there, and who does what about it. */
export function renderInbound(card: InboundCard, format: Format): RenderedCard {
  const { message, lastSent, answer, note } = card;
  const t = inboundTexts(format.locale);
  const { takenBy, answeredBy, doneBy } = handlingOf(message.talk, message.capturedAt);
  const { snoozedBy, snoozedUntil } = message.talk;
  const sender = shownSender(message.sender, format);
  const id = String(message.id);
  const isOwnAnswer = lastSent !== null && lastSent.code === answer?.draft.code;
  return {
    content: lines(
      t.head(clip(message.line, 20), format.dateTime(message.sentAt ?? message.capturedAt), id),
      t.from(sender, message.name === null ? null : inert(clip(message.name, NAME_UNITS))),
      note.back !== undefined && t.back(mention(note.back)),
      receivedText(message.text, TEXT_UNITS, format),
      lastSent !== null &&
        !isOwnAnswer &&
        t.lastSent(lastSent.code, format.dateTime(lastSent.at), LAST[lastSent.kind]),
      note.opt !== undefined && t.opt(note.opt.what, note.opt.outcome, sender, message.line),
      note.block !== undefined && t.blocked(note.block.by, note.block.outcome, message.line),
      note.undo !== undefined &&
        t.undone(note.opt?.what === 'in' ? 'on' : 'off', note.undo.by, note.undo.outcome),
      note.unanswered !== undefined && t.unanswered(note.unanswered),
      // Of the next message from there, its card calls who has taken the conversation.
      takenBy !== null && t.takenBy(mention(takenBy)),
      answer === null ? answeredBy !== null && t.answeredBy(answeredBy.name) : answerLine(answer, format),
      doneBy !== null && t.doneBy(doneBy.name),
      snoozedBy !== null &&
        snoozedUntil !== null &&
        t.snoozedUntil(format.dateTime(snoozedUntil), snoozedBy.name),
    ),
    buttons: buttonsOf(card, format),
  };
}

/** The number of the received message whose card has this text; null: the text is no such card's. */
export function inboundShownBy(text: string): number | null {
  const found = /^📩[^\n]* · #in([1-9]\d{0,14})(?:\n|$)/u.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

const blacklistOutcome = z.enum(['done', 'already', 'unclear', 'unknown', 'not_done']);
const noteSchema = z.object({
  opt: z.object({ what: z.enum(['out', 'in']), outcome: blacklistOutcome }).optional(),
  block: z.object({ by: z.string(), outcome: blacklistOutcome }).optional(),
  undo: z.object({ by: z.string(), outcome: blacklistOutcome }).optional(),
  back: z.object({ id: z.number(), name: z.string() }).optional(),
  unanswered: z
    .enum(['today', 'closed', 'blocked', 'limited', 'words', 'role', 'loop', 'unreachable', 'late'])
    .optional(),
});

/** What a notification's facts say of what was done; nothing where they cannot be read. */
export function readNote(facts: unknown): CardNote {
  const { opt, block, undo, back, unanswered } = noteSchema.safeParse(facts).data ?? {};
  return {
    ...(opt === undefined ? {} : { opt }),
    ...(block === undefined ? {} : { block }),
    ...(undo === undefined ? {} : { undo }),
    ...(back === undefined ? {} : { back }),
    ...(unanswered === undefined ? {} : { unanswered }),
  };
}

function answerLine({ draft, job }: CardView, format: Format): Html {
  const t = inboundTexts(format.locale);
  const how = job === null ? 'waiting' : progressOf(job);
  if (draft.answers?.isAuto === true) return t.autoAnswer(draft.code, how);
  return t.answer(job?.confirmedByName ?? draft.authorName, draft.code, how);
}

/** Of a send to one number. */
function progressOf({ state, counts, said }: NonNullable<CardView['job']>): Progress {
  if (counts.delivered > 0) return 'delivered';
  if (counts.failed > 0) return 'failed';
  if (counts.accepted + said > 0) return 'accepted';
  if (counts.unknown > 0) return 'unknown';
  if (counts.blocked > 0) return 'blocked';
  if (counts.rejected > 0 || state === 'undone' || state === 'stopped' || state === 'missed')
    return 'not_sent';
  return 'waiting';
}

function buttonsOf({ message, note }: InboundCard, format: Format): Buttons {
  const t = inboundTexts(format.locale);
  const { takenBy, doneBy } = handlingOf(message.talk, message.capturedAt);
  const { id } = message;
  const { take, reply, block, undo, done, handOver, snooze, wake, history } = inboxActions;
  const isTaken = takenBy !== null && doneBy === null;
  const isOut = note.opt?.what === 'out' || note.block !== undefined;
  const mayUndo =
    (isOut || note.opt !== undefined) &&
    note.undo === undefined &&
    (note.block ?? note.opt)?.outcome !== 'not_done';
  return [
    [
      doneBy === null && takenBy === null && take.button(t.take, { id, anyway: false }),
      doneBy === null && takenBy !== null && take.button(t.takeOver, { id, anyway: true }),
      reply.button(t.reply, { id }),
      history.button(t.history, { id }),
    ],
    [
      !isOut && block.button(t.block, { id }),
      mayUndo &&
        undo.button(t.undo, {
          id,
          to: note.opt?.what === 'in' && note.block === undefined ? 'on' : 'off',
        }),
      doneBy === null ? done.button(t.done, { id, done: true }) : done.button(t.reopen, { id, done: false }),
    ],
    [
      isTaken && handOver.button(t.handOver, { id }),
      isTaken &&
        (message.talk.snoozedBy === null ? snooze.button(t.snooze, { id }) : wake.button(t.wake, { id })),
    ],
  ];
}

/** How what was sent has fared, in the words of a card. */
export const LAST: Readonly<Record<LastSent['kind'], Progress>> = {
  waiting: 'waiting',
  sent: 'accepted',
  delivered: 'delivered',
  failed: 'failed',
  blocked: 'blocked',
  unknown: 'unknown',
};

/** The card of a received message, wherever it is told. */
export function createInboundNotification(deps: {
  readonly inbound: Pick<Stores['inbound'], 'of' | 'lastSent'>;
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly topics: TalkTopics;
}): NotificationCard {
  return {
    async render(notification, destination, { format }) {
      if (notification.inboundId === null) return null;
      const message = await deps.inbound.of(notification.inboundId);
      if (message === null) return null;
      const lastSent = await deps.inbound.lastSent(notification.inboundId);
      const answer = notification.draftId === null ? null : await deps.drafts.card(notification.draftId);
      const card = { message, lastSent, answer, note: readNote(notification.facts) };
      const threadId =
        notification.messageId === null
          ? await deps.topics.threadFor(destination, message, format)
          : (notification.threadId ?? undefined);
      return { ...renderInbound(card, format), threadId };
    },

    async topicGone(notification, destination, threadId) {
      const message = notification.inboundId === null ? null : await deps.inbound.of(notification.inboundId);
      if (message !== null) deps.topics.gone(destination.id, message.talkId, threadId);
    },
  };
}
