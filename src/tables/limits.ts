/** How much of a file is taken. More is a refusal, never a part of the file. */
export interface Limits {
  /** Rows with something in them. */
  readonly rows: number;
  /** How many of them come free: the names of the columns. */
  readonly headers: 0 | 1;
  /** Rows with nothing in them count here. */
  readonly lines: number;
  readonly columns: number;
  /** Characters of one cell. */
  readonly cell: number;
  /** Characters of all cells together: a string that many cells share counts each time. */
  readonly text: number;
  /** Of the file as it came. */
  readonly bytes: number;
  /** Bytes of a workbook's parts together, unpacked. */
  readonly unpacked: number;
  /** Bytes of the texts that cells of a workbook share. */
  readonly shared: number;
}

/** For a table that is read as a whole. */
export const READ_LIMITS = {
  /** Unless the caller says otherwise. */
  rows: 20_000,
  headers: 0,
  /** As many as a sheet of Excel has. */
  lines: 1_048_576,
  columns: 256,
  /** What a cell of Excel holds. */
  cell: 32_767,
  text: 20_000_000,
  bytes: 50_000_000,
  unpacked: 50_000_000,
  shared: 20_000_000,
} as const satisfies Limits;

/** For one that is read in blocks. */
export const STREAM_LIMITS = {
  ...READ_LIMITS,
  headers: 1,
  csvRows: 1_000_000,
  xlsxRows: 200_000,
  text: 100_000_000,
  /** The largest file that Telegram hands to a bot. */
  bytes: 20 * 2 ** 20,
  shared: 64_000_000,
} as const;

/**
 * What a workbook of that many bytes may unpack to: a hundred times itself, which no sheet of people reaches, but
 * a short one whose rows are alike may reach more and costs little.
 */
export function unpackedLimit(bytes: number): number {
  return Math.min(256 * 2 ** 20, Math.max(64 * 2 ** 20, 100 * bytes));
}

/**
 * Of how many cells and other marks (elements, attributes, comments) a workbook of that many bytes may be made in all its
 * parts. Time is their price, a microsecond each, whether there is anything in them or not. Where each cell says where it is, as those of
 * every spreadsheet program do, a byte of the file holds two at the most; only what is made to cost time holds more.
 */
export function markLimit(bytes: number): number {
  return Math.min(MAX_MARKS, Math.max(LEAST_MARKS, 4 * bytes));
}

/** Ten columns in each of 20,000 rows, with where and how they are. */
const LEAST_MARKS = 1_000_000;
/** Twenty in each of 200,000. */
const MAX_MARKS = 24_000_000;

/** What holds for every file. */
export const FIXED_LIMITS = {
  /** Separators in a line of a CSV, with nothing or anything between: as many as a row of Excel has cells. */
  separators: 16_384,
  /** Bytes of a part that only says where other parts are. */
  directory: 5_000_000,
  /** Files in a zip. */
  entries: 1_000,
  /** Bytes of XML without a tag, a text or an attribute that ends. */
  token: 1_000_000,
  /** Elements within each other, and attributes of one. */
  depth: 64,
} as const;
