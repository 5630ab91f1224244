import { setTimeout as sleep } from 'node:timers/promises';
import type { Sending } from './sending.ts';
import { runActs } from './acts.ts';
import type { Arrived } from './inbox-arrivals.ts';
import { hears, type Place } from './people.ts';
import { ROLLING_ROUND } from './rolling-job.ts';
import type { Act } from './schedule.ts';
import type { Stand } from './stand.ts';

/** A question after the credit. */
export interface Asked {
  readonly chat: number;
  readonly person: number;
  readonly said: number;
  /** Until it was answered; null: it never was. */
  readonly ms: number | null;
}

/** What people did beside the job. */
export interface Passed {
  readonly sendings: readonly Sending[];
  readonly arrived: readonly Arrived[];
  readonly asked: readonly Asked[];
}

/** A bot may say or change 20 messages a minute in a group: what waits for that would hide what is slow here. */
const SEND_EVERY_MS = 6000;
const ASK_EVERY_MS = 5000;
const ARRIVE_EVERY_MS = 4000;
/** Longer than any run. */
const MAX_SENDS = 2400;
const ANSWER_PATIENCE_MS = 120_000;

/** How an answer to `/credit` begins, whoever reads it. */
export const CREDIT = '💰';

/** Has people send single messages, ask for their credit and be written to, until `stop`. */
export function startTraffic(
  stand: Stand,
  /** Those of the job are not among them. */
  places: readonly Place[],
  signal: AbortSignal,
): { stop(): Promise<Passed> } {
  const done = new AbortController();
  const ended = AbortSignal.any([done.signal, signal]);
  const acts = Array.from({ length: MAX_SENDS }, (_, index): Act => ({
    kind: 'send',
    at: index * SEND_EVERY_MS,
    chat: index,
    messages: 1,
    press: 'once',
    thinkMs: 200,
    again: false,
  }));
  const plan = { round: ROLLING_ROUND, lengthMs: 0, latencyMs: 0, acts, strikes: [] };
  const sending = runActs(stand, places, plan, ended);
  const readable = places.filter(({ account }) => account.apiKey !== undefined);
  const asking = repeat(readable, ASK_EVERY_MS, ended, (place) => ask(stand, place));
  const arriving = repeat(readable, ARRIVE_EVERY_MS, ended, (place, number) => arrive(stand, place, number));
  for (const each of [sending, asking, arriving]) each.catch(() => undefined);
  return {
    async stop() {
      done.abort();
      return { sendings: (await sending).sendings, asked: await asking, arrived: await arriving };
    },
  };
}

async function repeat<T>(
  places: readonly Place[],
  everyMs: number,
  ended: AbortSignal,
  act: (place: Place, number: number) => Promise<T>,
): Promise<T[]> {
  const acts: Promise<T>[] = [];
  while (!ended.aborted) {
    const place = places[acts.length % places.length];
    if (place === undefined) break;
    const acting = act(place, acts.length);
    acting.catch(() => undefined);
    acts.push(acting);
    await sleep(everyMs, undefined, { signal: ended }).catch(() => undefined);
  }
  return await Promise.all(acts);
}

async function ask(stand: Stand, { chat, people: [person] }: Place): Promise<Asked> {
  const began = performance.now();
  const { message_id: said } = await stand.telegram.say(person, chat, '/credit');
  const answer = hears(
    stand,
    chat,
    person,
    said,
    ({ text }) => text?.startsWith(CREDIT) === true,
    ANSWER_PATIENCE_MS,
  );
  const ms = await answer.then(
    () => Math.round(performance.now() - began),
    () => null,
  );
  return { chat, person, said, ms };
}

async function arrive(stand: Stand, { chat, account }: Place, number: number): Promise<Arrived> {
  const sender = `0912${String(8_000_000 + (number % 40))}`;
  const text = `in r${ROLLING_ROUND} m${number} hello`;
  const { line } = account;
  const id = await stand.inbox.arrive(account, { sender, line, text });
  const round = ROLLING_ROUND;
  return { round, id, chat, account: account.username, line, sender, text, at: Date.now() };
}
