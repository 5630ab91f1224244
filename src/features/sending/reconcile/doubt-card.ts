import { kindOf } from '../../../domain/kinds/index.ts';
import type { Format } from '../../../i18n/format.ts';
import type { DraftView, JobView } from '../../../ports/stores.ts';
import type { Buttons } from '../../../telegram/buttons.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import { doubtActions } from '../actions.ts';
import { doubtTexts } from './doubt-texts.ts';

/** What a person has to decide about, with all that is known of it; nothing when there is no question. */
export function doubtLines({ lang }: DraftView, { asked, doubt }: JobView, format: Format): Html | false {
  if (asked === 0 || doubt === null) return false;
  const t = doubtTexts(lang);
  const say = doubt.listsAreWhole ? t.absent : t.undecided;
  return lines(
    say(format.number(asked), format.count(doubt.calls, t.calls)),
    doubt.found > 0 && t.found(format.number(doubt.found)),
    doubt.lookedAt !== null && t.looked(format.count(doubt.looks, t.times), format.time(doubt.lookedAt)),
  );
}

/** The answers to it. */
export function doubtButtons(
  { lang, outgoing }: DraftView,
  { id, asked, doubt }: JobView,
  format: Format,
): Buttons {
  if (asked === 0 || doubt === null) return [];
  const t = doubtTexts(lang);
  const question = { jobId: id, seen: doubt.seen.map(([from, to]): [number, number] => [from, to]) };
  const { settle, again, look, file } = doubtActions;
  return [
    [again.button(t.again(format.number(asked)), question)],
    [
      settle.button(t.wereSent, { ...question, sent: true }),
      settle.button(t.wereNotSent, { ...question, sent: false }),
    ],
    [
      // The lists cannot tell of a text that the gateway keeps.
      kindOf(outgoing).isListed && look.button(t.look, question),
      file.button(t.file(format.number(asked)), { jobId: id }),
    ],
  ];
}
