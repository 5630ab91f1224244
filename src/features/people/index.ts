import { z } from 'zod';
import { isAppError } from '../../domain/errors.ts';
import { readPersonChange, splitPerson } from '../../domain/people.ts';
import { isDateMissed } from '../../domain/person-date.ts';
import type { Recipient } from '../../domain/phone.ts';
import { parseTag } from '../../domain/tag.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Stores } from '../../storage/stores.ts';
import { defineCommand, takeRest, type Feature } from '../../telegram/feature.ts';
import { clip, lines, type Html } from '../../telegram/html.ts';
import type { IncomingFile } from '../../telegram/forms/file-reference.ts';
import type { RequestContext } from '../../telegram/request-context.ts';
import { chatDoerOf } from '../shared/doer.ts';
import { peopleTagTexts } from '../shared/people-tag.ts';
import { carried } from '../shared/shared-arguments.ts';
import { isAll } from '../shared/words.ts';
import { peopleActions } from './actions.ts';
import { overviewCard, peopleList, personCard, sendPeople } from './cards.ts';
import { texts } from './texts.ts';

const CHANGE_FORM = 'person-change';

export interface PeopleDeps extends Pick<Stores, 'people'> {
  /** Has the people of a file kept under a tag; null: they are asked under which. */
  readonly keepFile: (ctx: RequestContext, file: IncomingFile, tag: string | null) => Promise<void>;
  readonly tables: Tables;
}

