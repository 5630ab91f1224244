import type { CardView, JobView } from '../../../ports/stores.ts';
import type { Html } from '../../../telegram/html.ts';
import { jobTexts } from './job-texts.ts';

/** What has become of an answer to a received message, where that is not what was meant; null: it is on its way, or there. */
export function unansweredText({
  draft: { code, lang },
  job: { asked, counts },
}: Pick<CardView, 'draft'> & { readonly job: JobView }): Html | null {
  const t = jobTexts(lang);
  if (asked > 0) return t.answerAsks(code);
  if (counts.unknown > 0) return t.answerUnknown(code);
  return counts.planned + counts.rejected + counts.blocked > 0 ? t.answerNotSent(code) : null;
}
