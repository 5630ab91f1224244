import {
  peopleTag,
  recordCount,
  SKIP_GROUPS,
  skippedRows,
  type Bulk,
  type BulkSummary,
  type SkipGroup,
} from '../../../domain/bulk.ts';
import { measureMessage } from '../../../domain/message.ts';
import { overHint } from '../../../domain/over-hint.ts';
import type { Format } from '../../../i18n/format.ts';
import type { DraftView, SampleRow } from '../../../ports/stores.ts';
import type { ActionButton } from '../../../telegram/buttons.ts';
import { clip, html, quote, type Html } from '../../../telegram/html.ts';
import { countLine, type Counted } from '../../shared/count-words.ts';
import { peopleTagTexts } from '../../shared/people-tag.ts';
import { bulkActions } from '../actions.ts';
import { texts } from '../texts.ts';
import { bulkTexts } from './bulk-texts.ts';

const TEXT_UNITS = 1200;
const VALUE_UNITS = 60;
const LENGTHS = 6;
const GROUPS: Readonly<Record<SkipGroup, Counted>> = {
  repeated: 'repeated',
  invalid: 'invalid',
  blocked: 'blacklisted',
  missing: 'empty_field',
  unfit: 'unfit',
};

/** What was counted of a file: who gets it, one message as it would leave, and what all of them take. */
export function countedLines(
  { text }: Pick<DraftView, 'text'>,
  sample: SampleRow | null,
  bulk: Bulk,
  format: Format,
): (Html | false)[] {
  const t = bulkTexts(format.locale);
  const { summary } = bulk;
  const isPeople = peopleTag(bulk) !== null;
  if (summary === null) return [];
  const rest = SKIP_GROUPS.flatMap((group) => {
    const rows = skippedRows(summary, group);
    return rows === 0 ? [] : [countLine(GROUPS[group], rows, format)];
  });
  return [
    texts(format.locale).audience(
      format.count(recordCount(bulk), isPeople ? peopleTagTexts(format.locale).people : t.rows),
      format.number(summary.recipients),
      rest,
    ),
    !summary.blockedIsKnown && summary.recipients > 0 && t.blockedUnknown,
    ...(sample === null ? [quoted(text)] : shown(sample, { summary, isPeople }, format)),
    distribution(summary, format),
    missing(bulk, summary, format),
    summary.recipients === 0 && bulk.onMissing.way !== 'stop' && t.nobody,
  ];
}

function shown(
  sample: SampleRow,
  { summary, isPeople }: { readonly summary: BulkSummary; readonly isPeople: boolean },
  format: Format,
): (Html | false)[] {
  // Where somebody stands among the people says nothing to anybody.
  const row = isPeople ? null : format.number(sample.row);
  const t = bulkTexts(format.locale);
  const general = texts(format.locale);
  const measure = measureMessage(sample.text);
  const hint = overHint(sample.text, measure);
  return [
    t.place(
      format.number(sample.index + 1),
      format.number(summary.recipients),
      row,
      format.phone(sample.recipient),
    ),
    quoted(sample.text),
    general.measure(
      format.count(measure.characters, general.characters),
      general.encodings[measure.encoding],
      format.count(measure.parts, general.parts),
    ),
    hint !== null &&
      t.hint(row, format.count(hint.over, general.characters), format.count(hint.afterwards, general.parts)),
  ];
}

/** How many messages take how many parts, where they are not all alike. */
function distribution({ lengths }: BulkSummary, format: Format): Html | false {
  const t = bulkTexts(format.locale);
  const general = texts(format.locale);
  const encodings = new Set(lengths.map(({ encoding }) => encoding));
  const alike = [...Map.groupBy(lengths, ({ encoding, parts }) => `${encoding} ${parts}`).values()]
    .flatMap((same) => same.slice(0, 1).map((one) => ({ ...one, messages: sumOf(same) })))
    .toSorted((left, right) => right.messages - left.messages || right.parts - left.parts);
  const said = alike.slice(0, LENGTHS).map(({ messages, parts, encoding }, index) => {
    const count = index === 0 ? format.count(messages, general.messages) : format.number(messages);
    const name = encodings.size > 1 ? general.encodings[encoding] : null;
    return t.takes(count, format.count(parts, general.parts), name, messages === 1);
  });
  return alike.length > 1 && html`${format.list(said)}`;
}

function sumOf(lengths: BulkSummary['lengths']): number {
  return lengths.reduce((sum, { messages }) => sum + messages, 0);
}

function missing({ onMissing }: Bulk, { missing: rows }: BulkSummary, format: Format): Html | false {
  const t = bulkTexts(format.locale);
  if (rows === 0) return false;
  const count = format.count(rows, t.rows);
  if (onMissing.way === 'stop') return t.stopped(count);
  return onMissing.way === 'default' ? t.filled(count, clip(onMissing.value, VALUE_UNITS)) : t.lacking(count);
}

/** Back, where we are, on: round and round. */
export function rowPager(
  { index }: SampleRow,
  { recipients }: BulkSummary,
  draftId: string,
  format: Format,
): ActionButton[] {
  const to = (label: string, next: number): ActionButton =>
    bulkActions.row.button(label, { draftId, index: (next + recipients) % recipients });
  const place = `${format.number(index + 1)} / ${format.number(recipients)}`;
  const [back, on] = format.locale === 'fa' ? ['▶', '◀'] : ['◀', '▶'];
  return [to(back, index - 1), to(place, index), to(on, index + 1)];
}

/** A text that may be long. */
export function quoted(text: string): Html {
  return quote(clip(text, TEXT_UNITS), { expandable: text.length > 300 });
}
