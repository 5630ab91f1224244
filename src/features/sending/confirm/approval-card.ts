import { messageCount, partsOf } from '../../../domain/outgoing.ts';
import type { Format } from '../../../i18n/format.ts';
import type { CardView } from '../../../ports/stores.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import { clip, lines, type Html } from '../../../telegram/html.ts';
import { draftActions } from '../actions.ts';
import { priceOnButton } from '../draft/price-card.ts';
import { texts } from '../texts.ts';
import { approvalTexts, type Needing } from './approval-texts.ts';
import { lineRuleTexts } from '../../shared/line-rule-texts.ts';

const NAME_UNITS = 64;

/** What an open draft needs of a second person before it can leave, and what to do where there is none. */
export function approvalNote(
  { draft, approval, place }: Pick<CardView, 'draft' | 'approval' | 'place'>,
  { locale, count }: Format,
): Html | null {
  const { need } = approval;
  if (need === null) return null;
  const t = approvalTexts(locale);
  const above = need.above === 0 ? null : count(need.above ?? 0, texts(locale).parts);
  const what: Needing = { words: need.words, ...(need.above === null ? {} : { above }) };
  // Telegram's ids of private chats are those of people, of all others below zero.
  const note =
    approval.by.length > 0 ? t.needed(what) : place.chatTelegramId > 0 ? t.alone(what) : t.nobody(what);
  return lines(
    note,
    need.words.length > 0 && lineRuleTexts(locale).changeIt,
    need.above !== null && partsOf(draft) === null && t.patternCounted,
  );
}

/** Below a draft that waits for a second person. */
export function waitingNote(view: Pick<CardView, 'draft' | 'approval' | 'place'>, format: Format): Html {
  const { approval } = view;
  const { locale } = format;
  const t = approvalTexts(locale);
  if (approval.by.length === 0)
    return approval.need === null ? t.freed : lines(approvalNote(view, format), t.decides);
  const names = approval.by.map(({ id, name }) => clip(name === '' ? String(id) : name, NAME_UNITS));
  const words = approval.need?.words ?? [];
  return lines(words.length > 0 && lineRuleTexts(locale).says(words), t.decides, t.approvers(names));
}

/** The two answers of a second person: for whoever may give them, until one has. */
export function answerButtons(
  view: Pick<CardView, 'draft' | 'gauge' | 'lacks' | 'approval'>,
  format: Format,
): ActionButton[] {
  const { draft, approval } = view;
  const { locale, number, count } = format;
  const t = approvalTexts(locale);
  const { amount, style, payload } = priceOnButton(view, format);
  const parts = partsOf(draft);
  const said = parts === null ? null : (amount ?? count(parts, texts(locale).parts));
  const version = { draftId: draft.id, version: draft.version };
  const look = { draft: { id: draft.id, version: draft.version } };
  const label = t.approve(number(messageCount(draft)), said);
  const words = [...(approval.need?.words ?? [])];
  return [
    draftActions.approve.button(label, { ...version, ...payload, words }, { ...look, style }),
    draftActions.reject.button(t.reject, version, look),
  ];
}
