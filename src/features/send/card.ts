import { messageCount } from '../../domain/outgoing.ts';
import { createFormat, type Format } from '../../i18n/format.ts';
import type { ApprovalView, CardView, DraftView, JobView } from '../../ports/stores.ts';
import type { ActionButton, Buttons } from '../../telegram/buttons.ts';
import { clip, lines, quote, type Html } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import { approvalTexts } from './approval-texts.ts';
import { renderDraft } from './draft-card.ts';
import { texts } from './texts.ts';

export interface RenderedCard {
  readonly content: Html;
  readonly buttons: Buttons;
}

/** A question waits; the same buttons come again with each refresh. */
const WEEK_SECONDS = 604_800;

/** The one message of a send, from draft to report. Says what is known and nothing else. */
export function renderCard(view: CardView, now: Date): RenderedCard {
  const { draft, job, approval } = view;
  const timeZone = view.timeZone ?? 'UTC';
  if (job !== null) return renderJob(draft, job, timeZone, now);
  if (draft.state === 'cancelled' || draft.expired) return { content: endText(draft, approval), buttons: [] };
  return renderDraft(view, timeZone);
}

/** A draft that never became a send. */
function endText({ lang, state, code, authorName }: DraftView, { rejectedByName }: ApprovalView): Html {
  const [t, a] = [texts(lang), approvalTexts(lang)];
  if (state !== 'cancelled') return state === 'asked' ? a.expired(code, authorName) : t.expired(code);
  return rejectedByName === null ? t.cancelled(code) : a.rejected(code, authorName, rejectedByName);
}

function renderJob(draft: DraftView, job: JobView, timeZone: string, now: Date): RenderedCard {
  const t = texts(draft.lang);
  const format = createFormat(draft.lang, timeZone);
  const { counts } = job;
  const say = (count: number, text: (count: string) => Html) => count > 0 && text(format.number(count));
  if (job.state === 'undone') return { content: t.undone(draft.code, job.confirmedByName), buttons: [] };

  const head = t.head(draft.code, job.confirmedByName, job.approvedByName);
  const excerpt = excerptOf(draft, format);
  const control = (label: string, action: string): ActionButton => ({
    label,
    action,
    payload: { jobId: job.id },
    permission: 'send.stop',
  });
  if (job.state === 'holding') {
    const seconds = Math.max(0, Math.ceil((job.holdUntil.getTime() - now.getTime()) / 1000));
    const what = draft.outgoing.kind === 'multi' ? t.messages : t.recipients;
    const recipients = format.count(messageCount(draft), what);
    return {
      content: lines(head, excerpt, seconds > 0 ? t.leaving(recipients, format.number(seconds)) : t.sending),
      buttons: seconds > 0 ? [[control(t.undo, 'send.undo')]] : [],
    };
  }
  const running = job.state === 'running';
  const stopped = job.state === 'stopped';
  const content = lines(
    head,
    excerpt,
    running && counts.planned + counts.onWire > 0 && t.sending,
    say(counts.delivered, t.delivered),
    say(counts.accepted, t.accepted),
    say(counts.failed, t.failed),
    say(counts.onWire, t.onWire),
    running && say(counts.planned, t.waiting),
    stopped && say(counts.planned, t.left),
    say(counts.rejected, t.notSent),
    ...job.refusals.map((refusal) =>
      t.because(refusal.name === '' ? t.localRefusal : refusalText(draft.lang, refusal.name)),
    ),
    say(counts.unknown, draft.outgoing.kind === 'future' ? t.unknownLater : t.unknown),
    say(job.asked, t.question),
    say(job.said, t.said),
    say(job.resent, t.resent),
    draft.invalid.length > 0 &&
      t.skipped(
        format.number(draft.invalid.length),
        draft.invalid.slice(0, 3).map((item) => clip(item.raw, 20)),
      ),
    draft.outgoing.kind === 'future' &&
      counts.accepted > 0 &&
      now.getTime() < draft.outgoing.at * 1000 &&
      t.kept,
    stopped && job.stopReason !== null && t.stopped[job.stopReason],
    job.settled && counts.accepted > 0 && t.noReport,
  );
  const settle = (label: string, action: string, more: object = {}): ActionButton => ({
    label,
    action,
    payload: { jobId: job.id, ...more },
    permission: 'send.settle',
    ttlSeconds: WEEK_SECONDS,
  });
  return {
    content,
    buttons: [
      [running && counts.planned > 0 && control(t.stop, 'send.stop')],
      [job.asked > 0 && settle(t.again(format.number(job.asked)), 'send.again')],
      [
        job.asked > 0 && settle(t.wereSent, 'send.settle', { sent: true }),
        job.asked > 0 && settle(t.wereNotSent, 'send.settle', { sent: false }),
      ],
    ],
  };
}

/** Enough of what leaves to know it again. */
function excerptOf({ lang, outgoing, text }: DraftView, format: Format): Html {
  const t = texts(lang);
  if (outgoing.kind === 'pattern') return t.pattern(outgoing.patternId);
  if (outgoing.kind === 'multi') return quote(clip(outgoing.rows.map((row) => row.text).join(' / '), 200));
  return lines(
    outgoing.kind === 'future' && t.at(format.dateTime(new Date(outgoing.at * 1000))),
    outgoing.kind === 'book' && t.book(clip(outgoing.title, 100)),
    quote(clip(text, 200)),
  );
}
