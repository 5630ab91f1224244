import { foldWord } from '../../domain/fold.ts';
import { farFrom } from '../../domain/slips.ts';
import type { Stores } from '../../storage/stores.ts';
import { credentialNames } from '../../telegram/error-texts.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { chatDoerOf } from '../shared/doer.ts';
import { templateActions } from './actions.ts';
import { nameArgument, templateTextArgument } from './arguments.ts';
import { templateCard, templateList } from './cards.ts';
import { texts } from './texts.ts';

const TEXT_FORM = 'template-text';
const PERMISSION = 'send.prepare';
const LOOKED_AT = 200;
/** As many names are offered in the place of one that there is not. */
const NEAR = 5;

/** Texts that a chat keeps: listed, shown, kept, replaced, deleted, and taken for the next message. */
export function createTemplatesFeature({ templates }: { readonly templates: Stores['templates'] }): Feature {
  const list = templateList(templates);

  const save = async (
    ctx: RequestContext,
    { name, text, replacing }: { name: string; text: string; replacing: string | null },
  ): Promise<void> => {
    const t = texts(ctx.locale);
    const done = await templates.save({
      ...chatDoerOf(ctx),
      name,
      text,
      replacing,
    });
    if (done.result === 'full') {
      await ctx.say(t.full(ctx.format.count(done.limit, t.templates)));
      return;
    }
    if (done.result !== 'taken') {
      const { content, buttons } = templateCard(ctx, done.template, t[done.result](done.template.name));
      await ctx.say(content, { buttons });
      return;
    }
    const mine = { personId: ctx.person.id };
    await ctx.say(t.taken(done.template.name, done.template.text), {
      buttons: [
        [
          templateActions.replace.button(t.replace, { name, text, replacing: done.template.id }, mine),
          templateActions.keep.button(t.keep, {}, mine),
        ],
      ],
    });
  };

  /** The template that a button means, or null: then the person knows that it is gone. */
  const wanted = async (ctx: RequestContext, id: string) => {
    const found = await templates.find(ctx.chat.id, { id });
    if (found === null) await ctx.say(texts(ctx.locale).gone);
    return found;
  };

  return {
    name: 'templates',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'templates',
        alsoCalled: ['قالب', 'الگو', 'متناماده', 'متنهایاماده'],
        everyday: true,
        permission: PERMISSION,
        about: (locale) => texts(locale).about,
        args: {},
        run: async (ctx) => await list.say(ctx, { page: 1 }),
      }),
      defineCommand({
        name: 'template',
        permission: PERMISSION,
        about: (locale) => texts(locale).aboutOne,
        example: (locale) => texts(locale).example,
        args: { name: nameArgument(templates), text: { ...templateTextArgument, optional: true } },
        run: async (ctx, { name, text }) => {
          if (text !== undefined) return await save(ctx, { name, text, replacing: null });
          const found = await templates.find(ctx.chat.id, { name });
          if (found === null) return await ctx.ask(TEXT_FORM, { name });
          const { content, buttons } = templateCard(ctx, found);
          await ctx.say(content, { buttons });
        },
      }),
      defineCommand({
        name: TEXT_FORM,
        permission: PERMISSION,
        about: null,
        args: {
          name: nameArgument(templates),
          text: {
            ...templateTextArgument,
            take: null,
            choices: async ({ chat }: RequestContext, { name = '' }) => {
              const typed = foldWord(name);
              const { templates: all } = await templates.list(chat.id, { skip: 0, limit: LOOKED_AT });
              return all
                .filter((each) => farFrom(foldWord(each.name), typed) !== null)
                .slice(0, NEAR)
                .map((each) => ({
                  label: `#${each.name}`,
                  form: 'template',
                  known: { name: each.name, text: '' },
                }));
            },
          },
        },
        run: async (ctx, values) => await save(ctx, { ...values, replacing: null }),
      }),
    ],
    actions: [
      ...list.actions,
      templateActions.use.does(async (ctx, { id }) => {
        const found = await wanted(ctx, id);
        if (found === null) return;
        const kit = kitTexts(ctx.locale);
        if (ctx.binding === null) {
          await ctx.say(kit.needsConnection);
        } else if (!ctx.capabilities.has('sending')) {
          const missing = ctx.capabilities.missing('sending');
          await ctx.say(kit.needsCredential(credentialNames(ctx.locale, missing)));
        } else {
          await ctx.ask('send', { text: found.text });
        }
      }),
      templateActions.replace.does(async (ctx, payload) => {
        if (ctx.pressedMessageId !== null) await ctx.disarm(ctx.pressedMessageId);
        await save(ctx, payload);
      }),
      templateActions.answers.does(async (ctx, { id, isOn }) => {
        const t = texts(ctx.locale);
        const { chat, person, updateId } = ctx;
        const found = await templates.setForAnswers({
          chatId: chat.id,
          personId: person.id,
          updateId,
          id,
          isOn,
        });
        if (found === null) return await ctx.rewrite(t.gone);
        const { content, buttons } = templateCard(ctx, found, t.answersSet(found.name, isOn));
        await ctx.rewrite(content, { buttons });
      }),
      templateActions.keep.does(async (ctx) => await ctx.rewrite(texts(ctx.locale).kept)),
      templateActions.askRemove.does(async (ctx, { id }) => {
        const found = await wanted(ctx, id);
        if (found === null) return;
        const t = texts(ctx.locale);
        const mine = { personId: ctx.person.id };
        await ctx.say(t.askRemove(found.name, found.text), {
          buttons: [
            [
              templateActions.remove.button(t.remove, { id }, { ...mine, style: 'danger' }),
              templateActions.keep.button(t.keep, {}, mine),
            ],
          ],
        });
      }),
      templateActions.remove.does(async (ctx, { id }) => {
        const t = texts(ctx.locale);
        const removed = await templates.remove({
          ...chatDoerOf(ctx),
          id,
        });
        await ctx.rewrite(removed === null ? t.gone : t.removed(removed.name));
      }),
    ],
  };
}
