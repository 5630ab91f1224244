/**
 * The moves of a state machine: by the name of an event, the state that it leads to from each state in which it may
 * happen. In any other state it changes nothing. Statements take their states from here (storage/move.ts), and so do the
 * pictures in docs/architecture.md.
 */
export type Moves<State extends string> = Readonly<Record<string, Readonly<Partial<Record<State, State>>>>>;

/** Draws the moves as a Mermaid state diagram, in the order of the states; `initial` are those that a row begins in. */
export function drawMoves<State extends string>(
  moves: Moves<State>,
  { states, initial }: { readonly states: readonly State[]; readonly initial: readonly State[] },
): string {
  const events = new Map<string, string[]>();
  for (const from of states)
    for (const [event, leads] of Object.entries(moves)) {
      const to = leads[from];
      if (to === undefined) continue;
      const way = `${from} --> ${to}`;
      events.set(way, [...(events.get(way) ?? []), event]);
    }
  return [
    'stateDiagram-v2',
    ...initial.map((state) => `  [*] --> ${state}`),
    ...events.entries().map(([way, names]) => `  ${way}: ${names.join(', ')}`),
  ].join('\n');
}
