/** The gateway's clock: that of the machine, moved, or standing still. Times are epoch ms. */
export type Clock = {
  now(): number;
  set(at: number): void;
  /** Moves it forwards or (negative) back. */
  advance(ms: number): void;
  /** Stops it where it is, or lets it go on from there. */
  freeze(frozen: boolean): void;
  readonly frozen: boolean;
  /** Back to the machine's time, going on. */
  reset(): void;
};

/** A clock on another one. */
export function createClock(underneath: () => number): Clock {
  let offset = 0;
  let stoppedAt: number | undefined;
  const now = () => stoppedAt ?? underneath() + offset;
  const set = (at: number): void => {
    offset = at - underneath();
    if (stoppedAt !== undefined) stoppedAt = at;
  };
  return {
    now,
    set,
    advance: (ms) => set(now() + ms),
    freeze(frozen) {
      const at = now();
      stoppedAt = frozen ? at : undefined;
      set(at);
    },
    get frozen() {
      return stoppedAt !== undefined;
    },
    reset() {
      offset = 0;
      stoppedAt = undefined;
    },
  };
}
