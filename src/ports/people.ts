import type { KeptPerson } from '../domain/people.ts';

/** What a chat keeps in all, or under a tag. */
export interface PeopleFound {
  readonly people: readonly KeptPerson[];
  readonly all: number;
}
