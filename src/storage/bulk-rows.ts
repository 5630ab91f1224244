import type { TransactionSql } from 'postgres';
import type { SourceRow } from '../domain/bulk.ts';
import type { PlannedCall, SkippedRow } from '../ports/bulk.ts';

/** Several calls in one statement: a file can have ten thousand, and each of their texts costs its escaping. */
export function insertCalls(tx: TransactionSql, draftId: string, calls: readonly PlannedCall[]) {
  const mark = markOutside(calls);
  return tx`
    insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
    select ${draftId}, c.chunk, string_to_array(c.recipients, ','), string_to_array(c.texts, ${mark}::text),
      string_to_array(c.row_numbers, ',')::int[], decode(c.sha256, 'hex')
    from unnest(${calls.map(({ chunk }) => chunk)}::int[],
      ${calls.map(({ recipients }) => recipients.join(','))}::text[],
      ${calls.map(({ texts }) => texts?.join(mark) ?? null)}::text[],
      ${calls.map(({ rowNumbers }) => rowNumbers.join(','))}::text[],
      ${calls.map(({ payloadSha256 }) => Buffer.from(payloadSha256).toString('hex'))}::text[]
    ) as c(chunk, recipients, texts, row_numbers, sha256)`;
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

/** Rows as they were written: a text of JSON, which nothing but this reads. */
export function readRows<T extends SourceRow | SkippedRow>(text: string): T[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the store itself has written it, from rows of that kind
  return JSON.parse(text) as T[];
}
