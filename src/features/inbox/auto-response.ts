import { z } from 'zod';
import { parseRecipients } from '../../domain/phone.ts';
import { defineTask, type Clock, type Log, type Task } from '../../ports/runtime.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { AutoResponse, Blacklisting, BlacklistOutcome, UnansweredReason } from '../../ports/two-way.ts';
import type { Stores } from '../../storage/stores.ts';
import { blacklistEntry } from './blacklist-entry.ts';

export interface AutoResponseDeps extends Pick<Stores, 'autoResponses' | 'audit'> {
  readonly blacklisting: Blacklisting;
  readonly drafts: Pick<DraftStore, 'create' | 'confirm' | 'cancel'>;
  readonly clock: Clock;
  readonly botId: number;
  readonly defaults: { readonly lang: 'en' | 'fa'; readonly timeZone: string };
}

interface Run {
  /** How often it was tried before. */
  readonly tries: number;
  readonly log: Log;
}

/** After these pauses what has no answer from the gateway is tried again; it is safe as often as one likes. */
const AGAIN_MS = [5000, 30_000, 300_000, 1_800_000, 7_200_000] as const;
const OPTED = { out: 'opted_out', in: 'opted_in' } as const;
const OPEN: ReadonlySet<BlacklistOutcome> = new Set(['unknown', 'not_done']);

/**
 * Does what a received message asks for by itself: 11 and 12 change the blacklist of its line, a rule answers. All of
 * it may be done again.
 */
export function createAutoResponseTask(deps: AutoResponseDeps): Task {
  return defineTask({
    name: 'inbound-duty',
    schema: z.object({ inboundId: z.int(), tries: z.int().optional() }),
    run: async ({ inboundId, tries = 0 }, { log }) => await respond(deps, inboundId, { tries, log }),
  });
}

async function respond(deps: AutoResponseDeps, inboundId: number, run: Run): Promise<void> {
  const autoResponse = await deps.autoResponses.of(inboundId);
  if (autoResponse === null || !autoResponse.isLinked) return;
  const [number, ...more] = parseRecipients(autoResponse.sender).recipients;
  // A name or a short code is nobody who could be reached, or who could ask for anything.
  if (number === undefined || more.length > 0) return;
  if (autoResponse.opt !== null)
    return await heed(deps, autoResponse, { number, what: autoResponse.opt }, run);
  const why = await answer(deps, autoResponse, number);
  if (why !== null) await deps.autoResponses.note(inboundId, { unanswered: why });
}

/**
 * Calls to the blacklist have the effect of one, however often they are made. What a number has said last holds, and
 * above it what a person has decided since: that is done again, for a call of before may have passed it.
 */
async function heed(
  { autoResponses, blacklisting, audit }: AutoResponseDeps,
  { inboundId, bindingId, chatId, line }: AutoResponse,
  { number, what: asked }: { readonly number: string; readonly what: 'out' | 'in' },
  { tries, log }: Run,
): Promise<void> {
  const word = await autoResponses.lastWord(inboundId);
  if (word === null || word.isPersons === (word.what === asked)) return;
  const { what, isPersons } = word;
  const place = { bindingId, line, number };
  // A run that a crash cut short counts nowhere: it always looks first.
  const { outcome, failure } =
    what === 'out' ? await blacklisting.add(place, true) : await blacklisting.remove(place);
  if (failure !== null) log.warn({ err: failure.error, outcome }, 'a reply of 11 or 12 did not end well');
  const last = await autoResponses.lastWord(inboundId);
  // What a person has decided meanwhile is told where it was decided.
  const isOverruled = last?.isPersons === true && last.what !== what;
  if (!isPersons && !isOverruled) await autoResponses.note(inboundId, { opt: { what, outcome } });
  // The two calls may have passed each other on their way.
  if (last !== null && last.what !== what) await autoResponses.again(last.id, 0, 0);
  const afterMs = last?.what === what ? AGAIN_MS[tries] : undefined;
  if (OPEN.has(outcome) && failure?.refusal === '' && afterMs !== undefined)
    return await autoResponses.again(inboundId, tries + 1, afterMs);
  if (outcome !== 'done' && outcome !== 'unknown') return;
  await audit.add({
    chatId,
    personId: null,
    updateId: null,
    ...(isPersons
      ? blacklistEntry(what, place, outcome)
      : { action: OPTED[what], details: { line, number, outcome } }),
  });
}

/** Null when an answer is on its way, or none was asked for. */
async function answer(
  deps: AutoResponseDeps,
  autoResponse: AutoResponse,
  number: string,
): Promise<UnansweredReason | null> {
  const { autoResponses, drafts, blacklisting, defaults } = deps;
  const { inboundId, chatId, bindingId, line } = autoResponse;
  if (autoResponse.answer === null) return null;
  const { text, authorId, mayAnswer, closedSince } = autoResponse.answer;
  if (!mayAnswer) return 'role';
  if (autoResponse.isLate) return 'late';
  const isBlocked = await blacklisting.has({ bindingId, line, number });
  if (isBlocked !== false) return isBlocked === null ? 'unreachable' : 'blocked';
  const { timeZone } = autoResponse;
  const claim = await autoResponses.claimAnswer(inboundId, { timeZone, closed: closedSince });
  if (claim !== 'claimed') return claim;
  const { id } = await drafts.create({
    chatId,
    bindingId,
    botId: deps.botId,
    // No update has brought it: below zero are no updates, so that each message is answered once.
    updateId: -inboundId,
    authorId,
    outgoing: { kind: 'text' },
    text,
    recipients: [number],
    repeated: [],
    invalid: [],
    line,
    lang: autoResponse.lang ?? defaults.lang,
    threadId: undefined,
    answers: { inboundId, isAuto: true },
  });
  const press = { draftId: id, version: 1, personId: authorId, updateId: -inboundId };
  const done = await drafts.confirm({ ...press, warned: true, lacking: true, undoSeconds: 0, timeZone });
  if (done.result === 'confirmed' || done.result === 'already') return null;
  await drafts.cancel(id, 1, authorId, -inboundId);
  await autoResponses.release(inboundId);
  if (done.result !== 'limited') return 'late';
  return done.verdict.kind === 'approval' && done.verdict.above === null ? 'words' : 'limited';
}
