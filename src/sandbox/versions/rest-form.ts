/** How versions 4 and 3 differ where they otherwise have the same operation at the same path. */
export type RestForm = {
  readonly method: 'GET' | 'POST';
  /** What version 4 puts behind each path. */
  readonly ending: '' | '.json';
};
