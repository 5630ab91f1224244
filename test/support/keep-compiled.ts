import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';

/* After each file of tests: what Node has compiled is kept for the next process. Workers are ended without a word. */

afterAll(() => flushCompileCache());
