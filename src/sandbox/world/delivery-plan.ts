import { z } from 'zod';
import { byOperator } from './operators.ts';

/** Where one recipient's copy stands. The first three pass; the others are final. */
export const DELIVERY_STATES = [
  'scheduled',
  'queued',
  'on_the_way',
  'delivered',
  'not_delivered',
  'not_sent',
  'returned',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const percent = z.number().min(0).max(100).default(0);

const endings = z.strictObject({
  delivered: percent,
  not_delivered: percent,
  not_sent: percent,
  returned: percent,
  /** Never reported. */
  on_the_way: percent,
});

const addsUp = (plan: z.output<typeof endings>): boolean =>
  Math.abs(plan.delivered + plan.not_delivered + plan.not_sent + plan.returned + plan.on_the_way - 100) <
  1e-6;
const WRONG_SUM = { error: 'the percentages must add up to 100' };

/** How many of a hundred recipients end in which way; each always in the same, by the seed and the number. */
export const deliveryPlanSchema = endings
  .extend({
    seed: z.int().default(1),
    /** Of an operator that is named here, in place of the others. */
    operators: byOperator(endings.refine(addsUp, WRONG_SUM)).optional(),
  })
  .refine(addsUp, WRONG_SUM);

export type DeliveryPlan = z.output<typeof deliveryPlanSchema>;
