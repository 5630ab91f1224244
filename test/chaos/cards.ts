import type { Message } from '@grammyjs/types';
import type { DraftFact } from './facts.ts';

/** Where recipients stand, as far as a card tells. */
export interface Standing {
  /** The gateway has them, delivered or not. */
  readonly taken: number;
  readonly unknown: number;
  /** Refused, or left when the job was stopped. */
  readonly notSent: number;
  readonly underWay: number;
}

const COUNT = '([0-9,٬۰-۹]+)';
/** The words of a card, in English, by what they say of recipients. */
const WORDS: Readonly<Record<keyof Standing, readonly RegExp[]>> = {
  taken: [
    new RegExp(`✅ ${COUNT} delivered`, 'gu'),
    new RegExp(`📤 ${COUNT} accepted`, 'gu'),
    new RegExp(`❌ ${COUNT} not delivered`, 'gu'),
    new RegExp(`⛔ ${COUNT} blocked`, 'gu'),
    new RegExp(`✔ ${COUNT} sent`, 'gu'),
  ],
  unknown: [new RegExp(`❔ ${COUNT} unknown`, 'gu')],
  notSent: [new RegExp(`⛔ ${COUNT} not sent`, 'gu')],
  underWay: [new RegExp(`⏳ ${COUNT} waiting`, 'gu')],
};

const PLACES: Readonly<Record<string, keyof Standing>> = {
  accepted: 'taken',
  sent: 'taken',
  unknown: 'unknown',
  asked: 'unknown',
  rejected: 'notSent',
  not_sent: 'notSent',
  reserved: 'underWay',
  on_wire: 'underWay',
};

/** What the card of a job says. */
export function readCard(text: string): Standing {
  const plain = text.replaceAll(/[\u200E\u200F\u2066-\u2069]/gu, '');
  const sum = (patterns: readonly RegExp[]): number =>
    patterns
      .flatMap((pattern) => [...plain.matchAll(pattern)])
      .reduce((total, match) => total + Number((match[1] ?? '').replaceAll(/\D/gu, '')), 0);
  return {
    taken: sum(WORDS.taken),
    unknown: sum(WORDS.unknown),
    notSent: sum(WORDS.notSent),
    underWay: sum(WORDS.underWay),
  };
}

/** While a send waits for its time, and when it was undone, its card counts nobody by what became of them. */
const UNCOUNTED: ReadonlySet<string> = new Set(['scheduled', 'missed', 'undone']);

/** What the database says of the same. */
function standingOf(job: NonNullable<DraftFact['job']>): Standing {
  const counts = { taken: 0, unknown: 0, notSent: 0, underWay: 0 };
  for (const { state, lines } of job.attempts) {
    // They went again as another job.
    if (state === 'closed') continue;
    if (state === 'planned' && UNCOUNTED.has(job.state)) continue;
    const place = state === 'planned' ? (job.state === 'stopped' ? 'notSent' : 'underWay') : PLACES[state];
    if (place === undefined) throw new Error(`no place for attempts that are ${state}`);
    counts[place] += lines.length;
  }
  return counts;
}

/** All messages of the bot that show this draft, oldest first. */
export function cardsOf(draft: DraftFact, messages: readonly Message[]): Message[] {
  const name = new RegExp(`^\\S+ (?:Draft )?[\\u200E\\u200F\\u2066-\\u2069]*#${draft.code}\\b`, 'u');
  return messages.filter((message) => message.from?.is_bot === true && name.test(message.text ?? ''));
}

/** What is wrong with what the card of a draft says; null when it agrees, or when there is none to disagree. */
export function disagreement(draft: DraftFact, messages: readonly Message[]): string | null {
  const cards = cardsOf(draft, messages);
  const card = cards.find((message) => message.message_id === draft.card) ?? cards.at(-1);
  if (card === undefined) return draft.job === null ? null : 'a job has no card';
  const text = card.text ?? '';
  if (draft.job === null) {
    const open = text.includes('Draft');
    const cancelled = text.includes('cancelled') || text.includes('not approved');
    if (draft.state === 'cancelled') return cancelled ? null : 'a cancelled draft is shown as open';
    return open && !cancelled ? null : `a draft that is ${draft.state} is shown as «${text.slice(0, 60)}»`;
  }
  if (text.includes('Draft')) return `the job is ${draft.job.state}, and the card still shows the draft`;
  const shown = JSON.stringify(readCard(text));
  const stored = JSON.stringify(standingOf(draft.job));
  return shown === stored ? null : `the card says ${shown}, the database ${stored}`;
}
