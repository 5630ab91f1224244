import { AppError } from '../../domain/errors.ts';
import { ruleProblem } from '../../domain/inbox-rules.ts';
import type { SinkStore } from '../../ports/alerts.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import type { Turn } from '../../telegram/turn.ts';
import { ruleActions } from './actions.ts';
import {
  answerArgument,
  ruleLineArgument,
  settingArgument,
  targetArgument,
  wayArgument,
  wordsArgument,
  type Target,
} from './arguments.ts';
import { ruleList, ruleText, type RuleListDeps } from './rule-card.ts';
import { texts } from './texts.ts';

export type RulesDeps = RuleListDeps & { readonly sinks: Pick<SinkStore, 'of' | 'add'> };

/** What Telegram can be asked about. */
const PLACE = /^(?:@[A-Za-z]\w{3,31}|-\d{5,15})$/u;
/** How many a chat may have, as the store has it. */
const MOST = 50;

/** What happens to received messages by what they say, and to 11 and 12. */
export function createRulesFeature({ rules, sinks, bindings }: RulesDeps): Feature {
  const list = ruleList({ rules, bindings });

  const setOptOut = async (turn: Turn, line: string, isOn: boolean): Promise<boolean> => {
    if (turn.binding === null) throw new AppError('not_connected', 'the binding has ended');
    return await rules.setOptOut({ ...pressOf(turn), bindingId: turn.binding.id, line, isOn });
  };

  const setMarksRead = async (turn: Turn, isOn: boolean): Promise<boolean> => {
    if (turn.binding === null) throw new AppError('not_connected', 'the binding has ended');
    return await rules.setMarksRead({ ...pressOf(turn), bindingId: turn.binding.id, isOn });
  };

  /** Undefined: the person has been told why not. */
  const sinkOf = async (turn: Turn, target: Target): Promise<string | null | undefined> => {
    const t = texts(turn.locale);
    if (target.kind === 'all') return null;
    const known = await sinks.of(turn.chat.id);
    if (target.kind === 'sink') {
      if (known.some(({ id }) => id === target.id)) return target.id;
      throw new AppError('stale', 'a place is not there any more');
    }
    if (target.kind === 'place') {
      const wanted = target.name.replace(/^@/u, '').toLowerCase();
      const same = known.find(({ title }) => title.replace(/^@/u, '').toLowerCase() === wanted);
      if (same !== undefined) return same.id;
      const found = PLACE.test(target.name)
        ? await turn.postingRight(target.name)
        : ({ ok: false, reason: 'not_there' } as const);
      if (!found.ok) {
        await turn.say(t.noPlace(found.reason, clip(target.name, 64)));
        return undefined;
      }
      const { telegramId, title, type } = found;
      if (telegramId !== turn.chat.telegramId)
        return await sinks.add({ ...newSink(turn), telegramId, threadId: null, title, type });
    }
    const threadId = target.kind === 'topic' ? turn.threadId : null;
    if (threadId === undefined) {
      await turn.say(t.noTopic);
      return undefined;
    }
    const title = target.kind === 'topic' ? `#${threadId}` : turn.chat.title;
    return await sinks.add({ ...newSink(turn), telegramId: null, threadId, title });
  };

  return {
    name: 'rules',
    topic: 'inbox',
    commands: [
      defineCommand({
        name: 'rules',
        permission: 'alerts.manage',
        facet: 'inbox',
        about: (locale) => texts(locale).aboutRules,
        example: (locale) => texts(locale).exampleRules,
        args: { setting: settingArgument },
        run: async (turn, { setting }) => {
          if (setting === undefined) return await list.say(turn, { page: 1 });
          const t = texts(turn.locale);
          if (setting.kind === 'numbers') {
            await rules.setShowsNumbers({ ...pressOf(turn), isWhole: setting.isWhole });
            await turn.say(t.numbersSet(setting.isWhole));
            return;
          }
          if (setting.kind === 'read') {
            const isThere = await setMarksRead(turn, setting.isOn);
            await turn.say(isThere ? t.marksReadSet(setting.isOn) : t.noAccountYet);
            return;
          }
          const isKnown = await setOptOut(turn, setting.line, setting.isOn);
          await turn.say(isKnown ? t.optOutSet(setting.line, setting.isOn) : t.noAccountYet);
        },
      }),
      defineCommand({
        name: 'rule',
        permission: 'alerts.manage',
        facet: 'inbox',
        about: (locale) => texts(locale).aboutRule,
        example: (locale) => texts(locale).exampleRule,
        args: {
          way: wayArgument,
          words: wordsArgument,
          line: ruleLineArgument,
          target: targetArgument(sinks),
          answer: answerArgument,
        },
        run: async (turn, { way, words, line = null, target, answer = null }) => {
          const t = texts(turn.locale);
          if (ruleProblem(way, words) !== null) {
            await turn.say(t.badPattern(clip(words, 100)));
            return;
          }
          if (target.kind === 'all' && answer === null) {
            await turn.say(t.nothingToDo);
            return;
          }
          const sinkId = await sinkOf(turn, target);
          if (sinkId === undefined) return;
          const done = await rules.add({ ...pressOf(turn), line, way, words, sinkId, answer });
          if (done.result === 'full') await turn.say(t.full(turn.format.number(MOST)));
          else await turn.say(t[done.result](ruleText(turn, done.rule)));
        },
      }),
    ],
    actions: [
      ...list.actions,
      ruleActions.remove.does(async (turn, { id, page }) => {
        const t = texts(turn.locale);
        const gone = await rules.remove({ ...pressOf(turn), id });
        await list.show(turn, { page }, gone === null ? t.gone : t.removed(ruleText(turn, gone)));
      }),
      ruleActions.optout.does(async (turn, { line, isOn, page }) => {
        const t = texts(turn.locale);
        const isKnown = await setOptOut(turn, line, isOn);
        await list.show(turn, { page }, isKnown ? t.optOutSet(line, isOn) : t.noAccountYet);
      }),
      ruleActions.read.does(async (turn, { isOn, page }) => {
        const t = texts(turn.locale);
        const isThere = await setMarksRead(turn, isOn);
        await list.show(turn, { page }, isThere ? t.marksReadSet(isOn) : t.noAccountYet);
      }),
    ],
  };
}

function pressOf(turn: Turn) {
  return { chatId: turn.chat.id, personId: turn.person.id, updateId: turn.updateId };
}

/** What rules send there alone: no alert is on in it. */
function newSink(turn: Turn) {
  return { ...pressOf(turn), kinds: [], lang: turn.locale } as const;
}
