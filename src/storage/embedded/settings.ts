/** Settings that hold always: they are on the command line, so that no file can differ from them. */
const ALWAYS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  jit: 'off',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  // A killed client's session, and with it its locks, ends also while a statement runs.
  client_connection_check_interval: '2s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements go to the client that sent them. The server's log has neither them nor
  // statements nor values: what people store does not belong in a log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
};

/**
 * For tests alone: a crash of the machine may lose everything, a kill of the server the last half
 * second.
 */
const FLEETING: Readonly<Record<string, string>> = {
  // Many whole applications share it.
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** For keeping: a commit that was acknowledged is on the disk. */
const DURABLE: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
};

/** The server's settings as arguments of its command line. */
export function serverSettings(durable: boolean): string[] {
  const settings = { ...ALWAYS, ...(durable ? DURABLE : FLEETING) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
