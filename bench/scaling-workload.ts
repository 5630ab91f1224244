/** What a kind of account does in a day, on average. */
export interface Kind {
  readonly name: string;
  /** Of all accounts. */
  readonly share: number;
  readonly receivedPerDay: number;
  readonly sendsPerDay: number;
  readonly recipientsPerSend: number;
  /** Commands, presses and answers of its people. */
  readonly updatesPerDay: number;
}

export interface Workload {
  readonly kinds: readonly Kind[];
  /** How much of a day's work falls into each hour of it; any scale. */
  readonly hours: readonly number[];
  /** Messages are spaced evenly instead of coming at random. */
  readonly isEven?: boolean;
}

/** An assumption, not a measurement: of twenty accounts fourteen hardly do anything, five work, and one is busy. */
export const TEAMS: Workload = {
  kinds: [
    {
      name: 'quiet',
      share: 0.7,
      receivedPerDay: 0.2,
      sendsPerDay: 0.1,
      recipientsPerSend: 20,
      updatesPerDay: 0.5,
    },
    {
      name: 'working',
      share: 0.25,
      receivedPerDay: 10,
      sendsPerDay: 2,
      recipientsPerSend: 50,
      updatesPerDay: 10,
    },
    {
      name: 'busy',
      share: 0.05,
      receivedPerDay: 200,
      sendsPerDay: 10,
      recipientsPerSend: 500,
      updatesPerDay: 60,
    },
  ],
  hours: [
    0.2, 0.1, 0.1, 0.1, 0.1, 0.2, 0.4, 0.8, 1.6, 2.6, 2.4, 2.2, 1.8, 1.5, 1.5, 1.5, 1.6, 1.7, 1.6, 1.4, 1.2,
    0.9, 0.5, 0.3,
  ],
};

const BUSY = { receivedPerDay: 86_400 / 30, sendsPerDay: 0, recipientsPerSend: 0, updatesPerDay: 0 };
const SILENT = { receivedPerDay: 0, sendsPerDay: 0, recipientsPerSend: 0, updatesPerDay: 0 };

/** What the benchmark `polling` lets happen: one account of a hundred gets a message every 30 s. */
export const POLLING_BENCH: Workload = {
  kinds: [
    { name: 'busy', share: 0.01, ...BUSY },
    { name: 'quiet', share: 0.99, ...SILENT },
  ],
  hours: Array.from({ length: 24 }, () => 1),
  isEven: true,
};

/** How many of so many accounts are of each kind. */
export function countsOf({ kinds }: Workload, accounts: number): readonly number[] {
  let left = accounts;
  return kinds.map(({ share }, index) => {
    const count = index === kinds.length - 1 ? left : Math.min(left, Math.round(accounts * share));
    left -= count;
    return count;
  });
}

/** How much more than on average there is to do in an hour of the day. */
export function loadOf({ hours }: Workload, hour: number): number {
  const mean = hours.reduce((sum, each) => sum + each, 0) / hours.length;
  return (hours[((hour % 24) + 24) % 24] ?? mean) / mean;
}

/** For an account of average kind, in a day. */
export function perAccountDay({ kinds }: Workload, of: (kind: Kind) => number): number {
  return kinds.reduce((sum, kind) => sum + kind.share * of(kind), 0);
}
