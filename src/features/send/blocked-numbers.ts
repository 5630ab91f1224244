import { AppError } from '../../domain/errors.ts';
import type { Blacklist } from '../../ports/gateway.ts';
import type { AttemptView } from '../../ports/jobs.ts';
import type { Clock } from '../../ports/runtime.ts';

/** So many numbers of one line are looked up in one question. */
const NUMBERS_AT_ONCE = 400;
/** Calls wait for it: a gateway that hangs is found out by them. */
const PATIENCE_MS = 5000;

/** Whether the call says who gets the message. One to a phonebook does not: the gateway takes the numbers from there. */
export function namesRecipients({ outgoing }: Pick<AttemptView, 'outgoing'>): boolean {
  return outgoing.kind !== 'book' || outgoing.way !== 'call';
}

/** Calls in their order, as many together as one question for each of their lines can cover. */
export function parcelsOf(calls: readonly AttemptView[]): AttemptView[][] {
  const parcels: AttemptView[][] = [];
  let asked = new Map<string, number>();
  for (const call of calls) {
    const own = [...numbersByLine(call)].map(([line, numbers]) => [line, numbers.length] as const);
    const parcel = parcels.at(-1);
    if (
      parcel !== undefined &&
      own.every(([line, count]) => (asked.get(line) ?? 0) + count <= NUMBERS_AT_ONCE)
    ) {
      parcel.push(call);
      for (const [line, count] of own) asked.set(line, (asked.get(line) ?? 0) + count);
    } else {
      parcels.push([call]);
      asked = new Map(own);
    }
  }
  return parcels;
}

/**
 * Of the calls the recipients who are blocked on the line that would write to them; a call without any may be left
 * out. Throws as the reads of the gateway do, also when no answer comes within some seconds.
 */
export async function blockedOf(
  calls: readonly AttemptView[],
  blacklist: Pick<Blacklist, 'check'>,
  clock: Pick<Clock, 'sleep'>,
): Promise<ReadonlyMap<AttemptView, readonly string[]>> {
  const answered = new AbortController();
  const late = async (): Promise<never> => {
    await clock.sleep(PATIENCE_MS, answered.signal);
    throw new AppError('gateway_no_answer', 'the blacklist did not answer in time');
  };
  try {
    return await Promise.race([readBlocked(calls, blacklist), late()]);
  } finally {
    answered.abort();
  }
}

async function readBlocked(
  calls: readonly AttemptView[],
  blacklist: Pick<Blacklist, 'check'>,
): Promise<ReadonlyMap<AttemptView, readonly string[]>> {
  const blocked = new Map<string, ReadonlySet<string>>();
  await Promise.all(
    [...asked(calls)].map(async ([line, numbers]) => {
      const words = await blacklist.check(line, numbers);
      const active = words.filter(({ status }) => status === 'active');
      if (active.length > 0) blocked.set(line, new Set(active.map(({ number }) => number)));
    }),
  );
  if (blocked.size === 0) return new Map();
  return new Map(
    calls.map((call) => [
      call,
      [...numbersByLine(call)].flatMap(([line, numbers]) =>
        numbers.filter((number) => blocked.get(line)?.has(number) === true),
      ),
    ]),
  );
}

/** Each number of a line once: only rows that people gave can name one twice. */
function asked(calls: readonly AttemptView[]): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>();
  for (const call of calls) {
    for (const [line, numbers] of numbersByLine(call)) {
      const known = lines.get(line);
      if (known === undefined) lines.set(line, [...numbers]);
      else known.push(...numbers);
    }
  }
  if (calls.every(({ messages }) => messages === null)) return lines;
  return new Map([...lines].map(([line, numbers]) => [line, [...new Set(numbers)]]));
}

function numbersByLine({ line, recipients, messages }: AttemptView): ReadonlyMap<string, readonly string[]> {
  if (messages === null) return new Map([[line, recipients]]);
  return new Map(
    [...Map.groupBy(messages, (each) => each.line)].map(([own, rows]) => [
      own,
      rows.map(({ recipient }) => recipient),
    ]),
  );
}
