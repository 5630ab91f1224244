import type { WaitingSend } from '../../../ports/schedule.ts';
import type { Stores } from '../../../storage/stores.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import { joinHtml, lines, type Html } from '../../../telegram/html.ts';
import { defineList } from '../../../telegram/list.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { ruleText } from '../../shared/rule-texts.ts';
import { waitingActions } from '../actions.ts';
import { paceText } from './pace-card.ts';
import { texts } from './texts.ts';

const PER_PAGE = 5;

/** Declares the list of what waits in the chat, soonest first, with what can be done about each. */
export function waitingList(schedule: Pick<Stores['schedule'], 'waiting'>) {
  return defineList({
    pages: waitingActions.page,
    source: async ({ chat }, { page }) => {
      const found = await schedule.waiting(chat.id, { skip: (page - 1) * PER_PAGE, limit: PER_PAGE });
      return { ...found, page, pages: Math.ceil(found.all / PER_PAGE) };
    },
    card: (ctx, { sends, all, page }) => {
      const t = texts(ctx.locale);
      if (sends.length === 0) return { content: t.none };
      const rows = sends.map((send) => row(ctx, send));
      return {
        content: lines(t.head(ctx.format.count(all, t.sends)), joinHtml(rows, '\n\n')),
        rowButtons: sends.map((send) => buttonsOf(ctx, send, page)),
      };
    },
  });
}

function row({ locale, format }: RequestContext, send: WaitingSend): Html {
  const t = texts(locale);
  const say = send.state === 'missed' ? t.missedRow : t.row;
  return lines(
    say(format.dateTime(send.at), send.code, format.count(send.messages, t.messages), send.authorName),
    send.recur !== null && t.repeats(ruleText(send.recur, format)),
    send.pace !== null && paceText(send.pace, format),
    send.change !== null && t.changing(send.change),
    send.priceRial !== null && t.price(format.rial(send.priceRial)),
  );
}

function buttonsOf(
  { locale }: RequestContext,
  { jobId, code, state }: WaitingSend,
  page: number,
): ActionButton[] {
  const t = texts(locale);
  const { show, now, edit, time, cancel } = waitingActions;
  const send = { jobId, page };
  return [
    show.button(t.show(code), send),
    ...(state === 'missed' ? [now.button(t.sendNow(code), send)] : []),
    edit.button(t.edit(code), send),
    time.button(t.time(code), send, { reusable: true }),
    cancel.button(t.cancel(code), send),
  ];
}
