import { describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../test/support/memory-log.ts';
import { AppError, type AppErrorCode } from '../domain/errors.ts';
import { credentialNames, tellError } from './error-texts.ts';
import { plainText } from './html.ts';

function told(error: unknown, locale: 'en' | 'fa' = 'en') {
  const log = createMemoryLog();
  const text = plainText(tellError(locale, error, log));
  return { text, lines: log.lines };
}

const FORESEEN = [
  'bad_input',
  'not_allowed',
  'not_connected',
  'already_connected',
  'expired',
  'stale',
  'busy',
  'rate_limited',
  'gateway_no_answer',
  'gateway_unreadable',
  'gateway_unsupported',
] as const satisfies readonly AppErrorCode[];

describe('an error that is told', () => {
  test.each(FORESEEN)(
    '%s has a sentence of its own in both languages, and shows nothing of the error',
    (code) => {
      const error = new AppError(code, 'inner words', { params: { field: 'inner field' } });
      const [english, persian] = [told(error), told(error, 'fa')];
      expect(english.text).not.toMatch(/inner|logged as/);
      expect(persian.text).toMatch(/[آ-ی]/);
      expect(english.text).not.toBe(persian.text);
      expect(english.lines).toMatchObject([{ level: 'warn', fields: { err: error } }]);
    },
  );

  test('by the gateway is worded by what it means, and in its own words only where that says nothing', () => {
    const refused = (name: string) =>
      told(new AppError('gateway_refused', 'x', { params: { name, text: '<b>pay here</b>' } }));
    expect(refused('insufficient_credit').text).not.toBe(refused('invalid_line').text);
    expect(refused('insufficient_credit').text).toMatch(/^The gateway refused: /);
    expect(refused('insufficient_credit').text).not.toContain('pay here');
    expect(refused('a name of tomorrow').text).toBe(refused('unlisted').text);
    expect(refused('constructor').text).toBe(refused('unlisted').text);
    expect(refused('unlisted').text).toMatch(/It says: “.?<b>pay here<\/b>.?”/u);
    expect(refused('unlisted').lines[0]?.level).toBe('info');
  });

  test.each(['gateway_no_answer', 'gateway_unreadable', 'gateway_refused'] as const)(
    '%s of a change that may have been made says so, and never that nothing was changed',
    (code) => {
      const error = (mayHaveActed: boolean) =>
        new AppError(code, 'x', { params: { name: 'server_fault', mayHaveActed } });
      for (const [locale, unknown, untouched] of [
        ['en', /not known whether/, /Nothing was changed|^The gateway refused/],
        ['fa', /معلوم نیست/, /چیزی تغییر نکرد|^پنل پیامک نپذیرفت/],
      ] as const) {
        expect(told(error(true), locale).text).toMatch(unknown);
        expect(told(error(true), locale).text).not.toMatch(untouched);
        expect(told(error(false), locale).text).toMatch(untouched);
        expect(told(error(false), locale).text).not.toMatch(unknown);
      }
    },
  );

  test.each([
    new AppError('internal', 'inner words'),
    new AppError('crypto', 'inner words'),
    new AppError('config', 'inner words'),
    new TypeError('inner words'),
    'inner words',
    undefined,
    { toString: 'inner words' },
  ])('that nobody foresaw gets a reference that the log has too: %s', (error) => {
    const { text, lines } = told(error);
    expect(text).not.toContain('inner words');
    const [line] = lines;
    expect(line?.level).toBe('error');
    expect(line?.fields['err']).toBe(error);
    expect(text).toContain(String(line?.fields['reference']));
    expect(String(line?.fields['reference'])).toMatch(/^[0-9a-f]{8}$/);
    expect(told(error).text).not.toBe(text);
  });
});

test('credentials are named in the language’s own manner, any one of which would do', () => {
  expect(credentialNames('en', ['api_key', 'token'])).toBe('an API key or a version 1 token');
  expect(credentialNames('fa', ['api_key', 'username_password'])).toBe('کلید API یا نام کاربری و رمز');
  expect(credentialNames('en', ['token'])).toBe('a version 1 token');
  expect(credentialNames('en', [])).toBe('');
});
