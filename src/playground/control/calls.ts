/** One recorded Bot API call. `at` is in ms; `result` is the answer's result (for getUpdates, how many). */
export interface CallRecord {
  id: number;
  at: number;
  bot: number | undefined;
  method: string;
  params: Readonly<Record<string, unknown>>;
  files?: readonly CallFile[];
  ok: boolean;
  result?: unknown;
  error_code?: number;
  description?: string;
  /** Set when a fault cut the connection or answered in place of the emulator. */
  fault?: string;
}

export interface CallFilter {
  method?: string | undefined;
  after?: number | undefined;
}

interface CallFile {
  field: string;
  name: string;
  size: number;
  sha256: string;
}

export interface CallLog {
  add: (call: Omit<CallRecord, 'id'>) => CallRecord;
  /** The kept calls in order, optionally of one method (case does not matter) and after one call id. */
  list: (filter?: CallFilter) => CallRecord[];
  /** All calls since the start or the last clear, by method in lower case, kept or not. */
  counts: () => ReadonlyMap<string, number>;
  total: () => number;
  clear: () => void;
}

/** A bounded ring of calls with exact counters beside it. */
export function createCallLog(capacity = 5000): CallLog {
  const ring: CallRecord[] = [];
  const counts = new Map<string, number>();
  let nextId = 1;
  let total = 0;
  return {
    add(call) {
      const record: CallRecord = { id: nextId++, ...call };
      ring[(record.id - 1) % capacity] = record;
      const method = call.method.toLowerCase();
      counts.set(method, (counts.get(method) ?? 0) + 1);
      total++;
      return record;
    },
    list(filter = {}) {
      const method = filter.method?.toLowerCase();
      const after = filter.after ?? 0;
      return ring
        .filter((call) => call.id > after && (method === undefined || call.method.toLowerCase() === method))
        .sort((a, b) => a.id - b.id);
    },
    counts: () => counts,
    total: () => total,
    clear() {
      ring.length = 0;
      counts.clear();
      total = 0;
      nextId = 1;
    },
  };
}
