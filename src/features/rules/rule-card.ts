import { isolateLtr } from '../../i18n/format.ts';
import type { InboxRuleView } from '../../ports/two-way.ts';
import type { Buttons } from '../../telegram/buttons.ts';
import { clip, code, joinHtml, lines, type Html } from '../../telegram/html.ts';
import { pageButtons } from '../../telegram/pages.ts';
import type { Turn } from '../../telegram/turn.ts';
import { ruleActions } from './actions.ts';
import { texts } from './texts.ts';

const PAGE = 10;
const ANSWER_UNITS = 120;
const MOST_LINES = 6;

/** A rule in words. */
export function ruleText({ locale }: Pick<Turn, 'locale'>, rule: InboxRuleView): Html {
  const t = texts(locale);
  const { sink, answer } = rule;
  const place = sink === null ? null : sink.isChatItself && sink.threadId === null ? t.here : sink.title;
  const shown = sink !== null && sink.isChatItself && sink.threadId !== null ? t.topicOf(sink.title) : place;
  return joinHtml(
    [
      t.what(rule.way, rule.words, rule.line),
      ...(shown === null ? [] : [t.goes(clip(shown, 64))]),
      ...(answer === null ? [] : [t.answers(clip(answer, ANSWER_UNITS))]),
    ],
    ' ',
  );
}

/** One page of a chat's rules, and the lines that heed 11 and 12. */
export function listCard(
  turn: Turn,
  {
    rules,
    page,
    lines: known,
    inbox,
    head,
  }: {
    readonly rules: readonly InboxRuleView[];
    readonly page: number;
    readonly lines: readonly string[];
    readonly inbox: { readonly optOutLines: readonly string[]; readonly marksRead: boolean } | null;
    readonly head?: Html;
  },
): { readonly content: Html; readonly buttons: Buttons } {
  const t = texts(turn.locale);
  const { number, count } = turn.format;
  const pages = Math.max(1, Math.ceil(rules.length / PAGE));
  const first = (Math.min(page, pages) - 1) * PAGE;
  const shown = rules.slice(first, first + PAGE);
  const heeding = inbox?.optOutLines ?? [];
  const on =
    heeding.length === 0
      ? t.optOutNone
      : joinHtml(
          heeding.map((line) => code(isolateLtr(line))),
          ' ',
        );
  const switches = [...new Set([...heeding, ...known])].slice(0, MOST_LINES);
  return {
    content: lines(
      head,
      rules.length === 0 ? t.none : t.head(count(rules.length, t.rules)),
      ...shown.map((rule, index) => t.rule(number(first + index + 1), ruleText(turn, rule))),
      rules.length > 1 && t.firstFits,
      t.howTo,
      t.answerRules,
      t.topicReplies,
      t.optOut(on),
      t.numbersHint,
      t.marksRead(inbox?.marksRead === true),
    ),
    buttons: [
      ...[0, 5].map((from) =>
        shown
          .slice(from, from + 5)
          .map(({ id }, index) =>
            ruleActions.remove.button(t.remove(number(first + from + index + 1)), { id, page }),
          ),
      ),
      ...switches.map((line) => {
        const isOn = heeding.includes(line);
        return [ruleActions.optout.button(t.optOutLine(line, isOn), { line, isOn: !isOn, page })];
      }),
      [
        inbox !== null &&
          ruleActions.read.button(t.marksReadSwitch(inbox.marksRead), { isOn: !inbox.marksRead, page }),
      ],
      pageButtons(turn, { page, pages, button: (label, to) => ruleActions.page.button(label, { page: to }) }),
    ],
  };
}
