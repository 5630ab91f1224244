import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@grammyjs/types';
import { SEND, type Sending } from './sending.ts';
import { QUESTION, USE } from './acts.ts';
import type { GatewayAccount } from './gateway-oracle.ts';
import { dataOf, hears, type Place, tap } from './people.ts';
import type { Stand } from './stand.ts';
import type { Rule } from './strikes.ts';

/** Counting a file asks the gateway about each of its numbers. */
const PATIENCE_MS = 600_000;
const LOOK_MS = 500;
/** How late answers are to a job that is ahead, and how much later for each step that it is further ahead. */
const LATE_MS = 6000;
const STEP = 0.08;
const LATE_STEP_MS = 5000;
const MAX_LATE_MS = 25_000;
/** The number of the send in its text; those of other people are lower. */
const OWN_NUMBER = 1_000_000;

/** The round that the texts of a rolling run name. */
export const ROLLING_ROUND = 1;

/** Has a person upload a file of so many numbers and write the text. `press` lets it out. */
export async function prepareBigJob(
  stand: Stand,
  place: Place,
  recipients: number,
): Promise<{ readonly job: Sending; press(): Promise<void> }> {
  const [owner] = place.people;
  const text = `chaos r${ROLLING_ROUND} s${OWN_NUMBER} to everybody`;
  const wanted = Array.from({ length: recipients }, (_, row) => ({
    recipient: `935${String(row).padStart(7, '0')}`,
    text,
    line: place.account.line,
    flash: false,
  }));
  const rows = wanted.map(({ recipient }, row) => `0${recipient},m${row}`);
  const file = new File([`mobile,mark\n${rows.join('\n')}\n`], 'everybody.csv');
  const said = await stand.telegram.upload(owner, place.chat, file, '/bulk');
  const waits = (fits: (message: Message) => boolean): Promise<Message> =>
    hears(stand, place.chat, owner, said.message_id, fits, PATIENCE_MS);

  const read = await waits((message) => dataOf(message, USE) !== undefined);
  await tap(stand, owner, read, USE);
  const question = await waits(({ text: asked }) => asked?.includes(QUESTION) === true);
  await stand.telegram.say(owner, place.chat, text, question.message_id);
  const shown = (): Promise<Message> => waits((message) => dataOf(message, SEND) !== undefined);
  await shown();
  const presses: string[] = [];
  return {
    job: { place, wanted, said: said.message_id, presses, deeds: [] },
    async press() {
      while (presses.length === 0) {
        const card = await shown();
        // It may be drawn anew in this moment, with the credit that was asked for meanwhile.
        if (await tap(stand, owner, card, SEND).catch(() => false)) presses.push(dataOf(card, SEND) ?? '');
      }
    },
  };
}

/** How many of its recipients the gateway has accepted so far. */
export function acceptedOf({ gateway }: Stand, { wanted }: Sending): number {
  const text = wanted[0]?.text;
  return gateway
    .acceptances()
    .reduce((sum, each) => (each.text === text ? sum + each.recipients.length : sum), 0);
}

export interface Brake {
  /** Lets everything go at full speed. */
  release(): Promise<void>;
  /** Resolves when the gateway is slow. */
  readonly isOn: Promise<unknown>;
}

/**
 * Slows the gateway down: a job that is further than `share` of its recipients gets its answers late, the later the
 * further it is, when the gateway has done its part already; other calls wait a moment, so that some are always under way.
 */
export function startBrake(
  stand: Stand,
  job: Sending,
  share: () => number,
  /** What the gateway does besides, to others. */
  also: readonly Rule[],
): Brake {
  const { gateway } = stand;
  const done = new AbortController();
  const { promise: isOn, resolve } = Promise.withResolvers<void>();
  let given: number | null = null;
  const braking = (async () => {
    while (!done.signal.aborted) {
      const late = lateMs(acceptedOf(stand, job) / job.wanted.length - share());
      if (late !== given) {
        given = late;
        await gateway.clearFaults();
        for (const rule of [...also, ...rulesOf(job.place.account, late)]) await gateway.fault(rule);
        resolve();
      }
      await sleep(LOOK_MS, undefined, { signal: done.signal }).catch(() => undefined);
    }
  })();
  return {
    isOn: Promise.race([isOn, braking]),
    async release() {
      done.abort();
      await braking;
      await gateway.clearFaults();
    },
  };
}

/** In whole steps, so that the rules do not change with every call. */
function lateMs(ahead: number): number {
  return ahead <= 0 ? 0 : Math.min(MAX_LATE_MS, LATE_MS + LATE_STEP_MS * Math.floor(ahead / STEP));
}

/** The oldest rule that fits a call strikes. */
function rulesOf({ username: account }: GatewayAccount, late: number): Rule[] {
  const speed = late === 0 ? { ms: 1500, when: 'before' } : { ms: late, when: 'after' };
  return [
    { kind: 'delay', operation: 'send', account, ...speed },
    { kind: 'delay', operation: 'send', ms: 1000, when: 'after' },
    { kind: 'delay', operation: 'credit', ms: 3000, when: 'before' },
  ];
}
