import { measureMessage } from '../../domain/message.ts';
import { maskRecipient } from '../../domain/phone.ts';
import { createFormat, isolateLtr } from '../../i18n/format.ts';
import type { CardView, DraftView, JobView } from '../../ports/stores.ts';
import type { ActionButton, Buttons } from '../../telegram/buttons.ts';
import { clip, html, lines, quote, type Html } from '../../telegram/html.ts';
import { refusalText } from '../../telegram/refusal-texts.ts';
import { texts } from './texts.ts';

export interface RenderedCard {
  readonly content: Html;
  readonly buttons: Buttons;
}

const LISTED = 8;
const TEXT_UNITS = 1500;
const DRAFT_SECONDS = 900;

/** The one message of a send, from draft to report. Says what is known and nothing else. */
export function renderCard({ draft, job, timeZone }: CardView, now: Date): RenderedCard {
  if (job !== null) return renderJob(draft, job, timeZone ?? 'UTC', now);
  const t = texts(draft.lang);
  if (draft.state === 'cancelled') return { content: t.cancelled(draft.code), buttons: [] };
  if (draft.expired) return { content: t.expired(draft.code), buttons: [] };
  return renderDraft(draft);
}

function renderDraft(draft: DraftView): RenderedCard {
  const t = texts(draft.lang);
  const format = createFormat(draft.lang, 'UTC');
  const measure = measureMessage(draft.text);
  const good = draft.recipients.length;
  const all = good + draft.repeated.length + draft.invalid.length;
  const partsInAll = format.count(measure.parts * good, t.parts);
  const content = lines(
    t.draft(draft.code, draft.line, draft.flash),
    quote(clip(draft.text, TEXT_UNITS), { expandable: draft.text.length > 300 }),
    t.measure(
      format.count(measure.characters, t.characters),
      t.encodings[measure.encoding],
      format.count(measure.parts, t.parts),
    ),
    t.audience(
      format.count(all, t.numbers),
      format.number(good),
      draft.repeated.length === 0 ? null : format.number(draft.repeated.length),
      draft.invalid.length === 0 ? null : format.number(draft.invalid.length),
    ),
    html`${draft.recipients
      .slice(0, 5)
      .map((recipient) => isolateLtr(maskRecipient(recipient)))
      .join(' ')}${good > 5 ? ' …' : ''}`,
    draft.repeated.length > 0 &&
      t.repeatedLine(
        format.list(draft.repeated.slice(0, LISTED).map((item) => isolateLtr(maskRecipient(item.reason)))),
      ),
    ...draft.invalid.slice(0, LISTED).map((item) => t.invalidItem(clip(item.raw, 40), t.why(item.reason))),
    draft.invalid.length > LISTED && t.more(format.number(draft.invalid.length - LISTED)),
    t.total(partsInAll),
  );
  const button = (label: string, action: string): ActionButton => ({
    label,
    action,
    payload: { draftId: draft.id, version: draft.version },
    permission: 'send.confirm',
    personId: draft.authorId,
    draft: { id: draft.id, version: draft.version },
    ttlSeconds: DRAFT_SECONDS,
  });
  return {
    content,
    buttons: [
      [{ ...button(t.send(format.number(good), partsInAll), 'send.confirm'), style: 'success' }],
      [button(t.text, 'send.text'), button(t.line, 'send.line'), button(t.flash(draft.flash), 'send.flash')],
      [button(t.toMe, 'send.test'), button(t.cancel, 'send.cancel')],
    ],
  };
}

function renderJob(draft: DraftView, job: JobView, timeZone: string, now: Date): RenderedCard {
  const t = texts(draft.lang);
  const format = createFormat(draft.lang, timeZone);
  const { counts } = job;
  const say = (count: number, text: (count: string) => Html) => count > 0 && text(format.number(count));
  if (job.state === 'undone') return { content: t.undone(draft.code, job.confirmedByName), buttons: [] };

  const head = t.head(draft.code, job.confirmedByName);
  const excerpt = quote(clip(draft.text, 200));
  const control = (label: string, action: string): ActionButton => ({
    label,
    action,
    payload: { jobId: job.id },
    permission: 'send.stop',
  });
  if (job.state === 'holding') {
    const seconds = Math.max(0, Math.ceil((job.holdUntil.getTime() - now.getTime()) / 1000));
    const recipients = format.count(draft.recipients.length, t.recipients);
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
    say(counts.unknown, t.unknown),
    draft.invalid.length > 0 &&
      t.skipped(
        format.number(draft.invalid.length),
        draft.invalid.slice(0, 3).map((item) => clip(item.raw, 20)),
      ),
    stopped && job.stopReason !== null && t.stopped[job.stopReason],
    job.settled && counts.accepted > 0 && t.noReport,
  );
  return { content, buttons: running && counts.planned > 0 ? [[control(t.stop, 'send.stop')]] : [] };
}
