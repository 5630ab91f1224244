import { headOf, type SourceRow } from '../../../domain/bulk.ts';
import { nameColumns, readColumns } from '../../../domain/columns.ts';
import { AppError } from '../../../domain/errors.ts';
import {
  readRows,
  rowsText,
  type FileFound,
  type FileThread,
  type FileWork,
  type FileWorks,
  type JoinedCalls,
  type PlannedCall,
} from '../../../ports/bulk.ts';
import type { Recipient } from '../../../domain/phone.ts';
import type { Tables, TableSource } from '../../../ports/tables.ts';
import { createPlanner } from './planner.ts';
import { createTally } from './tally.ts';

type Output<K extends keyof FileWorks> = FileWorks[K]['output'];
type Begin<K extends keyof FileWorks> = (
  given: FileWorks[K]['given'],
) => FileWork<FileWorks[K]['input'], Output<K>>;

/** By these the columns are recognised. */
const SAMPLE_ROWS = 200;
/** Of files that are read at once: each holds a block or two, of which those of wide files are many megabytes. */
const READ_AT_ONCE = 6;

/** What is done with the rows of files, on the thread that asks for it. */
export function createFileWorks(tables: Pick<Tables, 'stream'>): FileThread {
  const places = createPlaces(READ_AT_ONCE);
  const works: { readonly [K in keyof FileWorks]: Begin<K> } = {
    read(file) {
      const parts = places.during(() => readFile(tables, file));
      return {
        async next() {
          const { done, value } = await parts.next();
          if (done === true) throw new Error('nothing comes after what was found');
          return value;
        },
        async [Symbol.asyncDispose]() {
          await parts.return(undefined);
        },
      };
    },
    tally({ bulk, listed }) {
      const tally = createTally(bulk);
      return stepwise((text) => {
        const rows = tally.take(readRows<SourceRow>(text));
        return { count: rows.length, found: tally.found(), fresh: listed ? rows.flatMap(freshOf) : [] };
      });
    },
    plan(spec) {
      const planner = createPlanner(spec);
      const { phone, header, decided } = spec.bulk;
      const isDecided = decided?.phone === phone && decided.header === header;
      // Another column was chosen, or a program of the release before has read the file.
      const tally = isDecided ? null : createTally(spec.bulk);
      return stepwise((text) => {
        const rows = text === null ? [] : readRows<SourceRow>(text);
        planner.take(tally?.take(rows) ?? rows);
        const { calls, skipped } = planner.drain(text === null);
        return {
          calls: joinCalls(calls),
          skipped: skipped.length === 0 ? null : rowsText(skipped),
          count: rows.length,
          summary: text === null ? planner.summary() : null,
        };
      });
    },
  };
  return { begin: (work, given) => works[work](given) };
}

function freshOf([, , recipient = null, reason]: SourceRow): readonly Recipient[] {
  return recipient === null || reason !== undefined ? [] : [recipient];
}

/** Work that has nothing open between two steps. */
function stepwise<I, O>(step: (input: I) => O): FileWork<I, O> {
  return {
    next: (input) => Promise.try(step, input),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Does a few things at a time, in the order in which they come. */
function createPlaces(count: number) {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async *during<T, R>(work: () => AsyncGenerator<T, R>): AsyncGenerator<T, R> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return yield* work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}

async function* readFile(
  tables: Pick<Tables, 'stream'>,
  file: TableSource,
): AsyncGenerator<Output<'read'>, undefined> {
  const { sheet, blocks } = await tables.stream(file);
  let found: Pick<FileFound, 'header' | 'phone' | 'certainty' | 'head'> | null = null;
  let tally = createTally({ phone: null, header: 0 });
  let names: readonly string[] = [];
  let [rows, width] = [0, 0];
  for await (const block of blocks) {
    const plain = block.map(({ number, cells }): SourceRow => [number, cells]);
    if (found === null) {
      const { header, phone, certainty } = readColumns(block.slice(0, SAMPLE_ROWS).map(({ cells }) => cells));
      found = { header, phone, certainty, head: headOf(plain, header) };
      tally = createTally({ phone, header });
      names = block[header - 1]?.cells ?? [];
    }
    for (const { cells } of block) width = Math.max(width, cells.length);
    rows += block.length;
    yield { rows: rowsText(tally.take(plain)), count: block.length };
  }
  if (found === null || rows <= found.header) throw onlyHeader(found?.head[0]?.[0]);
  const { phone, header } = found;
  yield {
    found: {
      ...found,
      sheet,
      rows,
      columns: nameColumns(names, width),
      numbers: phone === null ? null : tally.found(),
      decided: phone === null ? null : { phone, header },
    },
  };
}

function onlyHeader(row: number | undefined): AppError {
  return new AppError('bad_input', 'a file of names without records', {
    params: { field: 'file', reason: 'only_header', ...(row === undefined ? {} : { row }) },
  });
}

/** Calls as they are handed on: see {@link JoinedCalls}. */
export function joinCalls(calls: readonly PlannedCall[]): JoinedCalls {
  const mark = markOutside(calls);
  return {
    chunks: calls.map(({ chunk }) => chunk),
    recipients: calls.map(({ recipients }) => recipients.join(',')),
    texts: calls.map(({ texts }) => texts?.join(mark) ?? null),
    mark,
    rowNumbers: calls.map(({ rowNumbers }) => rowNumbers.join(',')),
    payloadSha256: calls.map(({ payloadSha256 }) => Buffer.from(payloadSha256).toString('hex')),
  };
}

/** What none of the texts holds: it begins with a sign that is nowhere else in it, so it is found only where it was put. */
function markOutside(calls: readonly PlannedCall[]): string {
  let mark = '\u001e';
  for (
    let more = 0;
    calls.some(({ texts }) => texts?.some((text) => text.includes(mark)) === true);
    more += 1
  )
    mark = `\u001e${more}`;
  return mark;
}
