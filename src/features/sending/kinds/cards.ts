import type { Bulk } from '../../../domain/bulk.ts';
import type { BookSend } from '../../../domain/kinds/book.ts';
import type { FutureSend } from '../../../domain/kinds/future.ts';
import type { Outgoing, OutgoingKind } from '../../../domain/kinds/index.ts';
import type { MultiSend, OutgoingRow } from '../../../domain/kinds/kind.ts';
import type { PatternSend } from '../../../domain/kinds/pattern.ts';
import { measureMessage } from '../../../domain/message.ts';
import { RIGHT, type Format } from '../../../i18n/format.ts';
import type { DraftView, JobView } from '../../../ports/stores.ts';
import { clip, html, lines, quote, type Html } from '../../../telegram/html.ts';
import { fileLine, leftOut } from '../bulk/bulk-card.ts';
import { texts } from '../texts.ts';

/** A draft, and how it leaves. */
interface Shown<O> {
  readonly draft: DraftView;
  readonly outgoing: O;
  readonly format: Format;
}

/** What the author of a draft may change by its buttons. */
interface Changes {
  readonly text: boolean;
  readonly line: boolean;
  readonly flash: boolean;
}

/** How a kind of send is shown: one for each, and no other card asks for a kind by its name. */
interface KindCard<O> {
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
}

/** So many of a list are shown. */
export const LISTED = 8;
const TEXT_UNITS = 1500;
const EXCERPT_UNITS = 200;
const TITLE_UNITS = 100;

/** What the kinds have in common whose recipients all get one text. */
const ONE_TEXT: KindCard<unknown> = {
  countsMessages: false,
  changes: () => ({ text: true, line: true, flash: true }),
  head: ({ draft: { lang, code, line, flash } }) => texts(lang).draft(code, line, flash),
  body: ({ draft, format }) => measured(draft, format),
  audience: ({ draft, format }, counted) =>
    lines(counted, draft.recipients.length > 0 && firstRecipients(draft, format)),
  note: () => false,
  excerpt: ({ draft }) => quoted(draft.text),
  standing: () => false,
  looksLater: false,
};

const MULTI: KindCard<MultiSend> = {
  ...ONE_TEXT,
  countsMessages: true,
  changes: () => ({ text: false, line: false, flash: false }),
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

const PATTERN: KindCard<PatternSend> = {
  ...ONE_TEXT,
  // A call to one recipient alone has no kind of display.
  changes: ({ perCall }) => ({ text: false, line: true, flash: perCall > 1 }),
  head: (shown) => lines(ONE_TEXT.head(shown), texts(shown.draft.lang).pattern(shown.outgoing.patternId)),
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

const FUTURE: KindCard<FutureSend> = {
  ...ONE_TEXT,
  // The call that names a time has no kind of display, and the time is the gateway's to keep.
  changes: () => ({ text: true, line: true, flash: false }),
  head: (shown) => lines(ONE_TEXT.head(shown), time(shown)),
  note: ({ draft: { lang } }) => texts(lang).atNote,
  excerpt: (shown) => lines(time(shown), quoted(shown.draft.text)),
  standing: ({ draft: { lang }, outgoing: { at } }, { counts }, now) =>
    counts.accepted > 0 && now.getTime() < at * 1000 && texts(lang).kept,
  looksLater: true,
};

const BOOK: KindCard<BookSend> = {
  ...ONE_TEXT,
  head: (shown) => lines(ONE_TEXT.head(shown), title(shown)),
  audience: ({ draft, outgoing: { way }, format }, counted) => {
    const t = texts(draft.lang);
    return lines(way === 'call' ? t.bookCall : t.bookExpanded, counted, firstRecipients(draft, format));
  },
  excerpt: (shown) => lines(title(shown), quoted(shown.draft.text)),
};

const BULK: KindCard<Bulk> = {
  ...ONE_TEXT,
  // Each row is one, on every card of it.
  countsMessages: true,
  excerpt: ({ draft, outgoing, format }) => lines(fileLine(outgoing, format), quoted(draft.text)),
  standing: ({ outgoing, format }) => leftOut(outgoing, format),
};

type KindCards = { readonly [K in OutgoingKind]: KindCard<Extract<Outgoing, { kind: K }>> };

const CARDS: KindCards = {
  text: ONE_TEXT,
  multi: MULTI,
  pattern: PATTERN,
  future: FUTURE,
  book: BOOK,
  bulk: BULK,
};

/** How the kind of a send is shown. */
export function cardOf<O extends Outgoing>({ kind }: O): KindCard<O> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has the card of what has that name
  return CARDS[kind] as unknown as KindCard<O>;
}

/** What the card of a kind is made from. */
export function shown(draft: DraftView, format: Format): Shown<Outgoing> {
  return { draft, outgoing: draft.outgoing, format };
}

/** A text in part. */
function quoted(text: string): Html {
  return quote(clip(text, EXCERPT_UNITS));
}

/** The first of several recipients. */
function firstRecipients({ recipients: all }: Pick<DraftView, 'recipients'>, format: Format): Html {
  const first = all.slice(0, 5).map((recipient) => format.phone(recipient));
  // Numbers alone would begin on the left.
  const side = format.locale === 'fa' ? RIGHT : '';
  return html`${side}${first.join(' ')}${all.length > first.length ? ' …' : ''}`;
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

function rowLine({ line, recipient, text, flash }: OutgoingRow, format: Format): Html {
  return texts(format.locale).row(line, format.phone(recipient), clip(text, 120), flash);
}

function time({ draft: { lang }, outgoing: { at }, format }: Shown<FutureSend>): Html {
  return texts(lang).at(format.dateTime(new Date(at * 1000)));
}

function title({ draft: { lang }, outgoing }: Shown<BookSend>): Html {
  return texts(lang).book(clip(outgoing.title, TITLE_UNITS));
}
