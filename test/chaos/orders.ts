import type { Finding } from './checks.ts';
import { short, type DraftFact } from './facts.ts';
import type { Acceptance } from './gateway-oracle.ts';
import { UNTOLD } from './heard.ts';
import {
  ACKNOWLEDGED,
  draftOf,
  HALTED,
  isIn,
  says,
  shows,
  takesBack,
  TOO_LATE,
  type Orders,
} from './order-words.ts';
import type { Deed, Sending } from './sending.ts';
import { nameOf } from './wanted.ts';

/** From when until when nothing of a send may leave, beside what was on the wire when it began; epoch ms. */
interface Span {
  readonly from: number;
  readonly until: number;
  readonly why: string;
}

const NEVER = Number.POSITIVE_INFINITY;
const ALWAYS = Number.NEGATIVE_INFINITY;
/** Holds what left against when it was ordered, and taken back; against the caps of chats, and the blacklists of lines. */
export function checkOrders(orders: Orders): Finding[] {
  const { sendings, acceptances } = orders;
  const times = Map.groupBy(sendings, ({ wanted }) => nameOf(wanted));
  const findings: Finding[] = [];
  for (const [name, [sending, ...same]] of times) {
    // Of two that say the same nobody can tell which one it was.
    if (sending === undefined || same.length > 0) continue;
    const draft = draftOf(sending, orders.drafts);
    const left = acceptances.filter(({ text }) => text.startsWith(name));
    for (const { from, until, why } of spansOf(sending, draft, orders)) {
      const wrong = left.filter(({ at, recipients, text }) => {
        if (at <= from || at >= until) return false;
        if (from === ALWAYS) return true;
        const numbers = new Set(recipients.map(short));
        const own = draft?.job?.attempts.filter(({ lines }) =>
          lines.some((line) => line.text === text && numbers.has(line.recipient)),
        );
        return !(own ?? []).some(({ onWireMs }) => onWireMs !== null && onWireMs <= from);
      });
      const count = wrong.reduce((sum, { recipients }) => sum + recipients.length, 0);
      if (count > 0) findings.push({ kind: 'unordered', count, what: `«${name}» left ${why}` });
    }
    if (!orders.blind) findings.push(...checkBlocked(sending, left));
  }
  return [...findings, ...checkCaps(sendings, acceptances), ...checkHeeded(orders)];
}

function spansOf(sending: Sending, draft: DraftFact | undefined, { haltings, calls }: Orders): Span[] {
  const { deeds, place, timed } = sending;
  const order = deeds.find(({ what }) => what === (timed === true ? 'due' : 'send') || what === 'approve');
  const spans: Span[] = [
    order === undefined
      ? { from: ALWAYS, until: NEVER, why: 'though nobody had it sent' }
      : { from: ALWAYS, until: order.at, why: 'before its time, or anybody’s yes' },
  ];
  if (draft?.job?.state === 'undone') spans.push({ from: ALWAYS, until: NEVER, why: 'though it was undone' });
  for (const { what, at } of deeds) {
    if (!takesBack(what)) continue;
    const heard = calls.find(
      (call) => call.at >= at && shows(call, place, draft) && says(call, ACKNOWLEDGED[what]),
    );
    if (heard === undefined) continue;
    const from = what === 'undo' ? ALWAYS : heard.at;
    spans.push({ from, until: nextOf(deeds, 'resume', at), why: `after ${what} was acknowledged` });
  }
  for (const halting of haltings.filter((each) => each.place === place || each.place === null)) {
    const [halt] = halting.deeds;
    if (halt === undefined) continue;
    const heard =
      halting.place === null
        ? halt
        : calls.find((call) => call.at >= halt.at && isIn(call, place) && says(call, HALTED));
    if (heard !== undefined)
      spans.push({
        from: heard.at,
        until: nextOf(halting.deeds, 'go', halt.at),
        why: `while ${halting.place === null ? 'all chats were' : 'the chat was'} halted`,
      });
  }
  return spans;
}

/** Whoever is on the blacklist gets nothing. */
function checkBlocked({ wanted }: Sending, left: readonly Acceptance[]): Finding[] {
  const blocked = new Set(wanted.filter((each) => each.blocked).map(({ recipient }) => recipient));
  const hit = left.flatMap(({ recipients }) => recipients.map(short)).filter((each) => blocked.has(each));
  if (hit.length === 0) return [];
  return [{ kind: 'unordered', count: hit.length, what: `${hit[0]} is on the blacklist` }];
}

/** Of one round, in which less than a day passes: what of it left in a chat, and by whose word, in parts. */
function checkCaps(sendings: readonly Sending[], acceptances: readonly Acceptance[]): Finding[] {
  const used = new Map<string, { readonly most: number; parts: number }>();
  for (const { place, by, wanted } of sendings) {
    if (place.limits === undefined) continue;
    const { cap, personCap } = place.limits;
    const parts = acceptances
      .filter(({ text }) => text.startsWith(nameOf(wanted)))
      .reduce((sum, { recipients }) => sum + recipients.length, 0);
    for (const [whose, most] of [
      [`chat ${place.chat}`, cap],
      [`person ${by ?? place.people[0]} in chat ${place.chat}`, personCap],
    ] as const) {
      const known = used.get(whose) ?? { most, parts: 0 };
      known.parts += parts;
      used.set(whose, known);
    }
  }
  return [...used].flatMap(([whose, { most, parts }]): Finding[] =>
    parts <= most
      ? []
      : [
          {
            kind: 'unordered',
            count: parts - most,
            what: `${parts} parts left for ${whose}: the cap is ${most}`,
          },
        ],
  );
}

/** A press that takes something back leads to that, or to words; or the log has it that Telegram did not take these. */
function checkHeeded({ sendings, drafts, calls, notes, said }: Orders): Finding[] {
  return sendings.flatMap((sending) => {
    const { place, wanted, deeds } = sending;
    const draft = draftOf(sending, drafts);
    return deeds.flatMap(({ what, at, data }): Finding[] => {
      if (!takesBack(what)) return [];
      const update = said.find((each) => each.chat === place.chat && each.data === data)?.id;
      const heeded = calls.some(
        (call) =>
          call.at >= at &&
          (says(call, TOO_LATE) || (shows(call, place, draft) && says(call, ACKNOWLEDGED[what]))),
      );
      const isLost = notes.some((note) => note.update === update && UNTOLD.has(note.says));
      if (heeded || isLost) return [];
      const words = `«${nameOf(wanted).trim()}»: ${what} came to nothing, and no word of it`;
      return [{ kind: 'silent', count: 1, what: words }];
    });
  });
}

function nextOf(deeds: readonly Deed[], what: Deed['what'], after: number): number {
  return deeds.find((deed) => deed.what === what && deed.at >= after)?.at ?? NEVER;
}
