/** A connection that broke or could not be made, a server that starts or ends, a transaction that lost against another. */
const AWAY = new RegExp(
  `^(?:CONNECT(?:ION)?_[A-Z_]+|E(?:${[
    'CONNRESET|CONNREFUSED|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH',
    // The socket of a server that is not there, and the name of one that is being made anew.
    'NOENT|NOTFOUND|AI_AGAIN',
  ].join('|')})|57P0[1-5]|25P03|08\\w{3}|40001|40P01|53300)$`,
  'u',
);

/** What keeps the database from doing what it was asked, whatever that was. */
export type DatabaseTrouble = 'away' | 'full' | 'read_only' | 'locked';

/** No room on its disk, a server that takes no writes, and a lock that somebody holds for too long. */
const TROUBLES: ReadonlyMap<string, DatabaseTrouble> = new Map([
  ['53100', 'full'],
  ['25006', 'read_only'],
  ['55P03', 'locked'],
]);

/** What an error says about the database, and nothing about what was asked of it; null: it is about that, or another's. */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    const code: unknown = Reflect.get(each, 'code');
    // Telegram's failures have codes of sockets too.
    if (typeof code !== 'string' || !isOfDatabase(each)) continue;
    const trouble = AWAY.test(code) ? 'away' : TROUBLES.get(code);
    if (trouble !== undefined) return trouble;
  }
  return null;
}

/** Whether the same may be asked again when the database is well: nothing of it was done. */
export function isDatabaseAway(error: unknown): boolean {
  return databaseTrouble(error) !== null;
}

/** The driver marks its errors with the statement, or the address; the server's have a severity. */
function isOfDatabase(error: Error): boolean {
  return ['query', 'severity', 'severity_local', 'address'].some((name) => Reflect.has(error, name));
}
