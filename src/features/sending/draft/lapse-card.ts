import { createFormat, type Format } from '../../../i18n/format.ts';
import type { CardView, DraftStore, DraftView } from '../../../ports/stores.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import type { Notifier } from '../../../telegram/outgoing/notifier.ts';
import { approvalNote } from '../confirm/approval-card.ts';
import { approvalTexts } from '../confirm/approval-texts.ts';
import { whenTexts } from '../schedule/when-texts.ts';
import { texts } from '../texts.ts';
import { againButton, callAuthor } from './author-card.ts';

/** Below a draft that changes a scheduled send: what holds until it is confirmed; false for any other. */
export function changeNote({ lang, replaces }: DraftView, timeZone: string): Html | false {
  if (replaces === undefined) return false;
  const when = stays(replaces, createFormat(lang, timeZone));
  return when !== undefined && whenTexts(lang).changes(replaces.code, when);
}

/** Below one that is over: that what it was to change stays; false for any other. */
export function staysNote({ lang, replaces }: DraftView, timeZone: string): Html | false {
  if (replaces === undefined) return false;
  const when = stays(replaces, createFormat(lang, timeZone));
  return when !== undefined && whenTexts(lang).stays(replaces.code, when);
}

/** Below one that is over and was to leave in a series that nobody has ended: it ends with it. False for any other. */
export function seriesNote({ lang, recur, slot, replaces, backAs }: DraftView): Html | false {
  const goesOn = [replaces, backAs].some((each) => each !== undefined);
  return recur !== null && slot !== undefined && !goesOn && whenTexts(lang).seriesOver;
}

/**
 * Says in the chat that a change of a scheduled send is over, and what holds now; or that nobody has approved in time, or may
 * approve it any more; or that a series is over with one that nobody confirmed. Nothing for any other draft: who prepares one looks at its card.
 */
export function createLapse({
  drafts,
  notifier,
  timeZone,
}: {
  readonly drafts: Pick<DraftStore, 'card'>;
  readonly notifier: Pick<Notifier, 'tell'>;
  /** Of chats that have none of their own. */
  readonly timeZone: string;
}) {
  return async (draftId: string): Promise<void> => {
    const view = await drafts.card(draftId);
    if (view === null || view.draft.restored === true) return;
    const { draft, place } = view;
    const zone = view.timeZone ?? timeZone;
    const isOver = draft.state === 'cancelled' || draft.expired;
    const said = isOver ? lapseText(draft, zone) : stuckText(view, zone);
    if (said === null) return;
    const { chatId, lang: locale } = draft;
    await notifier.tell(place, {
      chatId,
      locale,
      content: callAuthor(view, said),
      buttons: [[againButton(view)]],
    });
  };
}

type Replaced = NonNullable<DraftView['replaces']>;

const LEFT: ReadonlySet<string> = new Set(['running', 'paused', 'done', 'stopped']);

function lapseText(draft: DraftView, timeZone: string): Html | null {
  const { lang, code, replaces, state, authorName } = draft;
  const t = whenTexts(lang);
  if (replaces === undefined) {
    const series = seriesNote(draft);
    if (state === 'asked') return lines(approvalTexts(lang).expired(code, authorName), series);
    return series === false ? null : lines(texts(lang).expired(code), series);
  }
  const still = staysNote(draft, timeZone);
  if (still !== false) return lines(t.lapsed(code), still);
  const hasLeft = LEFT.has(replaces.state ?? '');
  return hasLeft ? t.overtaken(code, replaces.code) : t.changeVoid(code, replaces.code);
}

/** That nobody may approve what was asked for, and what to do; null where somebody may. */
function stuckText(view: CardView, timeZone: string): Html | null {
  const { draft, approval } = view;
  if (draft.state !== 'asked' || approval.by.length > 0) return null;
  return lines(
    approvalTexts(draft.lang).stuck(draft.code),
    approvalNote(view, createFormat(draft.lang, timeZone)) ?? approvalTexts(draft.lang).freed,
  );
}

/** When it leaves as it is; null: it was missed, and asks; undefined: it waits no longer. */
function stays({ state, at }: Replaced, format: Format): string | null | undefined {
  if (state === 'scheduled' && at !== null) return format.dateTime(at);
  return state === 'missed' ? null : undefined;
}
