import type { Bulk } from '../../../domain/bulk.ts';
import { fileOf } from '../../../domain/kinds/index.ts';
import { messageCount, partsOf, type Blocked } from '../../../domain/outgoing.ts';
import { maskRecipient } from '../../../domain/phone.ts';
import { createFormat, isolateLtr, type Format } from '../../../i18n/format.ts';
import type { CardView, DraftView } from '../../../ports/stores.ts';
import type { ActionButton, Buttons } from '../../../telegram/buttons.ts';
import { clip, lines, type Html } from '../../../telegram/html.ts';
import { draftActions } from '../actions.ts';
import { bulkBody, bulkButtons, lookButtons, type BulkFrame } from '../bulk/bulk-card.ts';
import type { RenderedCard } from '../../../telegram/outgoing/notifier.ts';
import { answerButtons, approvalNote, waitingNote } from '../confirm/approval-card.ts';
import { approvalTexts } from '../confirm/approval-texts.ts';
import { cardOf, shown } from '../kinds/cards.ts';
import { LISTED } from '../kinds/kind-card.ts';
import { sendLater, whenButton, whenLines } from '../schedule/when-card.ts';
import { texts } from '../texts.ts';
import { authored, secondsOf } from './author-card.ts';
import { priceNote, priceOnButton } from './price-card.ts';

/** So many buttons side by side keep their labels on one line on a phone. */
const PHONE_ROW = 3;

type Draft = Pick<CardView, 'draft' | 'approval' | 'place' | 'gauge' | 'sample'>;

/**
 * A draft that is open or waits for a second person: what would leave, by which way, to whom, and the buttons to
 * change or confirm it.
 */
