import type { Metrics } from '../../src/ports/metrics.ts';

/** For tests that count nothing. */
export const NO_METRICS: Metrics = {
  update: () => undefined,
  command: () => undefined,
  gatewayCall: () => undefined,
  telegramCall: () => undefined,
  possibleDuplicate: () => undefined,
  limited: () => undefined,
};
