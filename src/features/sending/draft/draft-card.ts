import type { Bulk } from '../../../domain/bulk.ts';
import { fileOf } from '../../../domain/kinds/index.ts';
import { commandLineIn } from '../../../domain/message.ts';
import { numbersWithin } from '../../../domain/numbers-within.ts';
import { parseRecipients, slipAtStart } from '../../../domain/phone.ts';
import { messageCount, partsOf } from '../../../domain/outgoing.ts';
import type { Format } from '../../../i18n/format.ts';
import type { CardView, DraftView, Panel } from '../../../ports/stores.ts';
import type { ActionButton, Buttons } from '../../../telegram/buttons.ts';
import { clip, lines, type Html } from '../../../telegram/html.ts';
import { countOf, type Counted } from '../../shared/count-words.ts';
import { fieldsStay } from '../../shared/template-call.ts';
import { draftActions } from '../actions.ts';
import { bulkBody, bulkButtons, editButtons, lookButtons, type BulkFrame } from '../bulk/bulk-card.ts';
import type { RenderedCard } from '../../../telegram/outgoing/notifier.ts';
import { answerButtons, approvalNote, waitingNote } from '../confirm/approval-card.ts';
import { approvalTexts } from '../confirm/approval-texts.ts';
import { draftLimitNote } from '../confirm/limited-card.ts';
import { cardOf, LISTED, shown } from '../kinds/cards.ts';
import { paceLines } from '../schedule/pace-card.ts';
import { openingOffer, sendLater, whenButton, whenLines } from '../schedule/when-card.ts';
import { texts } from '../texts.ts';
import { authored, secondsOf } from './author-card.ts';
import { priceNote, priceOnButton } from './price-card.ts';
import {
  addButton,
  blockedLines,
  lacksNote,
  listed,
  templateButton,
  templateNote,
  twinNote,
} from './warning-card.ts';

/** So many buttons side by side keep their labels on one line on a phone. */
const PHONE_ROW = 3;

type Draft = Omit<CardView, 'timeZone'>;

/**
 * A draft that is open or waits for a second person: what would leave, by which way, to whom, and the buttons to
 * change or confirm it.
 */
export function renderDraft(view: Draft, format: Format, now: Date): RenderedCard {
  const { draft } = view;
  const t = texts(draft.lang);
  const { outgoing, repeated, invalid } = draft;
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
    ...blockedLines(draft, format),
    ...invalid.slice(0, LISTED).map((item) => t.invalidItem(clip(item.raw, 40), t.why(item.reason))),
    invalid.length > LISTED && t.more(format.number(invalid.length - LISTED)),
    textDoubt(draft),
    templateNote(view),
    whenLines(draft, format, now),
    paceLines(draft, draft.sendAt ?? now, format),
    total(view, format),
    limitLines(view, format),
    lacksNote(view, format.locale),
    twinNote(view, format),
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
    leaves && paceLines(draft, draft.sendAt ?? now, format),
    leaves && total(view, format),
    leaves && limitLines(view, format),
    leaves && lacksNote(view, format.locale),
    leaves && twinNote(view, format),
    leaves && (isAsked ? waitingNote(view, format) : approvalNote(view, format)),
  );
  const closer = lookButtons(frame, leaves && !isAsked && toMe(draft));
  const back = [panelButton(draft, texts(draft.lang).back, null)];
  if (draft.panel === 'look' && closer.length > 0) return { content, buttons: [...closer, back] };
  const looks = closer.length > 0 && panelButton(draft, texts(draft.lang).look, 'look');
  if (isAsked) return { content, buttons: [...askedButtons(view, format), [looks]] };
  if (bulk.step !== 'review') return { content, buttons: [...bulkButtons(frame), [cancelButton(draft)]] };
  if (draft.panel === 'edit') return { content, buttons: [...editButtons(frame), back] };
  return {
    content,
    buttons: [
      leaves ? waysOut(view, format, now) : [],
      [leaves && draft.undoOf?.rowsGone !== true && addButton(view)],
      ...bulkButtons(frame),
      [leaves && whenButton(draft, author), panelButton(draft, texts(draft.lang).reopen, 'edit'), looks],
      [cancelButton(draft)],
    ],
  };
}

/** Leads to other buttons of the card; to those that change it only its author. */
function panelButton(draft: DraftView, label: string, panel: Panel): ActionButton {
  const { personId } = authored(draft).look;
  return draftActions.panel.button(
    label,
    { draftId: draft.id, panel },
    panel === 'edit' && personId !== undefined ? { personId } : {},
  );
}

