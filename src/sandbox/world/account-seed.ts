import { createHash } from 'node:crypto';
import { z } from 'zod';
import { shapesSchema } from '../shapes.ts';
import { deliveryPlanSchema } from './delivery-plan.ts';
import { readRecipient } from './numbers.ts';
import { byOperator } from './operators.ts';

const digits = (from: number, to: number) =>
  z.string().regex(new RegExp(`^\\d{${from},${to}}$`), `must be ${from} to ${to} digits`);
const rial = z.int().min(0);
const mobile = z.string().refine((text) => readRecipient(text) !== undefined, 'must be a mobile number');
const secret = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

/** Details of the account holder, all of them plain texts for results. */
const profile = z.strictObject({
  fullname: z.string().default('کاربر آزمایشی'),
  company: z.string().default('شرکت نمونه'),
  mellicode: z.string().optional(),
  shenasname: z.string().optional(),
  date: z
    .string()
    .regex(/^\d{4}\/\d\d\/\d\d$/, 'must be yyyy/mm/dd')
    .default('1402/05/14'),
  postcode: z.string().default('1234567890'),
  addr: z.string().default('تهران، خیابان نمونه، پلاک ۱'),
  fax: z.string().default('02112345678'),
  expire_time: digits(1, 12).default('2208988800'),
});

const prices = z.strictObject({ gsm7: rial, ucs2: rial });

/** Rial per part and recipient; `operators` has what differs for the recipients of one. */
export const priceSchema = prices.extend({ operators: byOperator(prices.partial()).optional() });

/** Numeric user status of the interface: 0 active, 2 trial, 3 locked, 4 expired, 5 unconfirmed, 6 no access. */
export const userStatusSchema = z.int().min(0).max(6);

/** One account of the sandbox, as an accounts file or a test describes it. */
const seed = z.strictObject({
  username: z.string().regex(/^[A-Za-z0-9]+$/, 'must be English letters and digits'),
  password: secret,
  /** For versions 4 and 3. */
  apiKey: secret.optional(),
  /** For version 1. */
  token: secret.optional(),
  lines: z.array(digits(5, 14)).default([]),
  /** Rial. */
  credit: rial.default(0),
  userStatus: userStatusSchema.default(0),
  price: priceSchema.default({ gsm7: 2840, ucs2: 1420 }),
  /** One message id for a call, or one for each of its recipients. */
  idsMode: z.enum(['call', 'recipient']).default('call'),
  /** How its messages end, in percentages; absent: by the last digits of the recipients. */
  delivery: deliveryPlanSchema.optional(),
  /** What its answers look like, where the interface is silent; absent: as those of all accounts. */
  shapes: shapesSchema.optional(),
  /** May register users. */
  representative: z.boolean().default(false),
  patterns: z
    .array(z.strictObject({ id: z.int(), text: z.string(), active: z.boolean().default(true) }))
    .default([]),
  packages: z.array(z.int()).default([]),
  profile: profile.prefault({}),
  inbox: z
    .array(
      z.strictObject({
        from: digits(10, 14),
        line: digits(5, 14),
        message: z.string(),
        ageSeconds: z.int().min(0).default(0),
        read: z.boolean().default(false),
      }),
    )
    .default([]),
  blacklist: z.array(z.strictObject({ line: digits(5, 14), to: z.array(mobile) })).default([]),
  phonebooks: z
    .array(z.strictObject({ title: z.string().min(1), flag: z.string().min(1), numbers: z.array(mobile) }))
    .default([]),
});

/** Unknown members are mistakes. Whoever says nothing of the holder gets one of the account's own. */
export const accountSeed = seed.transform((given) => ({
  ...given,
  profile: { ...given.profile, ...holderOf(given) },
}));

/** The codes of a person, as the gateway shows them: the same for a user name each time. */
function holderOf({ username, profile: { mellicode, shenasname } }: z.output<typeof seed>) {
  const digits = BigInt(`0x${createHash('sha256').update(username).digest('hex')}`).toString();
  return {
    mellicode: mellicode ?? `${digits.slice(0, 3)}*****${digits.slice(3, 5)}`,
    shenasname: shenasname ?? digits.slice(5, 9),
  };
}

/** An account that somebody asks for: what is not said is made for it, the credentials and a line too. */
export const freshAccountSeed = seed.extend({
  username: seed.shape.username.optional(),
  password: secret.optional(),
  lines: seed.shape.lines.unwrap().optional(),
  credit: rial.optional(),
});

/** An account with every default filled in. */
export type FullAccountSeed = z.output<typeof accountSeed>;

/** What a caller writes: only `username` and `password` are required. */
export type AccountSeed = z.input<typeof accountSeed>;
