import type { PhonebookChangeKind } from '../../ports/phonebook-changes.ts';
import { lines, type Html } from '../../telegram/html.ts';
import type { RenderedCard } from '../../telegram/outgoing/notifier.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { phonebookActions } from './actions.ts';
import type { NumberSource } from './arguments.ts';
import { changeTexts } from './change-texts.ts';
import type { Difference } from './difference.ts';
import type { NumberList } from './number-list.ts';

export interface Preview {
  readonly kind: Exclude<PhonebookChangeKind, 'delete'>;
  readonly title: string;
  /** How many numbers the book has now. */
  readonly size: number;
  readonly difference: Difference;
  readonly repeated: NumberList['repeated'];
  readonly source: NumberSource;
  /** What a press confirms: the change and how many numbers it has; null when there is nothing to change. */
  readonly change: { readonly id: string; readonly numbers: number } | null;
}

const REASONS_SHOWN = 5;

/** What a change would do, before anything is done. */
export function previewCard(ctx: RequestContext, preview: Preview): RenderedCard {
  const t = changeTexts(ctx.locale);
  const { number, count } = ctx.format;
  const { kind, title, difference, repeated } = preview;
  const { changing, same, invalid } = difference;
  const shown = invalid.slice(0, REASONS_SHOWN);
  const line = (amount: number, text: (count: string) => Html): Html | false =>
    amount > 0 && text(number(amount));
  return {
    content: lines(
      kind === 'create' ? t.newBook(title) : t.book(title, count(preview.size, t.numbers)),
      kind === 'create'
        ? t.toCreate(count(changing.length, t.numbers))
        : line(changing.length, kind === 'add' ? t.toAdd : t.toRemove),
      line(same.length, kind === 'remove' ? t.notThere : t.already),
      line(repeated.length, t.repeated),
      line(invalid.length, t.invalid),
      ...shown.map(({ raw, reason }) => t.invalidItem(raw, t.why(reason))),
      line(invalid.length - shown.length, t.more),
      changing.length === 0 && (kind === 'remove' ? t.nothingToRemove : t.nothingToAdd),
      changing.length > 0 && ctx.chat.type !== 'private' && t.onlyAsker,
    ),
    buttons: [
      [preview.change !== null && confirmButton(ctx, kind, preview.change)],
      [
        invalid.length > shown.length &&
          phonebookActions.skipped.button(t.skipped, { source: preview.source }),
        preview.change !== null &&
          phonebookActions.cancel.button(
            t.cancel,
            { changeId: preview.change.id, title },
            { personId: ctx.person.id },
          ),
      ],
    ],
  };
}

function confirmButton(ctx: RequestContext, kind: Preview['kind'], change: NonNullable<Preview['change']>) {
  const t = changeTexts(ctx.locale);
  return phonebookActions.confirm.button(
    t[kind](ctx.format.number(change.numbers)),
    { changeId: change.id },
    { personId: ctx.person.id, style: kind === 'remove' ? 'danger' : 'success' },
  );
}
