import type { TimeSpan } from '../../domain/time-range.ts';
import type { Gateways } from '../../ports/gateways.ts';
import type { ReportStore } from '../../ports/reports.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { TableFormat, Tables } from '../../ports/tables.ts';
import { credentialNames } from '../../telegram/error-texts.ts';
import { lines } from '../../telegram/html.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { accountGateway } from './account-gateway.ts';
import { counted, countSent } from './counting.ts';
import { jobTable } from './file-texts.ts';
import { fileButton, tooLong, type OutboxCard } from './outbox-card.ts';
import { rangeReportCard } from './range-report-card.ts';
import { reportCard } from './report-card.ts';
import { reportTexts } from './report-texts.ts';
import { texts } from './texts.ts';

export interface ReportCardsDeps {
  readonly gateways: Gateways;
  readonly reports: ReportStore;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly outbox: Pick<OutboxCard, 'read'>;
}

/** As many rows as a spreadsheet opens without trouble. */
const MOST_RECIPIENTS = 100_000;

/** Reports of one card, from what Peyk keeps, and of a time, from what the gateway lists. */
export function createReportCards({ gateways, reports, tables, clock, outbox }: ReportCardsDeps) {
  return {
    /** Shows a card's report; below a pressed button it takes the place of the old one. */
    async ofCard(turn: Turn, code: string): Promise<void> {
      const card = await reports.card(turn.chat.id, code);
      if (card === null) {
        await turn.say(texts(turn.locale).noCard(code));
        return;
      }
      const { content, buttons } = reportCard(turn, card, clock.now());
      await turn.rewrite(content, { buttons });
    },

    async fileOfCard(turn: Turn, code: string, format: TableFormat): Promise<void> {
      const card = await reports.card(turn.chat.id, code);
      if (card === null || card.job === null) {
        await turn.say(texts(turn.locale).noCard(code));
        return;
      }
      const t = reportTexts(turn.locale);
      const rows = await reports.recipients(card.draftId, MOST_RECIPIENTS);
      const all = card.job.tallies.reduce((sum, { recipients }) => sum + recipients, 0);
      const count = turn.format.count(rows.length, texts(turn.locale).recipients);
      await turn.sendFile(
        {
          name: `report-${card.code}.${format}`,
          content: await tables.write(jobTable(turn.format, card.job.state, rows), format),
        },
        { caption: lines(t.fileCaption(card.code, count), all > rows.length && t.fileCut(count)) },
      );
    },

    async ofTime(turn: Turn, span: TimeSpan): Promise<void> {
      if (!turn.capabilities.has('outbox')) {
        const names = credentialNames(turn.locale, turn.capabilities.missing('outbox'));
        await turn.say(lines(kitTexts(turn.locale).needsCredential(names), reportTexts(turn.locale).orCard));
        return;
      }
      const refusal = tooLong(turn, span);
      if (refusal !== null) {
        await turn.say(refusal);
        return;
      }
      const gateway = await accountGateway(gateways, turn.binding);
      const [reading, sent, refusals] = await Promise.all([
        outbox.read(turn, span),
        gateway.has('counts') ? counted(countSent(gateway.use('counts'), span)) : null,
        reports.refusals(turn.chat.id, span),
      ]);
      const files = (['csv', 'xlsx'] as const).map((format) => fileButton(turn, span, format));
      await turn.say(rangeReportCard(turn, { span, reading, sent, refusals }), {
        buttons: reading.rows.length > 0 ? [files] : [],
      });
    },
  };
}
