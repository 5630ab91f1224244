import type { TemplateStore } from '../../ports/templates.ts';
import { credentialNames } from '../../telegram/error-texts.ts';
import { defineCommand, type Feature } from '../../telegram/feature.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { Turn } from '../../telegram/turn.ts';
import { tellFieldsStay } from '../shared/template-call.ts';
import { templateActions } from './actions.ts';
import { nameArgument, templateTextArgument } from './arguments.ts';
import { templateCard, templateList } from './cards.ts';
import { texts } from './texts.ts';

const TEXT_FORM = 'template-text';
const PERMISSION = 'send.prepare';

/** Texts that a chat keeps: listed, shown, kept, replaced, deleted, and taken for the next message. */
export function createTemplatesFeature({ templates }: { readonly templates: TemplateStore }): Feature {
  const list = templateList(templates);

  const save = async (
    turn: Turn,
    { name, text, replacing }: { name: string; text: string; replacing: string | null },
  ): Promise<void> => {
    const t = texts(turn.locale);
    const done = await templates.save({
      chatId: turn.chat.id,
      personId: turn.person.id,
      updateId: turn.updateId,
      name,
      text,
      replacing,
    });
    if (done.result === 'full') {
      await turn.say(t.full(turn.format.count(done.limit, t.templates)));
      return;
    }
    if (done.result !== 'taken') {
      const { content, buttons } = templateCard(turn, done.template, t[done.result](done.template.name));
      await turn.say(content, { buttons });
      return;
    }
    const mine = { personId: turn.person.id };
    await turn.say(t.taken(done.template.name, done.template.text), {
      buttons: [
        [
          templateActions.replace.button(t.replace, { name, text, replacing: done.template.id }, mine),
          templateActions.keep.button(t.keep, {}, mine),
        ],
      ],
    });
  };

  /** The template that a button means, or null: then the person knows that it is gone. */
  const wanted = async (turn: Turn, id: string) => {
    const found = await templates.find(turn.chat.id, { id });
    if (found === null) await turn.say(texts(turn.locale).gone);
    return found;
  };

  return {
    name: 'templates',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'templates',
        permission: PERMISSION,
        about: (locale) => texts(locale).about,
        args: {},
        run: async (turn) => await list.say(turn, { page: 1 }),
      }),
      defineCommand({
        name: 'template',
        permission: PERMISSION,
        about: (locale) => texts(locale).aboutOne,
        example: (locale) => texts(locale).example,
        args: { name: nameArgument(templates), text: { ...templateTextArgument, optional: true } },
        run: async (turn, { name, text }) => {
          if (text !== undefined) return await save(turn, { name, text, replacing: null });
          const found = await templates.find(turn.chat.id, { name });
          if (found === null) return await turn.ask(TEXT_FORM, { name });
          const { content, buttons } = templateCard(turn, found);
          await turn.say(content, { buttons });
        },
      }),
      defineCommand({
        name: TEXT_FORM,
        permission: PERMISSION,
        internal: true,
        about: (locale) => texts(locale).aboutOne,
        args: { name: nameArgument(templates), text: { ...templateTextArgument, take: null } },
        run: async (turn, values) => await save(turn, { ...values, replacing: null }),
      }),
    ],
    actions: [
      ...list.actions,
      templateActions.use.does(async (turn, { id }) => {
        const found = await wanted(turn, id);
        if (found === null) return;
        const kit = kitTexts(turn.locale);
        if (turn.binding === null) {
          await turn.say(kit.needsConnection);
        } else if (!turn.capabilities.has('sending')) {
          const missing = turn.capabilities.missing('sending');
          await turn.say(kit.needsCredential(credentialNames(turn.locale, missing)));
        } else {
          await tellFieldsStay(turn, found.text);
          await turn.ask('send', { text: found.text });
        }
      }),
      templateActions.replace.does(async (turn, payload) => {
        if (turn.pressedMessageId !== null) await turn.disarm(turn.pressedMessageId);
        await save(turn, payload);
      }),
      templateActions.keep.does(async (turn) => await turn.rewrite(texts(turn.locale).kept)),
      templateActions.askRemove.does(async (turn, { id }) => {
        const found = await wanted(turn, id);
        if (found === null) return;
        const t = texts(turn.locale);
        const mine = { personId: turn.person.id };
        await turn.say(t.askRemove(found.name, found.text), {
          buttons: [
            [
              templateActions.remove.button(t.remove, { id }, { ...mine, style: 'danger' }),
              templateActions.keep.button(t.keep, {}, mine),
            ],
          ],
        });
      }),
      templateActions.remove.does(async (turn, { id }) => {
        const t = texts(turn.locale);
        const removed = await templates.remove({
          chatId: turn.chat.id,
          personId: turn.person.id,
          updateId: turn.updateId,
          id,
        });
        await turn.rewrite(removed === null ? t.gone : t.removed(removed.name));
      }),
    ],
  };
}
