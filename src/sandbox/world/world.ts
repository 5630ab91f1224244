import type { Account } from './account.ts';
import { createBlacklist } from './blacklist.ts';
import { accountSeed } from './account-seed.ts';
import type { AccountSeed } from './account-seed.ts';
import { createClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { deliveryState } from './delivery.ts';
import type { DeliveryState } from './delivery-plan.ts';
import type { Ledger } from './ledger.ts';
import type { ShapeName } from '../shapes.ts';
import { ID_STEP, createOutbox } from './outbox.ts';
import type { SentMessage, SentRow } from './outbox.ts';
import { createPhonebooks } from './phonebooks.ts';
import { changeSwitches } from './switches.ts';
import type { Switches, SwitchesChange } from './switches.ts';

/** Everything the gateway knows, free of versions and HTTP. */
export type World = {
  readonly ledger: Ledger;
  /** Bad habits of the lists; {@link World.setSwitches} changes them. */
  readonly switches: Switches;
  /** Changes the given switches and leaves the others. */
  setSwitches(change: SwitchesChange): Switches;
  /** The shapes of what an account is answered: its own, or those of all. */
  shapesOf(account: Pick<Account, 'shapes'> | undefined): readonly ShapeName[];
  /** From 0 up to 1; the same row of numbers after every start. */
  random(): number;
  /** Epoch ms by the gateway's clock, which {@link World.advance} moves; `realNow` is the clock underneath. */
  now(): number;
  realNow(): number;
  /** Moves the gateway's clock by `ms`, forwards or (negative) back. */
  advance(ms: number): void;
  /** The gateway's clock itself, to be set and stopped. */
  readonly clock: Clock;
  accounts(): Account[];
  account(username: string): Account | undefined;
  /** Throws when the seed is wrong, or its user name, key or token is taken. */
  addAccount(seed: AccountSeed): Account;
  /** Puts a message into an account's inbox, unread; `at` is epoch ms by the gateway's clock. */
  receive(
    account: Account,
    message: { from: string; line: string; text: string; at?: number | undefined },
  ): bigint;
  /**
   * The first of `count` fresh message ids, each {@link ID_STEP} after the one before, small ones where the account has such.
   * They tell the time (epoch ms, by default the present) as far as they can while they only grow.
   */
  takeIds(count: number, at?: number, account?: Pick<Account, 'shapes'>): bigint;
  stateOf: (row: SentRow) => DeliveryState;
  /** Sets where these recipients' copies stand from now on. */
  setState(rows: readonly SentRow[], state: DeliveryState): void;
  /** One account as it was when it was made; the others, the clock and the switches stay. */
  resetAccount(account: Account): void;
  /** Back to the seeds: accounts, switches and clock as at the start. Ledger and ids of all kinds go on. */
  reset(): void;
};

export type WorldOptions = {
  readonly accounts: readonly AccountSeed[];
  readonly now: () => number;
  readonly deliveryMs: number;
  readonly keepMessages: number;
  readonly keepRecipients: number;
  readonly ledger: Ledger;
  readonly switches?: SwitchesChange | undefined;
  /** What has happened before the start, and again after each reset. */
  readonly lived?: { readonly account: string; live(world: World): void } | undefined;
};

const RECEIVED_KEPT = 5_000;
const KEEP = { keepBooks: 1_000, keepNumbers: 200_000, keepBlocked: 100_000 };
const FIRST_BOOK_ID = 1001;

export function createWorld(options: WorldOptions): World {
  const accounts = new Map<string, Account>();
  const seeds = new Map<string, AccountSeed>();
  const clock = createClock(options.now);
  let states = new WeakMap<SentMessage, Map<string, DeliveryState>>();
  const nextIds = { long: 0n, small: 0n };
  let nextBookId = FIRST_BOOK_ID;
  let randomState = 1;
  let switches = changeSwitches(options.switches ?? {});

  const world: World = {
    ledger: options.ledger,
    get switches() {
      return switches;
    },
    setSwitches(change) {
      switches = changeSwitches(change, switches);
      return switches;
    },
    shapesOf: (account) => account?.shapes ?? switches.shapes,
    random() {
      randomState = (randomState * 48_271) % 2_147_483_647;
      return randomState / 2_147_483_647;
    },
    now: clock.now,
    realNow: options.now,
    advance: clock.advance,
    clock,
    accounts: () => [...accounts.values()],
    account: (username) => accounts.get(username),
    addAccount(input) {
      const { inbox, phonebooks, blacklist, ...seed } = accountSeed.parse(input);
      for (const other of accounts.values()) refuseTwins(seed, other);
      const account: Account = {
        ...seed,
        outbox: createOutbox(options),
        inbox: [],
        phonebooks: createPhonebooks({ ...KEEP, nextId: () => nextBookId++ }),
        blacklist: createBlacklist(KEEP),
        registeredAt: [],
      };
      for (const book of phonebooks) {
        const made = account.phonebooks.create(book);
        if ('refused' in made)
          throw new Error(`account ${seed.username}: phonebook ${book.title}: ${made.refused}`);
      }
      for (const { line, to } of blacklist)
        account.blacklist.add(line, to, { setter: account.username, at: world.now() });
      accounts.set(account.username, account);
      seeds.set(account.username, input);
      for (const { from, line, message, ageSeconds, read } of inbox) {
        const id = world.receive(account, { from, line, text: message, at: world.now() - ageSeconds * 1000 });
        const received = account.inbox.find(({ messageId }) => messageId === id);
        if (received !== undefined) received.read = read;
      }
      return account;
    },
    receive(account, { from, line, text, at }) {
      const messageId = world.takeIds(1, at, account);
      const message = { messageId, from, line, text, receivedAt: at ?? world.now(), read: false };
      const later = account.inbox.findLastIndex(({ receivedAt }) => receivedAt <= message.receivedAt);
      account.inbox.splice(later + 1, 0, message);
      if (account.inbox.length > RECEIVED_KEPT) account.inbox.shift();
      return messageId;
    },
    takeIds(count, at = options.now(), account?) {
      const size = world.shapesOf(account).includes('small-ids') ? 'small' : 'long';
      const first = [nextIds[size], FIRST_ID_AT[size](at)].reduce((one, other) =>
        one > other ? one : other,
      );
      nextIds[size] = first + BigInt(count) * ID_STEP;
      return first;
    },
    stateOf: ({ message, recipient }) =>
      states.get(message)?.get(recipient) ??
      deliveryState(message, recipient, world.now(), options.deliveryMs),
    setState(rows, state) {
      for (const { message, recipient } of rows) {
        const set = states.get(message) ?? new Map<string, DeliveryState>();
        states.set(message, set.set(recipient, state));
      }
    },
    resetAccount({ username }) {
      const seed = seeds.get(username);
      if (seed === undefined) throw new Error(`no account ${username}`);
      accounts.delete(username);
      world.addAccount(seed);
      if (options.lived?.account === username) options.lived.live(world);
    },
    reset() {
      accounts.clear();
      seeds.clear();
      states = new WeakMap();
      clock.reset();
      switches = changeSwitches(options.switches ?? {});
      for (const seed of options.accounts) world.addAccount(seed);
      options.lived?.live(world);
    },
  };
  world.reset();
  return world;
}

/**
 * Odd, and later for a later start: a restarted sandbox never gives an id again. A long one lies between 2^60 and 2^62, a
 * small one has twelve digits until the year 2286.
 */
const FIRST_ID_AT: Readonly<Record<'long' | 'small', (now: number) => bigint>> = {
  long: (now) => 2n ** 60n + (BigInt.asUintN(41, BigInt(Math.floor(now))) << 20n) + 1n,
  small: (now) => 100_000_000_000n + (BigInt.asUintN(41, BigInt(Math.floor(now))) / 50n) * 2n + 1n,
};

function refuseTwins(seed: AccountSeed, other: Account): void {
  for (const member of ['username', 'apiKey', 'token'] as const) {
    if (seed[member] !== undefined && seed[member] === other[member]) {
      throw new Error(`account ${seed.username}: its ${member} is taken by account ${other.username}`);
    }
  }
}
