import { once } from 'node:events';
import { connect } from 'node:net';
import { Pool, type Dispatcher } from 'undici';
import { openDatabase } from '../src/storage/database/database.ts';
import type { Stage } from './stage.ts';

/** What an act is made of at the least, each part by itself, with the database and the stand-ins of the product. */
export interface Bare extends AsyncDisposable {
  /** A prepared select by primary key. */
  select(): Promise<unknown>;
  /** One row, on the disk. */
  commit(): Promise<unknown>;
  /** A new connection to the gateway. */
  dial(): Promise<unknown>;
  /** Asks for the credit, on a connection that is open. */
  askGateway(): Promise<unknown>;
  /** A call of the Bot API, on a connection that is open. */
  askTelegram(): Promise<unknown>;
}

export async function setBare({ target, gatewayUrl, telegramUrl }: Stage): Promise<Bare> {
  const { sql, close } = openDatabase({ target, max: 1 });
  await sql`create table bare_act (id int primary key, n int not null)`;
  await sql`insert into bare_act select n, 0 from generate_series(1, 1000) as n`;
  const gateway = new Pool(gatewayUrl, { connections: 1 });
  const telegram = new Pool(telegramUrl, { connections: 1 });
  let next = 0;
  const id = (): number => (next = (next % 1000) + 1);
  const ask = async (pool: Dispatcher, path: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', authorization: 'bench-key-demo' };
    const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: '{}' });
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
    return await body.json();
  };
  return {
    select: async () => await sql`select id, n from bare_act where id = ${id()}`,
    commit: async () => await sql`update bare_act set n = n + 1 where id = ${id()}`,
    async dial() {
      const { hostname, port } = new URL(gatewayUrl);
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      socket.destroy();
    },
    askGateway: () => ask(gateway, '/api/v3/rest/my/credit'),
    askTelegram: () => ask(telegram, '/bot1:x/getMe'),
    async [Symbol.asyncDispose]() {
      await Promise.all([close(), gateway.destroy(), telegram.destroy()]);
    },
  };
}

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
