/** Looks through the site that `npm run docs:site` has made: each link leads to a page and a heading that are there, and nothing comes from elsewhere. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import process from 'node:process';

const SITE = join(import.meta.dirname, '../dist/site');
const pages = new Map(
  globSync('**/*.html', { cwd: SITE }).map((path) => [path, readFileSync(join(SITE, path), 'utf8')]),
);
const faults: string[] = [];
let checked = 0;

for (const [page, html] of pages) {
  for (const [, name = '', address = ''] of html.matchAll(/\s(href|src)="([^"]*)"/g)) {
    checked += 1;
    const isOutside = /^(?:[a-z]+:)?\/\//i.test(address);
    if (isOutside && name === 'src') faults.push(`${page}: takes ${address} from elsewhere`);
    if (isOutside || /^(?:data|mailto):/.test(address)) continue;
    const [path = '', anchor = ''] = address
      .replaceAll('&amp;', '&')
      .split('#')
      .map((part) => decodeURIComponent(part));
    const target = targetOf(page, path);
    if (!existsSync(join(SITE, target))) faults.push(`${page}: ${address} leads nowhere`);
    else if (anchor !== '' && pages.get(target)?.includes(` id="${anchor}"`) !== true)
      faults.push(`${page}: ${address} names no heading`);
  }
  for (const [link] of html.matchAll(/<link [^>]*>/g))
    if (/href="(?:[a-z]+:)?\/\//i.test(link)) faults.push(`${page}: ${link} is from elsewhere`);
}
process.stdout.write(`${pages.size} pages, ${checked} links, ${faults.length} faults\n`);
if (faults.length > 0 || pages.size < 20) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}

function targetOf(page: string, path: string): string {
  if (path === '') return page;
  const full = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page), path);
  return full === '' || full.endsWith('/') ? `${full}index.html` : full;
}
