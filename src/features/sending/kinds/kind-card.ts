import { measureMessage } from '../../../domain/message.ts';
import { RIGHT, type Format } from '../../../i18n/format.ts';
import type { DraftView, JobView } from '../../../ports/stores.ts';
import { clip, html, lines, quote, type Html } from '../../../telegram/html.ts';
import { texts } from '../texts.ts';

/** A draft, and how it leaves. */
export interface Shown<O> {
  readonly draft: DraftView;
  readonly outgoing: O;
  readonly format: Format;
}

/** What the author of a draft may change by its buttons. */
export interface Changes {
  readonly text: boolean;
  readonly line: boolean;
  readonly flash: boolean;
  /** Peyk itself can keep it until a time. */
  readonly time: boolean;
}

/** How a kind of send is shown: one module for each, and no card asks for a kind by its name. */
export interface KindCard<O> {
  /** Messages are counted, not recipients: one of them may get several. */
  readonly countsMessages: boolean;
  readonly changes: (outgoing: O) => Changes;
  /** What a draft's card begins with. */
  readonly head: (shown: Shown<O>) => Html;
  /** What the messages say. */
  readonly body: (shown: Shown<O>) => readonly Html[];
  /** To whom, around the count of them. */
  readonly audience: (shown: Shown<O>, counted: Html) => Html;
  /** Below the price of a draft. */
  readonly note: (shown: Shown<O>) => Html | false;
  /** Enough of what leaves to know it again. */
  readonly excerpt: (shown: Shown<O>) => Html;
  /** Of a job that has begun: what else there is to say. */
  readonly standing: (shown: Shown<O>, job: JobView, now: Date) => Html | false;
  /** The outcome of a call is looked for later than at once. */
  readonly looksLater: boolean;
  /** A text that is typed for it is filled from columns, so that what stands in braces is left as it is. */
  readonly fillsText: boolean;
}

export const LISTED = 8;
const TEXT_UNITS = 1500;
const EXCERPT_UNITS = 200;

/** What the kinds have in common whose recipients all get one text. */
export function textCard<O>(): KindCard<O> {
  return {
    countsMessages: false,
    changes: () => ({ text: true, line: true, flash: true, time: true }),
    head: ({ draft: { lang, code, line, flash } }) => texts(lang).draft(code, line, flash),
    body: ({ draft, format }) => measured(draft, format),
    audience: ({ draft, format }, counted) => lines(counted, firstRecipients(draft, format)),
    note: () => false,
    excerpt: ({ draft }) => quoted(draft.text),
    standing: () => false,
    looksLater: false,
    fillsText: false,
  };
}

/** A text in part. */
export function quoted(text: string): Html {
  return quote(clip(text, EXCERPT_UNITS));
}

/** The first of several recipients. */
export function firstRecipients({ recipients: all }: Pick<DraftView, 'recipients'>, format: Format): Html {
  const shown = all.slice(0, 5).map((recipient) => format.phone(recipient));
  // Numbers alone would begin on the left.
  const side = format.locale === 'fa' ? RIGHT : '';
  return html`${side}${shown.join(' ')}${all.length > shown.length ? ' …' : ''}`;
}

function measured({ lang, text }: DraftView, format: Format): Html[] {
  const t = texts(lang);
  const measure = measureMessage(text);
  return [
    quote(clip(text, TEXT_UNITS), { expandable: text.length > 300 }),
    t.measure(
      format.count(measure.characters, t.characters),
      t.encodings[measure.encoding],
      format.count(measure.parts, t.parts),
    ),
  ];
}
