import { z } from 'zod';
import { normalizeDigits } from '../../../../domain/phone.ts';
import type { Gateways } from '../../../../ports/gateways.ts';
import type { Stores } from '../../../../storage/stores.ts';
import { defineCommand, takeRest, type Feature } from '../../../../telegram/feature.ts';
import { clip } from '../../../../telegram/html.ts';
import { createBeginDraft, draftLineArgument, typedRecipients } from '../../../shared/new-draft.ts';
import { numbersArgument } from '../../../shared/shared-arguments.ts';
import { texts } from './texts.ts';
import { readValues } from './values.ts';

export interface PatternDeps extends Pick<Stores, 'drafts' | 'bindings'> {
  readonly gateways: Gateways;
  readonly cards: { refresh(draftId: string): Promise<void> };
}

const idSchema = z
  .string()
  .transform((typed) => normalizeDigits(typed).trim().replace(/^#/u, ''))
  .pipe(z.string().regex(/^[1-9]\d{0,17}$/u));

const valuesSchema = z.string().transform((typed, ctx) => {
  const values = readValues(typed);
  if (values !== null) return values;
  ctx.addIssue({ code: 'custom', message: 'not names with values' });
  return z.NEVER;
});

/** Sends whose text the gateway keeps. */
export function createPatternFeature(deps: PatternDeps): Feature {
  const { bindings, gateways } = deps;
  const begin = createBeginDraft(deps);
  return {
    name: 'pattern',
    topic: 'sending',
    commands: [
      defineCommand({
        name: 'pattern',
        permission: 'send.pattern',
        facet: 'pattern',
        followsEdits: true,
        about: (locale) => texts(locale).about,
        example: (locale) => texts(locale).example,
        args: {
          id: {
            schema: idSchema,
            usage: (locale) => texts(locale).usageId,
            ask: ({ locale }) => texts(locale).askId,
            problem: (locale) => texts(locale).badId,
          },
          numbers: numbersArgument,
          values: {
            schema: valuesSchema,
            take: takeRest,
            usage: (locale) => texts(locale).usageValues,
            ask: ({ locale }) => texts(locale).askValues,
            problem: (locale, typed) => texts(locale).badValues(clip(typed, 60)),
            choices: async ({ locale }) => [{ label: texts(locale).noValues, value: '-' }],
          },
          line: draftLineArgument(bindings),
        },
        run: async (ctx, { id: patternId, numbers, values, line: chosen }) => {
          if (ctx.binding === null) return;
          const gateway = await gateways.of(ctx.binding.id);
          const perCall = gateway.use('pattern').recipientsLimit;
          const outgoing = { kind: 'pattern', patternId, variables: values, perCall } as const;
          await begin(ctx, chosen, { outgoing, text: '', ...typedRecipients(numbers) });
        },
      }),
    ],
  };
}
