/** Received messages: at the gateway, then known, then told. Each is in exactly one of these states. */
export interface Messages {
  arrive(account: number, at: number): void;
  /** Reads an inbox. Returns how many were new. */
  read(account: number, now: number): number;
  /** How many are known and not told. */
  untold(account: number): number;
  /** Of these, how many have been known for longer than that; at most `most` are counted. */
  olderThan(account: number, before: number, most: number): number;
  /** Tells the oldest ones, so many. */
  tell(account: number, count: number, each: (at: number) => void): void;
  /** When those that have not been told came in. */
  left(each: (at: number) => void): void;
  readonly counts: { readonly arrived: number; readonly told: number };
}

const NONE = -1;

export function createMessages(accounts: number): Messages {
  const chain = (): Int32Array<ArrayBuffer> => new Int32Array(accounts).fill(NONE);
  const oldest = chain();
  const newest = chain();
  /** The oldest that has not been read. */
  const unread = chain();
  const known = new Int32Array(accounts);
  let came = new Float32Array(1024);
  let read = new Float32Array(1024);
  let next = new Int32Array(1024);
  let arrived = 0;
  let told = 0;

  return {
    arrive(account, at) {
      if (arrived === came.length) [came, read, next] = [wider(came), wider(read), widerIndex(next)];
      const message = arrived;
      arrived += 1;
      came[message] = at;
      next[message] = NONE;
      const last = newest[account] ?? NONE;
      if (last === NONE) oldest[account] = message;
      else next[last] = message;
      newest[account] = message;
      if (unread[account] === NONE) unread[account] = message;
    },
    read(account, now) {
      let count = 0;
      for (let message = unread[account] ?? NONE; message !== NONE; message = next[message] ?? NONE) {
        read[message] = now;
        count += 1;
      }
      unread[account] = NONE;
      known[account] = (known[account] ?? 0) + count;
      return count;
    },
    untold: (account) => known[account] ?? 0,
    olderThan(account, before, most) {
      let count = 0;
      let message = oldest[account] ?? NONE;
      while (count < most && count < (known[account] ?? 0) && (read[message] ?? 0) < before) {
        count += 1;
        message = next[message] ?? NONE;
      }
      return count;
    },
    tell(account, count, each) {
      for (let left = count; left > 0; left -= 1) {
        const message = oldest[account] ?? NONE;
        each(came[message] ?? 0);
        oldest[account] = next[message] ?? NONE;
        if (oldest[account] === NONE) newest[account] = NONE;
      }
      known[account] = (known[account] ?? 0) - count;
      told += count;
    },
    left(each) {
      for (const first of oldest)
        for (let message = first; message !== NONE; message = next[message] ?? NONE) each(came[message] ?? 0);
    },
    get counts() {
      return { arrived, told };
    },
  };
}

function wider(values: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const all = new Float32Array(values.length * 2);
  all.set(values);
  return all;
}

function widerIndex(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const all = new Int32Array(values.length * 2);
  all.set(values);
  return all;
}
