import type { Limited } from '../../../ports/stores.ts';
import type { Html } from '../../../telegram/html.ts';
import type { Turn } from '../../../telegram/turn.ts';
import { limitTexts } from './limit-texts.ts';
import { texts } from '../texts.ts';

/** Why a limit keeps the rest of a job from leaving. Says nothing of what has left. */
export function limitedRest(turn: Turn, { verdict, leavesAt }: Limited, confirmedByName: string): Html {
  const t = limitTexts(turn.locale);
  const { format } = turn;
  switch (verdict.kind) {
    case 'halted':
      return t.halted(verdict.byName, format.dateTime(verdict.at));
    case 'held':
      return t.held(format.dateTime(verdict.at));
    case 'window':
      return t.window(
        clockText(turn, verdict.from),
        clockText(turn, verdict.to),
        format.time(leavesAt),
        format.timeZone,
      );
    case 'approval':
      return t.second(verdict.above === 0 ? null : amountText(turn, 'parts', verdict.above), confirmedByName);
    case 'cap': {
      const say = verdict.whose === 'chat' ? t.cap : t.personCap;
      const [cap, used, wanted] = [verdict.cap, verdict.used, verdict.wanted].map((value) =>
        amountText(turn, verdict.unit, value),
      );
      return say(cap ?? '', used ?? '', wanted ?? '');
    }
  }
}

/** What a cap counts. */
export function amountText(turn: Turn, unit: 'rial' | 'parts', value: number): string {
  return unit === 'rial' ? turn.format.rial(value) : turn.format.count(value, texts(turn.locale).parts);
}

/** A time of the day from minutes after midnight. */
export function clockText(turn: Turn, minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return turn.format.digits(`${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`);
}
