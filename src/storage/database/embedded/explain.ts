import { statfsSync } from 'node:fs';
import { AppError } from '../../../domain/errors.ts';

/** With less room than this no server starts, whatever it says: not every program names the reason. */
const LEAST_ROOM_BYTES = 32 * 1024 * 1024;

/**
 * Turns what Postgres's programs said into one sentence for the operator.
 * @param said their output, at most the end of it is repeated
 */
export function explain(said: string, dataDir: string): AppError {
  if (/no space left on device/i.test(said) || roomIn(dataDir) < LEAST_ROOM_BYTES) {
    return new AppError('config', `the disk that holds the data directory ${dataDir} is full`);
  }
  if (/permission denied|read-only file system/i.test(said)) {
    return new AppError('config', `the data directory ${dataDir} cannot be written: ${lastWords(said)}`);
  }
  return new AppError('config', `the embedded database does not start: ${lastWords(said)}`);
}

function lastWords(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /FATAL|PANIC|error:/i.test(line));
  return (telling.at(-1) ?? lines.at(-1) ?? 'it said nothing').trim().slice(-300);
}

function roomIn(dataDir: string): number {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize;
}
