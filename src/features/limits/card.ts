import { isWithin, minuteOfDay, usedOf, type Limits, type Spent } from '../../domain/limits.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { html, lines, type Html } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { LIMIT_NAMES, type LimitName } from './arguments.ts';
import { texts } from './texts.ts';

const ICONS = { approval: '🟡', cap: '💰', window: '🕐' } as const satisfies Record<LimitName, string>;

/** The three limits as they are, and what of the cap is used. */
export function limitsCard(turn: Turn, limits: Limits, spent: Spent, now: Date): Html {
  const t = texts(turn.locale);
  const row = (name: LimitName, ...rest: readonly Html[]): Html =>
    t.row(ICONS[name], t.names[name], html`${valueText(turn, name, limits)}${rest}`);
  const { cap, window } = limits;
  const { count, rial, timeZone } = turn.format;
  return lines(
    t.head,
    row('approval'),
    row(
      'cap',
      ...(cap === null
        ? []
        : [t.capToday(cap.unit === 'rial' ? rial(usedOf(cap, spent)) : count(usedOf(cap, spent), t.parts))]),
      ...(cap?.unit === 'rial' ? [t.capRate(count(cap.parts, t.parts))] : []),
    ),
    row(
      'window',
      ...(window === null ? [] : [t.windowZone(timeZone, isWithin(window, minuteOfDay(now, timeZone)))]),
    ),
  );
}

/** One limit in words. */
export function valueText(turn: Turn, name: LimitName, { approvalParts, cap, window }: Limits): Html {
  const t = texts(turn.locale);
  const { count, rial } = turn.format;
  if (name === 'approval') {
    if (approvalParts === 0) return t.approvalAlways;
    return t.approval(approvalParts === null ? null : count(approvalParts, t.parts));
  }
  if (name === 'cap') {
    if (cap === null) return t.cap(null);
    return t.cap(cap.unit === 'rial' ? rial(cap.rial) : count(cap.parts, t.parts));
  }
  return window === null ? t.windowOff : t.window(clockText(turn, window.from), clockText(turn, window.to));
}

/** A row for each limit: a new value, and off where it is on. */
export function limitButtons(turn: Turn, limits: Limits): Buttons {
  const t = texts(turn.locale);
  const isOn: Readonly<Record<LimitName, boolean>> = {
    approval: limits.approvalParts !== null,
    cap: limits.cap !== null,
    window: limits.window !== null,
  };
  return LIMIT_NAMES.map((limit) => {
    const button = { payload: { limit }, permission: 'limits.manage' } as const;
    return [
      { label: t.edit(t.names[limit]), action: 'limits.edit', reusable: true, ...button },
      isOn[limit] && { label: t.turnOff(t.names[limit]), action: 'limits.off', ...button },
    ];
  });
}

function clockText(turn: Turn, minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return turn.format.digits(`${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`);
}
