import type { InboundView } from '../../ports/inbound.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { isolateAuto } from '../../i18n/format.ts';
import { handlingOf } from '../../domain/talk.ts';
import { clip, html, lines, type Html } from '../../telegram/html.ts';
import { defineList } from '../../telegram/list.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { inboxActions } from './actions.ts';
import { deskTexts } from './desk-texts.ts';
import { entryHead } from './find-card.ts';
import { receivedText } from './inbound-card.ts';
import { inboundTexts } from './inbound-texts.ts';

export type DeskView = 'mine' | 'unanswered';

export interface DeskDeps {
  readonly inbound: Pick<Stores['inbound'], 'open'>;
}

/** Their buttons fit into one row. */
const PAGE = 4;
const TEXT_UNITS = 300;

/** Declares the list of correspondents who wait: the newest message of each, with a button that answers it. */
export function deskList({ inbound }: DeskDeps) {
  return defineList({
    pages: inboxActions.desk,
    source: async ({ chat, person }, { view, line, page }) => {
      const takenBy = view === 'mine' ? person.id : null;
      const found = await inbound.open(chat.id, { takenBy, line, skip: (page - 1) * PAGE, most: PAGE });
      return { ...found, page, pages: Math.ceil(found.total / PAGE) };
    },
    card: (ctx, { found, total }, { view, line }) => {
      const t = deskTexts(ctx.locale);
      const head = t.head(view, line, ctx.format.count(total, t.people));
      const rows = found.map((each) => entryOf(ctx, each));
      return {
        content: found.length === 0 ? t.empty(view, line) : lines(head, ...rows),
        rowButtons: [
          found.map(({ id }) => ctx.can('inbox.reply') && inboxActions.reply.button(`↩️ in${id}`, { id })),
        ],
        buttons: [
          [...deskButtons(ctx, line, view), inboxActions.page.button(t.all, { view: 'all', line, page: 1 })],
        ],
      };
    },
  });
}

/** What opens the lists of the desk, but for the one that is open. */
export function deskButtons(
  { locale }: Pick<RequestContext, 'locale'>,
  line: string | null,
  open: DeskView | null = null,
): Buttons[number] {
  const t = deskTexts(locale);
  const views = ['unanswered', 'mine'] as const;
  return views
    .filter((view) => view !== open)
    .map((view) => inboxActions.desk.button(t.views[view], { view, line, page: 1 }));
}

function entryOf(ctx: RequestContext, message: InboundView): Html {
  const { locale, format } = ctx;
  const { takenBy } = handlingOf(message.talk, message.capturedAt);
  const text = message.text.trim() === '' ? message.text : clip(message.text, TEXT_UNITS);
  return lines(
    entryHead(ctx, message),
    receivedText(text, TEXT_UNITS, format),
    takenBy !== null && inboundTexts(locale).takenBy(html`${isolateAuto(takenBy.name)}`),
  );
}
