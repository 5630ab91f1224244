import { priceOf } from '../../domain/price.ts';
import { soFar, type TimeSpan } from '../../domain/time-range.ts';
import type { Charts } from '../../ports/charts.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { Estimates, Refusals } from '../../ports/reports.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { inRows, type ActionButton, type Buttons } from '../../telegram/buttons.ts';
import { credentialNames } from '../../telegram/error-texts.ts';
import { lines, type Html } from '../../telegram/html.ts';
import { below, type RequestContext } from '../../telegram/request-context.ts';
import { fileButtons } from '../../telegram/table-file.ts';
import { kitTexts } from '../../telegram/texts.ts';
import { accountGateway } from '../shared/account.ts';
import { countLabel } from '../shared/count-words.ts';
import { spanText } from '../shared/range-argument.ts';
import { reportActions } from './actions.ts';
import { costTexts, estimatesText } from './cost-card.ts';
import { priceText } from './count-card.ts';
import { counted, countSent, type Counted, type SentCount } from './counting.ts';
import { failedAmong, failedTexts, sayFailed } from './failed-card.ts';
import { fileSpan } from './file-texts.ts';
import { gapText, incomplete } from './gap-texts.ts';
import { byOperator, type OperatorStanding } from './operator-standings.ts';
import { kindsOf, tooLong, totalText, type OutboxCard } from './outbox-card.ts';
import type { OutboxReading } from './outbox-reading.ts';
import { outboxTexts } from './outbox-texts.ts';
import { QUARTER_SECONDS, type OutboxTotals } from './outbox-totals.ts';
import { pictureTexts, type PictureOf } from './picture-card.ts';
import { reportTexts } from './report-texts.ts';
import { countShown, shapeOf } from './shape.ts';
import { renderReport, sayReport, type Report } from './summary-card.ts';
import { texts } from './texts.ts';

export interface RangeReportCardsDeps extends Pick<Stores, 'reports' | 'gauges'> {
  readonly gateways: Gateways;
  readonly tables: Tables;
  readonly charts: Charts;
  readonly clock: Clock;
  readonly outbox: Pick<OutboxCard, 'read'>;
}

/** A time, of one line alone or of all. */
export interface RangeOf extends TimeSpan {
  readonly line?: string | undefined;
}

/** Reports of a time, from what the gateway lists. */
export function createRangeReportCards(deps: RangeReportCardsDeps) {
  const { gateways, reports, gauges, tables, charts, clock, outbox } = deps;

  return {
    async ofTime(ctx: RequestContext, of: RangeOf): Promise<void> {
      if (!ctx.capabilities.has('outbox')) {
        const names = credentialNames(ctx.locale, ctx.capabilities.missing('outbox'));
        await ctx.rewrite(lines(kitTexts(ctx.locale).needsCredential(names), reportTexts(ctx.locale).orCard));
        return;
      }
      const refusal = tooLong(ctx, of);
      if (refusal !== null || ctx.binding === null) {
        if (refusal !== null) await ctx.say(refusal, { buttons: timeButtons(ctx, of.line) });
        return;
      }
      const gateway = await accountGateway(gateways, ctx);
      const isWhole = of.line === undefined;
      const [reading, sent, refusals, estimates, gauge] = await Promise.all([
        outbox.read(ctx, of),
        isWhole && gateway.has('counts') ? counted(countSent(gateway.use('counts'), of)) : null,
        isWhole ? reports.refusals(ctx.chat.id, of) : [],
        isWhole ? reports.estimates(ctx.chat.id, ctx.binding.id, of) : null,
        gauges.of(ctx.binding.id),
      ]);
      const { totals } = reading;
      const operators = byOperator(
        totals.operators.map(({ operator, kind, messages }) => ({ operator, shown: kind, count: messages })),
        (operator) =>
          gauge &&
          priceOf(
            totals.parts.filter((each) => each.operator === operator),
            gauge.prices,
          ),
      );
      const now = clock.now();
      const span = soFar(of, now);
      const hasPicture = totals.messages > 0;
      const times = timeButtons(ctx, of.line);
      const buttons: Buttons = hasPicture
        ? [...times, [failedButton(ctx, of, totals)], fileButtons(reportActions.file, of)]
        : times;
      const line = of.line ?? null;
      const report = rangeReportCard(ctx, {
        span,
        reading,
        operators,
        sent,
        refusals,
        estimates,
        line,
        buttons,
      });
      const picture = hasPicture ? pictureOfTime(ctx, { ...of, ...span }, totals, operators) : null;
      // A picture of another time would stay above words, and words would stay without one: a new message goes on.
      const { pressedMessageId } = ctx;
      const isAnew = pressedMessageId !== null && ctx.pressedPicture !== hasPicture;
      await sayReport(isAnew ? below(ctx) : ctx, report, picture, { charts, now });
      if (isAnew) await ctx.disarm(pressedMessageId);
    },

    async failedOfTime(ctx: RequestContext, of: RangeOf): Promise<void> {
      const { rows } = await outbox.read(ctx, of);
      const failed = failedAmong(ctx, rows);
      const count = ctx.format.count(failed.length, texts(ctx.locale).messages);
      const head = failedTexts(ctx.locale).ofTime(spanText(ctx.format, soFar(of, clock.now())), count);
      const name = `failed-${fileSpan(ctx.format, of)}`;
      await sayFailed(ctx, { head, failed, name }, tables);
    },
  };
}

