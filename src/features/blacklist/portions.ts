/** What the gateway takes in one call of add, and what is asked in one of exists. */
const PORTION = 200;

export function portionsOf(numbers: readonly string[]): readonly (readonly string[])[] {
  const portions: (readonly string[])[] = [];
  for (let start = 0; start < numbers.length; start += PORTION)
    portions.push(numbers.slice(start, start + PORTION));
  return portions;
}
