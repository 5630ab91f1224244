import { applyPatches, type SourceCopy } from './source-copy.ts';

/** In this copy what waits for the clock waits less, so that hundreds of recoveries fit into minutes. No order changes. */
export function hasten(copy: SourceCopy): void {
  applyPatches(copy, 'the haste of a copy', [
    {
      file: ['src/app/worker.ts', 'src/app/app.ts'],
      find: /const SWEEP_SECONDS = \d+;/gu,
      put: 'const SWEEP_SECONDS = 1;',
    },
    { file: 'src/jobs/engine.ts', find: /recoverySeconds \?\? \d+/gu, put: 'recoverySeconds ?? 1' },
    { file: 'src/storage/database/liveness.ts', find: /confirmMs = \d+/gu, put: 'confirmMs = 400' },
    {
      file: 'src/storage/database/leader.ts',
      find: /lookMs = \d+, confirmMs = \d+/gu,
      put: 'lookMs = 200, confirmMs = 300',
    },
    {
      file: 'src/telegram/outgoing/notifier.ts',
      find: /const PROGRESS_GAP_MS = \d+;/gu,
      put: 'const PROGRESS_GAP_MS = 300;',
    },
    {
      file: 'src/features/sending/run/one-call.ts',
      find: /const REST_MS = 60_000;/gu,
      put: 'const REST_MS = 1500;',
    },
    { file: 'src/telegram/outgoing/outgoing.ts', find: /editGapMs \?\? \d+/gu, put: 'editGapMs ?? 300' },
  ]);
}
