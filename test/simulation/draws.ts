import { chances } from '../../src/sandbox/chances.ts';

/** Numbers that follow from a seed and the name of what they are drawn for: leaving one thing out leaves the others as they are. */
export interface Draws {
  /** The next number of this name, from 0 up to 1. */
  of(name: string): number;
  /** A whole number of this name, from 0 to most - 1. */
  below(name: string, most: number): number;
  /** One of several. */
  pick<T>(name: string, from: readonly [T, ...T[]]): T;
  /** Whether what is so likely comes to pass this time. */
  happens(name: string, likely: number): boolean;
}

/** @param seed of 32 bits */
export function createDraws(seed: number): Draws {
  const streams = new Map<string, () => number>();
  const of = (name: string): number => {
    let stream = streams.get(name);
    if (stream === undefined) streams.set(name, (stream = chances(mix(seed, name))));
    return stream();
  };
  const below = (name: string, most: number): number => Math.floor(of(name) * most);
  return {
    of,
    below,
    pick: (name, from) => from[below(name, from.length)] ?? from[0],
    happens: (name, likely) => of(name) < likely,
  };
}

/** FNV-1a over the name, begun with the seed. */
function mix(seed: number, name: string): number {
  let hash = (0x81_1c_9d_c5 ^ seed) >>> 0;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01_00_01_93);
  return hash >>> 0;
}
