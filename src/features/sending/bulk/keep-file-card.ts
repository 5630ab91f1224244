import { newBulk } from '../../../domain/bulk.ts';
import type { Stores } from '../../../storage/stores.ts';
import { fileReference, type IncomingFile } from '../../../telegram/forms/file-reference.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { draftLine, draftOf } from '../../shared/new-draft.ts';
import type { Cards } from '../cards.ts';
import { checkSize } from './reader.ts';

export interface KeepFileDeps extends Pick<Stores, 'drafts' | 'bindings'> {
  readonly cards: Pick<Cards, 'refresh'>;
}

/** Has the people of a file kept under a tag, on a card like that of any file; null: they are asked under which. */
export type KeepFile = (ctx: RequestContext, file: IncomingFile, tag: string | null) => Promise<void>;

export function createKeepFile({ drafts, bindings, cards }: KeepFileDeps): KeepFile {
  return async (ctx, file, tag) => {
    checkSize(file);
    const line = await draftLine(ctx, undefined, bindings);
    // A chat that has no line yet is asked for one, and keeps the people by a button of the card.
    if (line === null) return await ctx.ask('bulk', { file: fileReference(file) });
    const outgoing = {
      ...newBulk({ name: file.name, reference: file.id }),
      keep: tag === null ? null : { tag, outcome: null },
    };
    const { id } = await drafts.create(draftOf(ctx, { outgoing, text: '', line, recipients: [] }));
    await cards.refresh(id);
  };
}