export function renderDraft(view: Draft, timeZone: string, now: Date): RenderedCard {
  const { draft } = view;
  const t = texts(draft.lang);
  const format = createFormat(draft.lang, timeZone);
  const { outgoing, repeated, blocked, invalid } = draft;
  const file = fileOf(outgoing);
  if (file !== null) return renderFile(view, file, format, now);
  const kind = cardOf(outgoing);
  const isAsked = draft.state === 'asked';
  const content = lines(
    isAsked && approvalTexts(draft.lang).waits(draft.code, draft.authorName),
    kind.head(shown(draft, format)),
    ...kind.body(shown(draft, format)),
    audience(draft, format),
    repeated.length > 0 &&
      t.repeatedLine(
        listed(
          repeated.map(({ reason }) => reason),
          format,
        ),
      ),
    ...blockedLines(draft, blocked ?? [], format),
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
  const isAsked = draft.state === 'asked';
  const leaves = bulk.step === 'review' && messageCount(draft) > 0;
  const author = authored(draft);
  const frame: BulkFrame = { view, bulk, format, author };
  const content = lines(
    isAsked && approvalTexts(draft.lang).waits(draft.code, draft.authorName),
    cardOf(bulk).head({ draft, outgoing: bulk, format }),
    bulkBody(frame),
    leaves && whenLines(draft, format, now),
    leaves && total(view, format),
    leaves && (isAsked ? waitingNote(view, format) : approvalNote(view, format)),
  );
  if (isAsked) return { content, buttons: [...askedButtons(view, format), ...lookButtons(frame)] };
  return {
    content,
    buttons: [
      leaves ? [wayOut(view, format, now)] : [],
      ...bulkButtons(frame),
      [leaves && whenButton(draft, author)],
      lastRow(draft, leaves),
    ],
  };
}

/** The first of some numbers, masked. */
function listed(numbers: readonly string[], format: Format): string {
  return format.list(numbers.slice(0, LISTED).map((number) => isolateLtr(maskRecipient(number))));
}

function blockedLines(draft: DraftView, blocked: readonly Blocked[], format: Format): (Html | false)[] {
  const t = texts(draft.lang);
  if (blocked.length === 0) return [];
  return [
    t.blockedLine(
      listed(
        blocked.map(({ recipient }) => recipient),
        format,
      ),
    ),
    blocked.length > LISTED && t.more(format.number(blocked.length - LISTED)),
    messageCount(draft) === 0 && t.nobody,
  ];
}

function audience(draft: DraftView, format: Format): Html {
  const t = texts(draft.lang);
  const { outgoing, repeated, blocked, invalid } = draft;
  const kind = cardOf(outgoing);
  const good = messageCount(draft);
  const leftOut = blocked?.length ?? 0;
  const all = good + repeated.length + leftOut + invalid.length;
  const counted = t.audience(
    format.count(all, kind.countsMessages ? t.messages : t.numbers),
    format.number(good),
    repeated.length === 0 ? null : format.number(repeated.length),
    leftOut === 0 ? null : format.number(leftOut),
    invalid.length === 0 ? null : format.number(invalid.length),
  );
  return kind.audience(shown(draft, format), counted);
}

function total(view: Draft, format: Format): Html {
  const { draft } = view;
  const price = priceNote(view, format) ?? texts(draft.lang).patternUnknown;
  return lines(price, cardOf(draft.outgoing).note(shown(draft, format)));
}

function buttons(view: Draft, format: Format, now: Date): RenderedCard['buttons'] {
  const { draft } = view;
  const t = texts(draft.lang);
  const author = authored(draft);
  const { payload, look } = author;
  const changes = cardOf(draft.outgoing).changes(draft.outgoing);
  const edits = [
    whenButton(draft, author),
    changes.text && draftActions.text.button(t.text, payload, look),
    changes.line && draftActions.line.button(t.line, payload, look),
    changes.flash && draftActions.flash.button(t.flash(draft.flash), payload, look),
  ].filter((button) => button !== null && button !== false);
  const skipped = [
    draft.invalid.length > LISTED &&
      draftActions.skipped.button(
        t.skippedFile(format.number(draft.invalid.length)),
        { draftId: draft.id },
        { ttlSeconds: secondsOf(draft) },
      ),
  ];
  if (draft.state === 'asked') return [...askedButtons(view, format), skipped];
  return [
    messageCount(draft) === 0 ? [] : [wayOut(view, format, now)],
    edits.slice(0, PHONE_ROW),
    [...edits.slice(PHONE_ROW), ...lastRow(draft, changes.text)],
    skipped,
  ];
}

/** Two answers for a second person, and two ways back for the author: one to the open draft, which takes the question back. */
function askedButtons(view: Draft, format: Format): Buttons {
  const { draft } = view;
  const t = texts(draft.lang);
  const { payload, look } = authored(draft);
  return [
    messageCount(draft) === 0 ? [] : answerButtons(view, format),
    [
      draftActions.reopen.button(t.reopen, payload, look),
      draftActions.cancel.button(t.cancel, payload, look),
    ],
  ];
}

/** A message to its author alone, and its end. */
function lastRow(draft: DraftView, hasText: boolean): Buttons[number] {
  const t = texts(draft.lang);
  const { payload, look } = authored(draft);
  return [
    hasText && draftActions.test.button(t.toMe, payload, look),
    draftActions.cancel.button(t.cancel, payload, look),
  ];
}

/** What brings an open draft on its way: its author's own yes, the question for another's, or nothing. */
function wayOut(view: Draft, format: Format, now: Date): ActionButton | null {
  const { draft, approval } = view;
  const t = texts(draft.lang);
  const { payload: version, look } = authored(draft);
  if (approval.above !== null)
    return approval.by.length === 0
      ? null
      : draftActions.ask.button(approvalTexts(draft.lang).ask, version, look);
  const parts = partsOf(draft);
  const count = format.number(messageCount(draft));
  const { amount, style, payload } = priceOnButton(view, format);
  const atOnce =
    parts === null ? t.sendPattern(count) : t.send(count, amount ?? format.count(parts, t.parts));
  const label = sendLater(draft, count, format, now) ?? atOnce;
  return draftActions.confirm.button(label, { ...version, ...payload }, { ...look, ...(style && { style }) });
}
