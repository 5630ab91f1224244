import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emulatorMethods } from '../test/support/emulator-methods.ts';

/*
 * Writes the table of the emulator's methods, by `npm run docs:emulator`; src/playground/methods.test.ts holds the file
 * to the emulator.
 */

await writeFile(join(import.meta.dirname, 'emulator-methods.md'), emulatorMethods());
