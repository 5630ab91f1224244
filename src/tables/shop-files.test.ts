import { expect, test } from 'vitest';
import { readColumns } from '../domain/columns.ts';
import { streamed, workbook } from './testing/files.ts';

/* Files as shops keep them: which row names the columns, and which column has the numbers. */

const MERGED = '</sheetData><mergeCells count="1"><mergeCell ref="A1:D1"/></mergeCells><sheetData>';

const text = (cell: string): string => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
const figure = (cell: string): string => `<c><v>${cell}</v></c>`;

/** A sheet of these rows: an empty one is left out of the file, as Excel does; cells of digits are numbers. */
async function sheet(...rows: readonly (readonly string[])[]): Promise<Uint8Array> {
  const written = rows.map((cells, index) => {
    const inside = cells.map((cell) =>
      /^\d+$/u.test(cell) && !cell.startsWith('0') ? figure(cell) : text(cell),
    );
    return cells.length === 0 ? '' : `<row r="${index + 1}">${inside.join('')}</row>`;
  });
  return await workbook({ rows: written.join('') + MERGED });
}

const HEADER = ['ردیف', 'نام مشتری', 'موبایل', 'مبلغ'];
const RECORDS = [
  ['1', 'سارا', '9121234567', '120000'],
  ['2', 'لاله', '9351112233', '90000'],
];

interface Found {
  /** The row of the names as the spreadsheet numbers it; null: none names them. */
  readonly names: number | null;
  readonly phone: string | number;
  readonly records: number;
}

test.each<[what: string, content: () => Promise<Uint8Array | string> | Uint8Array | string, found: Found]>([
  [
    'a merged title over the names',
    () => sheet(['لیست مشتریان فروردین'], HEADER, ...RECORDS),
    { names: 2, phone: 'موبایل', records: 2 },
  ],
  [
    'a title, an empty row, and the names',
    () => sheet(['فروشگاه نیک - لیست شماره موبایل مشتریان'], [], HEADER, ...RECORDS),
    { names: 3, phone: 'موبایل', records: 2 },
  ],
  [
    'a title, a line with the date, and the names',
    () => sheet(['گزارش فروش'], ['تاریخ گزارش:', '1405/08/20'], HEADER, ...RECORDS),
    { names: 3, phone: 'موبایل', records: 2 },
  ],
  [
    'the telephone of the shop above the names',
    () => sheet(['فروشگاه نیک'], ['تلفن:', '02188776655'], [], HEADER, ...RECORDS),
    { names: 4, phone: 'موبایل', records: 2 },
  ],
  [
    'names with joiners and letters of an Arabic keyboard',
    () =>
      sheet(['نام\u200cخانوادگي', 'شماره\u200cي همراه'], ['احمدي', '09121234567'], ['كريمي', '۰۹۳۵۱۱۱۲۲۳۳']),
    { names: 1, phone: 'شماره\u200cي همراه', records: 2 },
  ],
  [
    'a last row with the total',
    () => sheet(HEADER, ...RECORDS, ['جمع', '', '', '210000']),
    { names: 1, phone: 'موبایل', records: 3 },
  ],
  [
    'two rows of names, of which the upper one groups',
    () =>
      sheet(
        ['مشتری', '', 'تماس', ''],
        ['کد', 'نام', 'تلفن همراه', 'شهر'],
        ['A1', 'سارا', '9121234567', 'قم'],
      ),
    { names: 2, phone: 'تلفن همراه', records: 1 },
  ],
  [
    'names in two languages',
    () => sheet(['نام', 'موبایل'], ['Name', 'Mobile'], ['سارا', '09121234567']),
    { names: 2, phone: 'Mobile', records: 1 },
  ],
  ['names alone', () => sheet(['لیست مشتریان'], HEADER), { names: 2, phone: 'موبایل', records: 0 }],
  ['names alone of which none is of phones', () => 'نام;شهر\n', { names: 1, phone: '', records: 0 }],
  ['no names', () => sheet(...RECORDS), { names: null, phone: 2, records: 2 }],
  [
    'a CSV with a mark, semicolons and a title',
    () => '\ufeffلیست مشتریان;;\r\n;;\r\nنام;همراه;شهر\r\nسارا;09121234567;قم\r\n',
    { names: 3, phone: 'همراه', records: 1 },
  ],
  [
    'numbers of two kinds',
    () =>
      sheet(
        ['مشتریان'],
        ['نام', 'تلفن ثابت', 'موبایل'],
        ['سارا', '02188776655', '09121234567'],
        ['لاله', '02633445566', '09351112233'],
      ),
    { names: 2, phone: 'موبایل', records: 2 },
  ],
  [
    'a first customer without a number',
    () => sheet(HEADER, ['1', 'سارا', 'ندارد', '5'], ...RECORDS),
    { names: 1, phone: 'موبایل', records: 3 },
  ],
  [
    'a first customer without a number below names that say little',
    () => sheet(['مشتری', 'تماس', 'شهر'], ['سارا', 'ندارد', 'قم'], ['لاله', '09121234567', 'یزد']),
    { names: 1, phone: 'تماس', records: 2 },
  ],
  [
    'a title and no names',
    () => sheet(['لیست مشتریان'], ['سارا', '09121234567'], ['لاله', '09351112233']),
    { names: null, phone: 1, records: 3 },
  ],
])('%s', async (_what, content, { names, phone, records }) => {
  const { rows } = await streamed(await content());
  const found = readColumns(rows.map(({ cells }) => cells));
  expect({
    names: rows[found.header - 1]?.number ?? null,
    phone: names === null ? found.phone : (found.names[found.phone ?? -1] ?? ''),
    records: rows.length - found.header,
  }).toEqual({ names, phone, records });
});
