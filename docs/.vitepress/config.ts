import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitepress';

/*
 * The documents as a site: README.md as its first page, and every other one under the path that it has here. Pages stay as
 * they are; what of a link leads to no page is decided here. Made and looked through by `npm run docs:site`.
 */
const ROOT = join(import.meta.dirname, '../..');

/** All pages, in the order of the sidebar. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Use: ['README.md', 'docs/guide.md', 'docs/flows.md', 'CHANGELOG.md'],
  'Run it': [
    'docs/operations.md',
    'docs/small-server.md',
    'docs/watching.md',
    'docs/database.md',
    'docs/security.md',
    'docs/reliability.md',
    'docs/performance.md',
    'docs/scaling.md',
  ],
  'The stand-ins': [
    'src/sandbox/README.md',
    'src/sandbox/magic.md',
    'src/sandbox/shapes.md',
    'src/sandbox/admin.md',
    'src/playground/README.md',
    'docs/emulator-methods.md',
  ],
  'The gateway': ['docs/interface/*.md', 'docs/gateway.md', 'docs/gateway-client.md'],
  'Work on it': [
    'docs/architecture.md',
    'docs/contributing.md',
    'docs/releasing.md',
    'docs/proof/*.md',
    'docs/shown/*.md',
  ],
};
const parts = Object.entries(PARTS).map(([text, globs]) => ({
  text,
  pages: [...globSync([...globs], { cwd: ROOT })],
}));
const pages = new Set(parts.flatMap((part) => part.pages));

/** Files that are of use as they are. They lie beside the pages. */
const FILES = ['docs/interface/*.json', 'docs/grafana/*', 'docs/peyk.service', 'compose.yaml', 'LICENSE'];
const files = new Set(globSync(FILES, { cwd: ROOT }));

/** Where the sources can be read, up to a path: without it, what leads to them is text. */
const sources = process.env['SOURCES_URL'];

// oxlint-disable-next-line import/no-default-export -- VitePress takes its settings so
export default defineConfig({
  title: 'Peyk',
  description: 'A Telegram bot that puts a bulk-SMS account into a team’s chat',
  srcDir: '..',
  outDir: join(ROOT, 'dist/site'),
  cacheDir: join(ROOT, 'node_modules/.cache/vitepress'),
  srcExclude: globSync('**/*.md', { cwd: ROOT, exclude: ['node_modules', 'dist', 'data'] }).filter(
    (path) => !pages.has(path),
  ),
  rewrites: { 'README.md': 'index.md' },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: parts.map((part) => ({
      text: part.text,
      items: part.pages.map((page) => ({ text: titleOf(page), link: addressOf(page) })),
    })),
  },
  markdown: {
    config(markdown) {
      markdown.core.ruler.push('ways-out', ({ tokens, env }: { tokens: Token[]; env: { path?: string } }) => {
        const folder = dirname(posix.relative(ROOT, env.path ?? ROOT));
        for (const token of tokens) {
          token.content = withPictures(token);
          if (token.children !== null) token.children = token.children.flatMap(leading(folder));
        }
      });
    },
  },
  buildEnd({ outDir }) {
    for (const file of files) cpSync(join(ROOT, file), join(outDir, file));
  },
});

interface Token {
  type: string;
  content: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** Has each link of a page in `folder` lead to its page, to a file that lies there too, to the sources, or nowhere. */
function leading(folder: string): (token: Token) => Token[] {
  let isDropped = false;
  return (token) => {
    if (token.type === 'link_close' && isDropped) {
      isDropped = false;
      return [];
    }
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href === null || /^(?:[a-z]+:|#)/.test(href)) return [token];
    const [path = '', anchor] = href.split('#');
    const target = posix.normalize(posix.join(folder, decodeURI(path)));
    if (!existsSync(join(ROOT, target))) return [token];
    const end = anchor === undefined ? '' : `#${anchor}`;
    if (pages.has(target)) token.attrSet('href', addressOf(target) + end);
    else if (files.has(target)) {
      token.attrSet('href', `/${target}`);
      token.attrSet('target', '_blank');
    } else if (sources === undefined) {
      isDropped = true;
      return [];
    } else token.attrSet('href', `${sources}/${target}${end}`);
    return [token];
  };
}

/** A picture that is put in as HTML is found by a path that says that it begins here. */
function withPictures({ type, content }: Token): string {
  return type === 'html_block' ? content.replaceAll(/(<img src=")(?=\w+\/)/g, '$1./') : content;
}

function addressOf(page: string): string {
  return page === 'README.md' ? '/' : `/${page.replace(/\.md$/, '.html')}`;
}

function titleOf(page: string): string {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(ROOT, page), 'utf8')) ?? [];
  return title.replaceAll(/[`*]/g, '');
}
