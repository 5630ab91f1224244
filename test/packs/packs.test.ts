import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  bringOldestNode,
  complaintsOfCompiler,
  install,
  lend,
  makePackages,
  shell,
  start,
} from '../support/packed.ts';

/* The packages, as somebody meets them who has nothing else: made, installed into an empty folder, and run as their READMEs say. */

const MEGABYTE = 1_000_000;
const { version: VERSION } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));

let scratch: string;
let oldest: string;
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'peyk-packs-'));
  await makePackages(join(scratch, 'packs'));
  oldest = await bringOldestNode(join(scratch, 'node'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const packed = (name: string): string => join(scratch, `packs/${name}-${VERSION}.tgz`);
const sizeOf = (folder: string): number =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** The code of a README in this language, each block by itself. */
const blocksOf = (folder: string, name: string, language: string): string[] => {
  const readme = readFileSync(join(folder, 'node_modules', name, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, each]) => each === language)
    .map(([, , code = '']) => code.trim());
};

const json = async (url: string): Promise<unknown> => (await fetch(url)).json();

describe.each([
  { name: 'peyk-sandbox', free: '--port 0 --ws-port 0 --admin-port 0', needs: [] },
  { name: 'peyk-telegram', free: '--port 0', needs: ['grammy'] },
])('$name', ({ name, free, needs }) => {
  let folder: string;
  beforeAll(async () => {
    folder = join(scratch, name);
    await install(folder, packed(name), 'offline');
  });

  test('stands alone, is smaller than a megabyte, and says whose it is', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((each) => !each.startsWith('.'))).toEqual([name]);
    const own = join(folder, 'node_modules', name);
    process.stdout.write(`${name}: ${statSync(packed(name)).size} bytes packed, ${sizeOf(own)} unpacked\n`);
    expect(sizeOf(own)).toBeLessThan(MEGABYTE);
    expect(readdirSync(own)).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']),
    );
    expect(readFileSync(join(own, 'dist/THIRD-PARTY.md'), 'utf8')).toMatch(
      /^## zod [^]*^## vazirmatn |^## vazirmatn [^]*^## zod /m,
    );
  });

  test.each(['the Node at hand', 'the oldest Node'])('does what its README says, on %s', async (node) => {
    const [begin = '', use = ''] = blocksOf(folder, name, 'sh');
    expect(begin).toMatch(new RegExp(`^npx ${name}`));
    const program =
      node === 'the oldest Node' ? `${oldest} node_modules/${name}/dist/main.js` : `npx --no ${name} --`;
    const running = start(folder, `exec ${begin.replace(`npx ${name}`, program)} ${free}`);
    try {
      const urls = z.record(z.string(), z.string()).parse(JSON.parse((await running.line(/^\{.*\}$/m))[0]));
      const { baseUrl = '', wsUrl = '', adminUrl = '', apiRoot = '' } = urls;
      const here = (text: string): string =>
        text
          .replaceAll('http://127.0.0.1:8801', baseUrl)
          .replaceAll('http://127.0.0.1:8802', wsUrl)
          .replaceAll('http://127.0.0.1:8803', adminUrl)
          .replaceAll('http://127.0.0.1:8081', apiRoot);
      const said = await shell(folder, here(use));
      expect(said).toContain('hello');
      expect(said).not.toMatch(/"error"|"status":4/);
      const readme = readFileSync(join(folder, 'node_modules', name, 'README.md'), 'utf8');
      for (const [address = ''] of readme.matchAll(/http:\/\/127\.0\.0\.1:\d+\/([\w./-]*(?=[`"]))?/g))
        if (!address.includes('/_control') && !address.endsWith('/bot'))
          expect((await fetch(here(address))).status, address).toBe(200);
      expect(await json(`${baseUrl || apiRoot}/health`)).toEqual({ ok: true });
      const page = await fetch(`${adminUrl || apiRoot}/`);
      expect(await page.text()).toContain('<!doctype html>');
      const font = await fetch(`${adminUrl || apiRoot}/pages/common/vazirmatn.woff2`);
      expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    } finally {
      await running.end();
    }
  });

  test('is used by a test of others, which its types let compile and which passes on the oldest Node too', async () => {
    const [code = ''] = blocksOf(folder, name, 'ts');
    for (const each of ['@types/node', 'undici-types', ...needs]) lend(folder, each);
    writeFileSync(join(folder, 'use.test.mts'), code);
    writeFileSync(join(folder, 'use.test.mjs'), code);
    writeFileSync(join(folder, 'whole.mts'), `import * as all from '${name}';\nexport const { no } = all;\n`);
    expect(await complaintsOfCompiler(folder, 'use.test.mts', '--skipLibCheck')).toBe('');
    expect(await complaintsOfCompiler(folder, 'whole.mts')).toMatch(
      /^whole.mts[^\n]*Property 'no' does not exist[^\n]*\n$/,
    );
    for (const node of [process.execPath, oldest])
      expect(await shell(folder, `${node} --test --test-reporter tap use.test.mjs`)).toMatch(/^# pass 1$/m);
  });
});

describe('peyk', () => {
  test('starts in try mode in an empty folder, on a Node of its own, and shows its page', async () => {
    const folder = join(scratch, 'peyk');
    await install(folder, packed('peyk'), 'prefer-offline');
    expect(await shell(folder, `npx --no -c 'node --version'`)).toBe(`${process.version}\n`);
    const running = start(folder, 'exec npx --no peyk', { PORT: '0' });
    try {
      const [, page = ''] = await running.line(/^ +Open +(http:\S+)$/m);
      expect(await (await fetch(page)).text()).toContain('<!doctype html>');
      const font = await fetch(new URL('pages/common/vazirmatn.woff2', page));
      expect(font.status).toBe(200);
    } finally {
      await running.end();
    }
    expect(readdirSync(folder).toSorted()).toEqual([
      'data',
      'node_modules',
      'package-lock.json',
      'package.json',
    ]);
  });
});
