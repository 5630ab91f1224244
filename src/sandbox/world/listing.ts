import type { Account } from './account.ts';
import { rowsOf } from './outbox.ts';
import type { SentMessage, SentRow } from './outbox.ts';
import type { World } from './world.ts';

/** Bounds of a range as clients name them: epoch seconds, both ends included. */
export type Range = { readonly startdate: number; readonly enddate: number };

/** The account's calls that lists show by now, the one that was sent last first; what waits for its time is in no list. */
export function listedMessages(world: World, account: Account): SentMessage[] {
  return account.outbox
    .all()
    .filter(({ sentAt }) => isListed(world, sentAt))
    .toSorted((earlier, later) => earlier.sentAt - later.sentAt)
    .toReversed();
}

/** One row for every recipient of the listed calls, newest call first; `only` picks calls before they are unfolded. */
export function* listedRows(
  world: World,
  account: Account,
  only: (message: SentMessage) => boolean,
): Generator<SentRow> {
  for (const message of listedMessages(world, account)) if (only(message)) yield* rowsOf(message);
}

/** Whether lists show by now what was sent or received at this time (epoch ms). */
export function isListed(world: World, at: number): boolean {
  return at + world.switches.lagMs <= world.now();
}

/** Epoch ms as a list shows it: epoch seconds by the clock of the lists. */
export function listedDate(world: World, at: number): number {
  return Math.floor(at / 1000) + world.switches.dateOffsetSeconds;
}

export function isWithin(world: World, { startdate, enddate }: Range, at: number): boolean {
  const date = listedDate(world, at);
  return date >= startdate && date <= enddate;
}

/** The text of a sent message as lists show it. */
export function listedText(message: SentMessage): string {
  return message.listedText ?? message.text;
}

/** The entries of a list as they leave: no more than the cap, in another order when told so. */
export function arrange<T>(world: World, list: readonly T[]): T[] {
  const { cap } = world.switches;
  return inAnyOrder(world, cap === null ? list : list.slice(0, cap));
}

/** The entries of a report about ids that the client named: all of them, in another order when told so. */
export function inAnyOrder<T>({ switches, random }: World, list: readonly T[]): T[] {
  if (!switches.shuffled) return [...list];
  return list
    .map((entry) => ({ entry, rank: random() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ entry }) => entry);
}
