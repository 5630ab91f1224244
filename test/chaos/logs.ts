import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Finding } from './checks.ts';
import type { Stand } from './stand.ts';
import type { Call } from './telegram-oracle.ts';

export interface Watch {
  /** Looks through what was logged and said since the last time. `stray`: lines that are no record of the log. */
  look(calls: readonly Call[]): { findings: Finding[]; stray: number };
}

const CHUNK = 8 * 1024 * 1024;
const UNCAUGHT = 'an error that nobody took care of';
const NO_START = 'Peyk could not start';

/** Watches the logs of all Peyk processes and all that Peyk says, for secrets and for ends that nobody wanted. */
export function createWatch(stand: Stand, keys: readonly string[]): Watch {
  const needles = [...stand.secrets, ...keys].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64').replace(/=+$/u, ''),
    Buffer.from(secret).toString('hex'),
    encodeURIComponent(secret),
  ]);
  const offsets = new Map<string, number>();
  let ends = 0;

  return {
    look(calls) {
      const findings: Finding[] = [];
      let explained = ends;
      const stray: string[] = [];
      const seek = (text: string, where: string): void => {
        const leaked = needles.find((needle) => text.includes(needle));
        if (leaked !== undefined)
          findings.push({ kind: 'secret', count: 1, what: `${leaked.slice(0, 9)}… in ${where}` });
      };
      for (const { logFile } of stand.peyks) {
        const text = readNew(logFile, offsets);
        seek(text, logFile);
        for (const line of text.split('\n')) {
          // A start that finds no database or no Telegram ends in order, and is tried again.
          if (line.includes(NO_START)) explained += 1;
          if (line.includes(UNCAUGHT)) {
            explained += 1;
            findings.push({ kind: 'crash', count: 1, what: line.slice(0, 400) });
          }
          if (line !== '' && !line.startsWith('{')) stray.push(line);
        }
      }
      for (const call of calls) seek(JSON.stringify(call.params), `a ${call.method}`);
      const own = stand.peyks.reduce((sum, peyk) => sum + peyk.ownEnds.length, 0);
      if (own > explained) {
        const last = stray.slice(-8).join(' / ').slice(0, 600);
        const what = `${own - explained} processes ended by themselves; last words: ${last}`;
        findings.push({ kind: 'crash', count: own - explained, what });
      }
      ends = own;
      return { findings, stray: stray.length };
    },
  };
}

/** What was appended since the last time, whole lines only. */
function readNew(file: string, offsets: Map<string, number>): string {
  const from = offsets.get(file) ?? 0;
  const size = statSync(file).size;
  const fd = openSync(file, 'r');
  const parts: Buffer[] = [];
  for (let at = from; at < size;) {
    const part = Buffer.alloc(Math.min(CHUNK, size - at));
    const read = readSync(fd, part, 0, part.length, at);
    if (read === 0) break;
    parts.push(part.subarray(0, read));
    at += read;
  }
  closeSync(fd);
  const all = Buffer.concat(parts);
  const end = all.lastIndexOf(10) + 1;
  offsets.set(file, from + end);
  return all.subarray(0, end).toString('utf8');
}
