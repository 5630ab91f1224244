import type { MultiSend, OutgoingRow } from '../../../../domain/kinds/kind.ts';
import type { Format } from '../../../../i18n/format.ts';
import { clip, type Html } from '../../../../telegram/html.ts';
import { texts } from '../../texts.ts';
import { LISTED, quoted, textCard, type KindCard } from '../kind-card.ts';

export const multiCard: KindCard<MultiSend> = {
  ...textCard(),
  countsMessages: true,
  changes: () => ({ text: false, line: false, flash: false, time: true }),
  head: ({ draft: { lang, code }, outgoing: { rows } }) => {
    const from = [...new Set(rows.map(({ line }) => line))];
    const t = texts(lang);
    return t.draftMulti(code, t.fromLines(from.slice(0, 4)));
  },
  body: ({ draft, outgoing: { rows }, format }) => {
    const shown = rows.slice(0, LISTED).map((row) => rowLine(row, format));
    const more = rows.length - shown.length;
    return more > 0 ? [...shown, texts(draft.lang).more(format.number(more))] : shown;
  },
  // The rows name them.
  audience: (_shown, counted) => counted,
  excerpt: ({ outgoing: { rows } }) => quoted(rows.map(({ text }) => text).join(' / ')),
};

function rowLine({ line, recipient, text, flash }: OutgoingRow, format: Format): Html {
  return texts(format.locale).row(line, format.phone(recipient), clip(text, 120), flash);
}
