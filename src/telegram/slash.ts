import type { Locale } from '../i18n/define.ts';
import { isolateLtr } from '../i18n/format.ts';
import { joinHtml, type Html } from './html.ts';

/** A command by its name. Between Persian words its slash would otherwise be shown behind it. */
export function slash(locale: Locale, name: string): string {
  return locale === 'fa' ? isolateLtr(`/${name}`) : `/${name}`;
}

/** Several of them, with a dot between. */
export function slashes(locale: Locale, names: readonly string[]): Html {
  return joinHtml(
    names.map((name) => slash(locale, name)),
    ' · ',
  );
}
