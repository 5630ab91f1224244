import { z } from 'zod';
import { readTemplateCall, readTemplateName } from '../../domain/template-name.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Argument } from '../../telegram/feature.ts';
import { clip } from '../../telegram/html.ts';
import { textArgument } from '../shared/shared-arguments.ts';
import { texts } from './texts.ts';

/** As many are offered as buttons; the others can be typed. */
const OFFERED = 10;

/** The name of a template, there already or not. */
export function nameArgument(templates: Pick<Stores['templates'], 'list'>) {
  return {
    schema: z.string().transform((typed, ctx) => {
      const name = readTemplateName(typed);
      if (name !== null) return name;
      ctx.addIssue({ code: 'custom', message: 'not a name of one word' });
      return z.NEVER;
    }),
    endsByNo: true,
    usage: (locale) => texts(locale).usageName,
    ask: ({ locale }) => texts(locale).askName,
    problem: (locale, typed) => texts(locale).badName(clip(typed, 40)),
    choices: async ({ chat }) => {
      const { templates: first } = await templates.list(chat.id, { skip: 0, limit: OFFERED });
      return first.map(({ name }) => ({ label: `#${name}`, value: name }));
    },
  } satisfies Argument;
}

/** What a template says: what a message may say, but not the name of another template. */
export const templateTextArgument = {
  ...textArgument,
  schema: textArgument.schema.refine((typed) => readTemplateCall(typed) === null),
  usage: (locale) => texts(locale).usageText,
  ask: ({ locale }, known) => texts(locale).askText(readTemplateName(known['name'] ?? '') ?? ''),
  problem: (locale, typed) =>
    readTemplateCall(typed) === null ? textArgument.problem(locale, typed) : texts(locale).callsAnother,
} satisfies Argument;
