// @ts-check
// The way to the other page of this machine.
import { h } from './dom.js';
import { icon } from './icons.js';

/**
 * A link to the page beside this one, in its own tab, which is used again; null when there is none. It keeps the name by
 * which this machine was called: a browser takes another one for another site.
 * @param {{ url: string, icon: string, name: Record<string, string> } | undefined} neighbour
 */
export function neighbourLink(neighbour) {
  if (!neighbour) return null;
  const { lang } = document.documentElement;
  const url = new URL(neighbour.url);
  url.hostname = location.hostname;
  url.searchParams.set('lang', lang);
  const name = neighbour.name[lang] ?? '';
  return h(
    'a',
    {
      class: 'neighbour',
      href: url,
      target: neighbour.icon,
      'aria-label': name,
      title: name,
      'data-testid': 'beside',
    },
    icon(neighbour.icon),
    h('span', null, name),
  );
}
