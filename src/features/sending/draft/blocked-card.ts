import { messageCount } from '../../../domain/outgoing.ts';
import type { Format } from '../../../i18n/format.ts';
import type { DraftView } from '../../../ports/stores.ts';
import type { Html } from '../../../telegram/html.ts';
import { LISTED } from '../kinds/kind-card.ts';
import { texts } from '../texts.ts';

/** Names who is left out of what a person is asked to confirm, since the blacklist of the line has them. */
export function blockedLines(draft: DraftView, format: Format): (Html | false)[] {
  const t = texts(draft.lang);
  const blocked = draft.blocked ?? [];
  if (blocked.length === 0) return [];
  return [
    t.blockedLine(
      listed(
        blocked.map(({ recipient }) => recipient),
        format,
      ),
    ),
    blocked.length > LISTED && t.more(format.number(blocked.length - LISTED)),
    messageCount(draft) === 0 && t.nobody,
  ];
}

/** Gives the first of some numbers. */
export function listed(numbers: readonly string[], format: Format): string {
  return format.list(numbers.slice(0, LISTED).map((number) => format.phone(number)));
}
