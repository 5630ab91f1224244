import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { freshAccountSeed } from './account-seed.ts';
import type { World } from './world.ts';

const CREDIT = 10_000_000_000;
const LINE_BEGIN = 1_000_000_000;

/** What whoever asked for an account of its own needs to use it. */
type Credentials = {
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  readonly token: string;
  readonly lines: readonly string[];
};

/**
 * Makes an account that nobody else has: name, password, key, token, a line of its own and credit enough, but for what
 * is given. Throws when that is wrong or taken.
 */
export function addFreshAccount(world: World, given: z.input<typeof freshAccountSeed> = {}): Credentials {
  const mark = randomBytes(6).toString('hex');
  const line = `3000${LINE_BEGIN + (Number.parseInt(mark, 16) % LINE_BEGIN)}`;
  const {
    username = `test${mark}`,
    password = `sandbox-password-${mark}`,
    apiKey = `sandbox-key-${mark}`,
    token = `sandbox-token-${mark}`,
    lines = [line],
    credit = CREDIT,
  } = given;
  world.addAccount({ ...given, username, password, apiKey, token, lines, credit });
  return { username, password, apiKey, token, lines };
}
