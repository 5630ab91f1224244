import { z } from 'zod';
import { gregorianDayOf } from '../../domain/calendar.ts';
import { parseNationalCode } from '../../domain/national-code.ts';
import { isPassword } from '../../domain/password.ts';
import { normalizeDigits } from '../../domain/phone.ts';
import { Secret } from '../../domain/secret.ts';
import type { Argument } from '../../telegram/feature.ts';
import { recipientArgument } from '../shared/shared-arguments.ts';
import { fieldTexts, type FieldName } from './field-texts.ts';
import { texts } from './texts.ts';

type Schema = z.ZodType<unknown, string>;

/** A question of the forms. It is asked by the form alone: nothing of it is ever typed behind a command. */
export function field<S extends Schema>(
  name: FieldName,
  schema: S,
  more: Pick<Argument, 'choices' | 'secret' | 'endsByNo'> = {},
): Argument<S> {
  return {
    endsByNo: more.secret !== true,
    ...more,
    schema,
    take: null,
    usage: () => '',
    ask: ({ locale }) => fieldTexts(locale)[name].ask,
    problem: (locale) => fieldTexts(locale)[name].bad,
  };
}

/** A question that can be skipped, by its button or a dash; it then gives an empty text. */
export function skippable(name: FieldName, schema: Text): Argument<Text> {
  return field(name, z.union([z.literal('-').transform(() => ''), schema]), {
    choices: async ({ locale }) => [{ label: texts(locale).skip, value: '-' }],
  });
}

/** Stands for a password that is made here; nobody can type it as one of their own. */
const MADE_HERE = '🎲';

/**
 * The two answers that must not be seen. Each is made known to the log as soon as it is read, before any handler
 * runs: from then on no line can hold it.
 */
export function secretFields(keepSecret: (secret: Secret) => void) {
  const kept = (text: string): Secret => {
    const secret = new Secret(text);
    keepSecret(secret);
    return secret;
  };
  return {
    nationalCode: field(
      'nationalCode',
      reading((typed) => {
        const code = parseNationalCode(typed);
        return code === null ? null : kept(code);
      }),
      { secret: true },
    ),
    /** Null: one is to be made here. */
    password: field(
      'password',
      z.union([z.literal(MADE_HERE).transform(() => null), z.string().refine(isPassword).transform(kept)]),
      { secret: true, choices: async ({ locale }) => [{ label: texts(locale).generate, value: MADE_HERE }] },
    ),
  };
}

type Text = z.ZodType<string, string>;

const oneLine = (most: number): Text =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^[^\\p{Cc}]{1,${most}}$`, 'u'));
const digits = (from: number, to: number): Text =>
  reading((typed) => {
    const found = normalizeDigits(typed).replaceAll(/[\s\p{Cf}\p{Pd}+()]/gu, '');
    return new RegExp(`^\\d{${from},${to}}$`).test(found) ? found : null;
  });

export const nameText = oneLine(100);
export const addressText = z
  .string()
  .trim()
  .transform((typed) => typed.replaceAll(/\s*\n\s*/gu, ' '))
  .pipe(oneLine(300));
export const emailText: Text = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/u);
export const phoneText = digits(3, 15);
export const postCodeText = digits(10, 10);
export const certificateText = digits(1, 10);
export const companyNumberText = digits(1, 20);
export const companyIdText = digits(11, 11);
export const packageText = digits(1, 15);
export const userNameText: Text = z.string().regex(/^[A-Za-z0-9]{1,64}$/);
export const managerText: Text = z.string().regex(/^[\u0021-\u007e]{1,64}$/);
export const mobileText = recipientArgument.schema;

/** A day of the Jalali calendar, in the interface's spelling. */
export const birthDayText: Text = reading((typed) => {
  const parts = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(
    normalizeDigits(typed).replaceAll(/[\s\p{Cf}]/gu, ''),
  );
  const [year = 0, month = 0, day = 0] = (parts ?? []).slice(1).map(Number);
  if (year < 1250 || year > 1500 || gregorianDayOf({ year, month, day }) === null) return null;
  return [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join('/');
});

/** In the interface's own words; no others are known. */
export const gender = field('gender', z.enum(['مرد', 'زن']), {
  choices: async ({ locale }) => [
    { label: texts(locale).male, value: 'مرد' },
    { label: texts(locale).female, value: 'زن' },
  ],
});

export const reseller = field(
  'reseller',
  reading((typed) => WORDS.get(typed.toLowerCase()) ?? null),
  {
    endsByNo: false,
    choices: async ({ locale }) => [
      { label: texts(locale).no, value: 'no' },
      { label: texts(locale).yes, value: 'yes' },
    ],
  },
);

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
  ['بله', true],
  ['خیر', false],
]);

/** A schema from a function that gives null for what it cannot read. */
function reading<T>(read: (typed: string) => T | null): z.ZodType<T, string> {
  return z.string().transform((typed, ctx) => {
    const value = read(typed);
    if (value !== null) return value;
    ctx.addIssue({ code: 'custom', message: 'cannot be read' });
    return z.NEVER;
  });
}
