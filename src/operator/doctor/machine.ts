import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { once } from 'node:events';
import { parseProxy } from '../../gateway/transport/proxy.ts';
import { startHttpServer } from '../../http/server.ts';
import type { Config } from '../../process/config.ts';
import { EXIT } from '../../process/exit-codes.ts';
import type { Logger } from '../../process/log.ts';
import { bad, inTime, look, refusal, well, type Finding } from './finding.ts';

/** An import of a million rows and its log fit well into this. */
const ROOM_BYTES = 2 ** 30;

/** The folder of the data: whether it, or what is to be made of it, can be written. */
export function examineFolder({ database }: Config): readonly Finding[] {
  if (database.url !== null) return [];
  const folder = resolve(database.dataDir);
  const there = nearestThere(folder);
  try {
    if (!statSync(there).isDirectory()) throw new Error('no folder');
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    const seen = `${folder} cannot be ${there === folder ? 'written' : `made: ${there} is no folder that can be written`}`;
    return [
      bad('data', `${seen} by this user. Give it to the user, or set DATA_DIR to another`, EXIT.badSettings),
    ];
  }
  const { bavail, bsize } = statfsSync(there);
  const free = bavail * bsize;
  const room = `${(free / 2 ** 30).toFixed(1)} GiB are free`;
  if (free < ROOM_BYTES) return [look('data', `${folder} can be written, but only ${room}. Make room`)];
  return [
    well('data', there === folder ? `${folder} can be written, ${room}` : `${folder} is made by the start`),
  ];
}

function nearestThere(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestThere(dirname(folder));
}

/** Whether the start can listen, tried as it does; a Peyk that has the port already is no mistake. */
export async function examinePort(
  { http: { host, port } }: Config,
  log: Logger,
): Promise<readonly Finding[]> {
  try {
    const server = await startHttpServer({ host, port, routes: new Map(), log });
    await server.close();
    return [well('port', `${port} of ${host} is free`)];
  } catch (error) {
    if (await isPeyk(host, port)) return [well('port', `${port} of ${host} is that of a Peyk that runs`)];
    return refusal('port', error);
  }
}

async function isPeyk(host: string, port: number): Promise<boolean> {
  try {
    const near = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host;
    const signal = AbortSignal.timeout(2000);
    const answer = await fetch(`http://${near}:${port}/livez`, { signal, redirect: 'manual' });
    const said: unknown = await answer.json();
    return typeof said === 'object' && said !== null && 'live' in said;
  } catch {
    return false;
  }
}

/** Whether somebody listens where the proxy is to be. What it lets through shows in what goes by it. */
export async function examineProxy({ proxy }: Config): Promise<readonly Finding[]> {
  if (proxy === null) return [];
  const { host, port, kind } = parseProxy(proxy.url.reveal());
  const goes = proxy.forGateway ? 'Telegram and the gateway are' : 'Telegram is';
  const socket = connect({ host, port });
  try {
    await inTime(once(socket, 'connect'));
    return [well('proxy', `${host}:${port} takes connections (${kind}); ${goes} reached by it`)];
  } catch {
    return [
      bad(
        'proxy',
        `nothing answers at ${host}:${port}. Is PROXY_URL right, and does the proxy run?`,
        EXIT.unreachable,
      ),
    ];
  } finally {
    socket.destroy();
  }
}
