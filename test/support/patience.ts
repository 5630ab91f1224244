/**
 * How long tests wait for what must come, in milliseconds. It guards against waiting for ever and measures nothing, so
 * it is far more than a slow machine with other work needs. All waiting in tests is meant to take it from here.
 */
export const PATIENCE_MS = 180_000;

/** The same for the waits of the emulator's driver. */
export const PATIENCE = { timeoutMs: PATIENCE_MS };

/** How long a whole test may take, in milliseconds: more than one wait, so that a wait that fails says what it waited for. */
export const TEST_MS = 2 * PATIENCE_MS;
