/*
 * What the gateway takes in one call, and how much of a list it gives at once (interface, Limits).
 */

/** Recipients of a send. */
export const RECIPIENTS_PER_CALL = 200;
/** Characters of a message. A draft counts UTF-16 units, which are never fewer. */
export const MESSAGE_CHARACTERS = 900;
/** Numbers that one call adds to the blacklist. */
export const BLOCKED_PER_CALL = 200;
/** Numbers that are looked up on the blacklist: no limit is stated, and so many fit into an address (version 4). */
export const LOOKED_UP_PER_CALL = 400;
/** Ids whose reports are asked for. */
export const IDS_PER_CALL = 50;
/** What the list of the newest gives. */
export const NEWEST_ROWS = 200;
/** What a list for one number gives. */
export const ROWS_OF_A_NUMBER = 50;
/** Unread messages. */
export const UNREAD_ROWS = 50;
/** The longest span of the list of what was sent, in seconds. */
export const OUTBOX_SECONDS = 86_400;
