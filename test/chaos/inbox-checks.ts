import type { Message } from '@grammyjs/types';
import type { Finding } from './checks.ts';
import { short } from './facts.ts';
import type { Arrived } from './inbox-arrivals.ts';
import type { InboxFacts, Stored, Told } from './inbox-facts.ts';

export interface InboxTally {
  arrived: number;
  stored: number;
  /** Messages that a place had to be told, counted for each place. */
  due: number;
  byCard: number;
  byDigest: number;
  /** How often a place was told what it had been told already. */
  again: number;
  /** Of these, as many as Peyk itself knows may be. */
  doubtful: number;
}

interface InboxCheck {
  readonly findings: readonly Finding[];
  readonly tally: InboxTally;
  /** From the gateway to the database, in milliseconds, of each message. */
  readonly storedAfterMs: readonly number[];
}

/** Cards begin so, and digests say how many they stand for. */
const CARD = /^📩[^]*?#in(\d+)/u;
const DIGEST = /^📥 Another ([\d,]+) messages?/u;
const NAME = /in r\d+ m\d+/gu;

/**
 * Holds what is stored against the gateway's ledger, and what is said in the places against what is stored. `stored` are
 * the rows that are new since the last time, `chats` what Peyk has said since then.
 */
export function checkInbox(
  arrived: readonly Arrived[],
  facts: InboxFacts,
  chats: ReadonlyMap<number, readonly Message[]>,
): InboxCheck {
  const findings: Finding[] = [];
  const find = (kind: Finding['kind'], what: string): void => void findings.push({ kind, count: 1, what });
  const tally: InboxTally = {
    arrived: arrived.length,
    stored: 0,
    due: 0,
    byCard: 0,
    byDigest: 0,
    again: 0,
    doubtful: facts.told.reduce((sum, { doubtful }) => sum + doubtful, 0),
  };
  const storedAfterMs = checkStored(find, tally, arrived, facts.stored);
  checkTold(find, tally, facts, chats);
  if (tally.again > tally.doubtful)
    find('wrong', `told again ${tally.again} times, and Peyk knows of ${tally.doubtful} at most`);
  return { findings, tally, storedAfterMs };
}

type Find = (kind: Finding['kind'], what: string) => void;

function checkStored(
  find: Find,
  tally: InboxTally,
  arrived: readonly Arrived[],
  stored: readonly Stored[],
): number[] {
  const afterMs: number[] = [];
  const rows = Map.groupBy(stored, ({ chat, messageId }) => `${chat} ${messageId}`);
  for (const message of arrived) {
    const { id, chat, account, text } = message;
    const key = `${chat} ${id}`;
    const [row, ...more] = rows.get(key) ?? [];
    rows.delete(key);
    if (row === undefined) {
      find('lost', `${id} of ${account} is not stored: «${brief(text)}»`);
      continue;
    }
    tally.stored += 1;
    afterMs.push(Math.max(0, Math.round(row.capturedMs - message.at)));
    for (const other of more) find('doubled', `${id} of ${account} is stored again as ${other.id}`);
    const wrong = differences(message, row);
    if (wrong.length > 0) find('wrong', `${id} of ${account} is stored with another ${wrong.join(', ')}`);
  }
  for (const [key, [row]] of rows) {
    if (row !== undefined)
      find('doubled', `${key} is stored as ${row.id}, and nobody sent it: «${brief(row.text)}»`);
  }
  return afterMs;
}

function differences(message: Arrived, row: Stored): string[] {
  return [
    row.text === message.text ? '' : 'text',
    short(row.sender) === short(message.sender) ? '' : 'sender',
    row.line.endsWith(message.line) ? '' : 'line',
    message.date !== undefined && row.sentMs === message.date * 1000 ? '' : 'time',
  ].filter((name) => name !== '');
}

