import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { interfaceFiles } from '../test/support/interface-files.ts';

/*
 * Writes docs/interface from the sandbox's own table of operations, by `npm run docs:interface`; test/interface.test.ts
 * holds the files to it.
 */

const ROOT = join(import.meta.dirname, '..');
const files = interfaceFiles();
for (const { path, text } of files) await writeFile(join(ROOT, path), text);
process.stdout.write(`${files.map(({ path }) => path).join(' ')}\n`);
