import type { KeptPerson } from '../domain/people.ts';

/** What is to become of somebody who is kept, or is now. */
export interface PersonChange {
  readonly name?: string;
  /** Put beside those that are there; an empty one takes its field away. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  /** Tags that are taken away. */
  readonly without?: readonly string[];
}

/** What a chat keeps in all, or under a tag. */
export interface PeopleFound {
  readonly people: readonly KeptPerson[];
  readonly all: number;
}
