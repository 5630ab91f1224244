import { isAppError } from '../../../domain/errors.ts';
import { measureMessage } from '../../../domain/message.ts';
import { endingOf } from '../../../domain/text-match.ts';
import type { SentMessage, SmsGateway } from '../../../ports/gateway.ts';
import type { AcceptedCall } from '../../../ports/reconcile.ts';

/** How far the gateway's clock is ahead of ours, and how sure that is; both in seconds. */
export interface ClockOffset {
  readonly ahead: number;
  readonly give: number;
  /** False while no accepted call could be compared: the offset is then a guess with a wide margin. */
  readonly known: boolean;
}

/** What calls that were surely accepted show of the gateway. */
export interface Habits {
  readonly clock: ClockOffset;
  /** What it appends to the texts of a line: seen often enough to be no accident. */
  readonly endings: ReadonlyMap<string, readonly string[]>;
  /**
   * Its count of sent messages is known to be one of recipients. Otherwise no list can be proved to be whole by it: one
   * that is cut within a call still shows every call.
   */
  readonly countsRecipients: boolean;
}

const UNKNOWN_CLOCK: ClockOffset = { ahead: 0, give: 300, known: false };
const ENDING_SEEN = 3;

/** Learns from accepted calls, newest first, by reading the gateway's own word of them. Reads only. */
export async function studyGateway(gateway: SmsGateway, calls: readonly AcceptedCall[]): Promise<Habits> {
  const listed = await listedOf(gateway, calls);
  return {
    clock: compareClocks(calls, listed),
    endings: learnEndings(calls, listed),
    countsRecipients: await learnCounted(gateway, calls, listed),
  };
}

type Listed = ReadonlyMap<string, SentMessage>;

/** A gateway that knows none of the ids refuses the question. */
async function listedOf(gateway: SmsGateway, calls: readonly AcceptedCall[]): Promise<Listed> {
  if (calls.length === 0 || !gateway.has('details')) return new Map();
  try {
    const found = await gateway.use('details').byIds([...new Set(calls.map(({ messageId }) => messageId))]);
    return new Map(found.map((message) => [message.id, message]));
  } catch (error) {
    if (isAppError(error, 'gateway_refused')) return new Map();
    throw error;
  }
}

function compareClocks(calls: readonly AcceptedCall[], listed: Listed): ClockOffset {
  const offsets = calls.flatMap(({ messageId, from, to }) => {
    const date = listed.get(messageId)?.date;
    return date === undefined ? [] : [date - (from + to) / 2];
  });
  if (offsets.length === 0) return UNKNOWN_CLOCK;
  const ahead = median(offsets);
  const spread = median(offsets.map((offset) => Math.abs(offset - ahead)));
  const longest = Math.max(...calls.map(({ from, to }) => to - from));
  return { ahead, give: Math.max(2, 3 * spread, longest), known: true };
}

function learnEndings(calls: readonly AcceptedCall[], listed: Listed): Habits['endings'] {
  const seen = new Map<string, Map<string, number>>();
  for (const { messageId, line, text } of calls) {
    const shown = listed.get(messageId)?.text;
    const ending = text === null || shown === undefined ? null : endingOf(text, shown);
    if (ending === null) continue;
    const ofLine = seen.get(line) ?? new Map<string, number>();
    seen.set(line, ofLine.set(ending, (ofLine.get(ending) ?? 0) + 1));
  }
  return new Map(
    [...seen].map(([line, endings]) => [
      line,
      [...endings].filter(([, times]) => times >= ENDING_SEEN).map(([ending]) => ending),
    ]),
  );
}

/**
 * A call to several numbers with one id tells the two meanings apart. Where each recipient has an id of its own there
 * is nothing to tell apart.
 */
async function learnCounted(
  gateway: SmsGateway,
  calls: readonly AcceptedCall[],
  listed: Listed,
): Promise<boolean> {
  const several = calls.filter(({ recipients }) => recipients > 1);
  if (several.length === 0) return false;
  if (several.every(({ recipients, ids }) => ids === recipients)) return true;
  if (!gateway.has('counts') || !gateway.has('outbox')) return false;
  const [sample] = several.flatMap(({ messageId, recipients, ids }) => {
    const date = listed.get(messageId)?.date;
    return ids === 1 && date !== undefined ? [{ messageId, recipients, date }] : [];
  });
  if (sample === undefined) return false;
  const second = { from: sample.date, to: sample.date };
  const { messages: before } = await gateway.use('counts').sent(second);
  const rows = await gateway.use('outbox').inRange(second);
  const { messages: after, parts } = await gateway.use('counts').sent(second);
  const own = rows.filter(({ id }) => id === sample.messageId).length;
  const shown = rows.reduce((sum, { text }) => sum + measureMessage(text).parts, 0);
  // Only a list that shows the whole of the sample, and nothing in motion, tells anything; and one with more parts than its
  // rows have is cut, perhaps to as many rows as there were calls.
  return before === after && own === sample.recipients && before === rows.length && parts <= shown;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2;
}
