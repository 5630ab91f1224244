import type { Log } from '../../src/ports/runtime.ts';

export interface LogLine {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export interface MemoryLog extends Log {
  readonly lines: LogLine[];
  /** Resolves with the first line, past or to come, for which the predicate holds. */
  line(matches: (line: LogLine) => boolean): Promise<LogLine>;
}

/** A log that keeps its lines; a line's fields include those of the `child` it came from. */
export function createMemoryLog(): MemoryLog {
  const lines: LogLine[] = [];
  const waiting = new Set<(line: LogLine) => void>();

  const at = (inherited: object): Log => {
    const write =
      (level: LogLine['level']) =>
      (fields: object, message: string): void => {
        const line = { level, fields: { ...inherited, ...fields }, message };
        lines.push(line);
        for (const look of waiting) look(line);
      };
    return {
      trace: write('trace'),
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: (fields) => at({ ...inherited, ...fields }),
    };
  };

  return {
    ...at({}),
    lines,
    line: (matches) =>
      new Promise((resolve) => {
        const past = lines.find((line) => matches(line));
        if (past !== undefined) {
          resolve(past);
          return;
        }
        const look = (line: LogLine): void => {
          if (!matches(line)) return;
          waiting.delete(look);
          resolve(line);
        };
        waiting.add(look);
      }),
  };
}
