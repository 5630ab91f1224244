import { parseLine } from '../../domain/phone.ts';
import { soFar, type TimeSpan } from '../../domain/time-range.ts';
import type { Charts } from '../../ports/charts.ts';
import type { LatestMessage } from '../../ports/gateway.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import type { Html } from '../../telegram/html.ts';
import { below, type RequestContext } from '../../telegram/request-context.ts';
import { accountGateway } from '../shared/account.ts';
import { cardCodeTexts } from '../shared/card-code.ts';
import { recipientArgument } from '../shared/shared-arguments.ts';
import { rangeArgument, readSpan } from '../shared/range-argument.ts';
import { reportActions } from './actions.ts';
import {
  ALL,
  idsArgument,
  outboxArgument,
  reportArgument,
  sinceArgument,
  type ReportOf,
} from './arguments.ts';
import { countCard } from './count-card.ts';
import { countAll } from './counting.ts';
import { createOutboxCard, tooLong } from './outbox-card.ts';
import { createRangeReportCards } from './range-report-cards.ts';
import { createReportCards } from './report-cards.ts';
import { sayDetails, sayStatus } from './status-card.ts';
import { createTagReportCards } from './tag-report-cards.ts';
import { stateText, texts } from './texts.ts';
import { sayTrack } from './track-card.ts';

export interface ReportsDeps extends Pick<Stores, 'drafts' | 'reports' | 'gauges'> {
  readonly gateways: Gateways;
  readonly tables: Tables;
  readonly charts: Charts;
  readonly clock: Clock;
  readonly cards: { bring(draftId: string, ctx: RequestContext): Promise<void> };
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

  const spanOf = (ctx: RequestContext, typed?: string): TimeSpan => readSpan(ctx, clock, typed);

  const track = async (
    ctx: RequestContext,
    { number, since }: { readonly number: string; readonly since?: string | undefined },
  ): Promise<void> =>
    await sayTrack(ctx, { recipient: number, since: new Date(spanOf(ctx, since ?? '7d').from * 1000) }, deps);

  const report = async (ctx: RequestContext, of: ReportOf): Promise<void> => {
    if ('card' in of) return await reports.ofCard(ctx, of.card);
    if ('number' in of) return await track(ctx, of);
    const { typed, line, tag } = of;
    if (tag !== null) return await tags.ofTag(ctx, { tag, line, ...spanOf(ctx, typed ?? TAG_RANGE) });
    const span = spanOf(ctx, typed);
    await ranges.ofTime(ctx, line === null ? span : { ...span, line });
  };

