/**
 * The most that one text may take so that all of them fit into `room` (same unit as the lengths): short ones stay
 * whole, long ones share alike what those leave. Infinity when nothing has to be cut.
 */
export function fairShare(lengths: readonly number[], room: number): number {
  let left = Math.max(0, room);
  const rising = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}
