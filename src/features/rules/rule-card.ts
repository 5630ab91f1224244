import { isolateLtr } from '../../i18n/format.ts';
import type { InboxRuleView } from '../../ports/two-way.ts';
import type { Stores } from '../../storage/stores.ts';
import { inRows } from '../../telegram/buttons.ts';
import { clip, code, joinHtml, lines, type Html } from '../../telegram/html.ts';
import { defineList, pageOf } from '../../telegram/list.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { ruleActions } from './actions.ts';
import { texts } from './texts.ts';

export interface RuleListDeps extends Pick<Stores, 'rules'> {
  readonly bindings: Pick<Stores['bindings'], 'lines'>;
}

const PAGE = 10;
const ANSWER_UNITS = 120;
const MAX_LINES = 6;

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
export function ruleList({ rules, bindings }: RuleListDeps) {
  return defineList({
    pages: ruleActions.page,
    source: async ({ chat, binding }, { page }) => {
      const found = pageOf(await rules.list(chat.id), page, PAGE);
      return {
        ...found,
        first: (found.page - 1) * PAGE + 1,
        known: binding === null ? [] : await bindings.lines(binding.id),
        inbox: binding === null ? null : await rules.inboxOf(binding.id),
      };
    },
    card: (ctx, { rows, first, total, known, inbox, page }) => {
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
          t.howTo,
          t.answerRules,
          t.topicReplies,
          t.optOut(on),
          t.numbersHint,
          t.marksRead(inbox?.marksRead === true),
        ),
        rowButtons: [
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
