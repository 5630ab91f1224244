import postgres from 'postgres';
import type { Log } from '../../ports/runtime.ts';
import { COMMITS, type PostgresTarget } from './database.ts';

/** What the driver does with a NOTIFY for this very connection; it has the option and does not declare it. */
export type OnNotify = (channel: string) => void;

/** As the server knows the connections of those who are alive, and of those who lead or stand by. */
export const LIVENESS_SESSION = 'peyk-liveness';
export const LEADER_SESSION = 'peyk-leader';

/**
 * A client with the one connection that session locks live on, never given up for being idle or old. After
 * `onclose` the locks are gone; the next statement makes a new connection without them.
 */
export function openLockSession(
  target: PostgresTarget,
  name: string,
  onclose: () => void,
  onnotify?: OnNotify,
): postgres.Sql {
  const options = {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    keep_alive: 10,
    backoff: false,
    fetch_types: false,
    prepare: false,
    connection: { ...COMMITS, application_name: name },
    onnotice: () => undefined,
    onclose,
  } satisfies postgres.Options<Record<string, postgres.PostgresType>>;
  const all = Object.assign(options, onnotify === undefined ? {} : { onnotify });
  if ('url' in target) return postgres(target.url.reveal(), all);
  const { socketDir, ...place } = target;
  return postgres(Object.assign(all, place, { host: socketDir }));
}

/**
 * Has the server notice a vanished client soon: keepalives for a connection that idles, the check
 * interval for one that was killed within a statement. Not every platform has them.
 */
export async function watchClient(sql: postgres.Sql, log: Log): Promise<void> {
  try {
    await sql`select set_config(name, value, false) from (values
      ('tcp_keepalives_idle', '5'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'),
      ('client_connection_check_interval', '5s')) as settings (name, value)`;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
    log.debug({ code: error.code }, 'the database does not watch idle connections here');
  }
}
