import type { Bulk } from '../../domain/bulk.ts';
import { measureMessage } from '../../domain/message.ts';
import { messageCount, partsOf, type OutgoingRow } from '../../domain/outgoing.ts';
import { maskRecipient } from '../../domain/phone.ts';
import { createFormat, isolateLtr, type Format } from '../../i18n/format.ts';
import type { CardView, DraftView } from '../../ports/stores.ts';
import type { ActionButton } from '../../telegram/buttons.ts';
import { clip, html, lines, quote, type Html } from '../../telegram/html.ts';
import { answerButtons, approvalNote, ASKED_SECONDS, waitingNote } from './approval-card.ts';
import { approvalTexts } from './approval-texts.ts';
import { bulkBody, bulkButtons, type BulkFrame } from './bulk-card.ts';
import type { RenderedCard } from './card.ts';
import { priceNote, priceOnButton } from './price-card.ts';
import { texts } from './texts.ts';
import { sendLater, whenButton, whenLines } from './when-card.ts';

const LISTED = 8;
const TEXT_UNITS = 1500;
const DRAFT_SECONDS = 900;
const FILE_SECONDS = 7200;

type Draft = Pick<CardView, 'draft' | 'approval' | 'place' | 'gauge' | 'sample'>;

/**
 * A draft that is open or waits for a second person: what would leave, by which way, to whom, and the buttons to
 * change or confirm it.
 */
export function renderDraft(view: Draft, timeZone: string, now: Date): RenderedCard {
  const { draft } = view;
  const t = texts(draft.lang);
  const format = createFormat(draft.lang, timeZone);
  const { outgoing, repeated, invalid } = draft;
  if (outgoing.kind === 'bulk') return renderFile(view, outgoing, format, now);
  const isAsked = draft.state === 'asked';
  const content = lines(
    isAsked && approvalTexts(draft.lang).waits(draft.code, draft.authorName),
    head(draft, format),
    ...body(draft, format),
    audience(draft, format),
    repeated.length > 0 &&
      t.repeatedLine(
        format.list(repeated.slice(0, LISTED).map((item) => isolateLtr(maskRecipient(item.reason)))),
      ),
    ...invalid.slice(0, LISTED).map((item) => t.invalidItem(clip(item.raw, 40), t.why(item.reason))),
    invalid.length > LISTED && t.more(format.number(invalid.length - LISTED)),
    whenLines(draft, format, now),
    total(view, format),
    isAsked ? waitingNote(view, format) : approvalNote(view, format),
  );
  return { content, buttons: buttons(view, format, now) };
}

/** The same for one whose recipients come from a file. */
function renderFile(view: Draft, bulk: Bulk, format: Format, now: Date): RenderedCard {
  const { draft } = view;
  const t = texts(draft.lang);
  const isAsked = draft.state === 'asked';
  const leaves = bulk.step === 'review' && messageCount(draft) > 0;
  const button: BulkFrame['button'] = (label, action, payload = {}) => {
    const made = authorButton(draft, label, action);
    return { ...made, payload: { ...made.payload, ...payload } };
  };
  const look: BulkFrame['look'] = (label, action, payload = {}) => ({
    label,
    action,
    payload: { draftId: draft.id, ...payload },
    permission: 'send.prepare',
    ttlSeconds: ASKED_SECONDS,
    reusable: true,
  });
  const frame: BulkFrame = { view, bulk, format, button, look };
  const content = lines(
    isAsked && approvalTexts(draft.lang).waits(draft.code, draft.authorName),
    head(draft, format),
    bulkBody(frame),
    leaves && whenLines(draft, format, now),
    leaves && total(view, format),
    leaves && (isAsked ? waitingNote(view, format) : approvalNote(view, format)),
  );
  const first = isAsked ? answerButtons(view, format) : [wayOut(view, format, now, button)];
  return {
    content,
    buttons: [
      leaves ? first : [],
      ...bulkButtons(frame),
      [leaves && whenButton(draft, button)],
      [leaves && !isAsked && button(t.toMe, 'send.test'), button(t.cancel, 'send.cancel')],
    ],
  };
}

/** The first of several recipients, masked. */
function recipients({ recipients: all }: DraftView): Html {
  const shown = all.slice(0, 5).map((recipient) => isolateLtr(maskRecipient(recipient)));
  return html`${shown.join(' ')}${all.length > shown.length ? ' …' : ''}`;
}

function head(draft: DraftView, format: Format): Html {
  const t = texts(draft.lang);
  const { outgoing, code, line, flash } = draft;
  if (outgoing.kind === 'multi') {
    const from = [...new Set(outgoing.rows.map((row) => row.line))];
    return t.draftMulti(code, t.fromLines(from.slice(0, 4)));
  }
  const first = t.draft(code, line, flash);
  if (outgoing.kind === 'pattern') return lines(first, t.pattern(outgoing.patternId));
  if (outgoing.kind === 'future') return lines(first, t.at(format.dateTime(new Date(outgoing.at * 1000))));
  return outgoing.kind === 'book' ? lines(first, t.book(clip(outgoing.title, 100))) : first;
}

