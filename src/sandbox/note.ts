import type { IncomingMessage } from 'node:http';
import type { Answer } from './http.ts';
import { bodyOf } from './journal.ts';
import type { Journal } from './journal.ts';
import { maskFor, maskedPath } from './mask.ts';
import type { Execution } from './versions/api-version.ts';
import type { Refusal } from './world/refusal.ts';
import { whyRefused } from './world/why.ts';
import type { World } from './world/world.ts';

type Deps = { readonly world: World; readonly journal: Journal };
type Subject = { version: number | null; operation: string | null; account: string | null };
type Ended = { fault: string | null; outcome: string };

/** How one request is noted, with all secrets masked: as a hit in the ledger, and as an exchange in the journal. */
export function noteOf({ world, journal }: Deps, request: IncomingMessage, subject: Subject) {
  const at = world.realNow();
  const began = performance.now();
  const { url = '', method = '', headers } = request;
  const path = maskedPath(url, world.accounts());
  return {
    hit(ended: Ended & { reachedEffect: boolean }): void {
      world.ledger.recordHit({ ...subject, at, method, path, ...ended });
    },
    /** `messageIds`: of what this request sent; `words`: what asked for its fault. */
    exchange(
      seen: Ended & {
        body: string;
        answer: Answer | null;
        result?: Execution | undefined;
        messageIds?: readonly string[];
        words?: string | undefined;
      },
    ): void {
      const { result, answer, messageIds = [], body, words, ...ended } = seen;
      const asked = words === undefined ? [] : [words];
      const account = subject.account === null ? undefined : world.account(subject.account);
      const mask = maskFor({ url, headers }, path, account);
      const refusal = result?.refused ?? undefined;
      const refused = [
        ...(seen.fault === 'error' ? asked : []),
        ...(refusal === undefined ? [] : [whyRefused(refusal)]),
      ];
      journal.record({
        ...subject,
        ...ended,
        at,
        tookMs: performance.now() - began,
        request: { method, url: mask.url, headers: mask.headers, body: bodyOf(mask.body(body)) },
        answer: answer === null ? null : { ...answer, body: bodyOf(mask.body(answer.body)) },
        refused: refused.length === 0 ? null : mask.text(refused.join('; ')),
        warnings: [...(seen.fault === 'error' ? [] : asked), ...(result?.warnings ?? [])].map(mask.text),
        messageIds,
      });
    },
  };
}

/** Notes what was not HTTP, or had too long a head: nothing is known of it but what it was answered. */
export function noteUnreadable({ world, journal }: Deps, refusal: Refusal, answer: Answer): void {
  journal.record({
    version: null,
    operation: null,
    account: null,
    at: world.realNow(),
    tookMs: 0,
    request: { method: '', url: '', headers: {}, body: bodyOf('') },
    answer: { ...answer, body: bodyOf(answer.body) },
    outcome: 'answered',
    fault: null,
    refused: whyRefused(refusal),
    warnings: [],
    messageIds: [],
  });
}
