import { setImmediate as immediate } from 'node:timers/promises';
import type postgres from 'postgres';
import { refuseUnwritable } from './driver-types.ts';

type Work = (tx: postgres.TransactionSql) => unknown;
type Call = (...args: unknown[]) => unknown;

/**
 * Keeps the driver from using a connection that broke within a transaction. By itself it writes the
 * statements that follow, and its own rollback, to a socket that is gone: that throws where nobody
 * can catch it and ends the process. With this, the transaction rejects with the connection's error
 * and nothing more is written. `reserve` has the same fault and no remedy, so it is refused.
 */
export function surviveLostConnections(sql: postgres.Sql): void {
  const begin: unknown = Reflect.get(sql, 'begin');
  if (!isCall(begin)) throw new Error('postgres.js has no begin: adapt lost-connections.ts');
  Reflect.set(sql, 'begin', (...args: unknown[]) => {
    const work = args.at(-1);
    if (!isCall(work)) throw new TypeError('begin needs a function');
    const loss = createLoss();
    const transaction = Promise.resolve(begin(...args.slice(0, -1), loss.guardWork(work)));
    // The driver rejects this one as soon as an idle connection breaks.
    transaction.catch(loss.see);
    return Promise.race([transaction, loss.lost]).catch(async (error: unknown) => {
      if (error instanceof Error && meansLost(error)) await closed();
      throw error;
    });
  });
  Reflect.set(sql, 'reserve', () =>
    Promise.reject(new Error('reserve is not safe when the connection breaks: open a client with max 1')),
  );
}

/**
 * Watches the statements of one client: each that it is given fails only when its broken connection is closed, and with it
 * whoever came too late. The driver tells of a break before it closes the connection: what goes out in between, for
 * which whoever has just failed is the first to ask, it forgets, and never answers.
 *
 * Where the server has said why it ends a session within a statement, the driver says so once more in the next session: to that
 * statement, and to the first of the next, which it does not write. Such a one is asked again, once.
 */
export function createBreakWatch(): (query: unknown) => void {
  const onTheirWay = new Set<object>();
  return (query) => {
    if (!(query instanceof Promise)) return;
    const [handler, resolve, reject]: unknown[] = ['handler', 'resolve', 'reject'].map((name): unknown =>
      Reflect.get(query, name),
    );
    if (!isCall(handler) || !isCall(resolve) || !isCall(reject)) return;
    const failWhenClosed = async (error: unknown): Promise<void> => {
      const connection: unknown = Reflect.get(query, 'state');
      await closed();
      reject(error);
      for (const other of onTheirWay) {
        const late: unknown = Reflect.get(other, 'reject');
        if (connection !== null && Reflect.get(other, 'state') === connection && isCall(late)) late(error);
      }
    };
    Reflect.set(query, 'handler', (own: unknown) => {
      onTheirWay.add(query);
      handler(own);
    });
    Reflect.set(query, 'resolve', (result: unknown) => {
      onTheirWay.delete(query);
      resolve(result);
    });
    let [isAskedAgain, hasFailed] = [false, false];
    Reflect.set(query, 'reject', (error: unknown) => {
      onTheirWay.delete(query);
      // Told once more, by the next session of its connection: whoever is on their way there has nothing to do with it.
      if (hasFailed) return;
      const isLost = error instanceof Error && meansLost(error);
      if (isLost && 'severity' in error && !isAskedAgain && Reflect.get(query, 'state') === null) {
        isAskedAgain = true;
        handler(query);
        return;
      }
      hasFailed = true;
      if (isLost) void failWhenClosed(error);
      else reject(error);
    });
  };
}

/** Resolves when the turn of the event loop is over in which something broke, and with it the socket is closed. */
async function closed(): Promise<void> {
  await immediate();
  await immediate();
}

function createLoss() {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => undefined);
  let error: Error | undefined;

  const see = (seen: unknown): void => {
    if (error !== undefined || !(seen instanceof Error) || !meansLost(seen)) return;
    error = seen;
    reject(seen);
  };
  const guardCall =
    (call: Call): Call =>
    (...args) => {
      if (error !== undefined) throw error;
      const query = call(...args);
      watch(query, see);
      return query;
    };
  const guardWork =
    (work: Call): Work =>
    async (tx) => {
      try {
        const result = await work(guard(tx));
        return error === undefined ? result : await never();
      } catch (thrown) {
        // Settling would make the driver write its rollback, or its commit.
        if (error !== undefined) return never();
        throw thrown;
      }
    };
  const guard = (tx: postgres.TransactionSql): postgres.TransactionSql =>
    new Proxy(tx, {
      apply: (target, _self, args: unknown[]) => {
        refuseUnwritable(args);
        return guardCall((...own) => Reflect.apply(target, undefined, own))(...args);
      },
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (!isCall(member)) return member;
        if (name === 'unsafe' || name === 'file') return guardCall(member);
        if (name !== 'savepoint') return member;
        return (...args: unknown[]) => {
          const work = args.at(-1);
          if (!isCall(work)) throw new TypeError('savepoint needs a function');
          if (error !== undefined) throw error;
          const nested = Promise.resolve(member(...args.slice(0, -1), guardWork(work)));
          // Its own statements are the driver's, which nobody else watches.
          nested.catch(see);
          return Promise.race([nested, lost]);
        };
      },
    });
  return { see, lost, guardWork };
}

/**
 * Sees a statement's failure before whoever waits for it does. To wait for it here would run it,
 * and it may be a mere fragment.
 */
function watch(query: unknown, see: (error: unknown) => void): void {
  if (!(query instanceof Promise)) return;
  const reject: unknown = Reflect.get(query, 'reject');
  if (!isCall(reject)) return;
  Reflect.set(query, 'reject', (error: unknown) => {
    see(error);
    reject(error);
  });
}

/** The driver's own codes, those of the system's sockets, and a server that ends the session. */
function meansLost(error: Error): boolean {
  if ('severity' in error) return error.severity === 'FATAL' || error.severity === 'PANIC';
  return 'code' in error && /^(CONNECT|E[A-Z]+$)/.test(String(error.code));
}

function never(): Promise<never> {
  return new Promise<never>(() => {});
}

function isCall(value: unknown): value is Call {
  return typeof value === 'function';
}
