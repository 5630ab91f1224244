/** One request as it came and what it got. Secrets are masked before anything is kept. */
export type Exchange = {
  /** Counts from 1 since the start, also what is no longer kept. */
  readonly number: number;
  /** Epoch ms by the real clock when the request's head was read. */
  readonly at: number;
  /** Milliseconds from then until the answer was handed to the connection. */
  readonly tookMs: number;
  readonly version: number | null;
  readonly operation: string | null;
  readonly account: string | null;
  readonly request: {
    readonly method: string;
    /** Path and query. */
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Body;
  };
  /** What was answered, or would have been but for a fault; null when the request never came to its end. */
  readonly answer: {
    readonly httpStatus: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Body;
  } | null;
  /** What became of the connection: `answered`, `aborted` by the client, or the kind of fault that cut it. */
  readonly outcome: string;
  readonly fault: string | null;
  /** Why the request was refused, in plain words; null when it was not. */
  readonly refused: string | null;
  /** What was let pass and should not be relied on, each in plain words. */
  readonly warnings: readonly string[];
  /** Ids of the messages that it sent. */
  readonly messageIds: readonly string[];
};

/** The beginning of a body, and how many bytes it had in all. */
export type Body = { readonly text: string; readonly bytes: number };

/** Which exchanges are meant; what is absent fits all. */
export type JournalFilter = {
  /** Only what has a greater number. */
  readonly after?: number | undefined;
  readonly account?: string | undefined;
  readonly operation?: string | undefined;
  readonly refused?: boolean | undefined;
  /** The one that sent this message. */
  readonly messageId?: string | undefined;
  /** The one that has this number. */
  readonly number?: number | undefined;
  /** Words in its address, its body or the reason, in any letter case. */
  readonly search?: string | undefined;
  /** Of all that fit, the newest so many. */
  readonly limit?: number | undefined;
};

export type Journal = {
  /** Keeps an exchange, tells whoever has subscribed, and forgets the oldest beyond the limit. */
  record(exchange: Omit<Exchange, 'number'>): void;
  /** What is kept and fits, oldest first. */
  list(filter?: JournalFilter): readonly Exchange[];
  /** How many there have been since the start. */
  total(): number;
  /** Calls `listener` with each exchange from now on; gives the way to end that. */
  subscribe(listener: (exchange: Exchange) => void): () => void;
};

const BODY_CHARACTERS = 16 * 1024;

/** A journal that keeps the newest `keep` exchanges, in memory. */
export function createJournal({ keep }: { keep: number }): Journal {
  const kept: Exchange[] = [];
  const listeners = new Set<(exchange: Exchange) => void>();
  let total = 0;
  return {
    record(fields) {
      total += 1;
      const exchange: Exchange = { number: total, ...fields };
      kept.push(exchange);
      if (kept.length > keep) kept.splice(0, kept.length - keep);
      for (const listener of listeners) listener(exchange);
    },
    list: (filter = {}) => kept.filter((exchange) => fits(exchange, filter)).slice(-(filter.limit ?? keep)),
    total: () => total,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A body as the journal keeps it. */
export function bodyOf(text: string): Body {
  return { text: copyOf(text.slice(0, BODY_CHARACTERS)), bytes: Buffer.byteLength(text) };
}

/** The same letters in memory of their own: a slice keeps the whole text that it was cut from, up to 1 MiB. */
function copyOf(slice: string): string {
  return Buffer.from(slice, 'utf16le').toString('utf16le');
}

/** An exchange as one line for a terminal: time, who, what, how it ended, and why. */
export function logLine({ at, tookMs, request, answer, ...exchange }: Exchange): string {
  const { version, account, operation, outcome, fault, refused, warnings } = exchange;
  const ended = outcome === 'answered' ? String(answer?.httpStatus ?? '') : outcome;
  const words = [
    new Date(at).toISOString(),
    version === null ? '-' : `v${version}`,
    account ?? '-',
    operation ?? '-',
    `${request.method} ${request.url.split('?')[0] ?? ''}`,
    ended,
    `${Math.round(tookMs)}ms`,
    ...(fault === null || fault === outcome ? [] : [`fault ${fault}`]),
    ...(refused === null ? [] : [`refused: ${refused}`]),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  return words.join(' ').replaceAll(/\p{Cc}+/gu, ' ');
}

function wordsOf({ request, refused }: Exchange): string {
  return `${request.url} ${request.body.text} ${refused ?? ''}`.toLowerCase();
}

function fits(exchange: Exchange, filter: JournalFilter): boolean {
  const { after = 0, account, operation, refused, messageId, number, search = '' } = filter;
  return (
    exchange.number > after &&
    (account === undefined || exchange.account === account) &&
    (operation === undefined || exchange.operation === operation) &&
    (refused === undefined || (exchange.refused !== null) === refused) &&
    (messageId === undefined || exchange.messageIds.includes(messageId)) &&
    (number === undefined || exchange.number === number) &&
    (search === '' || wordsOf(exchange).includes(search.toLowerCase()))
  );
}
