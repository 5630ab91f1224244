import { z } from 'zod';
import { normalizeDigits } from '../../../../domain/phone.ts';
import { defineTexts } from '../../../../i18n/define.ts';
import { isolateAuto } from '../../../../i18n/format.ts';
import type { Gateways } from '../../../../ports/gateways.ts';
import { defineCommand, takeRest, type Feature } from '../../../../telegram/feature.ts';
import { clip, code, html, lines, type Html } from '../../../../telegram/html.ts';
import {
  createBeginDraft,
  draftLineArgument,
  typedRecipients,
  type BeginDraftDeps,
} from '../../../shared/new-draft.ts';
import { numbersArgument } from '../../../shared/shared-arguments.ts';

interface PatternDeps extends BeginDraftDeps {
  readonly gateways: Gateways;
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
        alsoCalled: ['otp', 'پترن'],
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

/** What begins a name, and its value in quotes or as one word. */
const PAIR = /\s*([^\s=]+)=(?:"([^"]*)"|“([^”]*)”|«([^»]*)»|((?!["“«])\S*))(?=\s|$)/uy;
const MOST = 30;

/**
 * Reads `name=value name2="two words"`; `-` or nothing means none. Names are kept as they are typed: the gateway tells
 * capitals apart. Null when a piece is no pair, a name comes twice, a value is empty or too long, or there are too many.
 */
export function readValues(typed: string): Readonly<Record<string, string>> | null {
  const text = typed.trim();
  if (text === '' || text === '-') return {};
  const values = new Map<string, string>();
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const match = PAIR.exec(text);
    if (match === null) return null;
    const [, name = ''] = match;
    const value = match[2] ?? match[3] ?? match[4] ?? match[5] ?? '';
    if (
      values.has(name) ||
      // A member of that name would be lost on the way.
      name === '__proto__' ||
      value.trim() === '' ||
      value.length > 900 ||
      name.length > 64 ||
      !`${name}${value}`.isWellFormed()
    )
      return null;
    values.set(name, value);
    if (values.size > MOST) return null;
  }
  return Object.fromEntries(values);
}

export const texts = defineTexts({
  en: {
    about: 'send a pattern of the gateway, filled with your values',
    example: '/pattern 1 09121234567 code=1234',
    usageId: 'id',
    usageValues: 'name=value…',
    askId: html`Which pattern? Its number is in the gateway’s panel.`,
    badId: html`Give the pattern’s number, such as ${code('12')}.`,
    askValues: lines(
      html`Which values? Name and value, named as in the pattern: ${code('code=1234')}`,
      html`Separate several with spaces; put a value of several words in quotes: ${code('name="Sara Ahmadi"')}`,
    ),
    badValues: (typed: string): Html =>
      html`${typed === '' ? 'I could not read that' : html`I could not read «${isolateAuto(typed)}»`} as values: write each as ${code('name=value')}, and each name only once.`,
    noValues: 'No values',
  },
  fa: {
    about: 'ارسال با الگوی پنل پیامک و مقدارهای شما',
    example: '/pattern 1 09121234567 code=1234',
    usageId: 'شناسه',
    usageValues: 'نام=مقدار…',
    askId: html`کدام الگو؟ شماره‌اش در پنل پیامک است.`,
    badId: html`الگو را با شماره‌اش بنویسید، مانند ${code('12')}`,
    askValues: lines(
      html`با چه مقدارهایی؟ نام و مقدار، همان‌طور که در الگو آمده: ${code('code=1234')}`,
      html`چند تا را با فاصله جدا کنید و مقدار چندکلمه‌ای را در گیومه بگذارید: ${code('name="سارا احمدی"')}`,
    ),
    badValues: (typed) =>
      html`${typed === '' ? 'این' : html`«${isolateAuto(typed)}»`} مقدار نیست: هر کدام را به شکل ${code('name=value')} و هر نام را یک بار بنویسید.`,
    noValues: 'بدون مقدار',
  },
});
