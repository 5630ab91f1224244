import { readTemplate } from '../../domain/merge.ts';
import { readTemplateCall } from '../../domain/template-name.ts';
import type { Stores } from '../../storage/stores.ts';
import { clip } from '../../telegram/html.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';

/**
 * What somebody means by the text of a message: the text itself, or the template that it calls as `#name` and nothing
 * else. Null: there is none of that name, and the person has been told. Where fields `stay` as they are, because all
 * recipients get the same text, that is told too.
 */
export async function textOrTemplate(
  ctx: RequestContext,
  typed: string,
  templates: Pick<Stores['templates'], 'find'>,
  fields: 'stay' | 'are_filled',
): Promise<string | null> {
  const name = readTemplateCall(typed);
  if (name === null) return typed;
  const found = await templates.find(ctx.chat.id, { name });
  if (found === null) {
    await ctx.say(kitTexts(ctx.locale).noTemplate(name));
    return null;
  }
  if (fields === 'stay') await tellFieldsStay(ctx, found.text);
  return found.text;
}

/** Says that the fields of a text stay in it as they are, where it has any. */
export async function tellFieldsStay(ctx: RequestContext, text: string): Promise<void> {
  const names = readTemplate(text, []).unknown.map(({ name }) => clip(name, NAME_UNITS));
  if (names.length > 0) await ctx.say(kitTexts(ctx.locale).fieldsStay(names.slice(0, MAX_NAMED)));
}

const NAME_UNITS = 32;
const MAX_NAMED = 5;