function audience(draft: DraftView, format: Format): Html {
  const t = texts(draft.lang);
  const { outgoing, repeated, blocked, invalid } = draft;
  const kind = cardOf(outgoing);
  const good = messageCount(draft);
  const leftOut = blocked?.length ?? 0;
  const all = good + repeated.length + leftOut + invalid.length;
  const rest: readonly (readonly [Counted, number])[] = [
    ['repeated', repeated.length],
    ['blacklisted', leftOut],
    ['invalid', invalid.length],
  ];
  const counted = t.audience(
    format.count(all, kind.countsMessages ? t.messages : t.numbers),
    format.number(good),
    rest.flatMap(([what, count]) => (count === 0 ? [] : [countOf(what, count, format)])),
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
    messageCount(draft) === 0 ? [] : waysOut(view, format, now),
    [addButton(view), templateButton(view)],
    edits.slice(0, PHONE_ROW),
    [...edits.slice(PHONE_ROW), changes.text && toMe(draft), cancelButton(draft)],
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
    [draftActions.reopen.button(t.reopen, payload, look), cancelButton(draft)],
  ];
}

/** What in a text was perhaps not meant as text: a recipient at its beginning or behind a name, another command, fields; a file brings its numbers itself. */
function textDoubt({ outgoing, text, recipients, lang }: DraftView): Html | null {
  const t = texts(lang);
  if (fileOf(outgoing) !== null) return null;
  const slip = slipAtStart(text);
  if (slip !== null) return t.slipInText(clip(slip.raw, 40), t.why(slip.reason));
  const within = numbersWithin(text);
  const listed = within?.isListed === true ? within.numbers : '';
  if (parseRecipients(listed).recipients.some((each) => !recipients.includes(each)))
    return t.numberInText(clip(listed, 40));
  const command = commandLineIn(text);
  return command === null ? fieldsStay(lang, text) : t.commandInText(clip(command, 40));
}

/** A message to its author alone. */
function toMe(draft: DraftView): ActionButton {
  const { payload, look } = authored(draft);
  return draftActions.test.button(texts(draft.lang).toMe, payload, look);
}

function cancelButton(draft: DraftView): ActionButton {
  const { payload, look } = authored(draft);
  return draftActions.cancel.button(texts(draft.lang).cancel, payload, look);
}

/** What a limit of the chat forbids now, and when it would do so no longer. */
function limitLines(view: Draft, format: Format): Html | null {
  const { judged } = view;
  if (judged === undefined) return null;
  const note = draftLimitNote(view, judged, format);
  return note === null ? null : lines(note, offerOf(view, format)?.said);
}

/** The next time at which the hours of the chat and its lines let it leave, where they do not now. */
function offerOf(view: Draft, format: Format): ReturnType<typeof openingOffer> {
  const { verdict, leavesAt } = view.judged ?? {};
  return verdict?.kind === 'window' && leavesAt !== undefined
    ? openingOffer(view, verdict.all, leavesAt, format)
    : null;
}

/** Outside of the hours only a time at which they are open is offered: any other press would be refused. */
function waysOut(view: Draft, format: Format, now: Date): Buttons[number] {
  const offer = offerOf(view, format);
  return offer === null ? [wayOut(view, format, now)] : [offer.button];
}

/** What brings an open draft on its way: its author's own yes, the question for another's, or nothing. */
export function wayOut(view: Draft, format: Format, now: Date): ActionButton | null {
  const { draft, approval } = view;
  const t = texts(draft.lang);
  const { payload: version, look } = authored(draft);
  if (approval.need !== null)
    return approval.by.length === 0
      ? null
      : draftActions.ask.button(approvalTexts(draft.lang).ask, version, look);
  const parts = partsOf(draft);
  const count = format.number(messageCount(draft));
  const { amount, style, payload } = priceOnButton(view, format);
  const atOnce =
    parts === null ? t.sendPattern(count) : t.send(count, amount ?? format.count(parts, t.parts));
  const label = sendLater(draft, count, format, now) ?? atOnce;
  // A press that a limit would refuse, or that a warning stands against, is not the one that stands out.
  const isPlain = [
    limitLines(view, format),
    view.lacks,
    textDoubt(draft),
    view.twin,
    templateNote(view),
  ].every((each) => each === null);
  const colour = isPlain ? { style } : {};
  return draftActions.confirm.button(label, { ...version, ...payload }, { ...look, ...colour });
}
