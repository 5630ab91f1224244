import { isAppError, type AppError } from '../../domain/errors.ts';
import { addRial } from '../../domain/money.ts';
import { splitDays, type TimeSpan } from '../../domain/time-range.ts';
import type { Counts } from '../../ports/gateway.ts';
import { gapOf, isForAll, type Gap } from './outbox-reading.ts';

export type SentCount = Awaited<ReturnType<Counts['sent']>>;

/** What was counted, or why it was not. */
export type Counted<T> = { readonly value: T } | { readonly gap: Gap };

export interface CountReading {
  readonly sent: Counted<SentCount>;
  readonly read: Counted<number>;
  readonly unread: Counted<number>;
}

/** A gateway that refuses a long time is asked for its days one by one, at most so many. */
const MAX_DAYS = 31;

/** Counts a time from all sides at once; when nothing at all can be counted, the reason is thrown. */
export async function countAll(counts: Counts, span: TimeSpan): Promise<CountReading> {
  const received = (read: boolean) =>
    countOver(
      span,
      (each) => counts.received({ ...each, read }),
      (left, right) => left + right,
    );
  const [sent, read, unread] = await Promise.all([
    attempt(countSent(counts, span)),
    attempt(received(true)),
    attempt(received(false)),
  ]);
  if ('error' in sent && 'error' in read && 'error' in unread) throw sent.error;
  return { sent: told(sent), read: told(read), unread: told(unread) };
}

/** Messages, parts and cost of a time. */
export async function countSent(counts: Pick<Counts, 'sent'>, span: TimeSpan): Promise<SentCount> {
  return await countOver(
    span,
    (each) => counts.sent(each),
    (left, right) => ({
      parts: left.parts + right.parts,
      messages: left.messages + right.messages,
      cost: addRial(left.cost, right.cost),
    }),
  );
}

/** The interface limits no count to a time; where a gateway does, the days are added up. */
async function countOver<T>(
  span: TimeSpan,
  ask: (span: TimeSpan) => Promise<T>,
  add: (left: T, right: T) => T,
): Promise<T> {
  try {
    return await ask(span);
  } catch (error) {
    const [first, ...others] = splitDays(span);
    const isWorthIt = others.length > 0 && others.length < MAX_DAYS;
    if (!isAppError(error, 'gateway_refused') || isForAll(gapOf(error)) || !isWorthIt) throw error;
    let sum: T = await ask(first ?? span);
    for (const day of others) sum = add(sum, await ask(day));
    return sum;
  }
}

/** The same for one question among others: its failure is an answer too. */
export async function counted<T>(question: Promise<T>): Promise<Counted<T>> {
  return told(await attempt(question));
}

type Attempt<T> = { readonly value: T } | { readonly error: AppError };

async function attempt<T>(question: Promise<T>): Promise<Attempt<T>> {
  return await question.then(
    (value): Attempt<T> => ({ value }),
    (error: unknown): Attempt<T> => {
      if (isAppError(error)) return { error };
      throw error;
    },
  );
}

function told<T>(answer: Attempt<T>): Counted<T> {
  return 'error' in answer ? { gap: gapOf(answer.error) } : answer;
}
