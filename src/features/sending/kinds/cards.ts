import type { Outgoing, OutgoingKind } from '../../../domain/kinds/index.ts';
import type { Format } from '../../../i18n/format.ts';
import type { DraftView } from '../../../ports/stores.ts';
import { bookCard } from './book/card.ts';
import { bulkCard } from './bulk-card.ts';
import { futureCard } from './future/card.ts';
import { textCard, type KindCard, type Shown } from './kind-card.ts';
import { multiCard } from './multi/card.ts';
import { patternCard } from './pattern/card.ts';

type KindCards = { readonly [K in OutgoingKind]: KindCard<Extract<Outgoing, { kind: K }>> };

const CARDS: KindCards = {
  text: textCard(),
  multi: multiCard,
  pattern: patternCard,
  future: futureCard,
  book: bookCard,
  bulk: bulkCard,
};

/** How the kind of a send is shown. */
export function cardOf<O extends Outgoing>({ kind }: O): KindCard<O> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the module of each name is the one for what has that name
  return CARDS[kind] as unknown as KindCard<O>;
}

/** What a kind's module shows. */
export function shown(draft: DraftView, format: Format): Shown<Outgoing> {
  return { draft, outgoing: draft.outgoing, format };
}
