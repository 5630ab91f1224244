import { createModel } from './model.ts';
import type { State, World } from './state.ts';
import type { Guard } from './guards.ts';

/** What a search has come to. */
export interface Found {
  readonly states: number;
  readonly steps: number;
  /** The longest of all shortest ways to a state. */
  readonly depth: number;
  /** What is wrong, and the shortest way to it; null: nothing, in any state that can be reached. */
  readonly wrong: { readonly promise: string; readonly history: readonly string[] } | null;
}

const NIBBLES = 8;

/**
 * Looks at every state of a world that can be reached, nearest first, until something is wrong.
 * @throws Error when there are more than `most`
 */
export function search(
  world: World,
  {
    without = new Set(),
    most = 20_000_000,
    about = '',
    ways,
  }: {
    readonly without?: ReadonlySet<Guard>;
    readonly most?: number;
    /** How the promises begin that are looked at; by default all are. */
    readonly about?: string;
    /** Gets the ways of the tables that are gone. */
    readonly ways?: Set<string>;
  } = {},
): Found {
  const model = createModel(world, without);
  const seen = createSeen(model.size);
  const parents: number[] = [-1];
  let [steps, depth, end] = [0, 0, 1];
  const first = model.initial();
  seen.add(first);
  for (let at = 0; at < seen.count(); at++) {
    if (at === end) [depth, end] = [depth + 1, seen.count()];
    const state = seen.get(at);
    let wrong: string | null = null;
    let last: State | null = null;
    model.steps(state, (_label, next, told) => {
      if (wrong !== null) return;
      steps += 1;
      const isNew = seen.add(next);
      if (isNew) parents.push(at);
      if (ways !== undefined) model.noteWays(state, next, ways);
      const found = told ?? (isNew ? model.wrongIn(next) : null);
      wrong = found?.startsWith(about) === true ? found : null;
      if (wrong !== null) last = next;
    });
    if (wrong !== null && last !== null)
      return {
        states: seen.count(),
        steps,
        depth,
        wrong: { promise: wrong, history: history(at, last, wrong) },
      };
    if (seen.count() > most) throw new Error(`more than ${most} states`);
  }
  return { states: seen.count(), steps, depth, wrong: null };

  /** The steps to a state, and the last one, which is wrong. */
  function history(at: number, last: State, wrong: string): string[] {
    const way: State[] = [last];
    for (let up = at; up >= 0; up = parents[up] ?? -1) way.unshift(seen.get(up));
    return way.slice(1).map((to, index) => {
      const labels: string[] = [];
      model.steps(way[index] ?? first, (label, next, told) => {
        if (to !== last || told === null || told === wrong)
          if (next.every((value, f) => value === to[f])) labels.push(label);
      });
      return labels[0] ?? '';
    });
  }
}

/** States by number, each once: eight fields to a word, found by open addressing. */
function createSeen(size: number) {
  const words = Math.ceil(size / NIBBLES);
  const PAGE = 1 << 16;
  const pages: Uint32Array[] = [];
  let slots = new Int32Array(1 << 16).fill(-1);
  let hashes = new Uint32Array(1 << 16);
  let count = 0;
  const packed = new Uint32Array(words);

  function pack(state: State): number {
    let hash = 0x9e3779b9;
    for (let w = 0; w < words; w++) {
      let word = 0;
      for (let f = w * NIBBLES, end = f + NIBBLES; f < end; f++) word = (word << 4) | (state[f] ?? 0);
      packed[w] = word;
      hash = Math.imul(hash ^ word, 0x85ebca6b);
      hash ^= hash >>> 13;
    }
    hash = Math.imul(hash, 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  function isAt(index: number): boolean {
    const page = pages[index >>> 16];
    const from = (index & (PAGE - 1)) * words;
    for (let w = 0; w < words; w++) if (page?.[from + w] !== packed[w]) return false;
    return true;
  }

  function grow(): void {
    const [old, oldHashes] = [slots, hashes];
    slots = new Int32Array(old.length * 2).fill(-1);
    hashes = new Uint32Array(old.length * 2);
    for (const [at, index] of old.entries()) if (index >= 0) put(index, oldHashes[at] ?? 0);
  }

  function put(index: number, hash: number): void {
    let slot = hash & (slots.length - 1);
    while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = index;
    hashes[slot] = hash;
  }

  return {
    count: () => count,
    /** Whether it is new. */
    add(state: State): boolean {
      const hash = pack(state);
      for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
        const index = slots[slot] ?? -1;
        if (index < 0) break;
        if (hashes[slot] === hash && isAt(index)) return false;
      }
      if (count % PAGE === 0) pages.push(new Uint32Array(PAGE * words));
      pages[count >>> 16]?.set(packed, (count & (PAGE - 1)) * words);
      put(count, hash);
      count += 1;
      if (count * 2 > slots.length) grow();
      return true;
    },
    get(index: number): State {
      const state = new Uint8Array(words * NIBBLES);
      const page = pages[index >>> 16];
      const from = (index & (PAGE - 1)) * words;
      for (let w = 0; w < words; w++) {
        const word = page?.[from + w] ?? 0;
        for (let f = 0; f < NIBBLES; f++) state[w * NIBBLES + f] = (word >>> ((NIBBLES - 1 - f) * 4)) & 15;
      }
      return state;
    },
  };
}
