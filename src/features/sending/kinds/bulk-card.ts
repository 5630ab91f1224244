import type { Bulk } from '../../../domain/bulk.ts';
import { lines } from '../../../telegram/html.ts';
import { fileLine, leftOut } from '../bulk/bulk-card.ts';
import { quoted, textCard, type KindCard } from './kind-card.ts';

export const bulkCard: KindCard<Bulk> = {
  ...textCard(),
  // Each row is one, on every card of it.
  countsMessages: true,
  excerpt: ({ draft, outgoing, format }) => lines(fileLine(outgoing, format), quoted(draft.text)),
  standing: ({ outgoing, format }) => leftOut(outgoing, format),
  fillsText: true,
};
