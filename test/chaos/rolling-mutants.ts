import type { Finding } from './checks.ts';
import type { Patch } from './source-copy.ts';

/** A copy of Peyk that does not stop in order. */
export interface RollingMutant {
  readonly name: string;
  readonly about: string;
  readonly patches: readonly Patch[];
  readonly caughtBy: readonly Finding['kind'][];
}

/** The process ends with 0 at the first signal, whatever it has in hand. */
const ENDS_AT_ONCE: Patch = {
  file: 'src/app/run.ts',
  find: /askedAt = performance\.now\(\);\s+stopped\.abort\(\);\s+return;/gu,
  put: 'process.exit(0);',
};

export const ROLLING_MUTANTS: readonly RollingMutant[] = [
  {
    name: 'ends-at-once',
    about: 'a process that is told to end forgets the calls in flight',
    patches: [ENDS_AT_ONCE],
    caughtBy: ['unknown'],
  },
  {
    name: 'begins-anew',
    about: 'what an ended process had on the wire is planned again',
    patches: [
      ENDS_AT_ONCE,
      {
        file: 'src/domain/attempt.ts',
        find: /on_wire: 'unknown' \},\n\n/gu,
        put: "on_wire: 'planned' },\n\n",
      },
      {
        file: 'src/storage/call-store.ts',
        find: /epoch = case a\.state when 'on_wire' then a\.epoch else a\.epoch \+ 1 end/gu,
        put: 'epoch = a.epoch + 1',
      },
    ],
    caughtBy: ['doubled'],
  },
  {
    name: 'gateway-first',
    about: 'the way to the gateway is closed before the calls on it have ended',
    patches: [
      {
        file: 'src/app/app.ts',
        find: /started\.push\(\{ name: 'gateway', stop: \(\) => accounts\.close\(\) \}\);/gu,
        put: "options.signal?.addEventListener('abort', () => void accounts.close());",
      },
    ],
    caughtBy: ['unknown'],
  },
];
