import type { TransactionSql } from 'postgres';
import { move } from '../move.ts';

/**
 * Takes the calls of interrupted jobs back from whoever holds them and has not passed the fence, which then refuses: what
 * has not left by now does not leave, and counts as such at once. One that is at the fence in this very moment is left
 * to it.
 */
export async function takeBackIn(tx: TransactionSql, jobIds: readonly string[]): Promise<void> {
  const { to, may } = move(tx, 'attempt', 'take_back');
  await tx`
    update attempt set state = ${to}, owner = null, epoch = epoch + 1 where id in (
      select id from attempt where job_id = any(${[...jobIds]}::uuid[]) and ${may} for update skip locked)`;
}
