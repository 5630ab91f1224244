import type { Limited } from '../../../ports/stores.ts';
import type { Html } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { limitTexts } from './limit-texts.ts';
import { texts } from '../texts.ts';

/** Why a limit keeps the rest of a job from leaving. Says nothing of what has left. */
export function limitedRest(
  ctx: RequestContext,
  { verdict, leavesAt }: Limited,
  confirmedByName: string,
): Html {
  const t = limitTexts(ctx.locale);
  const { format } = ctx;
  switch (verdict.kind) {
    case 'halted':
      return t.halted(verdict.byName, format.dateTime(verdict.at));
    case 'held':
      return t.held(format.dateTime(verdict.at));
    case 'window':
      return t.window(
        clockText(ctx, verdict.from),
        clockText(ctx, verdict.to),
        format.time(leavesAt),
        format.timeZone,
      );
    case 'approval':
      return t.second(verdict.above === 0 ? null : amountText(ctx, 'parts', verdict.above), confirmedByName);
    case 'cap': {
      const say = verdict.whose === 'chat' ? t.cap : t.personCap;
      const [cap, used, wanted] = [verdict.cap, verdict.used, verdict.wanted].map((value) =>
        amountText(ctx, verdict.unit, value),
      );
      return say(cap ?? '', used ?? '', wanted ?? '');
    }
  }
}

/** What a cap counts. */
export function amountText(ctx: RequestContext, unit: 'rial' | 'parts', value: number): string {
  return unit === 'rial' ? ctx.format.rial(value) : ctx.format.count(value, texts(ctx.locale).parts);
}

/** A time of the day from minutes after midnight. */
export function clockText(ctx: RequestContext, minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return ctx.format.digits(`${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`);
}
