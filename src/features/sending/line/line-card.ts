import { z } from 'zod';
import type { LineRule } from '../../../domain/limits.ts';
import { isolateAuto } from '../../../i18n/format.ts';
import { defineAction } from '../../../telegram/action.ts';
import type { Buttons } from '../../../telegram/buttons.ts';
import { html, lines, type Html } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { LINE_SETTINGS, type LineSetting } from './arguments.ts';
import { lineTexts } from './line-texts.ts';

const ICONS = {
  purpose: '🎯',
  must: '📌',
  words: '🚫',
  hours: '🕐',
} as const satisfies Record<LineSetting, string>;

/** What holds for all that leaves from a line. */
export function lineCard(ctx: RequestContext, rule: LineRule): Html {
  const t = lineTexts(ctx.locale);
  return lines(
    t.head(rule.line),
    ...LINE_SETTINGS.map((name) => t.row(ICONS[name], t.names[name], settingText(ctx, name, rule))),
    t.explain,
    rule.window !== null && t.explainHours,
    !ctx.can('limits.manage') && t.adminOnly,
  );
}

/** One of its rules in words. */
export function settingText(
  { locale, format }: RequestContext,
  name: LineSetting,
  { purpose, required, words, window }: LineRule,
): Html {
  const t = lineTexts(locale);
  switch (name) {
    case 'purpose':
      return purpose === null ? t.notSaid : html`${t.purposes[purpose]}`;
    case 'must':
      return required === null ? t.anything : t.phrase(required);
    case 'words':
      return words.length === 0 ? t.noWords : html`${words.map((word) => isolateAuto(word)).join(t.comma)}`;
    case 'hours':
      return window === null
        ? t.anyTime
        : t.hoursIn(format.clock(window.from), format.clock(window.to), format.timeZone);
  }
}

/** A row for each rule: a new value, and off where it is on; for whoever may change them. */
export function lineButtons(
  ctx: RequestContext,
  { line, purpose, required, words, window }: LineRule,
): Buttons {
  if (!ctx.can('limits.manage')) return [];
  const t = lineTexts(ctx.locale);
  const isOn: Readonly<Record<LineSetting, boolean>> = {
    purpose: purpose !== null,
    must: required !== null,
    words: words.length > 0,
    hours: window !== null,
  };
  return LINE_SETTINGS.map((setting) => [
    lineActions.edit.button(t.edit(t.names[setting]), { line, setting }),
    isOn[setting] && lineActions.off.button(t.turnOff(t.names[setting]), { line, setting }),
  ]);
}

const ofLine = z.object({ line: z.string() });
const payload = ofLine.extend({ setting: z.enum(LINE_SETTINGS) });

/** The buttons of a sender line. */
export const lineActions = {
  rules: defineAction({ name: 'line.rules', permission: 'line.set', payload: ofLine, reusable: true }),
  edit: defineAction({ name: 'line.edit', permission: 'limits.manage', payload, reusable: true }),
  off: defineAction({ name: 'line.off', permission: 'limits.manage', payload }),
};
