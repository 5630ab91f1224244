import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@grammyjs/types';
import { cardsOf, disagreement, readCard } from './cards.ts';
import type { Finding } from './checks.ts';
import { type DraftFact, readFacts } from './facts.ts';
import { waitForEarlier } from './patience.ts';
import type { Place } from './people.ts';
import type { Stand } from './stand.ts';
import type { Call } from './telegram-oracle.ts';

/** What the slowest edit may still be waiting for: the distance that Peyk keeps between two of one message. */
const PATIENCE_MS = 3000;
const SHOWN_EDITS = 4;

/**
 * Holds the cards of all drafts of some rounds against the database. When one disagrees they are looked at again for
 * some seconds: a delivery report, say, may just have come.
 */
export async function checkCards(
  stand: Stand,
  places: readonly Place[],
  rounds: readonly number[],
  calls: readonly Call[],
): Promise<{ findings: Finding[]; extra: number }> {
  const until = performance.now() + waitForEarlier(PATIENCE_MS);
  for (;;) {
    const drafts = await readFacts(stand, rounds);
    const findings: Finding[] = [];
    let extra = 0;
    for (const { chat, people } of places) {
      const messages = await stand.telegram.messages(chat, people[0]);
      for (const draft of drafts.filter((each) => each.chat === chat)) {
        extra += Math.max(0, cardsOf(draft, messages).length - 1);
        const what = disagreement(draft, messages);
        if (what !== null)
          findings.push({ kind: 'card', count: 1, what: `${what}; ${historyOf(draft, messages, calls)}` });
      }
    }
    if (findings.length === 0 || performance.now() > until) return { findings, extra };
    await sleep(500);
  }
}

/** What the card has said, last of all, and what Telegram answered. */
function historyOf(draft: DraftFact, messages: readonly Message[], calls: readonly Call[]): string {
  const card = cardsOf(draft, messages).find((message) => message.message_id === draft.card);
  const edits = calls
    .filter(({ method, params }) => method === 'editMessageText' && Number(params['chat_id']) === draft.chat)
    .filter(({ params }) => Number(params['message_id']) === card?.message_id)
    .slice(-SHOWN_EDITS)
    .map(({ at, ok, error_code: code, params }) => {
      const said = JSON.stringify(readCard(String(params['text'])));
      return `${new Date(at).toISOString().slice(11, 23)} ${ok ? 'ok' : String(code ?? 'no answer')} ${said}`;
    });
  return `#${draft.code} in ${draft.chat}, edits: ${edits.join(' | ')}`;
}
