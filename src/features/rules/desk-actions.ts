import type { Stores } from '../../storage/stores.ts';
import type { Action } from '../../telegram/action.ts';
import { defineCommand, type Command } from '../../telegram/feature.ts';
import { clip, lines, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { chatDoerOf } from '../shared/doer.ts';
import { textArgument } from '../shared/shared-arguments.ts';
import { fieldsStay, textOrTemplate } from '../shared/template-call.ts';
import { ruleActions } from './actions.ts';
import { closedAnswerArgument, deskHoursArgument, type Setting } from './arguments.ts';
import { ANSWER_UNITS, closedAnswerOf, deskButtons, deskLines, type RuleListDeps } from './rule-card.ts';
import { texts } from './texts.ts';

export type DeskFormDeps = Pick<RuleListDeps, 'rules' | 'limits' | 'clock'> & {
  readonly templates: Pick<Stores['templates'], 'find' | 'forAnswers'>;
};

const FORMS = { hours: 'rules-hours', closed: 'rules-closed' } as const;

/**
 * When somebody is at the desk, and what is answered while nobody is: each by a line, or asked for.
 * @param warned what the rules of lines say of an answer
 */
export function createDeskForms(
  { rules, limits, templates, clock }: DeskFormDeps,
  warned: (ctx: RequestContext, answer: string) => Promise<readonly Html[]>,
): {
  readonly commands: readonly Command[];
  readonly action: Action;
  readonly set: (ctx: RequestContext, setting: Extract<Setting, { kind: 'desk' }>) => Promise<void>;
} {
  const common = {
    permission: 'alerts.manage',
    facet: 'inbox',
    about: null,
  } as const;
  /** Both of them, below what has just become of one: not among all rules, which are longer than a phone. */
  const shown = async (ctx: RequestContext, news: Html): Promise<void> => {
    const t = texts(ctx.locale);
    const [all, deskHours, held] = await Promise.all([
      rules.list(ctx.chat.id),
      rules.deskHours(ctx.chat.id),
      limits.of(ctx.chat.id),
    ]);
    const answer = closedAnswerOf(all);
    const desk = { hours: deskHours, answer, limits: held, now: clock.now() };
    await ctx.say(
      lines(news, ...deskLines(ctx, desk), answer !== null && t.closedAnswers(clip(answer, ANSWER_UNITS))),
      { buttons: [deskButtons(ctx), [ruleActions.page.button(t.allRules, { page: 1 })]] },
    );
  };
  const answerArgument = closedAnswerArgument(templates);

  const hours = defineCommand({
    ...common,
    name: FORMS.hours,
    args: { value: deskHoursArgument },
    run: async (ctx, { value }) => {
      await rules.setDeskHours({ ...chatDoerOf(ctx), hours: value });
      await shown(ctx, texts(ctx.locale).hoursSet(value !== null));
    },
  });

  const closed = defineCommand({
    ...common,
    name: FORMS.closed,
    args: { value: answerArgument },
    run: async (ctx, { value }) => {
      const t = texts(ctx.locale);
      if (value === null) {
        const before = (await rules.list(ctx.chat.id)).find(({ way }) => way === 'closed');
        if (before !== undefined) await rules.remove({ ...chatDoerOf(ctx), id: before.id });
        return await shown(ctx, t.closedOff);
      }
      const answer = await textOrTemplate(ctx, value, templates);
      if (answer === null) return void (await ctx.say(textArgument.problem(ctx.locale, value)));
      await rules.answerClosed({ ...chatDoerOf(ctx), answer });
      const news = lines(t.closedSet, fieldsStay(ctx.locale, answer), ...(await warned(ctx, answer)));
      if ((await rules.deskHours(ctx.chat.id)) !== null) return await shown(ctx, news);
      await ctx.say(lines(news, t.closedNeedsHours));
      await ctx.ask(FORMS.hours);
    },
  });

  return {
    commands: [hours, closed],
    action: ruleActions.desk.does(async (ctx, { what }) => await ctx.ask(FORMS[what])),
    set: async (ctx, { what, typed: value }) => {
      const [form, { schema }] =
        what === 'hours' ? ([hours, deskHoursArgument] as const) : ([closed, answerArgument] as const);
      if (schema.safeParse(value).success) await form.run(ctx, { value });
      else await ctx.ask(FORMS[what], value === '' ? {} : { value });
    },
  };
}
