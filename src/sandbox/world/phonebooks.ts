import { readRecipient } from './numbers.ts';
import { refuse } from './refusal.ts';
import type { Refusal } from './refusal.ts';

/** A named list of mobile numbers: from ten digits to the identifier of the entry. */
export type Phonebook = {
  readonly id: number;
  readonly title: string;
  readonly flag: string;
  readonly numbers: ReadonlyMap<string, number>;
};

/** The phonebooks of one account. Numbers come as clients write them; a number stands in a book once. */
export type Phonebooks = {
  /** Oldest first. */
  all(): readonly Phonebook[];
  find(id: number): Phonebook | undefined;
  /** Titles and flags are unique among the books that exist. */
  create(book: { title: string; flag: string; numbers: readonly string[] }): Phonebook | Refusal;
  /** Gives the book that was deleted. */
  remove(id: number): Phonebook | Refusal;
  addNumbers(id: number, numbers: readonly string[]): Phonebook | Refusal;
  /** Numbers that are not in the book are passed over, unless none of them is. */
  removeNumbers(id: number, numbers: readonly string[]): Phonebook | Refusal;
};

type Stored = Omit<Phonebook, 'numbers'> & { readonly numbers: Map<string, number> };

export function createPhonebooks(options: {
  nextId: () => number;
  keepBooks: number;
  keepNumbers: number;
}): Phonebooks {
  const books = new Map<number, Stored>();
  const has = (fits: (book: Stored) => boolean) => [...books.values()].some(fits);

  function read(numbers: readonly string[]): string[] | Refusal {
    if (numbers.length === 0) return refuse('no_number');
    const digits = numbers.map(readRecipient).filter((one) => one !== undefined);
    return digits.length < numbers.length ? refuse('phonebook_failed') : digits;
  }

  function put(book: Stored, digits: readonly string[]): void {
    for (const one of digits) if (!book.numbers.has(one)) book.numbers.set(one, options.nextId());
  }

  function isFull(adding: number): boolean {
    const kept = [...books.values()].reduce((sum, book) => sum + book.numbers.size, 0);
    return kept + adding > options.keepNumbers;
  }

  return {
    all: () => [...books.values()],
    find: (id) => books.get(id),
    create({ title, flag, numbers }) {
      if (flag.trim() === '') return refuse('flag_empty');
      const digits = read(numbers);
      if (!Array.isArray(digits)) return digits;
      if (has((book) => book.flag === flag)) return refuse('flag_taken');
      if (has((book) => book.title === title)) return refuse('phonebook_exists');
      if (books.size >= options.keepBooks || isFull(digits.length)) return refuse('phonebook_failed');
      const book: Stored = { id: options.nextId(), title, flag, numbers: new Map() };
      put(book, digits);
      books.set(book.id, book);
      return book;
    },
    remove(id) {
      const book = books.get(id);
      if (book === undefined) return refuse('no_such_record');
      books.delete(id);
      return book;
    },
    addNumbers(id, numbers) {
      const book = books.get(id);
      if (book === undefined) return refuse('no_such_record');
      const digits = read(numbers);
      if (!Array.isArray(digits)) return digits;
      if (isFull(digits.length)) return refuse('phonebook_failed');
      put(book, digits);
      return book;
    },
    removeNumbers(id, numbers) {
      const book = books.get(id);
      if (book === undefined) return refuse('no_such_record');
      const digits = read(numbers);
      if (!Array.isArray(digits)) return digits;
      const removed = digits.filter((one) => book.numbers.delete(one));
      return removed.length === 0 ? refuse('no_such_record') : book;
    },
  };
}
