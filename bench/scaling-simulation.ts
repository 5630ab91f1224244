import { inboxPauseMs } from '../src/domain/inbound.ts';
import { RECIPIENTS_PER_CALL } from '../src/domain/interface-limits.ts';
import { nextLookMs } from '../src/features/sending/track/tracker.ts';
import { chances } from '../src/sandbox/chances.ts';
import { createDelays, type Delays } from './scaling-delays.ts';
import { createMessages } from './scaling-messages.ts';
import { createSpeaker } from './scaling-speaker.ts';
import { createLine, createWheel } from './scaling-wheel.ts';
import { countsOf, type Kind, loadOf, type Workload } from './scaling-workload.ts';

export interface Simulated {
  readonly accounts: number;
  readonly workload: Workload;
  /** The hour of the day at which it begins; what happens in the first seconds is not counted. */
  readonly from: number;
  readonly warmSeconds: number;
  readonly seconds: number;
  readonly bots: number;
  /** Messages that one bot may send in a second. */
  readonly perSecond: number;
  /** Accounts that all pollers together can ask in a second. */
  readonly pollsPerSecond: number;
  /** From the reading's answer to the chat, beside what is simulated. */
  readonly ownSeconds: number;
  readonly seed: number;
  /** Where delays are kept; several runs may share them. */
  readonly delays?: Delays;
}

export interface Outcome {
  /** In the seconds that are counted. */
  readonly counts: Counts;
  /** Of the whole run: each message that came in was told, or is left, at the gateway or known. */
  readonly whole: { readonly received: number; readonly told: number; readonly left: number };
  /** From the gateway to the chat, in seconds; what is left at the end counts with its age. */
  readonly delays: Delays;
}

export interface Counts {
  inboxReads: number;
  creditReads: number;
  detailReads: number;
  /** Calls for delivery reports. */
  statusReads: number;
  sends: number;
  recipients: number;
  sendCalls: number;
  updates: number;
  received: number;
  /** By all bots. */
  said: number;
  /** Of that, what was to be said beside received messages. */
  others: number;
}

/** Of src/process/config.ts and src/features/alerts/evaluator.ts, in seconds. */
const INBOX = 15;
const CREDIT = { active: 300, quiet: 1800 };
const DETAILS = 21_600;
const STATUS = 5;
const DAY = 86_400;
const HOUR = 3600;
/** Reports of a send have settled by then: an assumption. */
const SETTLED_SECONDS = 600;
/** Of src/gateway/checks.ts; each recipient has an id. */
const IDS_PER_CALL = 50;
/** Of src/features/sending/draft/blocked-numbers.ts. */
const LOOKED_UP_PER_CALL = 400;
/** A draft, its changes while it is sent, and its end: an assumption. */
export const SAID_PER_SEND = 4;

const STREAM = { inbox: 0, credit: 1, details: 2, arrival: 3, update: 4, send: 5, again: 6 } as const;
const STREAMS = 7;

