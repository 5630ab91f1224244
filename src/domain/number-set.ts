import type { Recipient } from './phone.ts';

/** Canonical mobile numbers, each once, in 4 to 8 bytes per number beside spare room: a million in 8 MB. */
export interface NumberSet {
  /** False when it was there. Throws RangeError for what is no canonical number. */
  add(recipient: Recipient): boolean;
  has(recipient: Recipient): boolean;
  readonly size: number;
}

/** An empty set. */
export function createNumberSet(): NumberSet {
  let slots = new Uint32Array(SMALLEST);
  let size = 0;

  const grow = (): void => {
    const full = slots;
    slots = new Uint32Array(full.length * 2);
    for (const key of full) if (key !== FREE) slots[slotOf(slots, key)] = key;
  };

  return {
    add(recipient) {
      const key = keyOf(recipient);
      const slot = slotOf(slots, key);
      if (slots[slot] === key) return false;
      slots[slot] = key;
      size += 1;
      if (size > slots.length * FULLEST) grow();
      return true;
    },
    has(recipient) {
      const key = keyOf(recipient);
      return slots[slotOf(slots, key)] === key;
    },
    get size() {
      return size;
    },
  };
}

const FREE = 0;
const SMALLEST = 64;
const FULLEST = 0.6;

/** Every canonical number begins with these three digits, so the nine after them tell it: one more than they say, for 0 is free. */
const FIRST = 989_000_000_000;

function keyOf(recipient: Recipient): number {
  const key = Number(recipient) - FIRST + 1;
  if (!(key >= 1 && key <= 1_000_000_000) || !Number.isInteger(key))
    throw new RangeError('not a canonical number');
  return key;
}

/**
 * Where a key is, or the free slot where it belongs. Steps grow by one each, which visits every slot of a table of
 * 2^n and keeps apart what began nearby: a file made of numbers that meet in one place costs little more than another.
 */
function slotOf(slots: Uint32Array, key: number): number {
  const last = slots.length - 1;
  let slot = (Math.imul(key, 0x9e37_79b1) >>> Math.clz32(last)) & last;
  for (let step = 1; ; step += 1) {
    const found = slots[slot];
    if (found === key || found === FREE) return slot;
    slot = (slot + step) & last;
  }
}
