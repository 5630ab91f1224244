import { inspect } from 'node:util';

/** What stands where a secret stood. */
export const MASK = '***';

/**
 * A value that must not be printed. Every way a value usually leaks (templates, JSON, inspect,
 * spreading) yields `***`; the only way out is {@link reveal}, which is easy to search for.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Call it where the value goes on the wire or into the cipher, nowhere else. */
  reveal(): string {
    return this.#value;
  }

  /** The last characters, to let a person recognise a key they know: nothing for short values. */
  tail(length = 4): string {
    return this.#value.length >= length * 3 ? this.#value.slice(-length) : '';
  }

  equals(other: Secret): boolean {
    return this.#value === other.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
