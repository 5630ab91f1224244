import type { BookSend } from '../../../../domain/kinds/book.ts';
import { clip, lines, type Html } from '../../../../telegram/html.ts';
import { texts } from '../../texts.ts';
import { firstRecipients, quoted, textCard, type KindCard, type Shown } from '../kind-card.ts';

const TITLE_UNITS = 100;

const card = textCard<BookSend>();

export const bookCard: KindCard<BookSend> = {
  ...card,
  head: (shown) => lines(card.head(shown), title(shown)),
  audience: ({ draft, outgoing: { way }, format }, counted) => {
    const t = texts(draft.lang);
    return lines(way === 'call' ? t.bookCall : t.bookExpanded, counted, firstRecipients(draft, format));
  },
  excerpt: (shown) => lines(title(shown), quoted(shown.draft.text)),
};

function title({ draft: { lang }, outgoing }: Shown<BookSend>): Html {
  return texts(lang).book(clip(outgoing.title, TITLE_UNITS));
}
