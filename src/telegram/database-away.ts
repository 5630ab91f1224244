/** A connection that broke or could not be made, a server that starts or ends, a transaction that lost against another. */
const AWAY = new RegExp(
  `^(?:CONNECT(?:ION)?_[A-Z_]+|E(?:${[
    'CONNRESET|CONNREFUSED|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH',
    // The socket of a server that is not there, and the name of one that is being made anew.
    'NOENT|NOTFOUND|AI_AGAIN',
  ].join('|')})|57P0[1-5]|25P03|08\\w{3}|40001|40P01|53300)$`,
  'u',
);

/** Whether an error says that the database could not be asked, and nothing about what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    const code: unknown = Reflect.get(each, 'code');
    // Telegram's failures have codes of sockets too.
    if (typeof code === 'string' && AWAY.test(code) && isOfDatabase(each)) return true;
  }
  return false;
}

/** The driver marks its errors with the statement, or the address; the server's have a severity. */
function isOfDatabase(error: Error): boolean {
  return ['query', 'severity', 'severity_local', 'address'].some((name) => Reflect.has(error, name));
}
