/**
 * The moves of a state machine: by the name of an event, the state that it leads to from each state in which it may
 * happen. In any other state it changes nothing. Statements take their states from here (storage/move.ts), and so do the
 * pictures in docs/architecture.md.
 */
export type Moves<State extends string> = Readonly<Record<string, Readonly<Partial<Record<State, State>>>>>;

/** Writes a set of states as statements and partial indexes name it, so that the planner finds the one in the other. */
export function listOf(states: readonly string[]): string {
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
}
