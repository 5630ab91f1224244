import type { CardView } from '../../../ports/stores.ts';
import type { Locale } from '../../../i18n/define.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import type { Html } from '../../../telegram/html.ts';
import { draftActions } from '../actions.ts';
import { lineRuleTexts } from '../../shared/line-rule-texts.ts';
import { cardOf } from '../kinds/cards.ts';
import { authored } from './author-card.ts';

/** That a text does not say what its line would have it say; null where it does, or nobody wants it to. */
export function lacksNote({ lacks }: Pick<CardView, 'lacks'>, locale: Locale): Html | null {
  return lacks === null ? null : lineRuleTexts(locale).lacks(lacks.phrase, lacks.line);
}

/** Adds it, in a line of its own; null where there is nothing to add, or no one text to add it to. */
export function addButton({ draft, lacks }: Pick<CardView, 'draft' | 'lacks'>): ActionButton | null {
  if (lacks === null || !cardOf(draft.outgoing).changes(draft.outgoing).text) return null;
  const { payload, look } = authored(draft);
  const { phrase } = lacks;
  return draftActions.add.button(lineRuleTexts(draft.lang).add(phrase), { ...payload, phrase }, look);
}
