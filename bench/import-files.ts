import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workbook } from '../src/tables/testing/files.ts';

/* Files as people have them: numbers in several spellings and scripts, some of them repeated or none, quotes, empty cells. */

const NAMES = ['Ali', 'Sara', 'رضا', 'Mina', 'Omid'];
/** Rows that are made at a time. */
const AT_ONCE = 10_000;

/** Writes a CSV of so many records, which for a million is as much as Telegram hands to a bot. @returns its path */
export async function writeCsvOf(rows: number, folder: string): Promise<string> {
  const path = join(folder, 'customers.csv');
  await using file = await open(path, 'w');
  await file.write('phone,name,code\n');
  for (let from = 0; from < rows; from += AT_ONCE) {
    const lines = Array.from({ length: Math.min(AT_ONCE, rows - from) }, (_, index) => {
      const row = from + index;
      const name = nameOf(row);
      return `${quotedAt(row, phoneOf(row))},${name.includes(',') ? `"${name}"` : name},${row % 50}\n`;
    });
    await file.write(lines.join(''));
  }
  return path;
}

/** Writes a workbook of so many records the way Excel does: digits are numbers or shared texts. @returns its path */
export async function writeWorkbookOf(rows: number, folder: string): Promise<string> {
  const path = join(folder, 'customers.xlsx');
  const places = new Map<string, number>();
  const shared = (text: string): string => {
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return ` t="s"><v>${place}</v></c>`;
  };
  const lines = Array.from({ length: rows + 1 }, (_, index) => {
    const cells = index === 0 ? ['phone', 'name', 'code'] : cellsOf(index - 1);
    const at = index + 1;
    const written = cells.map((cell, column) => {
      const isNumber = index > 0 && column !== 1 && /^[1-9]\d*$/.test(cell);
      const own = isNumber ? `><v>${cell}</v></c>` : shared(cell);
      return cell === '' ? '' : `<c r="${'ABC'.charAt(column)}${at}" s="1"${own}`;
    });
    return `<row r="${at}" spans="1:3" x14ac:dyDescent="0.25">${written.join('')}</row>`;
  });
  const strings = Array.from(places.keys(), (text) => `<si><t>${text.replaceAll('"', '&quot;')}</t></si>`);
  await writeFile(path, await workbook({ rows: lines.join(''), strings: strings.join('') }));
  return path;
}

function cellsOf(row: number): readonly string[] {
  // Spreadsheets take the zero away from half of them.
  return [row % 2 === 0 ? nationalOf(row) : phoneOf(row), nameOf(row), String(row % 50)];
}

function nameOf(row: number): string {
  const at = row % 100;
  if (at === 99) return '';
  return at > 96 ? `Omid, ${at}` : (NAMES[row % NAMES.length] ?? '');
}

/** How a row writes its number. */
function phoneOf(row: number): string {
  const kind = Math.imul(row, 0x9e37_79b1) >>> 24;
  // About one in fifty stands in an earlier row too, and as many are none.
  if (kind < 5 && row > 0) return `0${nationalOf(Math.floor(row / 2))}`;
  if (kind < 10) return INVALID[row % INVALID.length] ?? '';
  const digits = nationalOf(row);
  if (kind < 20)
    return `۰${digits.replaceAll(/\d/gu, (digit) => String.fromCharCode(0x6f0 + Number(digit)))}`;
  if (kind < 30) return `+98${digits}`;
  if (kind < 40) return `0${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`;
  if (kind < 44) return `0${digits.slice(0, 3)}-${digits.slice(3)}`;
  return kind < 90 ? digits : `0${digits}`;
}

const INVALID = ['0912123', 'ندارد', '02188776655', ''];

/** Ten digits, others for each row. */
function nationalOf(row: number): string {
  return `9${String((row * 611_953) % 999_999_937).padStart(9, '0')}`;
}

/** Some programs put everything in quotes, some nothing. */
function quotedAt(row: number, cell: string): string {
  return row % 33 === 0 ? `"${cell}"` : cell;
}
