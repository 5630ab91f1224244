import process from 'node:process';

/**
 * What a process that a test starts finds of the environment here: its programs, a home, and the folder where Node
 * keeps what it has compiled, so that the same sources are not compiled at every start. Settings come from the test alone.
 */
export function surroundings(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE };
}
