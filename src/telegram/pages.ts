import type { ActionButton, Button } from './buttons.ts';
import type { Turn } from './turn.ts';

/** A list is looked at for days; what it shows is read anew at each press. */
const WEEK_SECONDS = 604_800;

export interface PagerSpec {
  /** From 1. */
  readonly page: number;
  /** How many there are; absent where nobody knows: then `more` decides. */
  readonly pages?: number;
  readonly more?: boolean;
  /** The button that opens a page. */
  readonly button: (label: string, page: number) => ActionButton;
}

/**
 * The row of buttons below one page of a list: back, where we are, on. They only look, so they may be pressed
 * again, by anyone with the permission, and after a restart. Empty for a list of one page.
 */
export function pageButtons(turn: Turn, spec: PagerSpec): Button[] {
  const { page, pages } = spec;
  const hasNext = pages === undefined ? spec.more === true : page < pages;
  if (page <= 1 && !hasNext) return [];
  const button = (label: string, to: number): ActionButton => ({
    ...spec.button(label, to),
    ttlSeconds: WEEK_SECONDS,
    reusable: true,
  });
  const { number } = turn.format;
  const place = pages === undefined ? number(page) : `${number(page)} / ${number(pages)}`;
  const [back, on] = turn.locale === 'fa' ? ['▶', '◀'] : ['◀', '▶'];
  return [
    ...(page > 1 ? [button(back, page - 1)] : []),
    button(place, page),
    ...(hasNext ? [button(on, page + 1)] : []),
  ];
}
