import { z } from 'zod';
import { parseTag } from '../../../domain/tag.ts';
import type { Stores } from '../../../storage/stores.ts';
import { defineCommand, takeRest, type Argument, type Feature } from '../../../telegram/feature.ts';
import { cardCodeArgument, cardCodeTexts } from '../../shared/card-code.ts';
import { texts } from './texts.ts';

/** What takes a tag away. */
const NONE = /^[-–—]$/u;

const tagArgument = {
  schema: z.string().transform((typed, ctx): { tag: string | null } => {
    if (NONE.test(typed.trim())) return { tag: null };
    const tag = parseTag(typed);
    if (tag !== null) return { tag };
    ctx.addIssue({ code: 'custom', message: 'no tag' });
    return z.NEVER;
  }),
  take: takeRest,
  usage: (locale) => texts(locale).usageTag,
  ask: ({ locale }) => texts(locale).askTag,
  problem: (locale) => texts(locale).badTag,
} satisfies Argument;

/** Filing cards under tags, which reports add up. */
export function createTagsFeature({ tags }: { readonly tags: Stores['tags'] }): Feature {
  return {
    name: 'tags',
    topic: 'reports',
    commands: [
      defineCommand({
        name: 'tag',
        permission: 'send.prepare',
        facet: 'sending',
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: { card: cardCodeArgument, tag: tagArgument },
        run: async (ctx, { card, tag: { tag } }) => {
          const t = texts(ctx.locale);
          const press = { chatId: ctx.chat.id, personId: ctx.person.id, updateId: ctx.updateId };
          const done = await tags.set({ ...press, code: card, tag });
          if (done === null) await ctx.say(cardCodeTexts(ctx.locale).noCard(card));
          else if (tag !== null) await ctx.say(t.tagged(done.code, tag, done.was === tag ? null : done.was));
          else await ctx.say(done.was === null ? t.hadNone(done.code) : t.untagged(done.code, done.was));
        },
      }),
    ],
    actions: [],
  };
}
