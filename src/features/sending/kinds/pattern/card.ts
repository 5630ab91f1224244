import type { PatternSend } from '../../../../domain/kinds/pattern.ts';
import { clip, lines, quote } from '../../../../telegram/html.ts';
import { texts } from '../../texts.ts';
import { LISTED, textCard, type KindCard } from '../kind-card.ts';

const card = textCard<PatternSend>();

export const patternCard: KindCard<PatternSend> = {
  ...card,
  // A call to one recipient alone has no kind of display.
  changes: ({ perCall }) => ({ text: false, line: true, flash: perCall > 1, time: true }),
  head: (shown) => lines(card.head(shown), texts(shown.draft.lang).pattern(shown.outgoing.patternId)),
  body: ({ draft: { lang }, outgoing: { variables }, format }) => {
    const t = texts(lang);
    const values = Object.entries(variables);
    if (values.length === 0) return [t.noVariables];
    const shown = values
      .slice(0, LISTED)
      .map(([name, value]) => t.variable(clip(name, 40), clip(value, 150)));
    const more = values.length - shown.length;
    return [quote(lines(...shown, more > 0 && t.more(format.number(more))))];
  },
  excerpt: ({ draft: { lang }, outgoing }) => texts(lang).pattern(outgoing.patternId),
};