function body(draft: DraftView, format: Format): Html[] {
  const t = texts(draft.lang);
  const { outgoing, text } = draft;
  if (outgoing.kind === 'multi') {
    const shown = outgoing.rows.slice(0, LISTED).map((row) => rowLine(draft, row));
    const more = outgoing.rows.length - shown.length;
    return more > 0 ? [...shown, t.more(format.number(more))] : shown;
  }
  if (outgoing.kind === 'pattern') {
    const values = Object.entries(outgoing.variables);
    if (values.length === 0) return [t.noVariables];
    const shown = values
      .slice(0, LISTED)
      .map(([name, value]) => t.variable(clip(name, 40), clip(value, 150)));
    const more = values.length - shown.length;
    return [quote(lines(...shown, more > 0 && t.more(format.number(more))))];
  }
  const measure = measureMessage(text);
  return [
    quote(clip(text, TEXT_UNITS), { expandable: text.length > 300 }),
    t.measure(
      format.count(measure.characters, t.characters),
      t.encodings[measure.encoding],
      format.count(measure.parts, t.parts),
    ),
  ];
}

function rowLine(draft: DraftView, { line, recipient, text, flash }: OutgoingRow): Html {
  return texts(draft.lang).row(line, maskRecipient(recipient), clip(text, 120), flash);
}

function audience(draft: DraftView, format: Format): Html {
  const t = texts(draft.lang);
  const { outgoing, repeated, invalid } = draft;
  const good = messageCount(draft);
  const all = good + repeated.length + invalid.length;
  const counted = t.audience(
    format.count(all, outgoing.kind === 'multi' ? t.messages : t.numbers),
    format.number(good),
    repeated.length === 0 ? null : format.number(repeated.length),
    invalid.length === 0 ? null : format.number(invalid.length),
  );
  if (outgoing.kind === 'multi') return counted;
  if (outgoing.kind !== 'book') return lines(counted, recipients(draft));
  return lines(outgoing.way === 'call' ? t.bookCall : t.bookExpanded, counted, recipients(draft));
}

function total(view: Draft, format: Format): Html {
  const t = texts(view.draft.lang);
  const price = priceNote(view, format) ?? t.patternUnknown;
  return view.draft.outgoing.kind === 'future' ? lines(price, t.atNote) : price;
}

function buttons(view: Draft, format: Format, now: Date): RenderedCard['buttons'] {
  const { draft } = view;
  const t = texts(draft.lang);
  const { outgoing } = draft;
  const isAsked = draft.state === 'asked';
  const button = (text: string, action: string) => authorButton(draft, text, action);
  const hasText = outgoing.kind !== 'multi' && outgoing.kind !== 'pattern';
  const hasFlash =
    outgoing.kind === 'text' ||
    outgoing.kind === 'book' ||
    (outgoing.kind === 'pattern' && outgoing.perCall > 1);
  return [
    isAsked ? answerButtons(view, format) : [wayOut(view, format, now, button)],
    [
      whenButton(draft, button),
      hasText && button(t.text, 'send.text'),
      outgoing.kind !== 'multi' && button(t.line, 'send.line'),
      hasFlash && button(t.flash(draft.flash), 'send.flash'),
    ],
    [hasText && !isAsked && button(t.toMe, 'send.test'), button(t.cancel, 'send.cancel')],
    [
      draft.invalid.length > LISTED && {
        label: t.skippedFile(format.number(draft.invalid.length)),
        action: 'send.skipped',
        payload: { draftId: draft.id },
        permission: 'send.prepare',
        ttlSeconds: isAsked ? ASKED_SECONDS : DRAFT_SECONDS,
        reusable: true,
      },
    ],
  ];
}

/** What its author alone may press, for this version. */
function authorButton(draft: DraftView, label: string, action: string): ActionButton {
  const ttlSeconds = draft.outgoing.kind === 'bulk' ? FILE_SECONDS : DRAFT_SECONDS;
  return {
    label,
    action,
    payload: { draftId: draft.id, version: draft.version },
    permission: 'send.confirm',
    personId: draft.authorId,
    draft: { id: draft.id, version: draft.version },
    ttlSeconds: draft.state === 'asked' ? ASKED_SECONDS : ttlSeconds,
  };
}

/** What brings an open draft on its way: its author's own yes, the question for another's, or nothing. */
function wayOut(
  view: Draft,
  format: Format,
  now: Date,
  button: (text: string, action: string) => ActionButton,
): ActionButton | null {
  const { draft, approval } = view;
  const t = texts(draft.lang);
  if (approval.above !== null)
    return approval.by.length === 0 ? null : button(approvalTexts(draft.lang).ask, 'send.ask');
  const parts = partsOf(draft);
  const count = format.number(messageCount(draft));
  const { amount, style, payload } = priceOnButton(view, format);
  const atOnce =
    parts === null ? t.sendPattern(count) : t.send(count, amount ?? format.count(parts, t.parts));
  const made = button(sendLater(draft, count, format, now) ?? atOnce, 'send.confirm');
  return { ...made, style, payload: { ...made.payload, ...payload } };
}
