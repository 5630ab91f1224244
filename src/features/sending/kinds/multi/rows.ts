import type { OutgoingRow } from '../../../../domain/kinds/kind.ts';
import { whyUnfit } from '../../../../domain/kinds/multi.ts';
import {
  normalizeDigits,
  parseLine,
  parseRecipients,
  splitNumbersAndText,
} from '../../../../domain/phone.ts';

/** A row that cannot leave: where it stands, as it was given, and why. */
export interface BadRow {
  readonly place: number;
  readonly raw: string;
  readonly reason: string;
}

/** The rows that can leave, and those that cannot. */
export interface ReadRows {
  readonly rows: readonly OutgoingRow[];
  readonly bad: readonly BadRow[];
}

export interface RowRules {
  /** Version 4 alone serves the account: it parts the texts of a call at commas, and carries them in an address. */
  readonly inAddress: boolean;
  /** By which a row of number and text alone leaves. */
  readonly ownLine?: string | null;
}

interface Cells {
  readonly line: string;
  readonly number: string;
  readonly text: string;
  readonly flash: string;
}

/** The text may hold semicolons: a row is split at its first two, and at the last where 0 or 1 follows. */
const TYPED = /^([^;؛]*)[;؛]([^;؛]*)[;؛]([\s\S]*?)(?:[;؛]\s*([01۰۱٠١])\s*)?$/u;
const BEHIND_NUMBER = /^([\s\S]*?)(?:[;؛]\s*([01۰۱٠١])\s*)?$/u;
const ANY_VERSION = { inAddress: false };

/** Reads `line;number;text;flash`, one message in each line of what was typed. */
export function readTypedRows(typed: string, rules: RowRules = ANY_VERSION): ReadRows {
  const read = reader(rules);
  for (const [index, typedRow] of typed.split(/\r?\n/u).entries()) {
    const raw = typedRow.trim();
    if (raw === '') continue;
    const cells = cellsOf(raw, rules.ownLine ?? null);
    if (cells === null) read.refuse(index + 1, raw, 'form');
    else if (holdsAnother(cells.text)) read.refuse(index + 1, raw, 'row_within');
    else read.take(index + 1, raw, cells);
  }
  return read;
}

function cellsOf(raw: string, ownLine: string | null): Cells | null {
  const [, line = '', number = '', text = '', flash = ''] = TYPED.exec(raw) ?? [];
  if (ownLine !== null && !hasNumber(number)) {
    const { numbers, text: behind } = splitNumbersAndText(raw);
    const [, words = '', kind = ''] = BEHIND_NUMBER.exec(behind) ?? [];
    if (hasNumber(numbers) && words !== '')
      return { line: ownLine, number: numbers, text: words.trim(), flash: kind };
  }
  return TYPED.test(raw) ? { line, number, text: text.trim(), flash } : null;
}

/** Whether the text goes on, behind a semicolon, with a number and a text of its own: the next message, on the same line. */
function holdsAnother(text: string): boolean {
  const [, ...more] = text.split(/[;؛]/u);
  return more.some((piece, at) => {
    const { numbers, text: behind } = splitNumbersAndText(piece);
    return hasNumber(numbers) && (behind !== '' || at < more.length - 1);
  });
}

function hasNumber(typed: string): boolean {
  return parseRecipients(typed).recipients.length > 0;
}

/**
 * Reads the rows of a file: columns by their names where the first row has these, else line, number, text, flash. A
 * first row in which neither line nor number has a digit is a heading of other words.
 */
export function readTableRows(
  table: readonly (readonly string[])[],
  rules: RowRules = ANY_VERSION,
): ReadRows {
  const [first = []] = table;
  const columns = columnsOf(first) ?? { line: 0, number: 1, text: 2, flash: 3 };
  const read = reader(rules);
  for (const [index, row] of table.entries()) {
    const cell = (name: keyof Cells): string => row[columns[name]]?.trim() ?? '';
    const cells = { line: cell('line'), number: cell('number'), text: cell('text'), flash: cell('flash') };
    if (index === 0 && isHeading(cells)) continue;
    read.take(index + 1, [cells.line, cells.number, cells.text].join(';'), cells);
  }
  return read;
}

function reader({ inAddress }: RowRules) {
  const rows: OutgoingRow[] = [];
  const bad: BadRow[] = [];
  const seen = new Set<string>();
  const refuse = (place: number, raw: string, reason: string): void => {
    bad.push({ place, raw, reason });
  };
  const take = (place: number, raw: string, cells: Cells): void => {
    const row = rowOf(cells, inAddress);
    if (typeof row === 'string') return refuse(place, raw, row);
    // A row that stands there twice is a slip of the hand: nobody wants the same text to arrive twice.
    const same = [row.line, row.recipient, row.text].join('\u001f');
    if (seen.has(same)) return refuse(place, raw, 'repeated_row');
    seen.add(same);
    rows.push(row);
  };
  return { rows, bad, take, refuse };
}

/** The row, or why it is none. */
function rowOf(cells: Cells, inAddress: boolean): OutgoingRow | string {
  const line = parseLine(cells.line);
  if (line === null) return 'no_line';
  const { recipients, repeated, invalid } = parseRecipients(cells.number);
  const [recipient, ...more] = recipients;
  if (recipient === undefined) return 'no_number';
  if (more.length + repeated.length + invalid.length > 0) return 'several_numbers';
  const unfit = whyUnfit(cells.text, inAddress);
  if (unfit !== null) return unfit;
  const flash = normalizeDigits(cells.flash);
  return /^[01]?$/u.test(flash) ? { line, recipient, text: cells.text, flash: flash === '1' } : 'no_flash';
}

const NAMES = {
  line: /^((sender )?line|from|sender|خط( فرستنده)?|فرستنده|سرشماره)$/iu,
  number:
    /^((mobile |phone )?number|to|mobile|phone|recipient|شماره[ٔ‌ی]*( موبایل| همراه| گیرنده)?|موبایل|همراه|گیرنده)$/iu,
  text: /^(text|message|متن( پیام)?|پیام)$/iu,
  flash: /^(flash|type|آنی|فلش)$/iu,
} as const;

function columnsOf(header: readonly string[]): Record<keyof Cells, number> | null {
  const find = (name: keyof Cells) => header.findIndex((cell) => NAMES[name].test(cell.trim()));
  const columns = { line: find('line'), number: find('number'), text: find('text'), flash: find('flash') };
  return columns.line >= 0 && columns.number >= 0 && columns.text >= 0 ? columns : null;
}

function isHeading({ line, number }: Cells): boolean {
  return line !== '' && number !== '' && !/\d/u.test(normalizeDigits(`${line}${number}`));
}
