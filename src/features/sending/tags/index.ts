import { z } from 'zod';
import { normalizeDigits } from '../../../domain/phone.ts';
import { parseTag } from '../../../domain/tag.ts';
import type { TagStore } from '../../../ports/tags.ts';
import { defineCommand, takeRest, type Argument, type Feature } from '../../../telegram/feature.ts';
import { texts } from './texts.ts';

/** What takes a tag away. */
const NONE = /^[-–—]$/u;

const cardArgument = {
  schema: z.string().transform((typed, ctx): string => {
    const word = normalizeDigits(typed)
      .replaceAll(/[\u200b-\u200f\u2066-\u2069]/gu, '')
      .trim();
    const code = /^#?([A-Za-z]\d{1,9})$/u.exec(word)?.[1];
    if (code !== undefined) return code.toUpperCase();
    ctx.addIssue({ code: 'custom', message: 'no card' });
    return z.NEVER;
  }),
  usage: (locale) => texts(locale).usageCard,
  ask: ({ locale }) => texts(locale).askCard,
  problem: (locale) => texts(locale).badCard,
} satisfies Argument;

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
export function createTagsFeature({ tags }: { readonly tags: TagStore }): Feature {
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
        args: { card: cardArgument, tag: tagArgument },
        run: async (turn, { card, tag: { tag } }) => {
          const t = texts(turn.locale);
          const press = { chatId: turn.chat.id, personId: turn.person.id, updateId: turn.updateId };
          const done = await tags.set({ ...press, code: card, tag });
          if (done === null) await turn.say(t.noCard(card));
          else if (tag !== null) await turn.say(t.tagged(done.code, tag, done.was === tag ? null : done.was));
          else await turn.say(done.was === null ? t.hadNone(done.code) : t.untagged(done.code, done.was));
        },
      }),
    ],
    actions: [],
  };
}