/** Whom a chat keeps: finding them, what is kept of each, export, and taking them out. */
export function createPeopleFeature({ people, tables, keepFile }: PeopleDeps): Feature {
  const list = peopleList(people);

  const show = async (ctx: RequestContext, number: Recipient, news?: Html): Promise<void> => {
    const { content, buttons } = personCard(ctx, number, await people.find(ctx.chat.id, number));
    await ctx.say(lines(news, content), { buttons: buttons ?? [] });
  };

  /** Keeps what somebody typed of a number, and shows what is kept now. */
  const change = async (ctx: RequestContext, number: Recipient, typed: string): Promise<void> => {
    const t = texts(ctx.locale);
    if (!ctx.can('books.write')) return void (await ctx.say(t.adminsOnly));
    const said = readPersonChange(typed, await people.fieldNames(ctx.chat.id, null));
    if (Object.keys(said).length === 0) {
      await ctx.say(t.badChange);
      return await ctx.ask(CHANGE_FORM, { number });
    }
    const doer = chatDoerOf(ctx);
    try {
      await people.set(doer, number, said);
    } catch (error) {
      if (!isAppError(error, 'bad_input') || error.params['field'] !== 'people') throw error;
      return void (await ctx.say(t.full(ctx.format.number(Number(error.params['limit'])))));
    }
    const missed = Object.entries(said.fields ?? {}).filter((each) => isDateMissed(...each));
    await show(ctx, number, lines(t.kept, ...missed.map(([, value]) => t.noDate(clip(value, 40)))));
  };

  const overview = async (ctx: RequestContext): Promise<void> => {
    const { content, buttons } = overviewCard(ctx, await people.overview(ctx.chat.id));
    await ctx.say(content, { buttons: buttons ?? [] });
  };

  return {
    name: 'people',
    topic: 'phonebooks',
    commands: [
      defineCommand({
        name: 'people',
        alsoCalled: [
          'contacts',
          'customers',
          'مخاطبان',
          'مخاطب',
          'مخاطبین',
          'افراد',
          'contact',
          'addcontact',
          'addacontact',
          'شمارهجدید',
        ],
        permission: 'books.view',
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        walk: (locale) => texts(locale).walk,
        offer: {
          contact: (locale, number) => texts(locale).offerContact(number),
          contactName: true,
          file: (locale) => texts(locale).offerFile,
        },
        args: {
          who: {
            schema: z.string().trim(),
            take: takeRest,
            optional: true,
            contact: true,
            usage: (locale) => texts(locale).usage,
            ask: ({ locale }) => texts(locale).ask,
            problem: (locale) => texts(locale).ask,
          },
        },
        run: async (ctx, { who = '' }) => {
          const [, typed = '', words = ''] = /^[#＃](\S+)\s*([\s\S]*)$/u.exec(who) ?? [];
          const tag = parseTag(typed);
          if (ctx.file !== null) {
            if (ctx.can('send.bulk')) return await keepFile(ctx, ctx.file, tag);
            return void (await ctx.say(texts(ctx.locale).adminsOnly));
          }
          if (who === '') return await overview(ctx);
          const {
            numbers: [number, ...more],
            words: said,
          } = splitPerson(who);
          if (more.length > 0) return void (await ctx.say(texts(ctx.locale).onlyOne));
          // By a press below a number that came alone it is to be kept; a command by itself looks.
          const isOffered = said === '' && ctx.subject !== null && ctx.can('books.write');
          if (number !== undefined && isOffered && (await people.find(ctx.chat.id, number)) === null)
            return await ctx.ask(CHANGE_FORM, { number });
          if (number !== undefined)
            return await (said === '' ? show(ctx, number) : change(ctx, number, said));
          const wanted = tag === null ? who : words;
          const isEverybody = wanted === '' || isAll(wanted);
          await list.say(ctx, { tag, words: isEverybody ? null : wanted.slice(0, 100), page: 1 });
        },
      }),
      defineCommand({
        name: CHANGE_FORM,
        permission: 'books.write',
        about: null,
        args: {
          number: carried,
          said: {
            schema: z.string().trim().min(1).max(1000),
            take: null,
            endsByNo: true,
            usage: (locale) => texts(locale).usage,
            ask: ({ locale, format }, { number = '' }) => texts(locale).askChange(format.phone(number)),
            problem: (locale) => texts(locale).badChange,
          },
        },
        run: async (ctx, { number, said }) => await change(ctx, number, said),
      }),
    ],
    actions: [
      ...list.actions,
      peopleActions.export.does(async (ctx, wanted) => await sendPeople(ctx, wanted, { people, tables })),
      peopleActions.show.does(async (ctx, { number }) => await show(ctx, number)),
      peopleActions.change.does(async (ctx, { number }) => await ctx.ask(CHANGE_FORM, { number })),
      peopleActions.askDrop.does(async (ctx, { number }) => {
        const t = texts(ctx.locale);
        const person = await people.find(ctx.chat.id, number);
        if (person === null) return void (await ctx.say(t.gone));
        const mine = { personId: ctx.person.id };
        await ctx.say(t.askDrop(person.name, ctx.format.phone(number)), {
          buttons: [
            [
              peopleActions.drop.button(t.drop, { number }, { ...mine, style: 'danger' }),
              peopleActions.keep.button(t.keep, {}, mine),
            ],
          ],
        });
      }),
      peopleActions.drop.does(async (ctx, { number }) => {
        const t = texts(ctx.locale);
        const doer = chatDoerOf(ctx);
        await ctx.rewrite((await people.drop(doer, number)) ? t.dropped(ctx.format.phone(number)) : t.gone);
      }),
      peopleActions.askDropTag.does(async (ctx, { tag }) => {
        const t = texts(ctx.locale);
        const { people: count } = peopleTagTexts(ctx.locale);
        const { all } = await people.list(ctx.chat.id, { tag, words: null, skip: 0, limit: 1 });
        if (all === 0) return void (await ctx.say(t.nobody(tag, null)));
        const mine = { personId: ctx.person.id };
        await ctx.say(t.askDropTag(tag, ctx.format.count(all, count)), {
          buttons: [
            [
              peopleActions.dropTag.button(t.removeAll, { tag }, { ...mine, style: 'danger' }),
              peopleActions.keep.button(t.keep, {}, mine),
            ],
          ],
        });
      }),
      peopleActions.dropTag.does(async (ctx, { tag }) => {
        const { people: count } = peopleTagTexts(ctx.locale);
        const doer = chatDoerOf(ctx);
        const { gone, stayed } = await people.dropTag(doer, tag);
        await ctx.rewrite(
          texts(ctx.locale).droppedTag(
            tag,
            ctx.format.count(gone, count),
            stayed === 0 ? null : ctx.format.count(stayed, count),
          ),
        );
      }),
      peopleActions.keep.does(async (ctx) => await ctx.rewrite(texts(ctx.locale).stays)),
    ],
  };
}
