import type { TransactionSql } from 'postgres';

/**
 * Takes the calls of interrupted jobs back from whoever holds them and has not passed the fence, which then refuses: what
 * has not left by now does not leave, and counts as such at once. One that is at the fence in this very moment is left
 * to it.
 */
export async function takeBackIn(tx: TransactionSql, jobIds: readonly string[]): Promise<void> {
  await tx`
    update attempt set state = 'planned', owner = null, epoch = epoch + 1 where id in (
      select id from attempt where job_id = any(${[...jobIds]}::uuid[]) and state = 'reserved' for update skip locked)`;
}
