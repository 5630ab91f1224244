import { AppError } from '../../../domain/errors.ts';
import { LOOKED_UP_PER_CALL } from '../../../domain/interface-limits.ts';
import { fileOf, kindOf, namedBook } from '../../../domain/kinds/index.ts';
import { callsOf, type Blocked, type Payload } from '../../../domain/outgoing.ts';
import type { Blacklist } from '../../../ports/gateway.ts';
import type { AttemptView } from '../../../ports/jobs.ts';
import type { Clock } from '../../../ports/runtime.ts';

/** Calls wait for it: a gateway that hangs is found out by them. */
const PATIENCE_MS = 5000;

type Addressed = Pick<AttemptView, 'line' | 'recipients' | 'messages'>;

/** Whether the call says who gets the message. One to a phonebook does not: of that no number can be left out. */
export function namesRecipients({ outgoing }: Pick<AttemptView, 'outgoing'>): boolean {
  return namedBook(outgoing) === null;
}

/** Calls in their order, as many together as one question for each of their lines can cover. */
export function parcelsOf<T extends Addressed>(calls: readonly T[]): T[][] {
  const parcels: T[][] = [];
  let asked = new Map<string, number>();
  for (const call of calls) {
    const own = [...numbersByLine(call)].map(([line, numbers]) => [line, numbers.length] as const);
    const parcel = parcels.at(-1);
    if (
      parcel !== undefined &&
      own.every(([line, count]) => (asked.get(line) ?? 0) + count <= LOOKED_UP_PER_CALL)
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
 * Of the calls the recipients who are blocked on the line that would write to them. Throws as the reads of the gateway
 * do, also when no answer comes within some seconds.
 */
export async function blockedOf<T extends Addressed>(
  calls: readonly T[],
  blacklist: Pick<Blacklist, 'blocked'>,
  clock: Pick<Clock, 'sleep'>,
): Promise<ReadonlyMap<T, readonly string[]>> {
  const answered = new AbortController();
  const late = async (): Promise<never> => {
    await clock.sleep(PATIENCE_MS, answered.signal);
    throw new AppError('gateway_no_answer', 'the blacklist did not answer in time');
  };
  try {
    return await Promise.race([readBlocked(calls, blacklist), late()]);
  } finally {
    // With a reason none is made up, of which nobody reads the stack.
    answered.abort('answered');
  }
}

/**
 * Each message of a payload that the blacklist of its line forbids; null for a file, which is looked up when it is
 * counted. Throws as `blockedOf` does.
 */
export async function blockedMessages(
  { outgoing, ...payload }: Payload,
  blacklist: Pick<Blacklist, 'blocked'>,
  clock: Pick<Clock, 'sleep'>,
): Promise<Blocked[] | null> {
  if (fileOf(outgoing) !== null) return null;
  // One call to a phonebook names no numbers to look up.
  const named = kindOf(outgoing).numbered(outgoing);
  const calls = callsOf({ ...payload, outgoing: named }).map((call) => ({ ...call, line: payload.line }));
  const found: Blocked[] = [];
  for (const parcel of parcelsOf(calls)) {
    for (const [{ line, messages }, numbers] of await blockedOf(parcel, blacklist, clock)) {
      const own = messages ?? numbers.map((recipient) => ({ line, recipient }));
      for (const each of own)
        if (numbers.includes(each.recipient)) found.push({ line: each.line, recipient: each.recipient });
    }
  }
  return found;
}

async function readBlocked<T extends Addressed>(
  calls: readonly T[],
  blacklist: Pick<Blacklist, 'blocked'>,
): Promise<ReadonlyMap<T, readonly string[]>> {
  const blocked = new Map<string, ReadonlySet<string>>();
  await Promise.all(
    [...asked(calls)].map(async ([line, numbers]) => {
      // The one call to a phonebook may be to more than one question covers.
      const active = new Set<string>();
      for (let at = 0; at < numbers.length; at += LOOKED_UP_PER_CALL) {
        const portion = numbers.slice(at, at + LOOKED_UP_PER_CALL);
        for (const number of await blacklist.blocked(line, portion)) active.add(number);
      }
      blocked.set(line, active);
    }),
  );
  return new Map(
    calls.map((call) => [
      call,
      [...numbersByLine(call)].flatMap(([line, numbers]) =>
        numbers.filter((number) => blocked.get(line)?.has(number) === true),
      ),
    ]),
  );
}

/** Each number of a line once: rows that people gave can name one twice. */
function asked(calls: readonly Addressed[]): ReadonlyMap<string, readonly string[]> {
  const pairs = calls.flatMap((call) =>
    [...numbersByLine(call)].flatMap(([line, numbers]) => numbers.map((number) => ({ line, number }))),
  );
  return new Map(
    [...Map.groupBy(pairs, ({ line }) => line)].map(([line, of]) => [
      line,
      [...new Set(of.map(({ number }) => number))],
    ]),
  );
}

function numbersByLine({ line, recipients, messages }: Addressed): ReadonlyMap<string, readonly string[]> {
  if (messages === null) return new Map([[line, recipients]]);
  return new Map(
    [...Map.groupBy(messages, (each) => each.line)].map(([own, rows]) => [
      own,
      rows.map(({ recipient }) => recipient),
    ]),
  );
}
