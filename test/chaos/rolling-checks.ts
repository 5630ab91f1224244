import type { Message } from '@grammyjs/types';
import type { Finding, Tally } from './checks.ts';
import type { DraftFact } from './facts.ts';
import type { Restart } from './rolling.ts';

/** A question after the credit, and how the answer to it begins, whoever reads it. */
export const QUESTION = '/credit';
const CREDIT = '💰';
/** Fewer calls whose answers were lost prove nothing. */
const FEWEST = 2;

/** Each process ended in order and in time, was followed by one that became ready, and all of that during the job. */
export function checkRestarts(restarts: readonly Restart[], processes: number): Finding[] {
  const findings = restarts.flatMap(({ process, how, stopMs, readyMs }): Finding[] => [
    ...found('restart', Number(how !== 0), `process ${process} ended with ${how} after ${stopMs} ms`),
    ...found('restart', Number(readyMs === null), `process ${process} has a successor that is not ready`),
  ]);
  const inJob = restarts.filter(({ inJob: is }) => is).length;
  const few = `${inJob} of ${restarts.length} restarts were during the job: it needs more recipients`;
  return [...findings, ...found('early', Number(inJob < processes), few)];
}

/**
 * Nothing but orderly stops has happened: each recipient that was confirmed is accepted. `resolved`: those whose outcome
 * was unknown until the gateway's lists had them.
 */
export function checkOutcomes(
  { confirmed, accepted, unknown, notSent }: Tally,
  wanted: number,
  resolved: number,
): Finding[] {
  const missing = unknown + notSent === 0 ? wanted - accepted : 0;
  return [
    ...found('unknown', resolved, `${resolved} were unknown until they were found`),
    ...found('unknown', unknown, `${unknown} unknown after orderly stops`),
    ...found('lost', notSent, `${notSent} confirmed and not sent, without a fault`),
    ...found(
      'lost',
      missing,
      `${accepted} accepted and ${confirmed} confirmed of ${wanted} that somebody pressed`,
    ),
  ];
}

/** Each question after the credit has one answer among all that was said in a chat. */
export function checkAnswers(messages: readonly Message[]): Finding[] {
  const begin = (isBot: boolean, word: string): number =>
    messages.filter(({ from, text }) => from?.is_bot === isBot && text?.startsWith(word)).length;
  const [asked, answered] = [begin(false, QUESTION), begin(true, CREDIT)];
  const what = `${asked} questions after the credit have ${answered} answers`;
  return [...found('silent', asked - answered, what), ...found('replay', answered - asked, what)];
}

/** How many recipients of these were unknown, and then found in the gateway's lists. */
export function foundOf(drafts: readonly DraftFact[]): number {
  const attempts = drafts.flatMap(({ job }) => job?.attempts ?? []);
  return attempts.reduce((sum, { state, lines }) => (state === 'sent' ? sum + lines.length : sum), 0);
}

/**
 * Enough of the calls whose answers were lost have been found to show that such calls are.
 * @param byOlder those that a process of the first code has found when there was one of the other; null: it is the same code
 */
export function checkLosses(lost: number, byOlder: number | null): Finding[] {
  return [
    ...found(
      'early',
      Number(lost < FEWEST),
      `${lost} of ${FEWEST} or more sends lost their answer and were found`,
    ),
    ...found(
      'early',
      Number(byOlder === 0),
      'no process of the older code has found a send beside a newer one',
    ),
  ];
}

function found(kind: Finding['kind'], count: number, what: string): Finding[] {
  return count > 0 ? [{ kind, count, what }] : [];
}
