import type { Sending } from './sending.ts';
import { cardsOf } from './cards.ts';
import type { Finding } from './checks.ts';
import type { DraftFact } from './facts.ts';
import { CARD_LOST, type Note } from './logs.ts';
import type { Stand } from './stand.ts';
import { isIn, says, type Call, type Said } from './telegram-oracle.ts';

/** What became of the commands that led to no card. */
export interface Heard {
  readonly findings: readonly Finding[];
  /** The draft is there; Telegram lost its card, or the answer to it. */
  readonly cardsLost: readonly string[];
  /** Nothing was prepared, and the person was told. */
  readonly told: readonly string[];
  /** Nothing was prepared, and Telegram did not take the words that say so. */
  readonly untold: readonly string[];
  /** Nothing was prepared, as it was too much at once: the person was told, for this command or one before it. */
  readonly limited: readonly string[];
}

/** The log's words for an answer that Telegram did not take. */
const UNTOLD: ReadonlySet<string> = new Set([
  'Telegram did not take an answer; nothing is repeated',
  'an error could not be told',
]);
/** The log’s words for a command or a press that is left out, once in a while, and what the person reads then. */
const LIMITED = 'more was asked than is let through; some of it was left out';
const TOO_MANY = /Your last message was not acted on/u;
/** A press or a command that was interrupted and is handled again: no answer by itself. */
const AGAIN = 'an update could not be handled';

/**
 * Every command that was taken in leads to a card, or to words. Where there is neither, the log has it that Telegram
 * did not take them; anything else is a command that vanished.
 */
export async function checkHeard(
  stand: Stand,
  sendings: readonly Sending[],
  drafts: readonly DraftFact[],
  said: readonly Said[],
  { calls, notes }: { readonly calls: readonly Call[]; readonly notes: readonly Note[] },
): Promise<Heard> {
  const heard = {
    findings: [] as Finding[],
    cardsLost: [] as string[],
    told: [] as string[],
    untold: [] as string[],
    limited: [] as string[],
  };
  const find = (kind: Finding['kind'], what: string): void =>
    void heard.findings.push({ kind, count: 1, what });
  for (const sending of sendings) {
    const { place, wanted } = sending;
    const name = `«${wanted[0]?.text}» in ${place.chat}`;
    const draft = draftOf(sending, drafts, said);
    const update = updateOf(sending, said);
    const own = notes.filter((note) => note.update === update && note.says !== AGAIN);
    const words = own.map(({ says }) => says);
    const isUntold = words.some((each) => UNTOLD.has(each));
    const left = own.find(({ says }) => says === LIMITED);
    if (draft === undefined) {
      if (isUntold) heard.untold.push(name);
      else if (left !== undefined && !isTold(left, place, { calls, notes }))
        find('silent', `update ${update}, ${name}: too much at once, and no word of it`);
      else if (left !== undefined) heard.limited.push(name);
      else if (words.length > 0) heard.told.push(name);
      else if (isLimited(sending, drafts, notes)) heard.limited.push(name);
      else find('silent', `update ${update}, ${name}: no draft and no word`);
      continue;
    }
    if (left !== undefined && !isHandledAnew(left, notes))
      find('wrong', `update ${update}, ${name}: too much at once, and a draft all the same`);
    const messages = await stand.telegram.messages(place.chat, place.people[0]);
    if (cardsOf(draft, messages).length > 0) continue;
    const tried = calls.some(
      ({ method, params }) => method === 'sendMessage' && String(params['text']).includes(`#${draft.code}`),
    );
    const gaveUp = notes.some((note) => note.says === CARD_LOST && note.chat === draft.chatId);
    if (tried || gaveUp || isUntold) heard.cardsLost.push(name);
    else if (words.length > 0) heard.told.push(name);
    else find('silent', `update ${update}, ${name}: no card was ever sent`);
  }
  return heard;
}

/** Whether somebody in this chat asked for more than is let through; the log says so of some of it. */
function isLimited({ place }: Sending, drafts: readonly DraftFact[], notes: readonly Note[]): boolean {
  const chatId = drafts.find(({ chat }) => chat === place.chat)?.chatId;
  return notes.some((note) => note.says === LIMITED && note.chat === chatId);
}

/** Whether words came of it that a command was left out, or would have come, had it not been handled once more. */
function isTold(
  left: Note,
  place: Sending['place'],
  { calls, notes }: { readonly calls: readonly Call[]; readonly notes: readonly Note[] },
): boolean {
  return calls.some((call) => isIn(call, place) && says(call, TOO_MANY)) || isHandledAnew(left, notes);
}

/** Whether an update that was left out was handled once more: its process died before it was done, or could not say so. */
function isHandledAnew({ pid, update }: Note, notes: readonly Note[]): boolean {
  return notes.some(
    (note) =>
      note.update === update && (note.says === AGAIN || (note.pid !== pid && note.method === 'sendMessage')),
  );
}

/** The draft that a command made. */
export function draftOf(
  sending: Sending,
  drafts: readonly DraftFact[],
  said: readonly Said[],
): DraftFact | undefined {
  const update = updateOf(sending, said);
  return drafts.find((draft) => draft.update === update);
}

function updateOf({ place, said: message }: Sending, said: readonly Said[]): number | undefined {
  return said.find((each) => each.chat === place.chat && each.message === message)?.id;
}
