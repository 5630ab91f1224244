import { messageCount } from '../../domain/outgoing.ts';
import { createFormat, type Format } from '../../i18n/format.ts';
import type { DraftView, JobView } from '../../ports/stores.ts';
import type { ActionButton, Buttons } from '../../telegram/buttons.ts';
import { clip, lines, quote, type Html } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import { fileLine, leftOut } from './bulk-card.ts';
import type { RenderedCard } from './card.ts';
import { doubtButtons, doubtLines } from './doubt-card.ts';
import { jobTexts } from './job-texts.ts';
import { progressOf, tallyOf } from './progress-bar.ts';
import { texts } from './texts.ts';
import { renderWaiting } from './when-card.ts';

/** What has stopped waits for a person as long as it takes; the same buttons come again with each refresh. */
const MONTH_SECONDS = 2_592_000;
const REPORTS_MS = 72 * 3_600_000;

/** A confirmed send, from its hold to its report. */
export function renderJob(draft: DraftView, job: JobView, timeZone: string, now: Date): RenderedCard {
  const t = texts(draft.lang);
  const format = createFormat(draft.lang, timeZone);
  const head = t.head(draft.code, job.confirmedByName, job.approvedByName);
  const excerpt = excerptOf(draft, format);
  const waiting = renderWaiting({ draft, job }, { head, excerpt }, format, now);
  if (waiting !== null) return waiting;
  switch (job.state) {
    case 'undone':
      return { content: t.undone(draft.code, job.confirmedByName), buttons: [] };
    case 'holding': {
      const seconds = Math.max(0, Math.ceil((job.holdUntil.getTime() - now.getTime()) / 1000));
      const what = draft.outgoing.kind === 'multi' ? t.messages : t.recipients;
      const recipients = format.count(messageCount(draft), what);
      return {
        content: lines(
          head,
          excerpt,
          seconds > 0 ? t.leaving(recipients, format.number(seconds)) : t.sending,
        ),
        buttons: seconds > 0 ? [[control(job, t.undo, 'send.undo')]] : [],
      };
    }
    default:
      return {
        content: lines(head, excerpt, ...standing(draft, job, format, now)),
        buttons: jobButtons(draft, job, format),
      };
  }
}

/** Where everybody stands, line by line, and why it does not go on. */
function standing(
  draft: DraftView,
  job: JobView,
  format: Format,
  now: Date,
): readonly (Html | false | null)[] {
  const t = texts(draft.lang);
  const j = jobTexts(draft.lang);
  const { counts, state } = job;
  const say = (count: number, text: (count: string) => Html) => count > 0 && text(format.number(count));
  const isFuture = draft.outgoing.kind === 'future';
  return [
    state === 'running' && counts.planned + counts.onWire > 0 && underWay(job, format, now),
    say(counts.delivered, t.delivered),
    say(counts.accepted, t.accepted),
    say(counts.failed, t.failed),
    say(counts.onWire, t.onWire),
    (state === 'running' || state === 'paused') && say(counts.planned, t.waiting),
    state === 'stopped' && say(counts.planned, t.left),
    say(counts.rejected, t.notSent),
    ...job.refusals.map((refusal) =>
      t.because(refusal.name === '' ? t.localRefusal : refusalText(draft.lang, refusal.name)),
    ),
    say(counts.blocked, j.blocked),
    say(counts.unknown, isFuture ? t.unknownLater : t.unknown),
    doubtLines(draft, job, format) || false,
    say(job.said, t.said),
    say(job.resent, t.resent),
    draft.invalid.length > 0 &&
      t.skipped(
        format.number(draft.invalid.length),
        draft.invalid.slice(0, 3).map((item) => clip(item.raw, 20)),
      ),
    draft.outgoing.kind === 'bulk' && leftOut(draft.outgoing, format),
    draft.outgoing.kind === 'future' &&
      counts.accepted > 0 &&
      now.getTime() < draft.outgoing.at * 1000 &&
      t.kept,
    interruption(job, format),
    job.resend.by.length > 0 && j.resent(job.resend.by),
    job.settled && counts.accepted > 0 && (isLate(job, now) ? t.noReport : t.reportsEnded),
  ];
}

