import { readTemplate } from '../../domain/merge.ts';
import { readTemplateCall } from '../../domain/template-name.ts';
import type { Locale } from '../../i18n/define.ts';
import type { Stores } from '../../storage/stores.ts';
import { clip, type Html } from '../../telegram/html.ts';
import { kitTexts } from '../../telegram/texts.ts';
import type { RequestContext } from '../../telegram/request-context.ts';

/**
 * What somebody means by the text of a message: the text itself, or the template that it calls as `#name` and nothing
 * else. Null: there is none of that name, which `textArgument.problem` says of the text.
 */
export async function textOrTemplate(
  ctx: RequestContext,
  typed: string,
  templates: Pick<Stores['templates'], 'find'>,
): Promise<string | null> {
  const name = readTemplateCall(typed);
  if (name === null) return typed;
  return (await templates.find(ctx.chat.id, { name }))?.text ?? null;
}

/** Says that the fields of a text stay in it as they are, which is the same for all that get it; null where it has none. */
export function fieldsStay(locale: Locale, text: string): Html | null {
  const names = readTemplate(text, []).unknown.map(({ name }) => clip(name, NAME_UNITS));
  return names.length === 0 ? null : kitTexts(locale).fieldsStay(names.slice(0, MAX_NAMED));
}

const NAME_UNITS = 32;
const MAX_NAMED = 5;
