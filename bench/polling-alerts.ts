import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { inboxPauseMs } from '../src/domain/inbound.ts';
import { machineTime } from './child.ts';
import { wake, type Group } from './polling-accounts.ts';
import type { Stage } from './stage.ts';

/** Milliseconds from a message's arrival at the gateway to its card's at Telegram, and what of that is Peyk's own. */
export interface Alert {
  readonly total: number;
  /** From the gateway's answer, in which the message was, to the card. */
  readonly own: number;
}

interface Sent {
  readonly account: string;
  /** When it came in, or when its inbox was due. */
  readonly at: number;
}

const Said = z.array(z.object({ ref: z.number(), at: z.number() }));
const Read = z.array(z.object({ account: z.string(), at: z.number() }));
const PATIENCE_MS = 25_000;
const DAY_MS = 86_400_000;

let lastRef = 0;

/** Has a message come in for one account after the other, so that each has one in so many seconds. */
export async function sendEvenly(
  stage: Stage,
  accounts: readonly string[],
  { seconds, every }: { readonly seconds: number; readonly every: number },
): Promise<ReadonlyMap<number, Sent>> {
  const sent = new Map<number, Sent>();
  const gapMs = (every * 1000) / accounts.length;
  const began = performance.now();
  for (let count = 0; count * gapMs < seconds * 1000; count += 1) {
    await sleep(Math.max(0, began + count * gapMs - performance.now()));
    const account = accounts[count % accounts.length] ?? '';
    const { ref, at } = await receive(stage, account);
    sent.set(ref, { account, at });
  }
  await sleep(Math.max(0, began + seconds * 1000 - performance.now()));
  return sent;
}

/** The cards of messages that have come in, after waiting for them a little. Throws when one does not come. */
export async function alertsOf(stage: Stage, sent: ReadonlyMap<number, Sent>): Promise<readonly Alert[]> {
  const said = new Map<number, number>();
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    for (const { ref, at } of await stage.telegram.ask('said', {}, Said)) said.set(ref, at);
    const silent = [...sent.keys()].filter((ref) => !said.has(ref)).length;
    if (silent === 0) break;
    if (performance.now() > end) throw new Error(`of ${sent.size} messages ${silent} were not told`);
    await sleep(200);
  }
  const read = Map.groupBy(await stage.gateway.ask('read', {}, Read), ({ account }) => account);
  return [...sent].map(([ref, { account, at }]) => {
    const saidAt = said.get(ref) ?? Number.NaN;
    const answers = read.get(account)?.map((answer) => answer.at) ?? [];
    return { total: saidAt - at, own: saidAt - Math.max(...answers.filter((answer) => answer <= saidAt)) };
  });
}

/**
 * A message for each of a group that is read most seldom. They are due within `seconds`, not minutes: what each
 * would have waited for its reading until then is drawn evenly over its pause, and added.
 */
export async function sendToQuiet(
  stage: Stage,
  group: Group,
  accounts: readonly string[],
  { seconds, baseMs }: { readonly seconds: number; readonly baseMs: number },
): Promise<{ readonly fromDue: readonly Alert[]; readonly whole: readonly number[] }> {
  await wake(stage, group, { sinceInbound: DAY_MS / 1000 });
  const refs: number[] = [];
  for (const account of accounts) refs.push((await receive(stage, account)).ref);
  await wake(stage, group, { inbox: seconds, sinceInbound: DAY_MS / 1000 });
  const rows = await stage.database.sql<{ due_ms: number }[]>`
    select (extract(epoch from a.inbox_due_at) * 1000)::float8 as due_ms from account a join chat c on c.id = a.chat_id
    where c.telegram_id between ${group.firstId} and ${group.firstId + group.count - 1} order by c.telegram_id`;
  const offset = machineTime() - Date.now();
  const sent = refs.map((ref, index): [number, Sent] => {
    return [ref, { account: accounts[index] ?? '', at: (rows[index]?.due_ms ?? 0) + offset }];
  });
  await sleep(seconds * 1000);
  const fromDue = await alertsOf(stage, new Map(sent));
  const whole = fromDue.map(({ total }, index) => {
    const pause = inboxPauseMs({
      baseMs,
      sinceInboundMs: DAY_MS,
      failures: 0,
      random: fraction(index * 0.7549),
    });
    return fraction(index * 0.618034) * pause + total;
  });
  return { fromDue, whole };
}

async function receive(
  stage: Stage,
  account: string,
): Promise<{ readonly ref: number; readonly at: number }> {
  const ref = (lastRef += 1);
  const text = `Is the blue one there again? ref${ref}`;
  const at = await stage.gateway.ask('receive', { account, from: '9121112222', text }, z.number());
  return { ref, at };
}

function fraction(value: number): number {
  return value - Math.floor(value);
}
