import { AppError, isAppError } from '../../../domain/errors.ts';
import { LOOKED_UP_PER_CALL } from '../../../domain/interface-limits.ts';
import { fileOf, kindOf, namedBook } from '../../../domain/kinds/index.ts';
import { callsOf, type Blocked, type Payload, type UntoldLine } from '../../../domain/outgoing.ts';
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

interface LookedUp<T> {
  /** Of the calls the recipients who are blocked on the line that would write to them. */
  readonly blocked: ReadonlyMap<T, readonly string[]>;
  /** The lines of whose lists nothing is known, and why: as the reads of the gateway fail, or no answer came within some seconds. */
  readonly untold: ReadonlyMap<string, AppError>;
}

/** Looks calls up on the blacklists of their lines. One that cannot be read says nothing of the others. */
export async function blockedOf<T extends Addressed>(
  calls: readonly T[],
  blacklist: Pick<Blacklist, 'blocked'>,
  clock: Pick<Clock, 'sleep'>,
): Promise<LookedUp<T>> {
  const answered = new AbortController();
  const late = async (): Promise<never> => {
    await clock.sleep(PATIENCE_MS, answered.signal);
    throw new AppError('gateway_no_answer', 'the blacklist did not answer in time');
  };
  const active = new Map<string, ReadonlySet<string>>();
  const untold = new Map<string, AppError>();
  try {
    await Promise.all(
      [...asked(calls)].map(async ([line, numbers]) => {
        try {
          active.set(line, await Promise.race([readActive(line, numbers, blacklist), late()]));
        } catch (error) {
          if (!isAppError(error)) throw error;
          untold.set(line, error);
        }
      }),
    );
  } finally {
    // With a reason none is made up, of which nobody reads the stack.
    answered.abort('answered');
  }
  const blocked = calls.map((call) => {
    const own = [...numbersByLine(call)].flatMap(([line, numbers]) =>
      numbers.filter((number) => active.get(line)?.has(number) === true),
    );
    return [call, own] as const;
  });
  return { blocked: new Map(blocked), untold };
}

/** Whether the gateway says that an account has no such line: asked again, it would say so again. */
export function isNoLine(error: AppError): boolean {
  return isAppError(error, 'gateway_refused') && error.params['name'] === 'invalid_line';
}

/**
 * Each message of a payload that the blacklist of its line forbids, and the lines that did not tell; null for a file, which is
 * looked up when it is counted. Throws where none of its lines did tell.
 */
export async function blockedMessages(
  { outgoing, ...payload }: Payload,
  blacklist: Pick<Blacklist, 'blocked'>,
  clock: Pick<Clock, 'sleep'>,
): Promise<{ readonly blocked: Blocked[]; readonly untold: UntoldLine[] } | null> {
  if (fileOf(outgoing) !== null) return null;
  // One call to a phonebook names no numbers to look up.
  const named = kindOf(outgoing).numbered(outgoing);
  const calls = callsOf({ ...payload, outgoing: named }).map((call) => ({ ...call, line: payload.line }));
  const blocked: Blocked[] = [];
  const untold = new Map<string, AppError>();
  for (const parcel of parcelsOf(calls)) {
    const found = await blockedOf(parcel, blacklist, clock);
    for (const [line, error] of found.untold) untold.set(line, error);
    for (const [{ line, messages }, numbers] of found.blocked) {
      const own = messages ?? numbers.map((recipient) => ({ line, recipient }));
      for (const each of own)
        if (numbers.includes(each.recipient)) blocked.push({ line: each.line, recipient: each.recipient });
    }
  }
  const [first] = untold.values();
  if (first !== undefined && untold.size === asked(calls).size) throw first;
  return { blocked, untold: [...untold].map(([line, error]) => ({ line, isNone: isNoLine(error) })) };
}

/** Who of these is on the list of the line. The one call to a phonebook may be to more than one question covers. */
async function readActive(
  line: string,
  numbers: readonly string[],
  blacklist: Pick<Blacklist, 'blocked'>,
): Promise<ReadonlySet<string>> {
  const active = new Set<string>();
  for (let at = 0; at < numbers.length; at += LOOKED_UP_PER_CALL) {
    const portion = numbers.slice(at, at + LOOKED_UP_PER_CALL);
    for (const number of await blacklist.blocked(line, portion)) active.add(number);
  }
  return active;
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
