import { AppError } from '../../domain/errors.ts';
import type {
  ApproveResult,
  AskResult,
  CardView,
  ConfirmResult,
  Limited,
  RejectResult,
} from '../../ports/stores.ts';
import { html, lines, type Html } from '../../telegram/html.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { approvalNote } from './approval-card.ts';
import { approvalTexts } from './approval-texts.ts';
import { texts } from './texts.ts';

export type PressResult = ConfirmResult | AskResult | ApproveResult | RejectResult;

/**
 * Says what a press came to where the card alone would look as if nothing had been pressed.
 * Throws `not_allowed` for a role that is gone, and `not_connected` or `stale` for an account that is.
 */
export async function tellPress(turn: Turn, done: PressResult, view: CardView): Promise<void> {
  const t = approvalTexts(turn.locale);
  const { draft, approval } = view;
  switch (done.result) {
    case 'asked':
      await turn.say(t.calls(draft.code, draft.authorName, approval.by));
      break;
    case 'limited':
      await turn.say(limitText(turn, done, view));
      break;
    case 'not_needed':
      await turn.say(t.notNeeded(draft.code));
      break;
    case 'nobody':
      await turn.say(lines(t.nothingSent, approvalNote(view, turn.format)));
      break;
    case 'own':
      await turn.say(html`${kitTexts(turn.locale).press.own_question}`);
      break;
    case 'author_role':
      await turn.say(t.authorLost(draft.authorName));
      break;
    case 'past':
      await turn.say(texts(turn.locale).past);
      break;
    case 'role':
      throw new AppError('not_allowed', 'the role was taken away at the moment of the press');
    case 'not_connected':
      throw new AppError(
        turn.binding === null ? 'not_connected' : 'stale',
        'the account of the draft is gone',
      );
    default:
  }
}

function limitText(turn: Turn, { verdict, kind, leavesAt }: Limited, view: CardView): Html {
  const t = approvalTexts(turn.locale);
  const { format } = turn;
  if (verdict.kind === 'approval')
    return lines(t.nothingSent, approvalNote(view, format), view.approval.by.length > 0 && t.pressAsk);
  if (verdict.kind === 'window') {
    const said = kind === 'future' ? t.windowLater : t.windowNow;
    const [from, to] = [clockText(turn, verdict.from), clockText(turn, verdict.to)];
    return said(from, to, format.time(leavesAt), format.timeZone);
  }
  const amount = (value: number): string =>
    verdict.unit === 'rial' ? format.rial(value) : format.count(value, texts(turn.locale).parts);
  return lines(
    t.cap(amount(verdict.cap), amount(verdict.used), amount(verdict.wanted)),
    kind === 'pattern' && t.patternCounted,
  );
}

function clockText(turn: Turn, minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return turn.format.digits(`${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`);
}
