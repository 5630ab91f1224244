import { closedSince, openWhileClosed, type DeskHours } from '../../domain/working-time.ts';
import { isolateLtr } from '../../i18n/format.ts';
import type { Clock } from '../../ports/runtime.ts';
import { approvalNeed, type Limits } from '../../domain/limits.ts';
import { measureMessage } from '../../domain/message.ts';
import type { InboxRuleView } from '../../ports/two-way.ts';
import type { Stores } from '../../storage/stores.ts';
import { inRows, type Button } from '../../telegram/buttons.ts';
import { clip, code, joinHtml, lines, type Html } from '../../telegram/html.ts';
import { defineList, pageOf } from '../../telegram/list.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { ruleActions } from './actions.ts';
import { deskHoursText } from '../shared/desk-hours.ts';
import { ruleTexts } from '../shared/rule-texts.ts';
import { texts } from './texts.ts';

export interface RuleListDeps extends Pick<Stores, 'rules'> {
  readonly bindings: Pick<Stores['bindings'], 'lines'>;
  readonly limits: Pick<Stores['limits'], 'of'>;
  readonly clock: Clock;
}

const PAGE = 10;
/** So much of an answer is shown. */
export const ANSWER_UNITS = 120;
const MAX_LINES = 6;
/** Lines of whose hours an answer is warned. */
const LINES_TOLD = 3;

/** A rule in words. */
export function ruleText({ locale }: Pick<RequestContext, 'locale'>, rule: InboxRuleView): Html {
  const t = texts(locale);
  const { destination, answer } = rule;
  const place =
    destination === null
      ? null
      : destination.isChatItself && destination.threadId === null
        ? t.here
        : destination.title;
  const shown =
    destination !== null && destination.isChatItself && destination.threadId !== null
      ? t.topicOf(destination.title)
      : place;
  return joinHtml(
    [
      t.what(rule.way, rule.words, rule.line),
      ...(shown === null ? [] : [t.goes(clip(shown, 64))]),
      ...(answer === null ? [] : [t.answers(clip(answer, ANSWER_UNITS))]),
    ],
    ' ',
  );
}

/** Declares the list of a chat's rules, with the lines that heed 11 and 12. */
export function ruleList({ rules, bindings, limits, clock }: RuleListDeps) {
  return defineList({
    pages: ruleActions.page,
    source: async ({ chat, binding }, { page }) => {
      const all = await rules.list(chat.id);
      const found = pageOf(all, page, PAGE);
      return {
        ...found,
        desk: {
          answer: closedAnswerOf(all),
          hours: await rules.deskHours(chat.id),
          limits: await limits.of(chat.id),
          now: clock.now(),
        },
        first: (found.page - 1) * PAGE + 1,
        known: binding === null ? [] : await bindings.lines(binding.id),
        inbox: binding === null ? null : await rules.inboxOf(binding.id),
      };
    },
    card: (ctx, { rows, first, total, known, inbox, page, desk }) => {
      const t = texts(ctx.locale);
      const { number, count } = ctx.format;
      const heeding = inbox?.optOutLines ?? [];
      const on =
        heeding.length === 0
          ? t.optOutNone
          : joinHtml(
              heeding.map((line) => code(isolateLtr(line))),
              ' ',
            );
      const switches = [...new Set([...heeding, ...known])].slice(0, MAX_LINES);
      return {
        content: lines(
          total === 0 ? t.none : t.head(count(total, t.rules)),
          ...rows.map((rule, index) => t.rule(number(first + index), ruleText(ctx, rule))),
          total > 1 && t.firstFits,
          ...deskLines(ctx, desk),
          t.howTo,
          t.answerRules,
          t.topicReplies,
          t.optOut(on),
          t.numbersHint,
          t.marksRead(inbox?.marksRead === true),
        ),
        rowButtons: [
          deskButtons(ctx),
          ...inRows(
            rows.map(({ id }, index) =>
              ruleActions.remove.button(t.remove(number(first + index)), { id, page }),
            ),
            5,
          ),
          ...switches.map((line) => {
            const isOn = heeding.includes(line);
            return [ruleActions.optout.button(t.optOutLine(line, isOn), { line, isOn: !isOn, page })];
          }),
          [
            inbox !== null &&
              ruleActions.read.button(t.marksReadSwitch(inbox.marksRead), { isOn: !inbox.marksRead, page }),
          ],
        ],
      };
    },
  });
}

/** When somebody is at the desk, and what is answered while nobody is. */
export interface Desk {
  readonly hours: DeskHours | null;
  /** Null: nothing. */
  readonly answer: string | null;
  readonly limits: Limits;
  readonly now: Date;
}

export function closedAnswerOf(rules: readonly InboxRuleView[]): string | null {
  return rules.find(({ way }) => way === 'closed')?.answer ?? null;
}

/** The hours of the desk, and what keeps the answer outside them from leaving: what holds for all sends holds for it. */
export function deskLines(ctx: RequestContext, { hours, answer, limits, now }: Desk): Html[] {
  const t = texts(ctx.locale);
  const { clock, timeZone } = ctx.format;
  if (hours === null) return [t.noDesk, ...(answer === null ? [] : [t.closedIdle])];
  const shown = t.desk(
    deskHoursText(hours, ctx.format),
    timeZone,
    closedSince(now, hours, timeZone) === null,
  );
  if (answer === null) return [shown];
  const held = [{ window: limits.window, line: null }, ...limits.lines].flatMap((each) =>
    each.window === null ? [] : [{ ...each.window, line: each.line }],
  );
  const warnings = held.slice(0, 1 + LINES_TOLD).flatMap(({ from, to, line }) => {
    const open = openWhileClosed(hours, { from, to });
    return open === 'all'
      ? []
      : [t.held(open === 'none', ruleTexts(ctx.locale).fromTo(clock(from), clock(to)), line)];
  });
  const needs = approvalNeed(limits, { words: [] }, measureMessage(answer).parts) !== null;
  return [shown, ...(needs ? [t.needsSecond] : []), ...warnings];
}

export function deskButtons({ locale }: Pick<RequestContext, 'locale'>): Button[] {
  const t = texts(locale);
  return [
    ruleActions.desk.button(t.editHours, { what: 'hours' }),
    ruleActions.desk.button(t.editClosed, { what: 'closed' }),
  ];
}
