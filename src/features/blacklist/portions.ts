import { BLOCKED_PER_CALL } from '../../domain/interface-limits.ts';

/** Numbers by the calls that add them, and that look whether they are there. */
export function portionsOf(numbers: readonly string[]): readonly (readonly string[])[] {
  const portions: (readonly string[])[] = [];
  for (let start = 0; start < numbers.length; start += BLOCKED_PER_CALL)
    portions.push(numbers.slice(start, start + BLOCKED_PER_CALL));
  return portions;
}