/** Part of a day of so many accounts, second by second, under Peyk's own rules of how often it asks and how much it says. */
export function simulate(of: Simulated): Outcome {
  const { accounts, workload, warmSeconds, ownSeconds } = of;
  const isEven = workload.isEven === true;
  const end = warmSeconds + of.seconds;
  const random = chances(of.seed);
  const kindOf = kindsOf(workload, accounts);
  const loads = Array.from({ length: Math.ceil(end / HOUR) + 2 }, (_, hour) => {
    return loadOf(workload, Math.floor(of.from) + hour);
  });
  const offset = (of.from % 1) * HOUR;
  const wheel = createWheel(end, accounts * STREAMS);
  const due = createLine();
  const messages = createMessages(accounts);
  const lastReceived = new Float32Array(accounts);
  const statusAt = new Float64Array(end);
  const delays = of.delays ?? createDelays();
  const isAsked = new Uint8Array(accounts);
  const minutes = { began: new Float32Array(accounts).fill(-HOUR), told: new Uint8Array(accounts) };
  const put = (stream: number, account: number, second: number): void => {
    wheel.put(stream * accounts + account, second);
  };
  const told = (at: number, now: number): void => {
    if (at >= warmSeconds) delays.add(now - at + ownSeconds);
  };
  const later = (account: number, second: number): void => {
    isAsked[account] = 1;
    put(STREAM.again, account, second);
  };
  const options = { perSecond: of.perSecond, messages, isAsked, minutes, told, later };
  const speakers = Array.from({ length: of.bots }, () => createSpeaker(options));
  const speakerOf = (account: number) => speakers[account % speakers.length];
  let counts = nothing();

  /** Seconds to the next of so many a day, at the pace of the hour. */
  const gap = (perDay: number, now: number): number => {
    if (perDay === 0) return Number.POSITIVE_INFINITY;
    const mean = DAY / perDay / (loads[Math.floor((now + offset) / HOUR)] ?? 1);
    return isEven ? mean : -Math.log(1 - random()) * mean;
  };
  const pauseOf = (account: number, now: number): number => {
    const sinceInboundMs = (now - (lastReceived[account] ?? 0)) * 1000;
    return inboxPauseMs({ baseMs: INBOX * 1000, sinceInboundMs, failures: 0, random: random() }) / 1000;
  };
  const creditPause = (kind: Kind): number => (kind.sendsPerDay >= 1 ? CREDIT.active : CREDIT.quiet);

  // As if all had been so for long.
  for (let account = 0; account < accounts; account += 1) {
    const kind = kindOf(account);
    lastReceived[account] = -Math.min(
      30 * DAY,
      kind.receivedPerDay === 0 ? DAY : gap(kind.receivedPerDay, 0),
    );
    put(STREAM.inbox, account, random() * pauseOf(account, 0));
    put(STREAM.credit, account, random() * creditPause(kind));
    put(STREAM.details, account, random() * DETAILS);
    put(STREAM.arrival, account, gap(kind.receivedPerDay, 0) * (isEven ? random() : 1));
    put(STREAM.update, account, gap(kind.updatesPerDay, 0));
    put(STREAM.send, account, gap(kind.sendsPerDay, 0));
  }

  const send = (account: number, now: number): void => {
    const { recipientsPerSend, sendsPerDay } = kindOf(account);
    counts.sends += 1;
    counts.recipients += recipientsPerSend;
    counts.sendCalls +=
      Math.ceil(recipientsPerSend / RECIPIENTS_PER_CALL) + Math.ceil(recipientsPerSend / LOOKED_UP_PER_CALL);
    counts.others += SAID_PER_SEND;
    speakerOf(account)?.other(SAID_PER_SEND);
    const calls = Math.ceil(recipientsPerSend / IDS_PER_CALL);
    for (let age = STATUS; age < SETTLED_SECONDS; age += nextLookMs(age, STATUS) / 1000) {
      const at = Math.ceil(now + age);
      if (at < end) statusAt[at] = (statusAt[at] ?? 0) + calls;
    }
    put(STREAM.send, account, now + gap(sendsPerDay, now));
  };

  const happens = (thing: number, now: number): void => {
    const stream = Math.floor(thing / accounts);
    const account = thing % accounts;
    if (stream <= STREAM.details) due.push(thing);
    else if (stream === STREAM.arrival) {
      // Somewhere in the second that is ending.
      messages.arrive(account, now - random());
      counts.received += 1;
      put(STREAM.arrival, account, now + gap(kindOf(account).receivedPerDay, now));
    } else if (stream === STREAM.update) {
      counts.updates += 1;
      counts.others += 1;
      speakerOf(account)?.other(1);
      put(STREAM.update, account, now + gap(kindOf(account).updatesPerDay, now));
    } else if (stream === STREAM.send) send(account, now);
    else {
      isAsked[account] = 0;
      speakerOf(account)?.notification(account);
    }
  };

  const poll = (thing: number, now: number): void => {
    const stream = Math.floor(thing / accounts);
    const account = thing % accounts;
    if (stream === STREAM.inbox) {
      counts.inboxReads += 1;
      if (messages.read(account, now) > 0) {
        lastReceived[account] = now;
        speakerOf(account)?.notification(account);
      }
      put(STREAM.inbox, account, now + pauseOf(account, now));
    } else if (stream === STREAM.credit) {
      counts.creditReads += 1;
      put(STREAM.credit, account, now + creditPause(kindOf(account)));
    } else {
      counts.detailReads += 1;
      put(STREAM.details, account, now + DETAILS);
    }
  };

  let room = 0;
  for (let now = 0; now < end; now += 1) {
    if (now === warmSeconds) counts = nothing();
    wheel.take(now, (thing) => happens(thing, now));
    counts.statusReads += statusAt[now] ?? 0;
    for (room = Math.min(room, 0) + of.pollsPerSecond; room > 0 && due.length > 0; room -= 1)
      poll(due.shift(), now);
    for (const speaker of speakers) counts.said += speaker.speak(now);
  }
  let left = 0;
  messages.left((at) => {
    left += 1;
    told(at, end);
  });
  const { arrived, told: toldInAll } = messages.counts;
  return { counts, whole: { received: arrived, told: toldInAll, left }, delays };
}

function nothing(): Counts {
  const reads = { inboxReads: 0, creditReads: 0, detailReads: 0, statusReads: 0 };
  return { ...reads, sends: 0, recipients: 0, sendCalls: 0, updates: 0, received: 0, said: 0, others: 0 };
}

/** The kind of each account by its number. Kinds are mixed, as the accounts of a bot are. */
function kindsOf(workload: Workload, accounts: number): (account: number) => Kind {
  const numbers = new Uint8Array(accounts);
  let at = 0;
  // A step without a common divisor comes to every account once.
  const step = accounts % STEP === 0 ? 1 : STEP;
  for (const [index, count] of countsOf(workload, accounts).entries())
    for (let left = count; left > 0; left -= 1) {
      numbers[(at * step) % accounts] = index;
      at += 1;
    }
  const [first] = workload.kinds;
  if (first === undefined) throw new Error('a workload needs a kind');
  return (account) => workload.kinds[numbers[account] ?? 0] ?? first;
}

/** A prime. */
const STEP = 7919;
