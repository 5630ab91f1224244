import { z } from 'zod';
import { isNear } from '../../domain/behind-name.ts';
import { parseTag } from '../../domain/tag.ts';
import { defineTexts } from '../../i18n/define.ts';
import { isolateAuto } from '../../i18n/format.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Argument } from '../../telegram/feature.ts';
import { clip, code, html, type Html } from '../../telegram/html.ts';
import type { RequestContext } from '../../telegram/request-context.ts';

/** As many are offered as buttons; the others can be typed. */
const OFFERED = 8;

/** A tag under which people are kept, there already or not. */
export function peopleTagArgument(people: Pick<Stores['people'], 'overview'>) {
  return {
    schema: z.string().transform((typed, ctx) => {
      const tag = parseTag(typed);
      if (tag !== null) return tag;
      ctx.addIssue({ code: 'custom', message: 'no tag' });
      return z.NEVER;
    }),
    take: null,
    endsByNo: true,
    usage: (locale) => peopleTagTexts(locale).usage,
    ask: ({ locale }) => peopleTagTexts(locale).ask,
    problem: (locale, typed) => peopleTagTexts(locale).bad(clip(typed, 40)),
    choices: async (ctx: RequestContext) => await peopleTagChoices(ctx, people),
  } satisfies Argument;
}

/** The tags of most people, or those that were typed, or nearly, if there is somebody under them, with how many each has. */
export async function peopleTagChoices(
  { chat, format }: RequestContext,
  people: Pick<Stores['people'], 'overview'>,
  typed = '',
): Promise<{ readonly label: string; readonly value: string }[]> {
  const { tags } = await people.overview(chat.id);
  const word = parseTag(typed) ?? '';
  const exact = tags.filter(({ tag }) => tag === word);
  const meant = exact.length > 0 ? exact : tags.filter(({ tag }) => isNear(tag, word));
  // A word without the sign is as well the beginning of a text.
  const isTag = typed === '' || /^[#＃]\S/u.test(typed);
  return (meant.length > 0 || !isTag ? meant : tags).slice(0, OFFERED).map(({ tag, people: count }) => ({
    label: `👥 ${isolateAuto(`#${tag}`)} · ${format.number(count)}`,
    value: `#${tag}`,
  }));
}

/** What all that is about people's tags says of them. */
export const peopleTagTexts = defineTexts({
  en: {
    usage: '#tag',
    ask: html`Under which tag? One word, such as ${code('#customers')}. You send to a tag with ${code('/bulk #customers')}.`,
    bad: (typed: string): Html =>
      html`🏷 «${isolateAuto(typed)}» is no tag. One word of letters and digits, such as ${code('#customers')}.`,
    people: { one: 'person', other: 'people' },
    nobody: (tag: string): Html => html`👥 Nobody is kept under ${isolateAuto(`#${tag}`)}.`,
  },
  fa: {
    usage: '#برچسب',
    ask: html`با کدام برچسب؟ یک کلمه، مانند ${code('#مشتریان')}. با ${code('/bulk #مشتریان')} به این برچسب پیامک می‌فرستید.`,
    bad: (typed) =>
      html`🏷 «${isolateAuto(typed)}» برچسب نیست. یک کلمه از حرف و رقم بنویسید، مانند ${code('#مشتریان')}.`,
    people: { one: 'نفر', other: 'نفر' },
    nobody: (tag) => html`👥 کسی با برچسب ${isolateAuto(`#${tag}`)} ثبت نشده است.`,
  },
});
