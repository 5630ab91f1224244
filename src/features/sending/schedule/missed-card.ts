import type { Format } from '../../../i18n/format.ts';
import type { CardView, JobView } from '../../../ports/stores.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import { missedText } from './when-card.ts';
import { whenTexts } from './when-texts.ts';

/** What the author of a send that did not leave at its time is told; null where it does not wait for an answer any more. */
export function missedCall(
  { draft, job }: Pick<CardView, 'draft'> & { readonly job: JobView },
  format: Format,
  now: Date,
): Html | null {
  if (job.state !== 'missed') return null;
  return lines(missedText({ draft, job }, format, now), whenTexts(draft.lang).notification(draft.code));
}
