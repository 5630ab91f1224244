import type { TransactionSql } from 'postgres';
import type { JoinedCalls } from '../ports/bulk.ts';

/** Several calls in one statement: a file can have ten thousand, and each of their texts costs its escaping. */
export function insertCalls(tx: TransactionSql, draftId: string, calls: JoinedCalls) {
  const { chunks, recipients, texts, mark, rowNumbers, payloadSha256 } = calls;
  return tx`
    insert into bulk_call (draft_id, chunk, recipients, texts, row_numbers, payload_sha256)
    select ${draftId}, c.chunk, string_to_array(c.recipients, ','), string_to_array(c.texts, ${mark}::text),
      string_to_array(c.row_numbers, ',')::int[], decode(c.sha256, 'hex')
    from unnest(${chunks}::int[], ${recipients}::text[], ${texts}::text[], ${rowNumbers}::text[], ${payloadSha256}::text[]
    ) as c(chunk, recipients, texts, row_numbers, sha256)`;
}