function checkTold(
  find: Find,
  tally: InboxTally,
  { stored, told, destinations }: InboxFacts,
  chats: ReadonlyMap<number, readonly Message[]>,
): void {
  const sayings = new Map([...chats].map(([chat, messages]) => [chat, readSayings(messages)]));
  const foldedIn = Map.groupBy(
    told.filter(({ state }) => state === 'folded'),
    ({ destinationId, messageId }) => `${destinationId} ${messageId}`,
  );
  const notificationOf = Map.groupBy(told, ({ destinationId, inboundId }) => `${destinationId} ${inboundId}`);
  for (const destination of destinations) {
    const said = sayings.get(destination.chat);
    if (said === undefined) continue;
    const due = stored.filter(({ chat }) => chat === destination.home);
    const names = new Set(due.flatMap(({ text }) => text.match(NAME) ?? []));
    for (const row of due) {
      tally.due += 1;
      const cards = said.cards.get(row.id) ?? [];
      for (const card of cards) {
        const name = row.text.match(NAME)?.[0] ?? row.text;
        if (!card.includes(name))
          find('wrong', `the card of ${row.id} in ${destination.chat} says «${brief(card)}»`);
      }
      if (cards.length > 0) {
        tally.byCard += 1;
        continue;
      }
      const notifications = notificationOf.get(`${destination.id} ${row.id}`) ?? [];
      const isCounted = notifications.some(
        ({ messageId, state }) => state === 'folded' && messageId !== null && said.digests.has(messageId),
      );
      if (isCounted) tally.byDigest += 1;
      else {
        const states = notifications.map(({ state }) => state).join(', ') || 'none';
        find(
          'untold',
          `${row.id} «${brief(row.text)}» is neither a card nor counted in ${destination.chat}; notification: ${states}`,
        );
      }
    }
    for (const [messageId, digest] of said.digests) {
      const held = foldedIn.get(`${destination.id} ${messageId}`);
      // One whose answer was lost stands for messages that were told again.
      if (held === undefined) continue;
      checkDigest(find, destination.chat, digest, held, names);
    }
  }
  const inCards = [...sayings.values()].flatMap(({ cards }) => [...cards.values()]);
  const inDigests = [...sayings.values()].flatMap(({ digests }) => [...digests.values()]);
  const times =
    inCards.reduce((sum, cards) => sum + cards.length, 0) +
    inDigests.reduce((sum, { count }) => sum + count, 0);
  tally.again = Math.max(0, times - tally.byCard - tally.byDigest);
}

interface Digest {
  readonly count: number;
  readonly text: string;
}

/**
 * A digest tells of as many as it stands for, or more: of some another process may have told elsewhere meanwhile. What
 * it quotes was received.
 */
function checkDigest(
  find: Find,
  chat: number,
  { count, text }: Digest,
  held: readonly Told[],
  names: ReadonlySet<string>,
): void {
  if (count < held.length) find('untold', `a digest in ${chat} says ${count} and stands for ${held.length}`);
  const strange = (text.match(NAME) ?? []).filter((name) => !names.has(name));
  if (strange.length > 0)
    find('wrong', `a digest in ${chat} quotes ${strange[0]}, which nobody has written there`);
}

/** The cards of a chat by the message that each shows, and its digests by their own id. */
function readSayings(messages: readonly Message[]): {
  readonly cards: ReadonlyMap<number, readonly string[]>;
  readonly digests: ReadonlyMap<number, Digest>;
} {
  const cards = new Map<number, string[]>();
  const digests = new Map<number, Digest>();
  for (const { message_id: messageId, text = '' } of messages) {
    const shown = CARD.exec(text)?.[1];
    if (shown !== undefined) cards.set(Number(shown), [...(cards.get(Number(shown)) ?? []), text]);
    const count = DIGEST.exec(text)?.[1];
    if (count !== undefined) digests.set(messageId, { count: Number(count.replaceAll(',', '')), text });
  }
  return { cards, digests };
}

function brief(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').slice(0, 60);
}