/** The times that people ask for most, each as the words for it that can be typed. */
function timeButtons({ locale }: RequestContext, line: string | undefined): Buttons {
  const times = reportTexts(locale).times.map(({ label, typed }) =>
    reportActions.ofTime.button(label, { typed, ...(line === undefined ? {} : { line }) }),
  );
  return inRows(times, 2);
}

function failedButton(
  { locale, format }: RequestContext,
  of: RangeOf,
  { kinds }: OutboxTotals,
): ActionButton | false {
  const count = kinds.failed + kinds.blocked;
  return (
    count > 0 && reportActions.outboxFailed.button(failedTexts(locale).see(format.number(count)), { ...of })
  );
}

function pictureOfTime(
  ctx: RequestContext,
  of: RangeOf,
  { kinds, messages, shape }: OutboxTotals,
  operators: readonly OperatorStanding[],
): PictureOf {
  const { format, locale } = ctx;
  const t = pictureTexts(locale);
  return {
    title: spanText(format, of),
    subtitle: [
      ...(of.line === undefined ? [] : [t.line(of.line)]),
      format.count(messages, texts(locale).messages),
    ],
    counts: { ...countShown([]), ...kinds },
    operators,
    shape: shapeOf(
      // By the gateway's clock a message can be of a time to come.
      { from: of.from, to: Math.max(of.to, ...shape.map(({ at }) => at)) },
      format.timeZone,
      QUARTER_SECONDS,
      shape.map(({ at, kind, messages: count }) => ({ at, shown: kind, count })),
    ),
  };
}

interface RangeReport {
  readonly span: TimeSpan;
  readonly reading: OutboxReading;
  readonly operators: readonly OperatorStanding[];
  /** Null where the account cannot count. */
  readonly sent: Counted<SentCount> | null;
  readonly refusals: readonly Refusals[];
  readonly estimates: Estimates | null;
  /** The only line of it; null: all. */
  readonly line: string | null;
  readonly buttons: Buttons;
}

const LISTED = 8;

/** What left in a time: by state, by line, what it cost, and why the rest did not arrive. */
function rangeReportCard(ctx: RequestContext, report: RangeReport): Report {
  const { span, reading, operators, sent, refusals, estimates, line: only, buttons } = report;
  const t = reportTexts(ctx.locale);
  const words = texts(ctx.locale);
  const { format } = ctx;
  const { totals, unread } = reading;
  const nothing = unread.length === 0 ? outboxTexts(ctx.locale).nothing : outboxTexts(ctx.locale).nothingRead;
  return renderReport(ctx, {
    head: t.rangeHead(format.zoned(spanText(format, span), new Date(span.to * 1000))),
    about: [only !== null && t.ofLine(only), totals.messages === 0 ? nothing : totalText(ctx, totals)],
    standings: kindsOf(totals).map(({ kind, count }) =>
      words.stands(
        countLabel(kind, ctx.locale),
        format.number(count),
        format.percent(count / totals.messages),
      ),
    ),
    misses: totals,
    operators,
    costs: [
      ...(only === null ? totals.lines : [])
        .slice(0, LISTED)
        .map(({ line, messages }) => t.byLine(line, format.count(messages, words.messages))),
      totals.lines.length > LISTED && t.moreLines(format.number(totals.lines.length - LISTED)),
      sent !== null && costText(ctx, sent),
      only !== null && totals.messages > 0 && costTexts(ctx.locale).byTimeOnly,
      estimates !== null && estimatesText(ctx, estimates),
    ],
    refusals: refusals.slice(0, LISTED),
    below: incomplete(ctx, reading),
    buttons,
  });
}

function costText(ctx: RequestContext, sent: Counted<SentCount>): Html {
  const t = reportTexts(ctx.locale);
  if ('gap' in sent) return t.noCost(gapText(ctx, sent.gap));
  const { parts, cost } = sent.value;
  return t.cost(
    ctx.format.count(parts, texts(ctx.locale).parts),
    ctx.format.rial(cost),
    priceText(ctx, sent.value),
  );
}
