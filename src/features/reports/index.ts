import { soFar, type TimeSpan } from '../../domain/time-range.ts';
import type { Charts } from '../../ports/charts.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { ReportStore } from '../../ports/reports.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { DraftStore } from '../../ports/stores.ts';
import type { Tables } from '../../ports/tables.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import type { Turn } from '../../telegram/turn.ts';
import { rangeArgument, readRange } from '../shared/range-argument.ts';
import { recipientArgument } from '../shared/shared-arguments.ts';
import { accountGateway } from './account-gateway.ts';
import { reportActions } from './actions.ts';
import { idsArgument, outboxArgument, reportArgument, sinceArgument } from './arguments.ts';
import { countCard } from './count-card.ts';
import { countAll } from './counting.ts';
import { latestCard } from './latest-card.ts';
import { createOutboxCard, tooLong } from './outbox-card.ts';
import { createRangeReportCards } from './range-report-cards.ts';
import { createReportCards } from './report-cards.ts';
import { sayDetails, sayStatus } from './status-card.ts';
import { createTagReportCards } from './tag-report-cards.ts';
import { texts } from './texts.ts';
import { sayTrack } from './track-card.ts';

export interface ReportsDeps {
  readonly gateways: Gateways;
  readonly drafts: DraftStore;
  readonly reports: ReportStore;
  readonly tables: Tables;
  readonly charts: Charts;
  readonly clock: Clock;
  readonly cards: { copy(draftId: string, turn: Turn): Promise<void> };
}

/** A tag is of a campaign: who asks for one means more than today. */
const TAG_RANGE = '31d';

/** What became of messages: by id, card, number and time; how many there were and what they cost. */
export function createReportsFeature(deps: ReportsDeps): Feature {
  const { gateways, drafts, cards, clock } = deps;
  const outbox = createOutboxCard(deps);
  const reports = createReportCards(deps);
  const ranges = createRangeReportCards({ ...deps, outbox });
  const tags = createTagReportCards(deps);

  const rangeOf = (turn: Turn, typed: string | undefined, fallback: string) =>
    readRange(typed, { now: clock.now(), timeZone: turn.format.timeZone, fallback });
  const spanOf = (turn: Turn, typed: string | undefined, fallback = 'today'): TimeSpan => {
    const { from, to } = rangeOf(turn, typed, fallback);
    return { from: Math.floor(from.getTime() / 1000), to: Math.floor(to.getTime() / 1000) };
  };

  return {
    name: 'reports',
    topic: 'reports',
    commands: [
      defineCommand({
        name: 'status',
        permission: 'status.view',
        facet: 'reports',
        about: (locale) => texts(locale).aboutStatus,
        example: () => '/status A41',
        args: { ids: idsArgument },
        run: async (turn, { ids: what }) => {
          if ('ids' in what) return await sayStatus(turn, what.ids, deps);
          const draftId = await drafts.findByCode(turn.chat.id, what.card);
          if (draftId === null) await turn.say(texts(turn.locale).noCard(what.card));
          else await cards.copy(draftId, turn);
        },
      }),
      defineCommand({
        name: 'latest',
        permission: 'latest.view',
        facet: 'reports',
        about: (locale) => texts(locale).aboutLatest,
        args: {},
        run: async (turn) => {
          const latest = await (await accountGateway(gateways, turn.binding)).use('reports').latest();
          await turn.say(latest === undefined ? texts(turn.locale).none : latestCard(turn, latest));
        },
      }),
      defineCommand({
        name: 'track',
        permission: 'track.view',
        facet: 'outbox',
        about: (locale) => texts(locale).aboutTrack,
        example: () => '/track 09121234567 7d',
        args: { number: recipientArgument, since: sinceArgument },
        run: async (turn, { number, since }) =>
          await sayTrack(turn, { recipient: number, since: rangeOf(turn, since, '7d').from }, deps),
      }),
      defineCommand({
        name: 'outbox',
        permission: 'outbox.view',
        facet: 'outbox',
        about: (locale) => texts(locale).aboutOutbox,
        example: () => '/outbox 7d',
        args: { range: outboxArgument },
        run: async (turn, { range }) => {
          if (range !== undefined && 'latest' in range)
            return await outbox.list.show(turn, { ...range, page: 1 });
          const span = spanOf(turn, range?.typed);
          const refusal = tooLong(turn, span);
          if (refusal === null) await outbox.list.show(turn, { ...span, page: 1 });
          else await turn.say(refusal);
        },
      }),
      defineCommand({
        name: 'report',
        permission: 'report.view',
        facet: 'reports',
        about: (locale) => texts(locale).aboutReport,
        example: () => '/report A41',
        args: { what: reportArgument },
        run: async (turn, { what }) => {
          if (what !== undefined && 'card' in what) return await reports.ofCard(turn, what.card);
          const { typed, line = null, tag = null } = what ?? {};
          if (tag !== null) return await tags.ofTag(turn, { tag, line, ...spanOf(turn, typed, TAG_RANGE) });
          const span = spanOf(turn, typed);
          await ranges.ofTime(turn, line === null ? span : { ...span, line });
        },
      }),
      defineCommand({
        name: 'count',
        permission: 'count.view',
        facet: 'counts',
        about: (locale) => texts(locale).aboutCount,
        example: () => '/count 7d',
        args: { range: rangeArgument },
        run: async (turn, { range }) => {
          const span = spanOf(turn, range);
          const counts = (await accountGateway(gateways, turn.binding)).use('counts');
          await turn.say(countCard(turn, soFar(span, clock.now()), await countAll(counts, span)));
        },
      }),
    ],
    actions: [
      reportActions.details.does(async (turn, { ids }) => await sayDetails(turn, ids, deps)),
      ...outbox.list.actions,
      reportActions.show.does(async (turn, { card }) => await reports.ofCard(turn, card)),
      reportActions.reportFile.does(
        async (turn, { card, format }) => await reports.fileOfCard(turn, card, format),
      ),
      reportActions.failed.does(async (turn, { card }) => await reports.failedOfCard(turn, card)),
      reportActions.outboxFailed.does(async (turn, of) => await ranges.failedOfTime(turn, of)),
      reportActions.tagFile.does(async (turn, { format, ...of }) => await tags.fileOfTag(turn, of, format)),
      reportActions.tagFailed.does(async (turn, of) => await tags.failedOfTag(turn, of)),
    ],
  };
}
