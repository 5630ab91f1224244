import type { HttpCall } from './transport/http-call.ts';

/** The operations that versions 4 and 3 share under names of their own. */
export type RestOperation =
  | 'multi'
  | 'outbox'
  | 'newest'
  | 'byNumber'
  | 'countSent'
  | 'countReceived'
  | 'inbox'
  | 'inboxPage'
  | 'receive'
  | 'register'
  | 'books'
  | 'bookNumbers'
  | 'blacklist'
  | 'blacklistAdd'
  | 'blacklistRemove'
  | 'blacklistCheck';

/** A parameter; an absent one does not travel. Version 4 writes a list with commas. */
type RestField = string | number | bigint | readonly (string | number)[] | undefined;

/** How a version asks: its path, and the fields in a JSON body or in the query. */
export type RestAsk = (operation: RestOperation, fields: Readonly<Record<string, RestField>>) => HttpCall;
