import { isWithin, minuteOfDay, usedOf, type Cap, type Limits, type Spent } from '../../domain/limits.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { html, lines, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { limitActions } from './actions.ts';
import { LIMIT_NAMES, type LimitName } from './arguments.ts';
import { texts } from './texts.ts';

/** What was confirmed for today, by all and by the person who looks. */
export interface SpentToday {
  readonly all: Spent;
  readonly own: Spent;
}

const ICONS = {
  approval: '🟡',
  cap: '💰',
  personcap: '👤',
  window: '🕐',
} as const satisfies Record<LimitName, string>;

/** The limits as they are, what of the caps is used, and the switch where it is thrown. */
export function limitsCard(ctx: RequestContext, limits: Limits, { all, own }: SpentToday, now: Date): Html {
  const t = texts(ctx.locale);
  const row = (name: LimitName, ...rest: readonly Html[]): Html =>
    t.row(ICONS[name], t.names[name], html`${valueText(ctx, name, limits)}${rest}`);
  const { cap, personCap, window, halted, heldAt } = limits;
  const { count, timeZone, dateTime } = ctx.format;
  const rate = (of: Cap | null): Html[] => (of?.unit === 'rial' ? [t.capRate(count(of.parts, t.parts))] : []);
  return lines(
    t.head,
    heldAt !== null && t.held(dateTime(heldAt)),
    halted !== null && t.halted(halted.byName, dateTime(halted.at)),
    row('approval'),
    row('cap', ...(cap === null ? [] : [t.capToday(usedText(ctx, cap, all))]), ...rate(cap)),
    row(
      'personcap',
      ...(personCap === null ? [] : [t.personCapToday(ctx.person.name, usedText(ctx, personCap, own))]),
      ...rate(personCap),
    ),
    row(
      'window',
      ...(window === null ? [] : [t.windowZone(timeZone, isWithin(window, minuteOfDay(now, timeZone)))]),
    ),
  );
}

/** One limit in words. */
export function valueText(
  ctx: RequestContext,
  name: LimitName,
  { approvalParts, cap, personCap, window }: Limits,
): Html {
  const t = texts(ctx.locale);
  const { clock } = ctx.format;
  switch (name) {
    case 'approval':
      if (approvalParts === 0) return t.approvalAlways;
      return t.approval(approvalParts === null ? null : ctx.format.count(approvalParts, t.parts));
    case 'cap':
      return t.cap(capText(ctx, cap));
    case 'personcap':
      return t.cap(capText(ctx, personCap));
    case 'window':
      return window === null ? t.windowOff : t.window(clock(window.from), clock(window.to));
  }
}

/** A row for each limit: a new value, and off where it is on; below them the switch. */
export function limitButtons(ctx: RequestContext, limits: Limits): Buttons {
  const t = texts(ctx.locale);
  const isOn: Readonly<Record<LimitName, boolean>> = {
    approval: limits.approvalParts !== null,
    cap: limits.cap !== null,
    personcap: limits.personCap !== null,
    window: limits.window !== null,
  };
  return [
    ...LIMIT_NAMES.map((limit) => {
      return [
        limitActions.edit.button(t.edit(t.names[limit]), { limit }),
        isOn[limit] && limitActions.off.button(t.turnOff(t.names[limit]), { limit }),
      ];
    }),
    [
      limits.halted === null
        ? limitActions.stop.button(t.stop, {}, { style: 'danger' })
        : limitActions.go.button(t.go, {}),
    ],
  ];
}

function capText(ctx: RequestContext, cap: Cap | null): string | null {
  if (cap === null) return null;
  return cap.unit === 'rial'
    ? ctx.format.rial(cap.rial)
    : ctx.format.count(cap.parts, texts(ctx.locale).parts);
}

function usedText(ctx: RequestContext, cap: Cap, spent: Spent): string {
  const used = usedOf(cap, spent);
  return cap.unit === 'rial' ? ctx.format.rial(used) : ctx.format.count(used, texts(ctx.locale).parts);
}
