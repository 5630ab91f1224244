import { readTemplate } from '../../domain/merge.ts';
import { measureMessage } from '../../domain/message.ts';
import type { Template } from '../../ports/templates.ts';
import type { Stores } from '../../storage/stores.ts';
import { clip, clipLine, fitBlocks, lines, MESSAGE_BUDGET, type Html } from '../../telegram/html.ts';
import { defineList, type ListCard } from '../../telegram/list.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { templateActions } from './actions.ts';
import { texts } from './texts.ts';

const PAGE = 6;
const SHOWN_UNITS = 160;
const NAME_UNITS = 32;
const MAX_FIELDS = 8;
const HINT_UNITS = 250;

/** Declares the list of a chat's templates. */
export function templateList(store: Pick<Stores['templates'], 'list'>) {
  return defineList({
    pages: templateActions.page,
    source: async ({ chat }, { page }) => {
      const found = await store.list(chat.id, { skip: (page - 1) * PAGE, limit: PAGE });
      return { ...found, page, pages: Math.ceil(found.all / PAGE) };
    },
    card: (ctx, { templates, all, page }) => {
      const t = texts(ctx.locale);
      if (templates.length === 0 && page === 1) return { content: t.none };
      const rows = templates.map(({ name, text }) => t.row(name, clipLine(text, SHOWN_UNITS)));
      const { shown } = fitBlocks(rows, MESSAGE_BUDGET - HINT_UNITS);
      return {
        content: lines(t.head(ctx.format.count(all, t.templates)), shown, t.hint),
        rowButtons: templates.map(({ id, name }) => [
          templateActions.use.button(t.useOne(name), { id }),
          templateActions.askRemove.button(t.removeOne, { id }),
        ]),
      };
    },
  });
}

/** A template in full, under what has just become of it. */
export function templateCard(ctx: RequestContext, template: Template, head?: Html): ListCard {
  const t = texts(ctx.locale);
  const { format } = ctx;
  const { id, name, text, isForAnswers, savedBy, savedAt } = template;
  const { characters, parts } = measureMessage(text);
  const fields = readTemplate(text, []).unknown.map((field) => clip(field.name, NAME_UNITS));
  const more = fields.length - MAX_FIELDS;
  return {
    content: lines(
      head,
      t.card(name, text),
      fields.length === 0
        ? t.measure(format.count(characters, t.characters), format.count(parts, t.parts))
        : t.fields(fields.slice(0, MAX_FIELDS), more > 0 ? format.number(more) : null),
      t.savedBy(
        clip(savedBy.name === '' ? String(savedBy.id) : savedBy.name, NAME_UNITS),
        format.date(savedAt),
      ),
    ),
    buttons: [
      [templateActions.use.button(t.use, { id }), templateActions.askRemove.button(t.remove, { id })],
      [templateActions.answers.button(t.answers(isForAnswers), { id, isOn: !isForAnswers })],
    ],
  };
}
