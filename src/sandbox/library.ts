import { duringTests, type TestHooks } from '../pages/test-hooks.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from './server.ts';

/* What the package peyk-sandbox gives to programs. */

export { startSandbox, type Sandbox, type SandboxOptions, type TestHooks };

/** Has a sandbox of its own for the tests of a file or group: `useSandbox({ before, after })`. */
export function useSandbox(hooks: TestHooks, options: SandboxOptions = {}): () => Sandbox {
  return duringTests(hooks, () => startSandbox(options));
}
