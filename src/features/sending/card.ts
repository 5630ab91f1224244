import { WAITING, type JobState } from '../../domain/job.ts';
import { fileOf } from '../../domain/kinds/index.ts';
import { createFormat, isolateAuto, seesNumbers } from '../../i18n/format.ts';
import type { ApprovalView, CardView, DraftView } from '../../ports/stores.ts';
import { html, lines, type Html } from '../../telegram/html.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import { approvalTexts } from './confirm/approval-texts.ts';
import { keptCard } from './bulk/bulk-card.ts';
import { byDateNote } from './dates/date-card.ts';
import { againButton } from './draft/author-card.ts';
import { renderDraft } from './draft/draft-card.ts';
import { lacksNote } from './draft/warning-card.ts';
import { hasRest, renderJob } from './run/job-card.ts';
import { changeNote, seriesNote, staysNote } from './draft/lapse-card.ts';
import { jobTexts } from './run/job-texts.ts';
import { texts } from './texts.ts';

const WAITS: ReadonlySet<JobState> = new Set(WAITING);

/** The one message of a send, from draft to report. Says what is known and nothing else. */
export function renderCard(view: CardView, now: Date): RenderedCard {
  const { content, buttons } = renderUntagged(view, now);
  const { tag, byDate, lang } = view.draft;
  return {
    content: lines(
      content,
      byDate !== undefined && byDateNote(byDate, lang),
      tag !== undefined && html`🏷 ${isolateAuto(tag)}`,
    ),
    buttons,
  };
}

function renderUntagged(view: CardView, now: Date): RenderedCard {
  const { draft, job, approval } = view;
  const timeZone = view.timeZone ?? 'UTC';
  const { showsNumbers, chatTelegramId } = view.place;
  const format = createFormat(draft.lang, timeZone, seesNumbers(showsNumbers, chatTelegramId > 0));
  if (job !== null) {
    const { content, buttons } = renderJob(draft, job, format, now);
    return {
      content: lines(content, (WAITS.has(job.state) || hasRest(job)) && lacksNote(view, format.locale)),
      buttons,
    };
  }
  const file = fileOf(draft.outgoing);
  const kept = file === null ? null : keptCard(file, format);
  if (kept !== null) return kept;
  if (draft.state === 'cancelled' || draft.expired)
    return {
      content: lines(
        endText(draft, approval),
        draft.backAs !== undefined && texts(draft.lang).isAgain(draft.backAs),
        staysNote(draft, timeZone),
        draft.restored !== true && seriesNote(draft),
      ),
      buttons: [[againButton(view)]],
    };
  const { content, buttons } = renderDraft(view, format, now);
  const { lang, undoOf, againOf } = draft;
  const again = againOf !== undefined && texts(lang).againOf(againOf.code, againOf.rejectedBy);
  const undone = undoOf !== undefined && texts(lang).undoOf(undoOf.code, undoOf.by, undoOf.rowsGone);
  return {
    content: lines(content, undone, again, resendNote(draft, timeZone), changeNote(draft, timeZone)),
    buttons,
  };
}

/** A draft that never became a send. */
function endText(draft: DraftView, { rejectedByName }: ApprovalView): Html {
  const { lang, state, code, authorName } = draft;
  const [t, a] = [texts(lang), approvalTexts(lang)];
  if (draft.restored === true) return jobTexts(lang).restoredDraft(code);
  if (state !== 'cancelled') return state === 'asked' ? a.expired(code, authorName) : t.expired(code);
  return rejectedByName === null ? t.cancelled(code) : a.rejected(code, authorName, rejectedByName);
}

/** Whose failures a draft sends again, and who of them is not in it. */
function resendNote({ lang, resendOf }: DraftView, timeZone: string): Html | false {
  if (resendOf === null) return false;
  const { number } = createFormat(lang, timeZone);
  const some = (count: number): string | null => (count === 0 ? null : number(count));
  const t = jobTexts(lang);
  const { code, restored, answered, doubted } = resendOf;
  const known = answered === true ? t.resendAnswered : doubted === true ? t.resendDoubted : t.resendOf;
  const whom = restored === true ? t.resendRestored : known;
  return html`${whom(code)}${t.resendLeftOut(some(resendOf.unknown), some(resendOf.blocked))}`;
}
