/**
 * How long tests wait for what must come, in milliseconds. It guards against waiting for ever and measures nothing, so
 * it is far more than a slow machine with other work needs. All waiting in tests is meant to take it from here.
 */
export const PATIENCE_MS = 180_000;

/** The same for the waits of the emulator's driver. */
export const PATIENCE = { timeoutMs: PATIENCE_MS };

/**
 * How long a whole test may take, in milliseconds: several waits, so that a wait that fails says what it waited for. It ends
 * what hangs; the longest stories take two minutes alone, and several times that beside others.
 */
export const TEST_MS = 5 * PATIENCE_MS;

/** Gives what is waited for, or fails with what that was; a hook that hangs says nothing of it. */
export async function inTime<T>(coming: Promise<T>, awaited: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited in vain for ${awaited()}`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}
