import { isolateLtr } from '../../i18n/format.ts';
import type { InboxRuleView } from '../../ports/two-way.ts';
import { clip, code, joinHtml, lines, type Html } from '../../telegram/html.ts';
import type { ListCard } from '../../telegram/list.ts';
import type { Turn } from '../../telegram/turn.ts';
import { ruleActions } from './actions.ts';
import { texts } from './texts.ts';

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
    rows,
    first,
    total,
    lines: known,
    inbox,
  }: {
    readonly rows: readonly InboxRuleView[];
    /** What number the first of them has among all. */
    readonly first: number;
    readonly total: number;
    readonly lines: readonly string[];
    readonly inbox: { readonly optOutLines: readonly string[]; readonly marksRead: boolean } | null;
  },
  { page }: { readonly page: number },
): ListCard {
  const t = texts(turn.locale);
  const { number, count } = turn.format;
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
      total === 0 ? t.none : t.head(count(total, t.rules)),
      ...rows.map((rule, index) => t.rule(number(first + index), ruleText(turn, rule))),
      total > 1 && t.firstFits,
      t.howTo,
      t.answerRules,
      t.topicReplies,
      t.optOut(on),
      t.numbersHint,
      t.marksRead(inbox?.marksRead === true),
    ),
    rowButtons: [
      ...[0, 5].map((from) =>
        rows
          .slice(from, from + 5)
          .map(({ id }, index) =>
            ruleActions.remove.button(t.remove(number(first + from + index)), { id, page }),
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
    ],
  };
}
