import { tableProblem } from './table-problem.ts';

export interface SharedTexts {
  /** Throws `too_large`. */
  add(text: string): void;
  /** By the order in which they were added, from 0; undefined for one that was not. */
  get(index: number): string | undefined;
}

/**
 * Texts by number, as bytes outside of the heap: a workbook may share a million of them. Takes at most so many
 * bytes, of which a text costs {@link PLACE_BYTES} besides its own.
 */
export function keepTexts(most: number): SharedTexts {
  /** Each text behind its length; none goes over the end of a page. */
  const pages: Buffer[] = [];
  /** Where each text begins, counted through all pages. */
  let places = new Uint32Array(1_024);
  let [count, used, size] = [0, PAGE_BYTES, 0];

  return {
    add(text) {
      // A character is three bytes at most.
      const room = LENGTH_BYTES + text.length * 3;
      if (room > PAGE_BYTES) throw tableProblem('too_large');
      if (PAGE_BYTES - used < room) {
        pages.push(Buffer.allocUnsafe(PAGE_BYTES));
        used = 0;
      }
      const page = pages.at(-1) ?? Buffer.alloc(0);
      const length = page.write(text, used + LENGTH_BYTES);
      page.writeUInt32LE(length, used);
      size += length + PLACE_BYTES;
      if (size > most) throw tableProblem('too_large');
      if (count === places.length) {
        const longer = new Uint32Array(count * 2);
        longer.set(places);
        places = longer;
      }
      places[count] = (pages.length - 1) * PAGE_BYTES + used;
      count += 1;
      used += LENGTH_BYTES + length;
    },
    get(index) {
      const place = index < count ? places[index] : undefined;
      if (place === undefined) return undefined;
      const page = pages[Math.floor(place / PAGE_BYTES)];
      const at = (place % PAGE_BYTES) + LENGTH_BYTES;
      return page?.toString('utf8', at, at + page.readUInt32LE(at - LENGTH_BYTES));
    },
  };
}

const PAGE_BYTES = 2 ** 20;
const LENGTH_BYTES = 4;
/** Its length, and where it is. */
const PLACE_BYTES = 8;
