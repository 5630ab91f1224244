import type { InboxRunResult } from './inbox-run.ts';
import type { InboxRoundResult } from './inbox-round.ts';
import { countOf, spread, type Figures } from './report.ts';

export function inboxFigures({ rounds, findings }: InboxRunResult): Figures {
  const sum = (of: (result: InboxRoundResult) => number): number =>
    rounds.reduce((total, each) => total + of(each), 0);
  const found = (kind: string): number => countOf(findings, kind);
  return {
    rounds: rounds.length,
    'processes killed (SIGKILL)': sum(({ blows }) => blows.kills),
    'processes paused (SIGSTOP)': sum(({ blows }) => blows.pauses),
    'database restarts without shutdown': sum(({ blows }) => blows.restarts),
    'network cuts': sum(({ blows }) => blows.cuts),
    'gateway faults': sum(({ blows }) => blows.gatewayFaults),
    'telegram faults': sum(({ blows }) => blows.telegramFaults),
    'places that blocked the bot for a while': sum(({ blocked }) => blocked),
    'messages received (the gateway’s ledger)': sum(({ tally }) => tally.arrived),
    '… a second in a storm': Math.round(
      (1000 * sum(({ tally }) => tally.arrived)) /
        Math.max(
          1,
          sum(({ arrivingMs }) => arrivingMs),
        ),
    ),
    '… of these fetched by another program': sum(({ fetchedByOthers }) => fetchedByOthers),
    '… stored': sum(({ tally }) => tally.stored),
    lost: found('lost'),
    'stored twice': found('doubled'),
    'stored or shown wrongly': found('wrong'),
    'to be told, counted for each place': sum(({ tally }) => tally.due),
    '… told by a card': sum(({ tally }) => tally.byCard),
    '… told in a digest': sum(({ tally }) => tally.byDigest),
    'never told': found('untold'),
    'told again': sum(({ tally }) => tally.again),
    '… that Peyk knows may be': sum(({ tally }) => tally.doubtful),
    'fetches where marking read is on': sum(({ fetchedByPeyk }) => fetchedByPeyk),
    'fetches where it is off': found('marked'),
    stuck: found('stuck'),
    'secrets seen': found('secret'),
    crashes: found('crash'),
    ...spread(
      'ms from the gateway to the database in a storm',
      rounds.flatMap(({ storedAfterMs }) => storedAfterMs),
    ),
    ...spread(
      'ms until all is stored and told after it',
      rounds.map(({ quietMs }) => quietMs),
    ),
  };
}

/** One line for a round as it ends. */
export function toInboxLine({ round, seconds, tally, quietMs, findings, blows }: InboxRoundResult): string {
  const harm = `${blows.kills} kills, ${blows.pauses} pauses, ${blows.restarts} restarts, ${blows.cuts} cuts`;
  const told = `${tally.byCard} by card, ${tally.byDigest} in digests, ${tally.again} again`;
  const all = `${tally.stored} of ${tally.arrived} stored; ${told}; quiet after ${(quietMs / 1000).toFixed(1)} s`;
  return `round ${round}: ${seconds} s, ${harm}; ${all}; ${findings.length === 0 ? 'nothing found' : `${findings.length} FOUND`}`;
}
