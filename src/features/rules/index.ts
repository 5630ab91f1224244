import { AppError } from '../../domain/errors.ts';
import { ruleProblem } from '../../domain/inbox-rules.ts';
import { createLook } from '../../domain/line-rules.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { clip, lines, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { linkedAccount } from '../shared/account.ts';
import { chatDoerOf } from '../shared/doer.ts';
import { lineRuleTexts } from '../shared/line-rule-texts.ts';
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
import { createDeskForms, type DeskFormDeps } from './desk-actions.ts';
import { ruleList, ruleText, type RuleListDeps } from './rule-card.ts';
import { texts } from './texts.ts';

export type RulesDeps = RuleListDeps &
  DeskFormDeps & { readonly destinations: Pick<Stores['destinations'], 'of' | 'add'> };

/** What Telegram can be asked about. */
const PLACE = /^(?:@[A-Za-z]\w{3,31}|-\d{5,15})$/u;
/** How many a chat may have, as the store has it. */
const MOST = 50;
/** Lines of which a new answer is warned. */
const LINES_TOLD = 3;

/** What happens to received messages by what they say, and to 11 and 12. */
export function createRulesFeature(deps: RulesDeps): Feature {
  const { rules, destinations, limits } = deps;
  const list = ruleList(deps);

  const setOptOut = async (ctx: RequestContext, line: string, isOn: boolean): Promise<boolean> =>
    await rules.setOptOut({ ...chatDoerOf(ctx), bindingId: linkedAccount(ctx).id, line, isOn });

  const setMarksRead = async (ctx: RequestContext, isOn: boolean): Promise<boolean> =>
    await rules.setMarksRead({ ...chatDoerOf(ctx), bindingId: linkedAccount(ctx).id, isOn });

  /** Undefined: the person has been told why not. */
  const destinationOf = async (ctx: RequestContext, target: Target): Promise<string | null | undefined> => {
    const t = texts(ctx.locale);
    if (target.kind === 'all') return null;
    const known = await destinations.of(ctx.chat.id);
    if (target.kind === 'sink') {
      if (known.some(({ id }) => id === target.id)) return target.id;
      throw new AppError('stale', 'a place is not there any more');
    }
    if (target.kind === 'place') {
      const wanted = target.name.replace(/^@/u, '').toLowerCase();
      const same = known.find(({ title }) => title.replace(/^@/u, '').toLowerCase() === wanted);
      if (same !== undefined) return same.id;
      const found = PLACE.test(target.name)
        ? await ctx.postingRight(target.name)
        : ({ ok: false, reason: 'not_there' } as const);
      if (!found.ok) {
        await ctx.say(t.noPlace(found.reason, clip(target.name, 64)));
        return undefined;
      }
      const { telegramId, title, type } = found;
      if (telegramId !== ctx.chat.telegramId)
        return await destinations.add({ ...newDestination(ctx), telegramId, threadId: null, title, type });
    }
    const threadId = target.kind === 'topic' ? ctx.threadId : null;
    if (threadId === undefined) {
      await ctx.say(t.noTopic);
      return undefined;
    }
    const title = target.kind === 'topic' ? (ctx.threadTitle ?? `#${threadId}`) : ctx.chat.title;
    return await destinations.add({ ...newDestination(ctx), telegramId: null, threadId, title });
  };

  /** What the rules of lines say of an answer, before one of them keeps it from leaving or it leaves without what it should say. */
  const warnings = async (
    ctx: RequestContext,
    line: string | null,
    answer: string | null,
  ): Promise<Html[]> => {
    if (answer === null) return [];
    const t = lineRuleTexts(ctx.locale);
    const held = (await limits.of(ctx.chat.id)).lines.filter((rule) => line === null || rule.line === line);
    return held.slice(0, LINES_TOLD).flatMap((rule) => {
      const { words, lacks } = createLook(rule)(answer);
      return [
        ...(lacks && rule.required !== null ? [t.lacks(rule.required, rule.line)] : []),
        ...(words.length > 0 ? [t.answerSays(words, rule.line)] : []),
      ];
    });
  };

  const desk = createDeskForms(deps, async (ctx, answer) => await warnings(ctx, null, answer));

  return {
    name: 'rules',
    topic: 'inbox',
    commands: [
      defineCommand({
        name: 'rules',
        alsoCalled: [
          'قانون',
          'قوانین',
          'autoreply',
          'optout',
          'پاسخخودکار',
          'جوابخودکار',
          'لغو11',
          'deskhours',
          'ساعتکاری',
        ],
        permission: 'alerts.manage',
        facet: 'inbox',
        about: (locale) => texts(locale).aboutRules,
        example: (locale) => texts(locale).exampleRules,
        args: { setting: settingArgument },
        run: async (ctx, { setting }) => {
          if (setting === undefined) return await list.say(ctx, { page: 1 });
          if (setting.kind === 'desk') return await desk.set(ctx, setting);
          const t = texts(ctx.locale);
          if (setting.kind === 'numbers') {
            await rules.setShowsNumbers({ ...chatDoerOf(ctx), isWhole: setting.isWhole });
            await ctx.say(t.numbersSet(setting.isWhole));
            return;
          }
          if (setting.kind === 'read') {
            const isThere = await setMarksRead(ctx, setting.isOn);
            await ctx.say(isThere ? t.marksReadSet(setting.isOn) : t.noAccountYet);
            return;
          }
          const isKnown = await setOptOut(ctx, setting.line, setting.isOn);
          await ctx.say(isKnown ? t.optOutSet(setting.line, setting.isOn) : t.noAccountYet);
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
          target: targetArgument(destinations),
          answer: answerArgument,
        },
        run: async (ctx, { way, words, line = null, target, answer = null }) => {
          const t = texts(ctx.locale);
          if (ruleProblem(way, words) !== null) {
            await ctx.say(t.badPattern(clip(words, 100)));
            return;
          }
          if (target.kind === 'all' && answer === null) {
            await ctx.say(t.nothingToDo);
            return;
          }
          const destinationId = await destinationOf(ctx, target);
          if (destinationId === undefined) return;
          const done = await rules.add({ ...chatDoerOf(ctx), line, way, words, destinationId, answer });
          if (done.result === 'full') await ctx.say(t.full(ctx.format.number(MOST)));
          else
            await ctx.say(
              lines(t[done.result](ruleText(ctx, done.rule)), ...(await warnings(ctx, line, answer))),
            );
        },
      }),
      ...desk.commands,
    ],
    actions: [
      ...list.actions,
      desk.action,
      ruleActions.remove.does(async (ctx, { id, page }) => {
        const t = texts(ctx.locale);
        const gone = await rules.remove({ ...chatDoerOf(ctx), id });
        await list.show(ctx, { page }, gone === null ? t.gone : t.removed(ruleText(ctx, gone)));
      }),
      ruleActions.optout.does(async (ctx, { line, isOn, page }) => {
        const t = texts(ctx.locale);
        const isKnown = await setOptOut(ctx, line, isOn);
        await list.show(ctx, { page }, isKnown ? t.optOutSet(line, isOn) : t.noAccountYet);
      }),
      ruleActions.read.does(async (ctx, { isOn, page }) => {
        const t = texts(ctx.locale);
        const isThere = await setMarksRead(ctx, isOn);
        await list.show(ctx, { page }, isThere ? t.marksReadSet(isOn) : t.noAccountYet);
      }),
    ],
  };
}

/** What rules send there alone: no alert is on in it. */
function newDestination(ctx: RequestContext) {
  return { ...chatDoerOf(ctx), kinds: [], lang: ctx.locale } as const;
}
