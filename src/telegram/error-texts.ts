import { randomBytes } from 'node:crypto';
import { AppError } from '../domain/errors.ts';
import type { Locale } from '../i18n/define.ts';
import { createFormat } from '../i18n/format.ts';
import type { CredentialName } from '../ports/gateway.ts';
import type { Log } from '../ports/runtime.ts';
import { lines, type Html } from './html.ts';
import { refusalReason, refusalText } from './refusal-texts.ts';
import { kitTexts } from './texts.ts';

const CREDENTIALS: Readonly<Record<Locale, Readonly<Record<CredentialName, string>>>> = {
  en: { api_key: 'an API key', username_password: 'a user name and password', token: 'a version 1 token' },
  fa: { api_key: 'کلید API', username_password: 'نام کاربری و رمز', token: 'توکن نسخهٔ ۱' },
};

const EITHER = {
  en: new Intl.ListFormat('en-GB', { type: 'disjunction' }),
  fa: new Intl.ListFormat('fa-IR', { type: 'disjunction' }),
} as const satisfies Record<Locale, Intl.ListFormat>;

/** Credentials any one of which would do; empty for none. */
export function credentialNames(locale: Locale, names: readonly CredentialName[]): string {
  return EITHER[locale].format(names.map((name) => CREDENTIALS[locale][name]));
}

/**
 * What a person is told of an error: what happened and what to do next. What is not foreseen gets a
 * reference that the log has too. The error itself goes to the log alone.
 */
export function tellError(locale: Locale, error: unknown, log: Log): Html {
  if (error instanceof AppError) {
    const { code } = error;
    if (code === 'gateway_refused') {
      log.info({ err: error }, 'the gateway refused');
      return refusal(locale, error);
    }
    const texts = kitTexts(locale);
    const problem = fileProblem(locale, error);
    if (problem !== undefined) {
      log.info({ err: error }, 'a file could not be used');
      return problem;
    }
    const told =
      (mayHaveActed(error) ? pick(texts.mayHaveActed, code) : undefined) ?? pick(texts.errors, code);
    if (told !== undefined) {
      log.warn({ err: error }, 'a turn ended with an error');
      return told;
    }
  }
  const reference = randomBytes(4).toString('hex');
  log.error({ err: error, reference }, 'a turn failed');
  return kitTexts(locale).unexpected(reference);
}

/** Why a file could not be used, and where in it; undefined for any other error. */
export function fileProblem(locale: Locale, { params }: AppError): Html | undefined {
  if (params['field'] !== 'file') return undefined;
  const texts = kitTexts(locale);
  const format = createFormat(locale, 'UTC');
  const found = pick(texts.fileProblems, String(params['reason']));
  const problem = typeof found === 'function' ? found(format.number(Number(params['limit']))) : found;
  const row = Number(params['row']);
  if (problem === undefined || !(row > 0)) return problem;
  return lines(problem, texts.fileRow(format.number(row)));
}

function refusal(locale: Locale, error: AppError): Html {
  const texts = kitTexts(locale);
  const name = String(error.params['name'] ?? '');
  return mayHaveActed(error)
    ? texts.refusedPerhaps(refusalReason(locale, name))
    : texts.refused(refusalText(locale, name, String(error.params['text'] ?? '')));
}

/** A change was asked for, and the gateway may have made it all the same. */
function mayHaveActed({ params }: AppError): boolean {
  return params['mayHaveActed'] === true;
}

function pick<T>(texts: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}
