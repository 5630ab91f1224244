import { z } from 'zod';
import { parseTag } from '../../../domain/tag.ts';
import { defineTexts } from '../../../i18n/define.ts';
import { isolateAuto, isolateLtr, stripBidi } from '../../../i18n/format.ts';
import type { Stores } from '../../../storage/stores.ts';
import { defineCommand, takeRest, type Argument, type Feature } from '../../../telegram/feature.ts';
import { b, code, html, lines, type Html } from '../../../telegram/html.ts';
import { cardCodeArgument, cardCodeTexts } from '../../shared/card-code.ts';
import { chatDoerOf } from '../../shared/doer.ts';

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
  endsByNo: true,
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
        alsoCalled: ['برچسب'],
        permission: 'send.prepare',
        facet: 'sending',
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: { card: cardCodeArgument, tag: tagArgument },
        run: async (ctx, { card, tag: { tag } }) => {
          const t = texts(ctx.locale);
          const press = chatDoerOf(ctx);
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

const one = (id: string): Html => b(isolateLtr(`#${id}`));
const examples = { tag: code('promo'), none: code('-') };

export const texts = defineTexts({
  en: {
    about: 'tag a card for reports; - removes the tag',
    example: '/tag A41 promo',
    usageTag: 'tag',
    askTag: html`Which tag? One word, such as ${examples.tag}, or ${examples.none} to remove it.`,
    badTag: html`A tag is one word of at most 32 letters and digits, ${code('-')} and ${code('_')}, such as ${examples.tag}; ${examples.none} alone removes it.`,
    tagged: (id: string, tag: string, was: string | null): Html =>
      lines(
        html`${one(id)}: 🏷 ${isolateAuto(tag)}${was === null ? '' : html`, before: ${isolateAuto(was)}`}`,
        html`Report of this tag: ${code(`/report tag:${stripBidi(tag)}`)}`,
      ),
    untagged: (id: string, was: string): Html =>
      html`${one(id)} no longer has the tag 🏷 ${isolateAuto(was)}.`,
    hadNone: (id: string): Html => html`${one(id)} has no tag.`,
  },
  fa: {
    about: 'برچسب زدن به یک کارت برای گزارش؛ - آن را برمی‌دارد',
    example: '/tag A41 یلدا',
    usageTag: 'برچسب',
    askTag: html`چه برچسبی؟ یک کلمه، مانند ${code('یلدا')}، یا ${examples.none} برای برداشتن آن.`,
    badTag: html`برچسب یک کلمه است از حداکثر ۳۲ حرف و رقم، ${code('-')} و ${code('_')}، مانند ${code('یلدا')}؛ ${examples.none} به‌تنهایی آن را برمی‌دارد.`,
    tagged: (id, tag, was) =>
      lines(
        html`${one(id)}: 🏷 ${isolateAuto(tag)}${was === null ? '' : html`، قبلاً: ${isolateAuto(was)}`}`,
        html`گزارش این برچسب: ${code(`/report tag:${stripBidi(tag)}`)}`,
      ),
    untagged: (id, was) => html`${one(id)} دیگر برچسب 🏷 ${isolateAuto(was)} ندارد.`,
    hadNone: (id) => html`${one(id)} برچسبی ندارد.`,
  },
});
