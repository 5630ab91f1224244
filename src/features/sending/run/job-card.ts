import { messageCount, partsOf } from '../../../domain/outgoing.ts';
import type { Format } from '../../../i18n/format.ts';
import type { DraftView, JobView } from '../../../ports/stores.ts';
import type { Buttons } from '../../../telegram/buttons.ts';
import { clip, html, lines, type Html } from '../../../telegram/html.ts';
import type { RenderedCard } from '../../../telegram/outgoing/notifier.ts';
import { refusalText } from '../../../telegram/refusal-texts.ts';
import { reportActions } from '../../reports/actions.ts';
import { countLine, countOf, standingsOf, type Counted } from '../../shared/count-words.ts';
import { keptTexts } from '../../shared/kept-texts.ts';
import { jobActions } from '../actions.ts';
import { cardOf, shown } from '../kinds/cards.ts';
import { doubtButtons, doubtLines } from '../reconcile/doubt-card.ts';
import { paceLines, runningPace } from '../schedule/pace-card.ts';
import { renderWaiting } from '../schedule/when-card.ts';
import { texts } from '../texts.ts';
import { jobTexts } from './job-texts.ts';

/** A confirmed send, from its hold to its report. */
export function renderJob(draft: DraftView, job: JobView, format: Format, now: Date): RenderedCard {
  const t = texts(draft.lang);
  const head = t.head(draft.code, job.confirmedByName, job.approvedByName);
  const kind = cardOf(draft.outgoing);
  const excerpt = job.isEmptied ? keptTexts(draft.lang).emptied : kind.excerpt(shown(draft, format));
  const waiting = renderWaiting({ draft, job }, { head, excerpt }, format, now);
  if (waiting !== null) return waiting;
  switch (job.state) {
    case 'undone':
      return {
        content: t.undone(draft.code, job.confirmedByName, job.stoppedByName, draft.backAs ?? null),
        buttons: [],
      };
    case 'holding': {
      const seconds = Math.max(0, Math.ceil((job.holdUntil.getTime() - now.getTime()) / 1000));
      const what = kind.countsMessages ? t.messages : t.recipients;
      const recipients = format.count(messageCount(draft), what);
      return {
        content: lines(
          head,
          excerpt,
          paceLines(draft, job.holdUntil, format),
          seconds > 0 ? t.leaving(recipients, format.number(seconds)) : t.sending,
        ),
        buttons: seconds > 0 ? [[jobActions.undo.button(t.undo, { jobId: job.id })]] : [],
      };
    }
    case 'scheduled':
    case 'missed':
    case 'running':
    case 'paused':
    case 'stopped':
    case 'done':
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
  const { number } = format;
  const say = (what: Counted, count: number) => count > 0 && html`${countLine(what, count, format)}`;
  const kind = cardOf(draft.outgoing);
  const leftOut = Object.groupBy(draft.invalid, ({ reason }) =>
    reason === 'left_book' || reason === 'missing' ? reason : 'invalid',
  );
  const unusable = (what: Counted, items: DraftView['invalid'] = []): Html | false =>
    items.length > 0 &&
    t.skipped(
      countLine(what, items.length, format),
      items.slice(0, 3).map((item) => clip(item.raw, 20)),
    );
  return [
    state === 'running' &&
      counts.planned + counts.onWire > 0 &&
      underWay(job, { format, now, isSlow: draft.pace !== undefined }),
    job.endedAt === null && runningPace(draft, job, format, now),
    ...standingsOf(job).flatMap(([what, count]) => (what === 'unknown' ? [] : [say(what, count)])),
    ...job.refusals.map((refusal) =>
      t.withCorrelation(
        refusal.name === '' ? t.localRefusal : refusalText(draft.lang, refusal.name, refusal.said),
      ),
    ),
    counts.unknown > 0 &&
      (kind.looksLater ? t.unknownLater : t.unknown)(countLine('unknown', counts.unknown, format)),
    doubtLines(draft, job, format) || false,
    job.said > 0 && t.said(number(job.said)),
    job.resent > 0 && t.resent(number(job.resent)),
    unusable('invalid', leftOut.invalid),
    unusable('empty_field', leftOut.missing),
    say('left_book', leftOut.left_book?.length ?? 0),
    kind.standing(shown(draft, format), job, now),
    interruption(job, format),
    hasRest(job) && restNote(job, format),
    job.resend.by.length > 0 && j.resent(job.resend.by),
    took(draft, job, format),
    job.settled && counts.accepted > 0 && t.reportsEnded,
  ];
}

/** What has left of an ended send, what that costs, and how long it took. */
function took(draft: DraftView, { counts, parts, priceRial, tookMs }: JobView, format: Format): Html | false {
  // What is on its way when a send is stopped goes on to its answer.
  if (tookMs === null || counts.onWire > 0) return false;
  const t = jobTexts(format.locale);
  const duration = t.took(format.duration(Math.max(1000, tookMs)));
  // The gateway alone knows the parts of a pattern.
  if (parts === 0 || partsOf(draft) === null) return html`🏁 ${duration}`;
  const price = priceRial === null ? t.noPrice : `≈ ${format.rial(priceRial)}`;
  return html`🏁 ${[format.count(parts, texts(format.locale).parts), price, duration].join(' · ')}`;
}

/** A bar, once there is more than one call to speak of. */
function underWay(
  job: JobView,
  { format, now, isSlow }: { readonly format: Format; readonly now: Date; readonly isSlow: boolean },
): Html {
  const { bar, done, all, share, leftMs } = progressOf(job, now);
  if (job.counts.planned === 0 && done === 0) return texts(format.locale).sending;
  return jobTexts(format.locale).progress(
    bar,
    format.number(done),
    format.number(all),
    format.percent(share),
    isSlow || leftMs === null ? null : format.duration(Math.max(1000, leftMs)),
  );
}

/** Who or what holds it up, and to how many it was sent, was not, or may have been. */
function interruption(job: JobView, format: Format): Html | false {
  const t = jobTexts(format.locale);
  if (job.stopReason === 'restored') return t.restored;
  if (job.state !== 'paused' && job.state !== 'stopped') return false;
  const numbers = tallied(job, format);
  const name = job.stoppedByName ?? '';
  if (job.state === 'paused' && job.stopReason === 'held') return t.held(numbers);
  if (job.stopReason === 'answered') return t.answeredLate(numbers);
  if (job.state === 'paused')
    return job.stopReason === 'halted'
      ? t.halted(job.stoppedByName, numbers)
      : pausedText(job, numbers, format);
  const at = format.time(job.endedAt ?? job.holdUntil);
  if (job.stopReason === 'person' && job.stoppedByName !== null) return t.stoppedBy(name, at, numbers);
  return lines(
    job.stopReason !== null && texts(format.locale).stopped[job.stopReason],
    hasRest(job) && !job.isLinked && job.stopReason !== 'not_connected' && t.accountGone,
    hasRest(job) && job.isLinked && job.stopReason === 'credit' && t.topUp,
    t.stoppedAt(at, numbers),
  );
}

/** That the rest may go to people who have it. */
function restNote({ state, stopReason, earlier }: JobView, { locale }: Format): Html | false {
  const t = jobTexts(locale);
  if (earlier?.answered === true) return !(state === 'paused' && stopReason === 'answered') && t.restAnswered;
  return earlier?.doubted === true && t.restDoubted;
}

/** Where all of them stand: each count that is not zero. */
function tallied(job: JobView, format: Format): string {
  const { sent, not, unknown, out } = tallyOf(job);
  return jobTexts(format.locale).numbers([
    ...(sent > 0 ? [countOf('given', sent, format)] : []),
    ...(not > 0 ? [countOf('not_sent', not, format)] : []),
    ...(unknown > 0 ? [countOf('unknown', unknown, format)] : []),
    ...(out > 0 ? [countOf('on_wire', out, format)] : []),
  ]);
}

/** Whether something of it was held up that a person, or the switch, can have leave. */
export function hasRest({ state, counts, isEmptied }: JobView): boolean {
  return (state === 'paused' || state === 'stopped') && counts.planned > 0 && !isEmptied;
}

function jobButtons(draft: DraftView, job: JobView, format: Format): Buttons {
  const t = jobTexts(draft.lang);
  const { id: jobId, state, counts, resend } = job;
  const isPaused = state === 'paused';
  const canStop = (state === 'running' || isPaused) && counts.planned > 0;
  const isRest = state === 'stopped' && hasRest(job);
  const rest = { jobId, left: counts.planned, told: job.earlier ?? {} };
  return [
    [
      state === 'running' && counts.planned > 0 && jobActions.pause.button(t.pause, { jobId }),
      isPaused && !isSwitched(job) && jobActions.resume.button(t.resume, rest),
      isRest && job.isLinked && jobActions.resume.button(t.sendRest, rest),
      canStop && jobActions.stop.button(t.stop, { jobId }),
      isRest && jobActions.rest.button(t.restFile, { jobId }),
    ],
    [
      job.tookMs !== null && reportActions.ofSend.button(t.report, { card: draft.code }),
      resend.failures > 0 && jobActions.resend.button(t.resend(format.number(resend.failures)), { jobId }),
    ],
    ...doubtButtons(draft, job, format),
  ];
}

/** A switch that was taken back leaves what it could not let go on to people. */
function pausedText({ stoppedByName }: JobView, numbers: string, { locale }: Format): Html {
  const t = jobTexts(locale);
  return stoppedByName === null ? t.keptBack(numbers) : t.pausedBy(stoppedByName, numbers);
}

/** Paused by a switch: it goes on with that, not by a button. */
function isSwitched({ stopReason }: JobView): boolean {
  return stopReason === 'halted' || stopReason === 'held';
}

const CELLS = 10;
const LEAST_SHARE = 0.05;
const LEAST_MS = 10_000;

/** Of a job that runs: what is behind it, and how long the rest will take. */
function progressOf(
  job: Pick<JobView, 'counts' | 'resent' | 'said' | 'startedAt' | 'leftSinceStart'>,
  now: Date,
) {
  const { all, ahead } = sizeOf(job);
  // Recipients whose call has ended, however.
  const done = all - ahead;
  // Whole hundredths, and 1 only when all is done.
  const share = all === 0 ? 1 : Math.floor((done * 100) / all) / 100;
  const full = all === 0 ? CELLS : Math.floor((done * CELLS) / all);
  const bar = '▓'.repeat(full) + '░'.repeat(CELLS - full);
  return { bar, done, all, share, leftMs: leftMs(job, now, ahead, share) };
}

/** Where all recipients of a job stand, each of them once. */
interface Tally {
  readonly sent: number;
  readonly not: number;
  readonly unknown: number;
  /** Asked of the gateway, and no answer yet. */
  readonly out: number;
}

/** What an interrupted job says of itself: the four add up to all of its recipients. */
export function tallyOf({ counts, resent, said }: Pick<JobView, 'counts' | 'resent' | 'said'>): Tally {
  return {
    sent: counts.accepted + counts.delivered + counts.failed + counts.barred + said,
    not: counts.planned + counts.rejected + counts.blocked,
    // That they were sent again tells nothing of the first time.
    unknown: counts.unknown + resent,
    out: counts.onWire,
  };
}

function sizeOf(job: Pick<JobView, 'counts' | 'resent' | 'said'>): { all: number; ahead: number } {
  const { sent, not, unknown, out } = tallyOf(job);
  return { all: sent + not + unknown + out, ahead: job.counts.planned + out };
}

/** At the pace since it last began; null while that says too little. */
function leftMs(
  { startedAt, leftSinceStart }: Pick<JobView, 'startedAt' | 'leftSinceStart'>,
  now: Date,
  ahead: number,
  share: number,
): number | null {
  const elapsed = startedAt === null ? 0 : now.getTime() - startedAt.getTime();
  if (elapsed < LEAST_MS || share < LEAST_SHARE || leftSinceStart === 0) return null;
  return Math.round((elapsed * ahead) / leftSinceStart);
}
