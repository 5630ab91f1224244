/*
 * What the gateway has said of the recipients of one call, as compact as it is kept: a mark for each recipient, and what
 * each mark stands for. A call of 200 recipients has a handful of words.
 */

export type ReportKind = 'waiting' | 'sent' | 'delivered' | 'failed' | 'blocked' | 'unknown';

/** What the gateway said of some recipients of a call at the same time. */
export interface ReportWord {
  /** One character. */
  readonly mark: string;
  readonly kind: ReportKind;
  /** The gateway's own number for the state; '' where it gave none. */
  readonly raw: string;
  /** Its own word for it. */
  readonly text: string;
  /** When it was heard, in epoch seconds; null: nothing was heard yet. */
  readonly at: number | null;
  /** Of how many recipients. */
  readonly n: number;
}

/** What the gateway said of a recipient, and when. */
export type Said = Omit<ReportWord, 'mark' | 'n'>;

/** The reports of one call. All lists are in the order of its recipients. */
export interface CallReports {
  /** The gateway's ids, with commas between them; none where it is not known. */
  readonly ids: string;
  /** The mark of each. */
  readonly marks: string;
  readonly words: readonly ReportWord[];
}

/** A report as it came in. */
export interface HeardReport {
  /** Null: it is said of the call as a whole. */
  readonly recipient: string | null;
  readonly kind: ReportKind;
  readonly raw: string;
  readonly text: string;
}

/** Nothing was heard of it yet. */
const SILENT: Omit<ReportWord, 'n'> = { mark: '.', kind: 'waiting', raw: '', text: '', at: null };
/** It has no id, and nobody can ask for it. */
const NAMELESS = '-';
/** Marks of words: letters, and behind them whatever else there is. */
const FIRST_MARKS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MORE_MARKS = 0x100;

const FINAL: ReadonlySet<ReportKind> = new Set(['delivered', 'failed', 'blocked']);

/** Whether a report never changes any more. */
export function isFinal(kind: ReportKind): boolean {
  return FINAL.has(kind);
}

/** Begins the reports of a call with its ids ('' where one is not known), and with what was heard of each before, if anything. */
export function startReports(
  ids: readonly string[],
  heard: readonly (Said | null | undefined)[] = [],
): CallReports {
  const marks = createMarks([]);
  return {
    ids: ids.join(','),
    marks: ids.map((id, place) => (id === '' ? NAMELESS : marks.add(heard[place] ?? SILENT))).join(''),
    words: marks.words(),
  };
}

/** The id of each recipient, and what was said of it; null: it has no id. */
export function eachReport({
  ids,
  marks,
  words,
}: CallReports): { readonly id: string; readonly said: Said | null }[] {
  const given = ids.split(',');
  const wordOf = new Map(words.map((word) => [word.mark, word]));
  return Array.from(marks).map((mark, place) => ({ id: given[place] ?? '', said: wordOf.get(mark) ?? null }));
}

/** How many recipients have a report that can still change. */
export function openReports({ words }: CallReports): number {
  return words.reduce((sum, { kind, n }) => sum + (isFinal(kind) ? 0 : n), 0);
}

/**
 * Takes in what was reported, by message id in the order in which it came; null: that changes nothing.
 *
 * One state for a whole call (version 1) names no recipient. Delivered is said of all; a failure is that of some, nobody
 * knows whose, so it is kept as the gateway's word and settles no one's report. Of several words for one report the
 * first that settles it holds, else the last.
 * @param recipients those of the call
 * @param now epoch seconds
 */
export function hearReports(
  reports: CallReports,
  recipients: readonly string[],
  heard: ReadonlyMap<string, readonly HeardReport[]>,
  now: number,
): CallReports | null {
  const ids = reports.ids.split(',');
  const marks = createMarks(reports.words);
  const saidOf = createSaidOf(heard);
  let shared: ReadonlySet<string> | undefined;
  let hasChanged = false;
  const after = Array.from(reports.marks).map((mark, place) => {
    const id = ids[place] ?? '';
    const word = marks.wordOf(mark);
    if (word === undefined || isFinal(word.kind)) return mark;
    let last: HeardReport | undefined;
    for (const each of saidOf(id, recipients[place] ?? '')) {
      last = each;
      if (each.recipient === null && (each.kind === 'failed' || each.kind === 'blocked')) {
        shared ??= idsOfSeveral(ids);
        if (shared.has(id)) last = { ...each, kind: 'unknown' };
      }
      if (isFinal(last.kind)) break;
    }
    if (last === undefined || (last.kind === word.kind && last.raw === word.raw)) return mark;
    hasChanged = true;
    return marks.move(mark, { kind: last.kind, raw: last.raw, text: last.text, at: now });
  });
  return hasChanged ? { ids: reports.ids, marks: after.join(''), words: marks.words() } : null;
}

/** What is said of a recipient: each that names it, or nobody. All of a call may have one id. */
function createSaidOf(heard: ReadonlyMap<string, readonly HeardReport[]>) {
  const byName = new Map<string, ReadonlyMap<string | null, readonly HeardReport[]>>();
  return (id: string, recipient: string): readonly HeardReport[] => {
    const all = heard.get(id);
    if (all === undefined) return [];
    let named = byName.get(id);
    if (named === undefined) byName.set(id, (named = Map.groupBy(all, (each) => each.recipient)));
    if (!named.has(null)) return named.get(recipient) ?? [];
    return all.filter((each) => each.recipient === null || each.recipient === recipient);
  };
}

function idsOfSeveral(ids: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(ids.filter((id) => seen.size === seen.add(id).size));
}

/** The words of a call, and of how many recipients each is said. */
function createMarks(words: readonly ReportWord[]) {
  const byMark = new Map(words.map((word) => [word.mark, { word, n: word.n }]));
  const byName = new Map(words.map((word) => [nameOf(word), word.mark]));

  /** Counts one more recipient of whom this is said. */
  const add = (said: Said): string => {
    const name = nameOf(said);
    const mark = byName.get(name) ?? (name === nameOf(SILENT) ? SILENT.mark : freeMark(byMark));
    byName.set(name, mark);
    const known = byMark.get(mark);
    if (known === undefined) byMark.set(mark, { word: { ...said, mark, n: 1 }, n: 1 });
    else known.n++;
    return mark;
  };

  return {
    add,
    wordOf: (mark: string): ReportWord | undefined => byMark.get(mark)?.word,
    move(mark: string, said: Said): string {
      const left = byMark.get(mark);
      if (left !== undefined) left.n--;
      return add(said);
    },
    words: (): ReportWord[] =>
      [...byMark.values()].flatMap(({ word, n }) => (n === 0 ? [] : [{ ...word, n }])),
  };
}

function freeMark(taken: ReadonlyMap<string, unknown>): string {
  for (const mark of FIRST_MARKS) if (!taken.has(mark)) return mark;
  for (let code = MORE_MARKS; ; code++) {
    const mark = String.fromCodePoint(code);
    if (!taken.has(mark)) return mark;
  }
}

function nameOf({ kind, raw, text, at }: Said): string {
  return JSON.stringify([kind, raw, text, at]);
}
