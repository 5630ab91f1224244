import type { ScheduleStore, WaitingSend } from '../../../ports/schedule.ts';
import type { ActionButton, Buttons } from '../../../telegram/buttons.ts';
import { joinHtml, lines, type Html } from '../../../telegram/html.ts';
import { pageButtons } from '../../../telegram/pages.ts';
import { ruleText } from '../../../telegram/rule-texts.ts';
import type { Turn } from '../../../telegram/turn.ts';
import { waitingActions } from '../actions.ts';
import { texts } from './texts.ts';

const PER_PAGE = 5;

/** One page of what waits in the chat, soonest first, with what can be done about each. */
export async function waitingCard(
  turn: Turn,
  schedule: Pick<ScheduleStore, 'waiting'>,
  wanted: number,
): Promise<{ readonly content: Html; readonly buttons: Buttons }> {
  const t = texts(turn.locale);
  const read = async (page: number) =>
    await schedule.waiting(turn.chat.id, { skip: (page - 1) * PER_PAGE, limit: PER_PAGE });
  let page = wanted;
  let { sends, all } = await read(page);
  const pages = Math.max(1, Math.ceil(all / PER_PAGE));
  if (page > pages) {
    // What was on it is gone.
    page = pages;
    ({ sends, all } = await read(page));
  }
  if (sends.length === 0) return { content: t.none, buttons: [] };
  return {
    content: lines(
      t.head(turn.format.count(all, t.sends)),
      joinHtml(
        sends.map((send) => row(turn, send)),
        '\n\n',
      ),
    ),
    buttons: [
      ...sends.map((send) => buttonsOf(turn, send, page)),
      pageButtons(turn, {
        page,
        pages,
        button: (label, to) => waitingActions.page.button(label, { page: to }),
      }),
    ],
  };
}

function row({ locale, format }: Turn, send: WaitingSend): Html {
  const t = texts(locale);
  const say = send.state === 'missed' ? t.missedRow : t.row;
  return lines(
    say(format.dateTime(send.at), send.code, format.count(send.messages, t.messages), send.authorName),
    send.recur !== null && t.repeats(ruleText(send.recur, format)),
    send.change !== null && t.changing(send.change),
    send.priceRial !== null && t.price(format.rial(send.priceRial)),
  );
}

function buttonsOf({ locale }: Turn, { jobId, code, state }: WaitingSend, page: number): ActionButton[] {
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
