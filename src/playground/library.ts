import { duringTests, type TestHooks } from '../pages/test-hooks.ts';
import { createDriver, type Driver, type Person } from './control/driver.ts';
import { startPlayground, type Playground, type PlaygroundOptions } from './server.ts';

/* What the package peyk-telegram gives to programs. */

export type { Driver, Person, PlaygroundOptions as TelegramOptions, TestHooks };

export interface Telegram extends Playground {
  /** Plays people, and waits for what the bot does. */
  readonly driver: Driver;
}

/** Starts the Bot API emulator with its chat page on a free port, and one bot in it. Nothing is kept when it closes. */
export async function startTelegram(options: PlaygroundOptions = {}): Promise<Telegram> {
  const playground = await startPlayground(options);
  const driver = createDriver(playground);
  return {
    ...playground,
    driver,
    close() {
      driver.close();
      return playground.close();
    },
  };
}

/** Has an emulator of its own for the tests of a file or group: `useTelegram({ before, after })`. */
export function useTelegram(hooks: TestHooks, options: PlaygroundOptions = {}): () => Telegram {
  return duringTests(hooks, () => startTelegram(options));
}
