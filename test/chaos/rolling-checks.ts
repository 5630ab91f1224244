import type { Message } from '@grammyjs/types';
import type { Finding, Tally } from './checks.ts';
import { CREDIT, type Asked } from './rolling-traffic.ts';
import type { Restart } from './rolling-turns.ts';

/** Each process ended in order and in time, was followed by one that became ready, and all of that during the job. */
export function checkRestarts(restarts: readonly Restart[], processes: number): Finding[] {
  const findings: Finding[] = [];
  for (const { turn, process, how, stopMs, readyMs } of restarts) {
    const name = `process ${process} in turn ${turn}`;
    if (how !== 0)
      findings.push({ kind: 'restart', count: 1, what: `${name} ended with ${how} after ${stopMs} ms` });
    if (readyMs === null)
      findings.push({ kind: 'restart', count: 1, what: `${name} has a successor that is not ready` });
  }
  const inJob = restarts.filter(({ inJob: is }) => is).length;
  if (inJob < processes) {
    const what = `${inJob} of ${restarts.length} restarts were during the job: it needs more recipients`;
    findings.push({ kind: 'early', count: 1, what });
  }
  return findings;
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
  const findings: Finding[] = [];
  if (resolved > 0)
    findings.push({
      kind: 'unknown',
      count: resolved,
      what: `${resolved} were unknown until they were found`,
    });
  if (unknown > 0)
    findings.push({ kind: 'unknown', count: unknown, what: `${unknown} unknown after orderly stops` });
  if (notSent > 0)
    findings.push({
      kind: 'lost',
      count: notSent,
      what: `${notSent} confirmed and not sent, without a fault`,
    });
  if (accepted < wanted && unknown + notSent === 0) {
    const what = `${accepted} accepted and ${confirmed} confirmed of ${wanted} for which somebody pressed`;
    findings.push({ kind: 'lost', count: wanted - accepted, what });
  }
  return findings;
}

/** Each question after the credit has one answer. `chats`: all messages of each chat. */
export function checkAnswers(
  asked: readonly Asked[],
  chats: ReadonlyMap<number, readonly Message[]>,
): Finding[] {
  const findings: Finding[] = [];
  for (const [chat, questions] of Map.groupBy(asked, (each) => each.chat)) {
    const answers = (chats.get(chat) ?? []).filter(
      ({ from, text }) => from?.is_bot === true && text?.startsWith(CREDIT) === true,
    ).length;
    const missing = questions.length - answers;
    const name = `${questions.length} questions after the credit in ${chat} have ${answers} answers`;
    if (missing > 0) findings.push({ kind: 'silent', count: missing, what: name });
    if (missing < 0) findings.push({ kind: 'replay', count: -missing, what: name });
  }
  return findings;
}
