import { expect, test } from 'vitest';
import { z } from 'zod';
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

function licenseIn(path: string): string {
  const { licenses } = manifest.parse(JSON.parse(readProjectFile(`${path}/package.json`)));
  return licenses?.[0].type ?? 'none';
}
