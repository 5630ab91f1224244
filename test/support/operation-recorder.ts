import { AsyncLocalStorage } from 'node:async_hooks';
import { TestRunner, vi, type RunnerTestCase } from 'vitest';
import type * as compose from '../../src/gateway/compose.ts';
import type * as drivers from '../../src/playground/control/driver.ts';
import type * as server from '../../src/sandbox/server.ts';

/*
 * Loaded before each file by `npm run docs:operations`, and by nothing else: notes with every test which operations
 * of which version the sandbox served while the test itself ran, its hooks aside, which commands people said, and
 * whether all calls of the client went well. It stands in the doors of these so that no test needs to know of it.
 */

export interface Recorded {
  /** `3 send`: version and operation, each once. */
  readonly operations: string[];
  /** What was said to the bot with a slash, each once. */
  readonly commands: string[];
  /** Calls of the client that did not succeed. */
  failures: number;
}

declare module 'vitest' {
  interface TestRunner {
    /** Runs the test itself, without its hooks, where a runner has it. */
    runTask?: (task: RunnerTestCase) => Promise<void>;
  }
  interface TaskMeta {
    recorded?: Recorded;
  }
}

const inTest = new AsyncLocalStorage<RunnerTestCase>();
const running = new Set<RunnerTestCase>();
/** By user name, key and token: the test that made the account. Tests beside each other have accounts of their own. */
type Owners = Map<string, RunnerTestCase>;
/** By each address of a sandbox. */
const sandboxes = new Map<string, Owners>();

/** What is noted with the test that made the account, or with the only one that runs. */
function recordOf(
  owners: Owners | undefined,
  names: readonly (string | null | undefined)[],
): Recorded | undefined {
  const owner = names.map((name) => owners?.get(name ?? '')).find((task) => task !== undefined);
  const [alone] = running.size === 1 ? running : [];
  return (owner ?? alone)?.meta.recorded;
}

function note(list: string[] | undefined, name: string): void {
  if (list?.includes(name) === false) list.push(name);
}

TestRunner.prototype.runTask = async (task: RunnerTestCase) => {
  task.meta.recorded = { operations: [], commands: [], failures: 0 };
  running.add(task);
  try {
    await inTest.run(task, TestRunner.getTestFn(task));
  } finally {
    running.delete(task);
  }
};

vi.mock(import('../../src/sandbox/server.ts'), async (original) => {
  const real: typeof server = await original();
  return {
    ...real,
    startSandbox: async (options) => {
      const owners: Owners = new Map();
      const sandbox = await real.startSandbox({
        ...options,
        onEvent(record) {
          options?.onEvent?.(record);
          if (record.kind !== 'hit' || !record.reachedEffect || record.outcome !== 'answered') return;
          const { version, operation, account } = record;
          const seen = recordOf(owners, [account])?.operations;
          note(seen, `${version} ${operation}`);
        },
      });
      for (const address of [sandbox.baseUrl, sandbox.wsUrl]) sandboxes.set(address, owners);
      const { addAccount } = sandbox.world;
      sandbox.world.addAccount = (seed) => {
        const owner = inTest.getStore();
        for (const name of [seed.username, seed.apiKey, seed.token]) {
          if (owner !== undefined && name !== undefined) owners.set(name, owner);
        }
        return addAccount(seed);
      };
      return sandbox;
    },
  };
});

vi.mock(import('../../src/gateway/compose.ts'), async (original) => {
  const real: typeof compose = await original();
  return {
    ...real,
    createGateway: (options) => {
      const { baseUrl, wsUrl, credentials } = options;
      const { username, apiKey, token } = credentials;
      const owners = sandboxes.get(baseUrl ?? wsUrl ?? '');
      return real.createGateway({
        ...options,
        log(record) {
          options.log?.(record);
          if (['read', 'done', 'accepted'].includes(record.outcome)) return;
          const recorded = recordOf(owners, [username, apiKey?.reveal(), token?.reveal()]);
          if (recorded !== undefined) recorded.failures += 1;
        },
      });
    },
  };
});

vi.mock(import('../../src/playground/control/driver.ts'), async (original) => {
  const real: typeof drivers = await original();
  const hear = (text = ''): void => {
    const [, name] = /^\/(\w+)/.exec(text) ?? [];
    if (name !== undefined) note(inTest.getStore()?.meta.recorded?.commands, name);
  };
  return {
    ...real,
    createDriver: (playground) => {
      const driver = real.createDriver(playground);
      const user: drivers.Driver['user'] = (details) => {
        const person = driver.user(details);
        return {
          ...person,
          send(place, text, options) {
            hear(text);
            return person.send(place, text, options);
          },
          upload(place, name, bytes, caption, options) {
            hear(caption);
            return person.upload(place, name, bytes, caption, options);
          },
        };
      };
      return { ...driver, user };
    },
  };
});
