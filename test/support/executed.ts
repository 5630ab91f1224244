import { Socket } from 'node:net';

const [PARSE, BIND, EXECUTE, QUERY] = [0x50, 0x42, 0x45, 0x51];

/** What a connection has prepared, by name, and what was bound last. */
interface Session {
  readonly texts: Map<string, string>;
  bound: string;
}

export interface Executed extends Disposable {
  /** The statements since the last time this was asked, `begin` and `commit` among them. */
  take(): string[];
}

/**
 * Records what this process has Postgres execute from now on, by what it writes to unix sockets: the messages Execute and
 * Query of the protocol. Statements that were prepared before are told by an empty text.
 */
export function recordExecuted(): Executed {
  const sessions = new WeakMap<Socket, Session>();
  const { write } = Socket.prototype;
  let executed: string[] = [];
  Reflect.set(
    Socket.prototype,
    'write',
    function recording(this: Socket, ...parameters: Parameters<Socket['write']>): boolean {
      const [bytes] = parameters;
      if (Buffer.isBuffer(bytes) && this.remoteAddress === undefined) {
        const session = sessions.get(this);
        // The first message of a connection has another form.
        if (session === undefined) sessions.set(this, { texts: new Map(), bound: '' });
        else executed.push(...read(bytes, session));
      }
      return Reflect.apply(write, this, parameters);
    },
  );
  return {
    take() {
      const taken = executed;
      executed = [];
      return taken;
    },
    [Symbol.dispose]: () => void Reflect.set(Socket.prototype, 'write', write),
  };
}

function read(bytes: Buffer, session: Session): string[] {
  const executed: string[] = [];
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const [first = '', second = ''] = bytes
      .toString('utf8', at + 5, at + 1 + bytes.readInt32BE(at + 1))
      .split('\0', 2);
    if (bytes[at] === PARSE) session.texts.set(first, second);
    if (bytes[at] === BIND) session.bound = session.texts.get(second) ?? '';
    if (bytes[at] === EXECUTE) executed.push(session.bound);
    if (bytes[at] === QUERY) executed.push(first);
  }
  return executed;
}