  return {
    name: 'reports',
    topic: 'reports',
    commands: [
      defineCommand({
        name: 'status',
        alsoCalled: ['delivery', 'وضعیت'],
        permission: 'status.view',
        facet: 'reports',
        about: (locale) => texts(locale).aboutStatus,
        example: () => '/status A41',
        args: { ids: idsArgument },
        run: async (ctx, { ids: what }) => {
          if ('ids' in what) return await sayStatus(ctx, what.ids, deps);
          if (!('card' in what)) return await report(ctx, what);
          const draftId = await drafts.findByCode(ctx.chat.id, what.card);
          if (draftId === null) await ctx.say(cardCodeTexts(ctx.locale).noCard(what.card));
          else await cards.bring(draftId, ctx);
        },
      }),
      defineCommand({
        name: 'latest',
        permission: 'latest.view',
        facet: 'reports',
        about: (locale) => texts(locale).aboutLatest,
        args: {},
        run: async (ctx) => {
          const latest = await (await accountGateway(gateways, ctx)).use('reports').latest();
          await ctx.say(latest === undefined ? texts(ctx.locale).none : latestCard(ctx, latest));
        },
      }),
      defineCommand({
        name: 'track',
        alsoCalled: ['پیگیری', 'رهگیری'],
        permission: 'track.view',
        facet: 'outbox',
        about: (locale) => texts(locale).aboutTrack,
        example: () => '/track 09121234567 7d',
        args: { number: recipientArgument, since: sinceArgument },
        run: track,
      }),
      defineCommand({
        name: 'outbox',
        permission: 'outbox.view',
        facet: 'outbox',
        about: (locale) => texts(locale).aboutOutbox,
        example: () => '/outbox 7d',
        args: { range: outboxArgument },
        run: async (ctx, { range: of = ALL }) => {
          if ('latest' in of) return await outbox.list.show(ctx, { ...of, page: 1 });
          if (!('tag' in of) || of.tag !== null) return await report(ctx, of);
          const span = spanOf(ctx, of.typed);
          const refusal = tooLong(ctx, span);
          const ofLine = of.line === null ? {} : { line: of.line };
          if (refusal === null) await outbox.list.show(ctx, { ...span, ...ofLine, page: 1 });
          else await ctx.say(refusal);
        },
      }),
      defineCommand({
        name: 'report',
        alsoCalled: [
          'گزارش',
          'reports',
          'stats',
          'statistics',
          'howmany',
          'howmuchdidwespend',
          'spent',
          'امار',
          'چندتا',
          'خرج',
          'resend',
          'ارسالدوباره',
          'ارسالمجدد',
        ],
        everyday: true,
        permission: 'report.view',
        facet: 'reports',
        about: (locale) => texts(locale).aboutReport,
        example: () => '/report A41',
        args: { what: reportArgument },
        // Where a button asks for it, such as one of the help, that message stays.
        run: async (ctx, { what = ALL }) => await report(below(ctx), what),
      }),
      defineCommand({
        name: 'count',
        permission: 'count.view',
        facet: 'counts',
        about: (locale) => texts(locale).aboutCount,
        example: () => '/count 7d',
        args: { range: rangeArgument },
        run: async (ctx, { range }) => {
          const span = spanOf(ctx, range);
          const counts = (await accountGateway(gateways, ctx)).use('counts');
          await ctx.say(countCard(ctx, soFar(span, clock.now()), await countAll(counts, span)));
        },
      }),
    ],
    actions: [
      reportActions.details.does(async (ctx, { ids }) => await sayDetails(ctx, ids, deps)),
      ...outbox.list.actions,
      reportActions.track.does(async (ctx, of) => await track(below(ctx), of)),
      reportActions.ofTime.does(
        async (ctx, { typed, line }) => await ranges.ofTime(ctx, { ...spanOf(ctx, typed), line }),
      ),
      reportActions.ofSend.does(async (ctx, { card }) => await reports.ofCard(below(ctx), card)),
      reportActions.show.does(async (ctx, { card }) => await reports.ofCard(ctx, card)),
      reportActions.reportFile.does(
        async (ctx, { card, format }) => await reports.fileOfCard(ctx, card, format),
      ),
      reportActions.failed.does(async (ctx, { card }) => await reports.failedOfCard(ctx, card)),
      reportActions.outboxFailed.does(async (ctx, of) => await ranges.failedOfTime(ctx, of)),
      reportActions.tagFile.does(async (ctx, { format, ...of }) => await tags.fileOfTag(ctx, of, format)),
      reportActions.tagFailed.does(async (ctx, of) => await tags.failedOfTag(ctx, of)),
    ],
  };
}

/** The latest sent message; of its recipients a few. */
function latestCard({ locale, format }: RequestContext, latest: LatestMessage): Html {
  const t = texts(locale);
  const count = Math.max(latest.recipientsCount, latest.recipients.length);
  return t.latest({
    id: latest.id,
    text: latest.text,
    line: latest.line === undefined ? null : (parseLine(latest.line) ?? latest.line),
    recipients: format.count(count, t.recipients),
    shown: latest.recipients
      .slice(0, 3)
      .map((recipient) => format.phone(recipient))
      .join(' '),
    single: count <= 1,
    state: stateText(locale, latest.state),
    when: latest.date === undefined ? null : format.dateTime(new Date(latest.date * 1000)),
  });
}
