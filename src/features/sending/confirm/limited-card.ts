import { kindOf } from '../../../domain/kinds/index.ts';
import { partsOf } from '../../../domain/outgoing.ts';
import type { Format } from '../../../i18n/format.ts';
import type { CardView, Judged } from '../../../ports/stores.ts';
import { lines, type Html } from '../../../telegram/html.ts';
import { limitTexts } from './limit-texts.ts';
import { lineRuleTexts } from '../../shared/line-rule-texts.ts';
import { approvalTexts } from './approval-texts.ts';
import { texts } from '../texts.ts';

/**
 * Why a limit of the chat lets nothing leave at that moment; null where none does, or only a second person's yes is missing.
 * @param isTimed it was given a time: of one without, that moment is now.
 */
function limitNote({ verdict, leavesAt }: Judged, isTimed: boolean, format: Format): Html | null {
  const t = limitTexts(format.locale);
  switch (verdict.kind) {
    case 'ok':
    case 'approval':
      return null;
    case 'halted':
      return t.halted(verdict.byName, format.dateTime(verdict.at));
    case 'held':
      return t.held(format.dateTime(verdict.at));
    case 'window': {
      const [from, to] = [format.clock(verdict.from), format.clock(verdict.to)];
      const at = isTimed ? format.time(leavesAt) : null;
      return verdict.line === null
        ? t.window(from, to, at, format.timeZone)
        : lineRuleTexts(format.locale).window(verdict.line, from, to, at, format.timeZone);
    }
    case 'cap': {
      const say = verdict.whose === 'chat' ? t.cap : t.personCap;
      const amount = (value: number): string =>
        verdict.unit === 'rial' ? format.rial(value) : partsText(value, format);
      return say(amount(verdict.cap), format.date(leavesAt), amount(verdict.used), amount(verdict.wanted));
    }
  }
}

/** The same of a draft, and what was counted of it. */
export function draftLimitNote(
  { draft }: Pick<CardView, 'draft'>,
  judged: Judged,
  format: Format,
): Html | null {
  const { outgoing, sendAt } = draft;
  const isTimed = sendAt !== null || kindOf(outgoing).keptUntil(outgoing) !== null;
  const note = limitNote(judged, isTimed, format);
  if (note === null || judged.verdict.kind !== 'cap') return note;
  return lines(note, partsOf(draft) === null && approvalTexts(format.locale).patternCounted);
}

/** Why a limit keeps the rest of a job from leaving. Says nothing of what has left. */
export function limitedRest(judged: Judged, confirmedByName: string, format: Format): Html | null {
  const { verdict } = judged;
  if (verdict.kind !== 'approval') return limitNote(judged, false, format);
  if (verdict.above === null) return lineRuleTexts(format.locale).second(verdict.words, confirmedByName);
  const above = verdict.above === 0 ? null : partsText(verdict.above, format);
  return limitTexts(format.locale).second(above, confirmedByName);
}

function partsText(parts: number, format: Format): string {
  return format.count(parts, texts(format.locale).parts);
}
