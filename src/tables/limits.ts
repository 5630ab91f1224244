/** How much of a file is taken. More is a refusal, never a part of the file. */
export const LIMITS = {
  /** Unless the caller says otherwise. */
  rows: 20_000,
  /** Rows with nothing in them count here: as many as a sheet of Excel has. */
  lines: 1_048_576,
  columns: 256,
  /** Separators in a line of a CSV, with nothing or anything between: as many as a row of Excel has cells. */
  separators: 16_384,
  /** Bytes of one row of a CSV. */
  record: 10_000_000,
  /** Characters; what a cell of Excel holds. */
  cell: 32_767,
  /** Characters of all cells together: a string that many cells share counts each time. */
  text: 20_000_000,
  /** Bytes, unpacked; of a CSV as it came. */
  unpacked: 50_000_000,
  /** Bytes of a part that only says where other parts are. */
  directory: 5_000_000,
  /** Files in a zip. */
  entries: 1_000,
  /** Elements of a part: 50 cells in each of 20,000 rows, and time is their price rather than memory. */
  tags: 4_000_000,
  /** Bytes of XML without a tag, a text or an attribute that ends. */
  token: 1_000_000,
  /** Elements within each other, and attributes of one. */
  depth: 64,
} as const;
