/** How every program of Peyk's ends, as `sysexits.h` has the numbers. docs/operations.md says what each means. */
export const EXIT = {
  /** Something unforeseen, or what was asked about is not as it should be. */
  wrong: 1,
  /** It was called in a way that it does not know. */
  badUse: 64,
  /** What it needs is not there now: starting again helps once it is. */
  unreachable: 69,
  /** Starting again is useless until something is changed. */
  badSettings: 78,
} as const;
