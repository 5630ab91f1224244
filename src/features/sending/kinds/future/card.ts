import type { FutureSend } from '../../../../domain/kinds/future.ts';
import { lines, type Html } from '../../../../telegram/html.ts';
import { texts } from '../../texts.ts';
import { quoted, textCard, type KindCard, type Shown } from '../kind-card.ts';

const card = textCard<FutureSend>();

export const futureCard: KindCard<FutureSend> = {
  ...card,
  // The call that names a time has no kind of display, and the time is the gateway's to keep.
  changes: () => ({ text: true, line: true, flash: false, time: false }),
  head: (shown) => lines(card.head(shown), time(shown)),
  note: ({ draft: { lang } }) => texts(lang).atNote,
  excerpt: (shown) => lines(time(shown), quoted(shown.draft.text)),
  standing: ({ draft: { lang }, outgoing: { at } }, { counts }, now) =>
    counts.accepted > 0 && now.getTime() < at * 1000 && texts(lang).kept,
  looksLater: true,
};

function time({ draft: { lang }, outgoing: { at }, format }: Shown<FutureSend>): Html {
  return texts(lang).at(format.dateTime(new Date(at * 1000)));
}
