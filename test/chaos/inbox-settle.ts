import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './checks.ts';
import type { InboxContext } from './inbox-round.ts';

const PATIENCE_MS = 60_000;

/**
 * After the last round: every account is held against the gateway's own counts once more, as Peyk does it each day, and
 * the whole table against the gateway's whole list. Nothing may have been told of that is amiss.
 */
export async function settleInbox({ stand, places, signal }: InboxContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  const find = (kind: Finding['kind'], count: number, what: string): void => {
    if (count > 0) findings.push({ kind, count, what });
  };
  await stand.gateway.setSwitches({ lagMs: 0, shuffled: false });
  const { postgres } = stand;
  await postgres.ask(async (sql) => {
    await sql`update account set audited_on = null, due_at = now(), inbox_due_at = now() where inbox_due_at is not null`;
  });
  const unaudited = async (): Promise<number> =>
    await postgres.ask(async (sql) => {
      const [row] = await sql<[{ count: number }]>`
        select count(*)::int as count from account where inbox_due_at is not null and audited_on is null`;
      return row.count;
    });
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(300)) {
    signal.throwIfAborted();
    if ((await unaudited()) === 0) break;
  }
  find('stuck', await unaudited(), 'accounts are not held against the gateway’s counts');
  await postgres.ask(async (sql) => {
    const [row] = await sql<[{ alarms: number; changed: number }]>`
      select (select count(*)::int from alarm where kind = 'inbox' and subject = 'counts') as alarms,
        (select count(*)::int from notice where kind = 'inbox' and facts ->> 'reason' = 'changed') as changed`;
    find('wrong', row.alarms, 'Peyk says that the gateway counts more than it has stored');
    find('wrong', row.changed, 'Peyk says that messages have changed');
    for (const { chat, account } of places) {
      const listed = new Set((await stand.inbox.list(account)).map(({ id }) => id));
      const stored = await sql<{ id: string | null }[]>`
        select i.message_id as id from inbound i join account a on a.id = i.account_id join chat c on c.id = a.chat_id
        where c.telegram_id = ${chat}`;
      const distinct = new Set(stored.map(({ id }) => id ?? ''));
      const name = account.username;
      find('lost', listed.difference(distinct).size, `in the list of ${name} and not stored, at the end`);
      find('doubled', stored.length - distinct.size, `stored more than once for ${name}, at the end`);
    }
  });
  return findings;
}
