/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number;
  /** A whole number from `from` up to and with `to`. */
  int(from: number, to: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
  shuffled<T>(list: readonly T[]): T[];
  /** Another source that depends on this one's seed and the name only, not on what was drawn so far. */
  fork(name: string): Random;
}

/** sfc32, started from a hash of the seed. */
export function createRandom(seed: string): Random {
  let [a, b, c, d] = hash(seed);
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4_294_967_296;
  };
  for (let i = 0; i < 12; i += 1) next();
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    pick: (list) => list[int(0, list.length - 1)] ?? list[0],
    chance: (probability) => next() < probability,
    shuffled(list) {
      const order = list.map((item) => ({ item, place: next() }));
      return order.sort((left, right) => left.place - right.place).map(({ item }) => item);
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  };
}

/** Four words of 32 bits, after FNV-1a with four starts. */
function hash(text: string): [number, number, number, number] {
  const word = (start: number): number => {
    let value = start;
    for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 16_777_619);
    return value | 0;
  };
  return [word(2_166_136_261), word(374_761_393), word(668_265_263), word(1_274_126_177)];
}
