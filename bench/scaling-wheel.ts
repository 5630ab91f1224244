/** Things that are each due at one second at most. Putting and taking cost the same however many there are. */
export interface Wheel {
  /** What lies behind the end is forgotten. A thing must not be in it already. */
  put(thing: number, second: number): void;
  /** Takes out what is due at that second. What is put meanwhile is due later. */
  take(second: number, each: (thing: number) => void): void;
}

const NONE = -1;

export function createWheel(seconds: number, things: number): Wheel {
  const first = new Int32Array(seconds).fill(NONE);
  const next = new Int32Array(things);
  let now = -1;
  return {
    put(thing, second) {
      const at = Math.max(now + 1, Math.ceil(second));
      if (at >= seconds) return;
      next[thing] = first[at] ?? NONE;
      first[at] = thing;
    },
    take(second, each) {
      now = second;
      let thing = first[second] ?? NONE;
      first[second] = NONE;
      while (thing !== NONE) {
        const following = next[thing] ?? NONE;
        each(thing);
        thing = following;
      }
    },
  };
}

/** Numbers in the order in which they came. */
export interface Line {
  readonly length: number;
  push(value: number): void;
  /** The oldest; only where there is one. */
  shift(): number;
}

export function createLine(): Line {
  let values = new Int32Array(1024);
  let from = 0;
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const wider = new Int32Array(values.length * 2);
        for (let at = 0; at < length; at += 1) wider[at] = values[(from + at) & (values.length - 1)] ?? 0;
        values = wider;
        from = 0;
      }
      values[(from + length) & (values.length - 1)] = value;
      length += 1;
    },
    shift() {
      const value = values[from] ?? 0;
      from = (from + 1) & (values.length - 1);
      length -= 1;
      return value;
    },
  };
}
