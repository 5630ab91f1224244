import type { FullAccountSeed } from './account-seed.ts';
import type { Blacklist } from './blacklist.ts';
import type { Outbox } from './outbox.ts';
import type { Phonebooks } from './phonebooks.ts';

/** A message that someone sent to a line. `from` is ten digits or more, `receivedAt` epoch ms. */
export type ReceivedMessage = {
  readonly messageId: bigint;
  readonly from: string;
  readonly line: string;
  readonly text: string;
  readonly receivedAt: number;
  read: boolean;
};

type Changing = 'userStatus' | 'credit' | 'price' | 'idsMode' | 'delivery' | 'shapes';

/** An account of the gateway: what it was seeded with, what calls and the admin port change, its messages. */
export type Account = Readonly<Omit<FullAccountSeed, Changing | 'inbox' | 'phonebooks' | 'blacklist'>> &
  Pick<FullAccountSeed, Changing> & {
    readonly outbox: Outbox;
    readonly inbox: ReceivedMessage[];
    readonly phonebooks: Phonebooks;
    readonly blacklist: Blacklist;
    /** When this account registered users lately, epoch ms. */
    registeredAt: readonly number[];
  };

/** Statuses 0 (active) and 2 (trial) may use the service; the others only learn their status. */
export function mayUseService(account: Pick<Account, 'userStatus'>): boolean {
  return account.userStatus === 0 || account.userStatus === 2;
}
