import { Socket } from 'node:net';

const EXECUTE = 0x45;
const SIMPLE_QUERY = 0x51;

/**
 * Counts from now on what this process has Postgres execute, by looking at what it writes to unix sockets: the
 * messages Execute and Query of the protocol, `begin` and `commit` among them.
 * @returns how many there were so far
 */
export function countStatements(): () => number {
  const greeted = new WeakSet<Socket>();
  const { write } = Socket.prototype;
  let count = 0;
  Reflect.set(
    Socket.prototype,
    'write',
    function counting(this: Socket, ...parameters: Parameters<Socket['write']>): boolean {
      const [bytes] = parameters;
      if (Buffer.isBuffer(bytes) && this.remoteAddress === undefined) {
        // The first message of a connection has another form.
        if (greeted.has(this)) count += statementsIn(bytes);
        greeted.add(this);
      }
      return Reflect.apply(write, this, parameters);
    },
  );
  return () => count;
}

function statementsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] === EXECUTE || bytes[at] === SIMPLE_QUERY) count += 1;
  }
  return count;
}
