import { isRole } from '../../domain/roles.ts';
import type { Locale } from '../../i18n/define.ts';
import { isolateAuto, isolateLtr, type Format } from '../../i18n/format.ts';
import type { AuditRecord } from '../../ports/stores.ts';
import { clip, code, EMPTY, html, type Html } from '../../telegram/html.ts';
import { roleName } from '../../telegram/texts.ts';
import { limitsText } from './limits-texts.ts';
import { sentences, type Told } from './sentence-texts.ts';
import { texts } from './texts.ts';

/** Names a kind of alert as it stands in the audit; returns '' for what is none. */
export type AlertName = (locale: Locale, kind: unknown) => string;

interface Language {
  readonly locale: Locale;
  readonly format: Format;
  readonly alertName: AlertName;
}

const NAME_UNITS = 32;

/** One entry on one line: when, who, what. */
export function entryLine(language: Language, entry: AuditRecord): Html {
  const { locale, format } = language;
  const when = `${format.date(entry.at)} ${format.time(entry.at)}`;
  return html`${when} · ${whoText(locale, entry)}: ${whatText(language, entry)}`;
}

/** What was done, in words; an action that nobody has put into words yet, by its name. */
export function whatText(language: Language, { action, details }: AuditRecord): Html {
  const catalogue = sentences(language.locale);
  return isKnown(catalogue, action) ? catalogue[action](told(language, details)) : code(action);
}

export function whoText(locale: Locale, { person }: AuditRecord): string {
  if (person === null) return texts(locale).itself;
  return isolateAuto(clip(person.name === '' ? String(person.id) : person.name, NAME_UNITS));
}

function isKnown<T extends object>(catalogue: T, action: string): action is keyof T & string {
  return Object.hasOwn(catalogue, action);
}

function told({ locale, format, alertName }: Language, details: AuditRecord['details']): Told {
  const word = (key: string): string => {
    const value = details[key];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    text: (key) => (word(key) === '' ? '' : isolateAuto(clip(word(key), NAME_UNITS))),
    code: (key, prefix = '') =>
      word(key) === '' ? EMPTY : code(isolateLtr(`${prefix}${clip(word(key), NAME_UNITS)}`)),
    number: (key) => {
      const value = details[key];
      return typeof value === 'number' ? format.number(value) : null;
    },
    flag: (key) => details[key] === true,
    is: (key, expected) => details[key] === expected,
    role: (key) => {
      const value = word(key);
      return isRole(value) ? roleName(locale, value) : '';
    },
    alert: () => alertName(locale, details['kind']),
    limits: () => limitsText(locale, format, details),
  };
}
