export interface LeftOut {
  readonly level: number;
  /** The words of the lines that were left out; empty: of several sources together. */
  readonly sentence: string;
  readonly lines: number;
}

export interface LogBoundDeps {
  /** Milliseconds by a clock that nobody sets. */
  readonly now: () => number;
  readonly later: (ms: number, work: () => void) => void;
  readonly tell: (leftOut: LeftOut) => void;
}

export interface LogBound {
  /** Whether a line may pass. */
  passes(level: number, sentence: string): boolean;
  /** Tells at once what has been left out, as when the process ends. */
  close(): void;
}

/** Of one source in each ten seconds. */
export const MAX_LINES = 200;
export const WINDOW_MS = 10_000;
/** More than there are sentences in the code; what comes beside them is one source for its level. */
export const MAX_SOURCES = 1000;
const OTHERS = '';

interface Source {
  lines: number;
  leftOut: number;
}

/**
 * Keeps any one source of lines, which is a sentence at its level, from filling the log. How many of its lines were left
 * out is told when their ten seconds are over.
 */
export function createLogBound({ now, later, tell }: LogBoundDeps): LogBound {
  const levels = new Map<number, Map<string, Source>>();
  let sources = 0;
  let until = Number.NEGATIVE_INFINITY;
  let isMissing = false;
  let isAwaited = false;

  return {
    passes(level, sentence) {
      const at = now();
      if (at >= until) {
        close();
        until = at + WINDOW_MS;
      }
      const source = sourceOf(level, sentence);
      source.lines += 1;
      if (source.lines <= MAX_LINES) return true;
      source.leftOut += 1;
      isMissing = true;
      if (!isAwaited) wait(until - at);
      return false;
    },
    close,
  };

  function sourceOf(level: number, sentence: string): Source {
    let ofLevel = levels.get(level);
    if (ofLevel === undefined) {
      ofLevel = new Map();
      levels.set(level, ofLevel);
    }
    const known = ofLevel.get(sentence);
    if (known !== undefined) return known;
    if (sources >= MAX_SOURCES && sentence !== OTHERS) return sourceOf(level, OTHERS);
    const source = { lines: 0, leftOut: 0 };
    ofLevel.set(sentence, source);
    sources += 1;
    return source;
  }

  function wait(ms: number): void {
    isAwaited = true;
    later(ms, () => {
      isAwaited = false;
      const at = now();
      if (at >= until) close();
      // A line has begun the next ten seconds before this could.
      else if (isMissing) wait(until - at);
    });
  }

  function close(): void {
    const ended = isMissing ? [...levels] : [];
    levels.clear();
    sources = 0;
    isMissing = false;
    for (const [level, ofLevel] of ended)
      for (const [sentence, { leftOut }] of ofLevel)
        if (leftOut > 0) tell({ level, sentence, lines: leftOut });
  }
}
