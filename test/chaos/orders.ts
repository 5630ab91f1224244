import type { Finding } from './checks.ts';
import { short, type DraftFact } from './facts.ts';
import type { Acceptance } from './gateway-oracle.ts';
import type { Place } from './people.ts';
import type { Deed, Sending } from './sending.ts';
import { isIn, says, type Call } from './telegram-oracle.ts';
import { nameOf } from './wanted.ts';

/** What happened in a round, as far as people held it up, took it back, limited or shared it. */
interface Orders {
  readonly sendings: readonly Sending[];
  readonly drafts: readonly DraftFact[];
  /** What the gateway took of this round. */
  readonly acceptances: readonly Acceptance[];
  readonly calls: readonly Call[];
}

/** What Peyk says once an order has been taken back, in English. */
const ACKNOWLEDGED = {
  undo: /undone(?: by [^\n]*)? · not sent/u,
  stop: /Stopped by/u,
  pause: /Paused by/u,
} as const;
/** The same of a chat’s switch. */
const HALTED = /switched all sends of this chat off/u;
const TOO_FAST = /^Too fast: this press has done nothing/u;
const CAPPED = /go over the day’s cap|over what one person may send/u;

/** Of one round, in which less than a day passes: what of it left in a chat, and by whose word, in parts. */
export function checkCaps(sendings: readonly Sending[], acceptances: readonly Acceptance[]): Finding[] {
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

/** What of the acts of a round came to happen, by name. */
export function countOrders({ sendings, drafts, acceptances, calls }: Orders): Record<string, number> {
  const jobOf = (sending: Sending) => draftOf(sending, drafts)?.job ?? null;
  const heard = (sending: Sending, what: keyof typeof ACKNOWLEDGED): boolean =>
    sending.deeds.includes(what) &&
    calls.some(
      (call) => shows(call, sending.place, draftOf(sending, drafts)) && says(call, ACKNOWLEDGED[what]),
    );
  const count = (fits: (sending: Sending) => boolean): number => sendings.filter(fits).length;
  const did = (what: Deed) => (sending: Sending) => sending.deeds.includes(what);
  const leftOf = (sending: Sending): Acceptance[] =>
    acceptances.filter(({ text }) => text.startsWith(nameOf(sending.wanted)));
  return {
    undone: count((each) => jobOf(each)?.state === 'undone'),
    stopped: count((each) => heard(each, 'stop')),
    paused: count((each) => heard(each, 'pause')),
    approved: count((each) => did('approve')(each) && jobOf(each) !== null),
    rejected: count((each) => did('reject')(each) && jobOf(each) === null),
    'over a cap': calls.filter((call) => says(call, CAPPED)).length,
    'pressed too fast': calls.filter((call) => says(call, TOO_FAST)).length,
    'left at their time': count((each) => did('due')(each) && leftOf(each).length > 0),
    'left out as blocked': count(
      (each) =>
        each.wanted.some(({ blocked }) => blocked) &&
        leftOf(each).length > 0 &&
        !leftOf(each).some(({ recipients }) => recipients.map(short).some((to) => isBlocked(each, to))),
    ),
    halted: calls.filter((call) => says(call, HALTED)).length,
    'by a shared account': count((each) => isShared(each.place, sendings) && leftOf(each).length > 0),
    'shown at once (flash)': count((each) => leftOf(each).some(({ flash }) => flash)),
  };
}

function isShared({ chat, account }: Place, sendings: readonly Sending[]): boolean {
  return sendings.some(({ place }) => place.chat !== chat && place.account.username === account.username);
}

function isBlocked({ wanted }: Sending, number: string): boolean {
  return wanted.some(({ blocked, recipient }) => blocked === true && recipient === number);
}

/** The draft that a person prepared, or what it was changed into. */
function draftOf({ wanted, place }: Sending, drafts: readonly DraftFact[]): DraftFact | undefined {
  const name = nameOf(wanted);
  return drafts.find(({ says: words, aside, chat }) => words.includes(name) && !aside && chat === place.chat);
}

/** Whether a call is one of the card of a draft. */
function shows(call: Call, place: Place, draft: DraftFact | undefined): boolean {
  return draft !== undefined && isIn(call, place) && says(call, new RegExp(`#${draft.code}(?!\\d)`, 'u'));
}
