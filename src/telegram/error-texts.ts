import { randomBytes } from 'node:crypto';
import { AppError } from '../domain/errors.ts';
import type { Locale } from '../i18n/define.ts';
import { createFormat } from '../i18n/format.ts';
import type { CredentialName } from '../ports/gateway.ts';
import type { Log } from '../ports/runtime.ts';
import type { Html } from './html.ts';
import { refusalText } from './refusal-texts.ts';
import { kitTexts } from './texts.ts';

const CREDENTIALS: Readonly<Record<Locale, Readonly<Record<CredentialName, string>>>> = {
  en: { api_key: 'an API key', username_password: 'user name and password', token: 'a version 1 token' },
  fa: { api_key: 'کلید API', username_password: 'نام کاربری و رمز', token: 'توکن نسخهٔ ۱' },
};

export function credentialNames(locale: Locale, names: readonly CredentialName[]): string {
  return createFormat(locale, 'UTC').list(names.map((name) => CREDENTIALS[locale][name]));
}

/**
 * What a person is told of an error: what happened and what to do next. What is not foreseen gets a
 * reference that the log has too. The error itself goes to the log alone.
 */
export function tellError(locale: Locale, error: unknown, log: Log): Html {
  const texts = kitTexts(locale);
  if (error instanceof AppError) {
    if (error.code === 'gateway_refused') {
      log.info({ err: error }, 'the gateway refused');
      return texts.refused(refusalText(locale, String(error.params['name'] ?? '')));
    }
    const told = new Map(Object.entries(texts.errors)).get(error.code);
    if (told !== undefined) {
      log.warn({ err: error }, 'a turn ended with an error');
      return told;
    }
  }
  const reference = randomBytes(4).toString('hex');
  log.error({ err: error, reference }, 'a turn failed');
  return texts.unexpected(reference);
}
