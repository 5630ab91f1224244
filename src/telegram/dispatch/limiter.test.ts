import type { Update } from '@grammyjs/types';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_METRICS } from '../../../test/support/no-metrics.ts';
import { createRateLimits } from '../../domain/rate-limits.ts';
import { createOutgoing } from '../outgoing/outgoing.ts';
import { createLimiter } from './limiter.ts';

test('whatever is brought instead of an update keeps none from being taken in', () => {
  const limiter = createLimiter({
    me: { id: 42, username: 'PeykBot' },
    commands: new Map(),
    limits: createRateLimits(1),
    clock: { monotonic: () => 0 },
    metrics: NO_METRICS,
    outgoing: createOutgoing(),
    letOn: () => undefined,
  });
  const parts = fc.oneof(fc.constant(null), fc.json(), fc.constant({}), fc.object({ maxDepth: 3 }));
  const updates = fc.record(
    { update_id: fc.integer(), message: parts, callback_query: parts, my_chat_member: parts },
    { requiredKeys: ['update_id'] },
  );
  fc.assert(
    fc.property(updates, (update) => {
      expect(limiter.arrived(update as unknown as Update)).toBe(undefined);
    }),
  );
});
