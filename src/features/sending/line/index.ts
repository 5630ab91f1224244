import { z } from 'zod';
import { OPT_OUT_PHRASE } from '../../../domain/line-rules.ts';
import { lineRuleOf, type LineRule } from '../../../domain/limits.ts';
import type { Stores } from '../../../storage/stores.ts';
import { defineCommand, takeRest, type Command, type Feature } from '../../../telegram/feature.ts';
import { clip, lines, type Html } from '../../../telegram/html.ts';
import type { RequestContext } from '../../../telegram/request-context.ts';
import { chatDoerOf, doerOf } from '../../shared/doer.ts';
import { carried, lineSchema } from '../../shared/shared-arguments.ts';
import { settingArgument, VALUES, type LineSetting } from './arguments.ts';
import { lineActions, lineButtons, lineCard, settingText } from './line-card.ts';
import { lineTexts } from './line-texts.ts';

type Change = Partial<Omit<LineRule, 'line'>>;

const FORMS = {
  purpose: 'line-purpose',
  must: 'line-must',
  words: 'line-words',
  hours: 'line-hours',
} as const satisfies Record<LineSetting, string>;
const OFF = {
  purpose: { purpose: null },
  must: { required: null },
  words: { words: [] },
  hours: { window: null },
} as const satisfies Record<LineSetting, Change>;

/** The sender line that messages of this chat leave from, and what holds for each. The interface lists no lines: they are learned and typed. */
export function createLineFeature({ bindings, limits }: Pick<Stores, 'bindings' | 'limits'>): Feature {
  const cardWith = (ctx: RequestContext, rule: LineRule, said: Html | false) => ({
    content: lines(said, lineCard(ctx, rule)),
    buttons: lineButtons(ctx, rule),
  });

  const ruleNow = async (ctx: RequestContext, line: string): Promise<LineRule> =>
    lineRuleOf((await limits.of(ctx.chat.id)).lines, line);

  const show = async (ctx: RequestContext, line: string): Promise<void> => {
    const { content, buttons } = cardWith(ctx, await ruleNow(ctx, line), false);
    await ctx.say(content, { buttons });
  };

  const change = async (ctx: RequestContext, line: string, setting: LineSetting, to: Change) => {
    const t = lineTexts(ctx.locale);
    const press = chatDoerOf(ctx);
    const done = await limits.changeLine({ ...press, line, to });
    if (done === null || done === 'full')
      return { content: done === null ? t.notAllowed : t.full, buttons: [] };
    const { before, after } = done;
    const [was, is] = [settingText(ctx, setting, before), settingText(ctx, setting, after)];
    const isNew = was.markup !== is.markup;
    return cardWith(
      ctx,
      after,
      lines(
        isNew ? t.changed(t.names[setting], is, was, ctx.person.name) : t.unchanged(t.names[setting], is),
        setting === 'purpose' && before.required !== after.required && t.alsoMust(after.required ?? ''),
      ),
    );
  };

  const set = async (ctx: RequestContext, line: string, setting: LineSetting, to: Change): Promise<void> => {
    const { content, buttons } = await change(ctx, line, setting, to);
    await ctx.say(content, { buttons });
  };

  const common = {
    permission: 'limits.manage',
    about: null,
  } as const;
  const forms: Record<LineSetting, Command> = {
    purpose: defineCommand({
      ...common,
      name: FORMS.purpose,
      args: { line: carried, value: VALUES.purpose },
      run: async (ctx, { line, value: purpose }) => {
        const { required } = await ruleNow(ctx, line);
        // Whoever says that a line is for advertising is told what that asks of a text.
        const also = purpose === 'advertising' && required === null ? { required: OPT_OUT_PHRASE } : {};
        await set(ctx, line, 'purpose', { purpose, ...also });
      },
    }),
    must: defineCommand({
      ...common,
      name: FORMS.must,
      args: { line: carried, value: VALUES.must },
      run: async (ctx, { line, value }) => await set(ctx, line, 'must', { required: value }),
    }),
    words: defineCommand({
      ...common,
      name: FORMS.words,
      args: { line: carried, value: VALUES.words },
      run: async (ctx, { line, value }) => await set(ctx, line, 'words', { words: value }),
    }),
    hours: defineCommand({
      ...common,
      name: FORMS.hours,
      args: { line: carried, value: VALUES.hours },
      run: async (ctx, { line, value }) => await set(ctx, line, 'hours', { window: value }),
    }),
  };

  const setLine = async (ctx: RequestContext, bindingId: string, line: string): Promise<void> => {
    await bindings.setLine({
      bindingId,
      line,
      threadId: ctx.threadId,
      ...doerOf(ctx),
    });
    const t = lineTexts(ctx.locale);
    const { lines: rules } = await limits.of(ctx.chat.id);
    const isSeen = ctx.can('limits.manage') || rules.some((rule) => rule.line === line);
    await ctx.say(t.set(line), { buttons: [[isSeen && lineActions.rules.button(t.openRules, { line })]] });
  };

  const command = defineCommand({
    name: 'line',
    alsoCalled: ['sender', 'خط', 'lines', 'sendernumber', 'mynumber', 'خطها', 'سرشماره', 'شمارهخط'],
    permission: 'line.set',
    facet: 'sending',
    about: (locale) => lineTexts(locale).about,
    example: (locale) => lineTexts(locale).example,
    args: {
      line: {
        schema: lineSchema,
        usage: (locale) => lineTexts(locale).usage,
        ask: (ctx) => lineTexts(ctx.locale).ask(ctx.binding?.line ?? null),
        problem: (locale, typed) => lineTexts(locale).bad(clip(typed, 40)),
        // Left out, it is asked for: the question shows the present one.
        optional: true,
        askWhen: () => true,
        choices: async (ctx) => {
          const known = ctx.binding === null ? [] : await bindings.lines(ctx.binding.id);
          return known.map((line) => ({
            label: line === ctx.binding?.line ? `✓ ${line}` : line,
            value: line,
          }));
        },
      },
      setting: settingArgument,
      value: { ...VALUES.must, schema: z.string(), take: takeRest, optional: true },
    },
    run: async (ctx, { line, setting, value }) => {
      if (ctx.binding === null || line === undefined) return;
      if (setting === undefined) await setLine(ctx, ctx.binding.id, line);
      else if (setting === 'rules') await show(ctx, line);
      else if (value !== undefined && VALUES[setting].schema.safeParse(value).success)
        await forms[setting].run(ctx, { line, value });
      else await ctx.ask(FORMS[setting], value === undefined ? { line } : { line, value });
    },
  });

  return {
    name: 'line',
    topic: 'sending',
    commands: [command, ...Object.values(forms)],
    actions: [
      lineActions.rules.does(async (ctx, { line }) => await show(ctx, line)),
      lineActions.edit.does(async (ctx, { line, setting }) => await ctx.ask(FORMS[setting], { line })),
      lineActions.off.does(async (ctx, { line, setting }) => {
        const { content, buttons } = await change(ctx, line, setting, OFF[setting]);
        await ctx.rewrite(content, { buttons });
      }),
    ],
  };
}
