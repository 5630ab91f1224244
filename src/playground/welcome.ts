import { parseHtml, type ParsedText } from './text/entities-html.ts';

/** A card for newcomers: what the bot is and what to do first. Texts but the title are HTML as the Bot API has it. */
export interface Welcome {
  title: string;
  about: string;
  steps: readonly string[];
}

export interface ShownWelcome {
  title: string;
  about: ParsedText;
  steps: ParsedText[];
}

/** Makes of HTML what the page shows. Throws MarkupError. */
export function shownWelcome({ title, about, steps }: Welcome): ShownWelcome {
  return { title, about: parseHtml(about), steps: steps.map(parseHtml) };
}
