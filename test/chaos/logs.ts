import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { dumpInto } from '../canary/dump.ts';
import { createScanner, toLines } from '../canary/scanner.ts';
import type { Finding } from './checks.ts';
import { readNew } from './read-new.ts';
import type { Stand } from './stand.ts';
import type { Call } from './telegram-oracle.ts';

/** What the log says about one update, or about a chat's card. */
export interface Note {
  readonly pid: number;
  readonly update: number | null;
  readonly chat: string | null;
  readonly says: string;
  /** Of Telegram, that was called for it. */
  readonly method?: string | undefined;
}

export interface Watch {
  /** Looks through what was logged and said since the last time. `stray`: lines that are no record of the log. */
  look(calls: readonly Call[]): {
    findings: Finding[];
    stray: number;
    notes: Note[];
  };
  /** Searches a dump of the database for secrets, and says how much was searched in all. */
  finish(say: (line: string) => void): Promise<Finding[]>;
}

const UNCAUGHT = 'an error that nobody took care of';
const NO_START = 'Peyk could not start';
/** What the log says of a card that Telegram did not surely take. */
export const CARD_LOST = 'a card could not be shown';
const Noted = z.looseObject({
  pid: z.number(),
  update: z.number().optional(),
  chat: z.string().optional(),
  method: z.string().optional(),
  msg: z.string(),
});

/** Watches the logs of all Peyk processes and all that Peyk says, for secrets and for ends that nobody wanted. */
export function createWatch(stand: Stand, keys: readonly string[]): Watch {
  const secrets = Object.fromEntries(
    [...stand.secrets, ...keys].map((value, at) => [`secret ${at + 1}`, value]),
  );
  const scanner = createScanner(secrets);
  const logs = new Map<string, (piece: Uint8Array) => void>();
  const searchLog = (logFile: string, text: string): void => {
    const search = logs.get(logFile) ?? scanner.stream('logs', basename(logFile));
    logs.set(logFile, search);
    search(Buffer.from(text));
  };
  let told = 0;
  const leaks = (): Finding[] => {
    const fresh = scanner.hits.slice(told);
    told += fresh.length;
    return fresh.map(({ secret, encoding, kind, place }) => ({
      kind: 'secret',
      count: 1,
      what: `${secret}, ${encoding}, in ${kind}: ${place}`,
    }));
  };
  const offsets = new Map<string, number>();
  let ends = 0;

  return {
    look(calls) {
      const findings: Finding[] = [];
      let explained = ends;
      const stray: string[] = [];
      const notes: Note[] = [];
      for (const { logFile } of stand.peyks) {
        const { text, next } = readNew(logFile, offsets.get(logFile) ?? 0);
        offsets.set(logFile, next);
        searchLog(logFile, text);
        for (const line of text.split('\n')) {
          // A start that finds no database or no Telegram ends in order, and is tried again.
          if (line.includes(NO_START)) explained += 1;
          if (line.includes(UNCAUGHT)) {
            explained += 1;
            findings.push({ kind: 'crash', count: 1, what: line.slice(0, 400) });
          }
          if (line !== '' && !line.startsWith('{')) stray.push(line);
          if (line.includes('"update":') || line.includes(CARD_LOST)) notes.push(...noteOf(line));
        }
      }
      for (const call of calls) scanner.scan('calls of Telegram', call.method, JSON.stringify(call.params));
      findings.push(...leaks());
      const own = stand.peyks.reduce((sum, peyk) => sum + peyk.ownEnds.length, 0);
      if (own > explained) {
        const last = stray.slice(-8).join(' / ').slice(0, 600);
        const what = `${own - explained} processes ended by themselves; last words: ${last}`;
        findings.push({ kind: 'crash', count: own - explained, what });
      }
      ends = own;
      return { findings, stray: stray.length, notes };
    },

    async finish(say) {
      await stand.postgres.ask(
        async (sql) =>
          await dumpInto(sql, (table, text) => scanner.scan('dump of the database', table, text)),
      );
      const findings = leaks();
      say(toLines(scanner, 'search for secrets'));
      return findings;
    },
  };
}

/** The end of each process's log. */
export function lastWords({ peyks }: Stand): string {
  return peyks.map(({ logFile }) => readFileSync(logFile, 'utf8').slice(-600)).join('\n');
}

function noteOf(line: string): Note[] {
  const read = Noted.safeParse(parse(line));
  if (!read.success) return [];
  const { pid, update = null, chat = null, msg: says, method } = read.data;
  return [{ pid, update, chat, says, method }];
}

/** The last line of a killed process may be cut short. */
function parse(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return value;
  } catch {
    return null;
  }
}
