import type { DraftFact } from './facts.ts';
import type { Acceptance } from './gateway-oracle.ts';
import type { Note } from './logs.ts';
import type { Place } from './people.ts';
import type { Deed, Halting, Sending } from './sending.ts';
import type { Call, Said } from './telegram-oracle.ts';
import { nameOf } from './wanted.ts';

/** What happened in a round, as far as it says what may leave when. */
export interface Orders {
  readonly sendings: readonly Sending[];
  readonly haltings: readonly Halting[];
  readonly drafts: readonly DraftFact[];
  /** What the gateway took of this round. */
  readonly acceptances: readonly Acceptance[];
  readonly calls: readonly Call[];
  readonly notes: readonly Note[];
  readonly said: readonly Said[];
  /** Whether calls went on without the blacklist, which could not be read for long. */
  readonly blind: boolean;
}

/** What Peyk says once an order has been taken back, in English. */
export const ACKNOWLEDGED = {
  undo: /undone(?: by [^\n]*)? · not sent/u,
  stop: /Stopped by/u,
  pause: /Paused by/u,
} as const;
/** The same of a chat’s switch. */
export const HALTED = /switched all sends of this chat off/u;
/** The words to a press that came too late, or on a card that has changed. */
export const TOO_LATE =
  /Too late to undo|nothing to (?:stop|pause)|has changed since|[Aa]lready pressed|pressed already|did not work/u;

/** The draft that a person prepared, or what it was changed into; not one that sends it again. */
export function draftOf({ wanted, place }: Sending, drafts: readonly DraftFact[]): DraftFact | undefined {
  const name = nameOf(wanted);
  return drafts.find(
    ({ says: words, again, aside, chat }) => words.includes(name) && !again && !aside && chat === place.chat,
  );
}

/** Whether a call is made in a chat. */
export function isIn({ params }: Call, { chat }: Place): boolean {
  return Number(params['chat_id']) === chat;
}

/** Whether a call brings such words. */
export function says({ params }: Call, words: RegExp): boolean {
  const { text } = params;
  return typeof text === 'string' && words.test(text);
}

/** Whether a call is one of the card of a draft. */
export function shows(call: Call, place: Place, draft: DraftFact | undefined): boolean {
  return draft !== undefined && isIn(call, place) && says(call, new RegExp(`#${draft.code}(?!\\d)`, 'u'));
}

/** Whether it takes an order back. */
export function takesBack(what: Deed['what']): what is keyof typeof ACKNOWLEDGED {
  return what in ACKNOWLEDGED;
}
