import type { Recipient } from './phone.ts';

/** Canonical mobile numbers, each once, in 4 to 8 bytes per number beside spare room: a million in 8 MB. */
export interface NumberSet {
  /** False when it was there. Throws RangeError for what is no canonical number. */
  add(recipient: Recipient): boolean;
  has(recipient: Recipient): boolean;
  readonly size: number;
}

/** Makes an empty set; `expected` spares it growing up to that many numbers. */
export function createNumberSet(expected = 0): NumberSet {
  // In parts that grow by themselves: to move a million numbers at a time would hold everything else up.
  const parts = Array.from({ length: PARTS }, () => new Uint32Array(roomFor(expected / PARTS)));
  const sizes = new Uint32Array(PARTS);
  let size = 0;

  const partOf = (key: number): Uint32Array => parts[key & (PARTS - 1)] ?? new Uint32Array();

  const grow = (at: number, full: Uint32Array): void => {
    const slots = new Uint32Array(full.length * 2);
    for (const key of full) if (key !== FREE) slots[slotOf(slots, key)] = key;
    parts[at] = slots;
  };

  return {
    add(recipient) {
      const key = keyOf(recipient);
      const slots = partOf(key);
      const slot = slotOf(slots, key);
      if (slots[slot] === key) return false;
      slots[slot] = key;
      size += 1;
      const at = key & (PARTS - 1);
      const held = (sizes[at] ?? 0) + 1;
      sizes[at] = held;
      if (held > slots.length * FULLEST) grow(at, slots);
      return true;
    },
    has(recipient) {
      const key = keyOf(recipient);
      const slots = partOf(key);
      return slots[slotOf(slots, key)] === key;
    },
    get size() {
      return size;
    },
  };
}

const FREE = 0;
const SMALLEST = 16;
const FULLEST = 0.6;
/** A power of two. */
const PARTS = 32;

const LENGTH = 12;
/** Every canonical number begins with these three digits, so the nine after them tell it. */
const FIRST = '989';

/** One more than what the nine digits say, for 0 is free. */
function keyOf(recipient: Recipient): number {
  let key = recipient.length === LENGTH && recipient.startsWith(FIRST) ? 0 : Number.NaN;
  for (let at = FIRST.length; at < LENGTH; at += 1) {
    const digit = recipient.charCodeAt(at) - 0x30;
    key = digit >= 0 && digit <= 9 ? key * 10 + digit : Number.NaN;
  }
  if (Number.isNaN(key)) throw new RangeError('not a canonical number');
  return key + 1;
}

function roomFor(expected: number): number {
  let room = SMALLEST;
  while (expected > room * FULLEST) room *= 2;
  return room;
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
