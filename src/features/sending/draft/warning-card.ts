import { messageCount } from '../../../domain/outgoing.ts';
import type { Locale } from '../../../i18n/define.ts';
import type { Format } from '../../../i18n/format.ts';
import type { CardView, DraftView } from '../../../ports/stores.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import type { Html } from '../../../telegram/html.ts';
import { lineRuleTexts } from '../../shared/line-rule-texts.ts';
import { draftActions } from '../actions.ts';
import { cardOf, LISTED } from '../kinds/cards.ts';
import { texts } from '../texts.ts';
import { authored } from './author-card.ts';

/** That a text does not say what its line would have it say; null where it does, or nobody wants it to. */
export function lacksNote({ lacks }: Pick<CardView, 'lacks'>, locale: Locale): Html | null {
  return lacks === null ? null : lineRuleTexts(locale).lacks(lacks.phrase, lacks.line);
}

/** That the same goes, or went, to the same people already; null where nothing does. */
export function twinNote({ draft, twin }: Pick<CardView, 'draft' | 'twin'>, format: Format): Html | null {
  if (twin === null) return null;
  return texts(draft.lang).twin(twin.code, twin.at === null ? null : format.dateTime(twin.at));
}

/** That a template is called what the text says; null where none is, or another text cannot be taken. */
export function templateNote({ draft, template }: Pick<CardView, 'draft' | 'template'>): Html | null {
  return template === null || !takesText(draft) ? null : texts(draft.lang).templateThere(template);
}

/** Takes its text. */
export function templateButton({
  draft,
  template,
}: Pick<CardView, 'draft' | 'template'>): ActionButton | null {
  if (template === null || !takesText(draft)) return null;
  const { payload, look } = authored(draft);
  return draftActions.template.button(
    texts(draft.lang).useTemplate(template),
    { ...payload, name: template },
    look,
  );
}

/** Adds it, in a line of its own; null where there is nothing to add, or no one text to add it to. */
export function addButton({ draft, lacks }: Pick<CardView, 'draft' | 'lacks'>): ActionButton | null {
  if (lacks === null || !takesText(draft)) return null;
  const { payload, look } = authored(draft);
  const { phrase } = lacks;
  return draftActions.add.button(lineRuleTexts(draft.lang).add(phrase), { ...payload, phrase }, look);
}

/**
 * Names who is left out of what a person is asked to confirm, since the blacklist of the line has them. Where each message has a
 * line of its own it is named: another one may still write to the same number. Of which lines that is not known is said too.
 */
export function blockedLines(draft: DraftView, format: Format): (Html | false)[] {
  const t = texts(draft.lang);
  // Several messages from one line to one number are one entry of its list.
  const blocked = new Map(draft.blocked?.map((each) => [`${each.line} ${each.recipient}`, each])).values();
  const found = [...blocked];
  const untold = Map.groupBy((draft.blocked && draft.untold) ?? [], ({ isNone }) => isNone);
  const hasLines = cardOf(draft.outgoing).countsMessages;
  const byLine = Map.groupBy(found.slice(0, LISTED), ({ line }) => (hasLines ? line : null));
  return [
    ...[...byLine].map(([line, some]) =>
      t.blockedLine(
        listed(
          some.map(({ recipient }) => recipient),
          format,
        ),
        line,
      ),
    ),
    found.length > LISTED && t.more(format.number(found.length - LISTED)),
    ...[...untold].map(([isNone, some]) => {
      const from = some.slice(0, LISTED).map(({ line }) => line);
      return t.untoldLines(from, isNone);
    }),
    messageCount(draft) === 0 && t.nobody,
  ];
}

function takesText({ outgoing }: DraftView): boolean {
  return cardOf(outgoing).changes(outgoing).text;
}

/** Gives the first of some numbers. */
export function listed(numbers: readonly string[], format: Format): string {
  return format.list(numbers.slice(0, LISTED).map((number) => format.phone(number)));
}