/** Reports are awaited for 72 hours; they end sooner where there is no account any more to ask. */
function isLate({ endedAt }: JobView, now: Date): boolean {
  return endedAt !== null && now.getTime() - endedAt.getTime() >= REPORTS_MS;
}

/** A bar, once there is more than one call to speak of. */
function underWay(job: JobView, format: Format, now: Date): Html {
  const { bar, done, all, share, leftMs } = progressOf(job, now);
  if (job.counts.planned === 0 && done === 0) return texts(format.locale).sending;
  return jobTexts(format.locale).progress(
    bar,
    format.number(done),
    format.number(all),
    format.percent(share),
    leftMs === null ? null : format.duration(Math.max(1000, leftMs)),
  );
}

/** Who or what holds it up, and how many have left, have not, or may have. */
function interruption(job: JobView, format: Format): Html | false {
  const t = jobTexts(format.locale);
  if (job.stopReason === 'restored') return t.restored;
  if (job.state !== 'paused' && job.state !== 'stopped') return false;
  const { left, not, unknown, out } = tallyOf(job);
  const numbers = t.numbers(
    format.number(left),
    format.number(not),
    format.number(unknown),
    out === 0 ? null : format.number(out),
  );
  const name = job.stoppedByName ?? '';
  if (job.state === 'paused' && job.stopReason === 'held') return t.held(numbers);
  if (job.state === 'paused')
    return job.stopReason === 'halted'
      ? t.halted(job.stoppedByName, numbers)
      : pausedText(job, numbers, format);
  const at = format.time(job.endedAt ?? job.holdUntil);
  if (job.stopReason === 'person' && job.stoppedByName !== null) return t.stoppedBy(name, at, numbers);
  return lines(
    job.stopReason !== null && texts(format.locale).stopped[job.stopReason],
    t.stoppedAt(at, numbers),
  );
}

function jobButtons(draft: DraftView, job: JobView, format: Format): Buttons {
  const t = jobTexts(draft.lang);
  const { state, counts, resend } = job;
  const isPaused = state === 'paused';
  const canStop = (state === 'running' || isPaused) && counts.planned > 0;
  const hasRest = state === 'stopped' && counts.planned > 0;
  const confirm = { permission: 'send.confirm' } as const;
  return [
    [
      state === 'running' && counts.planned > 0 && control(job, t.pause, 'send.pause'),
      isPaused && !isSwitched(job) && { ...control(job, t.resume, 'send.resume'), ...confirm },
      hasRest && { ...control(job, t.sendRest, 'send.resume'), ...confirm },
      canStop && control(job, t.stop, 'send.stop'),
      hasRest && { ...control(job, t.restFile, 'send.rest'), reusable: true },
    ],
    [
      resend.failures > 0 && {
        ...control(job, t.resend(format.number(resend.failures)), 'send.resend'),
        ...confirm,
      },
    ],
    ...doubtButtons(draft, job, format),
  ];
}

/** A switch that was taken back leaves what it could not let go on to people. */
function pausedText({ stoppedByName }: JobView, numbers: Html, { locale }: Format): Html {
  const t = jobTexts(locale);
  return stoppedByName === null ? t.keptBack(numbers) : t.pausedBy(stoppedByName, numbers);
}

/** Paused by a switch: it goes on with that, not by a button. */
function isSwitched({ stopReason }: JobView): boolean {
  return stopReason === 'halted' || stopReason === 'held';
}

function control({ id }: JobView, label: string, action: string): ActionButton {
  return { label, action, payload: { jobId: id }, permission: 'send.stop', ttlSeconds: MONTH_SECONDS };
}

/** Enough of what leaves to know it again. */
function excerptOf({ lang, outgoing, text }: DraftView, format: Format): Html {
  const t = texts(lang);
  if (outgoing.kind === 'pattern') return t.pattern(outgoing.patternId);
  if (outgoing.kind === 'multi') return quote(clip(outgoing.rows.map((row) => row.text).join(' / '), 200));
  return lines(
    outgoing.kind === 'future' && t.at(format.dateTime(new Date(outgoing.at * 1000))),
    outgoing.kind === 'book' && t.book(clip(outgoing.title, 100)),
    outgoing.kind === 'bulk' && fileLine(outgoing, format),
    quote(clip(text, 200)),
  );
}
