import { short } from './facts.ts';
import type { Acceptance } from './gateway-oracle.ts';
import { ACKNOWLEDGED, draftOf, HALTED, isIn, says, shows, type Orders } from './order-words.ts';
import type { Place } from './people.ts';
import type { Deed, Sending } from './sending.ts';
import { nameOf } from './wanted.ts';

const CAPPED = /go over the day’s cap|over what one person may send/u;

/** What of the acts of a round came to happen, by name. */
export function countOrders({
  sendings,
  haltings,
  drafts,
  acceptances,
  calls,
}: Orders): Record<string, number> {
  const jobOf = (sending: Sending) => draftOf(sending, drafts)?.job ?? null;
  const heard = (sending: Sending, what: keyof typeof ACKNOWLEDGED): boolean =>
    sending.deeds.some((deed) => deed.what === what) &&
    calls.some(
      (call) => shows(call, sending.place, draftOf(sending, drafts)) && says(call, ACKNOWLEDGED[what]),
    );
  const count = (fits: (sending: Sending) => boolean): number => sendings.filter(fits).length;
  const did = (what: Deed['what']) => (sending: Sending) => sending.deeds.some((deed) => deed.what === what);
  const leftOf = (sending: Sending): Acceptance[] =>
    acceptances.filter(({ text }) => text.startsWith(nameOf(sending.wanted)));
  return {
    undone: count((each) => jobOf(each)?.state === 'undone'),
    stopped: count((each) => heard(each, 'stop')),
    paused: count((each) => heard(each, 'pause')),
    approved: count((each) => did('approve')(each) && jobOf(each) !== null),
    rejected: count((each) => did('reject')(each) && jobOf(each) === null),
    'over a cap': calls.filter((call) => says(call, CAPPED)).length,
    'left at their time': count((each) => did('due')(each) && leftOf(each).length > 0),
    'left out as blocked': count(
      (each) =>
        each.wanted.some(({ blocked }) => blocked) &&
        leftOf(each).length > 0 &&
        !leftOf(each).some(({ recipients }) => recipients.map(short).some((to) => isBlocked(each, to))),
    ),
    halted: haltings.filter(
      ({ place }) => place !== null && calls.some((call) => isIn(call, place) && says(call, HALTED)),
    ).length,
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
