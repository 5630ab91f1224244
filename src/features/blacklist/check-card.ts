import { displayRecipient } from '../../domain/phone.ts';
import { EMPTY, lines } from '../../telegram/html.ts';
import type { LongAnswer } from '../../telegram/long-answer.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { blacklistActions } from './actions.ts';
import type { CheckOutcome } from './checker.ts';
import { failureLine, shownNumber, texts } from './texts.ts';

const DAY_SECONDS = 86_400;

/** What the gateway says of each number that was asked about. */
export function renderCheck(
  ctx: RequestContext,
  line: string,
  { verdicts, failure }: CheckOutcome,
): LongAnswer {
  const t = texts(ctx.locale);
  const { number } = ctx.format;
  const blocked = verdicts.filter(({ verdict }) => verdict === 'blocked').length;
  const open = verdicts.some(({ verdict }) => verdict === 'worded' || verdict === 'silent');
  const numbers = verdicts.map((each) => each.number);
  return {
    head: t.checkHead(line, number(blocked), number(verdicts.length)),
    rows: verdicts.map((each) =>
      t.checked(each.verdict, shownNumber(ctx, each.number, verdicts.length), each.raw),
    ),
    tail: lines(failure === null ? EMPTY : failureLine(ctx, failure), open && t.onlyBlocked),
    buttons: [
      [
        blacklistActions.otherLine.button(
          t.otherLine,
          { what: 'check', numbers: numbers.join(' ') },
          { ttlSeconds: DAY_SECONDS },
        ),
      ],
    ],
    file: {
      name: 'blacklist-check',
      table: {
        header: t.columns,
        rows: verdicts.map((each) => [
          displayRecipient(each.number),
          line,
          t.checkedWords[each.verdict],
          each.raw,
        ]),
      },
    },
  };
}
