import type { Bulk } from '../bulk.ts';
import { readTemplate } from '../merge.ts';
import { toRecipients, type SendKind } from './kind.ts';

/** The rows of a file, by Send SMS where all get the same text, else by Send many. */
export const bulk: SendKind<Bulk> = {
  ...toRecipients(),
  // Its steps take people and machines longer than a typed message does.
  openSeconds: 7200,
  // They lie in storage from the moment in which they were counted.
  calls: () => [],
  lengths: ({ summary }) => summary?.lengths ?? [],
  messages: ({ outgoing }) => outgoing.summary?.recipients ?? 0,
  people: ({ outgoing }) => outgoing.summary?.recipients ?? 0,
  says: ({ outgoing: { columns, summary }, line, text }) => {
    const { pieces, fields } = readTemplate(text, columns);
    const own = pieces.filter((piece) => typeof piece === 'string').join('\n');
    // One text for all is looked at where it stands.
    if (fields.length === 0) return [{ line, text: own, isWhole: true }];
    return [{ line, text: own, isWhole: false, merged: summary?.found }];
  },
  canonical: ({ outgoing, line, text, flash }) => ['bulk', outgoing.summary?.digest ?? '', line, text, flash],
  // What a file leaves out was left out when it was counted.
  only: (payload) => payload,
  isReady: ({ step }) => step === 'review',
  // A file is read once.
  toDoubted: (_outgoing, rows) => (rows.length > 0 ? { kind: 'multi', rows } : { kind: 'text' }),
};
