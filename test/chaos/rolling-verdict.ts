import type { Message } from '@grammyjs/types';
import type { Sending } from './sending.ts';
import { checkCards } from './card-check.ts';
import { checkSends, type Finding, type Tally } from './checks.ts';
import { readFacts } from './facts.ts';
import { checkHeard } from './heard.ts';
import { checkInbox, type InboxTally } from './inbox-checks.ts';
import { readChats, readInboxFacts } from './inbox-facts.ts';
import { dated } from './inbox-round.ts';
import type { Watch } from './logs.ts';
import type { Place } from './people.ts';
import { checkAnswers, checkOutcomes } from './rolling-checks.ts';
import { ROLLING_ROUND } from './rolling-job.ts';
import { foundOf, LOSSES_ROUND } from './rolling-losses.ts';
import type { Passed } from './rolling-traffic.ts';
import type { Stand } from './stand.ts';

const ROUNDS = [ROLLING_ROUND, LOSSES_ROUND] as const;

/** Holds everything that people did in an installation against the ledgers and the chats. */
export async function judge(
  context: {
    readonly stand: Stand;
    readonly places: readonly Place[];
    /** The one of them whose answers were lost. */
    readonly lossy: Place;
    /** The last update before. */
    readonly first: number;
    readonly watch: Watch;
  },
  sendings: readonly Sending[],
  passed: Passed,
): Promise<{ findings: Finding[]; tally: Tally; inbox: InboxTally; found: number }> {
  const { stand, places, lossy, first, watch } = context;
  const drafts = await readFacts(stand, ROUNDS);
  const mine = stand.gateway.acceptances().filter(({ text }) => /^chaos r\d+ s/u.test(text));
  const sends = checkSends(sendings, drafts, mine);
  const pressed = sendings.filter(({ presses }) => presses.length > 0);
  const wanted = pressed.reduce((sum, each) => sum + each.wanted.length, 0);
  const isLossy = ({ chat }: { readonly chat: number }): boolean => chat === lossy.chat;
  const found = foundOf(drafts.filter(isLossy));
  const resolved = foundOf(drafts.filter((draft) => !isLossy(draft)));
  await stand.telegram.collect();
  const calls = stand.telegram.takeCalls();
  const cards = await checkCards(stand, places, ROUNDS, calls);
  const logs = watch.look(calls);
  const said = await stand.telegram.updates(first);
  const heard = await checkHeard(stand, sendings, drafts, said, { calls, notes: logs.notes });
  const readable = places.filter(({ account }) => account.apiKey !== undefined);
  const facts = await readInboxFacts(stand, 0);
  const chats = new Map(places.map(({ chat, people: [person] }) => [chat, person]));
  const messages: ReadonlyMap<number, readonly Message[]> = await readChats(stand, chats, new Map());
  const inbox = checkInbox(await dated({ stand, places: readable }, passed.arrived), facts, messages);
  const findings = [sends, cards, logs, heard, inbox].flatMap((each) => each.findings);
  findings.push(...checkOutcomes(sends.tally, wanted, resolved), ...checkAnswers(passed.asked, messages));
  return { findings, tally: sends.tally, inbox: inbox.tally, found };
}
