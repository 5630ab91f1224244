import { z } from 'zod';
import type { Neighbour } from '../pages/neighbour.ts';
import { endpoint } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { faultSchema } from './faults.ts';
import type { Faults } from './striking.ts';
import type { Journal } from './journal.ts';
import { messageEndpoints } from './message-endpoints.ts';
import { didYouMean } from './nearest.ts';
import { SHAPES, shapesSchema } from './shapes.ts';
import { showAccount } from './show.ts';
import { accountSeed, freshAccountSeed, priceSchema, userStatusSchema } from './world/account-seed.ts';
import type { Account } from './world/account.ts';
import { DELIVERY_STATES, deliveryPlanSchema } from './world/delivery-plan.ts';
import { addFreshAccount } from './world/fresh-account.ts';
import type { Ledger } from './world/ledger.ts';
import { findLine, readRecipient } from './world/numbers.ts';
import { isRefusal } from './world/refusal.ts';
import { sendForeign } from './world/send.ts';
import { switchesSchema } from './world/switches.ts';
import { messageIds } from './world/outbox.ts';
import type { World } from './world/world.ts';

export type AdminDeps = {
  readonly world: World;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly beside?: (() => Neighbour | undefined) | undefined;
};

const rial = z.int().min(0);
const username = z.string();

/** Epoch ms, or a date in the words of ISO 8601. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);
const moment = z
  .union([z.int(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))])
  .refine((at) => at >= 0 && at <= LAST_MOMENT, { error: 'it must be of the years 1970 to 9999' });

const received = {
  line: z.string().optional(),
  from: z.string(),
  message: z.string(),
  at: moment.optional(),
};
const receivedSchema = z.strictObject(received);

/** The table of the admin interface. A `run` throws with a text for the caller when the input is wrong. */
export function adminEndpoints({ world, ledger, journal, faults, beside }: AdminDeps): readonly Endpoint[] {
  const find = (name: string): Account => {
    const account = world.account(name);
    if (account === undefined) {
      const known = world.accounts().map((one) => one.username);
      throw new Error(`no account ${name}${didYouMean(name, known)}`);
    }
    return account;
  };

  const time = () => ({
    now: world.now(),
    iso: new Date(world.now()).toISOString(),
    frozen: world.clock.frozen,
    realNow: world.realNow(),
  });

  return [
    endpoint('GET', '/health', z.strictObject({}), () => ({ ok: true })),
    ...messageEndpoints(world),
    endpoint('GET', '/state', z.object({}), () => ({
      now: world.now(),
      totals: ledger.totals(),
      accounts: world.accounts().map(showAccount),
      faults: faults.list().length,
      beside: beside?.(),
    })),
    endpoint(
      'GET',
      '/ledger',
      z.strictObject({
        kind: z.enum(['send', 'hit']).optional(),
        account: username.optional(),
        after: z.coerce.number().int().min(0).default(0),
      }),
      ({ kind, account, after }) => {
        const wanted = (record: { number: number; account: string | null }) =>
          record.number > after && (account === undefined || record.account === account);
        return {
          totals: ledger.totals(),
          ...(kind === 'hit' ? {} : { sends: ledger.sends().filter(wanted) }),
          ...(kind === 'send' ? {} : { hits: ledger.hits().filter(wanted) }),
        };
      },
    ),
    endpoint(
      'GET',
      '/journal',
      z.strictObject({
        after: z.coerce.number().int().min(0).optional(),
        account: username.optional(),
        operation: z.string().optional(),
        refused: z.stringbool().optional(),
        messageId: z.string().optional(),
        number: z.coerce.number().int().min(1).optional(),
        search: z.string().optional(),
        limit: z.coerce.number().int().min(1).max(1000).optional(),
      }),
      (filter) => ({ total: journal.total(), exchanges: journal.list(filter) }),
    ),
    endpoint('POST', '/reset', z.strictObject({ account: username.optional() }), ({ account }) => {
      if (account === undefined) world.reset();
      else world.resetAccount(find(account));
      faults.clear(account);
      return { ok: true };
    }),
    endpoint('GET', '/clock', z.strictObject({}), time),
    endpoint(
      'POST',
      '/clock',
      z
        .strictObject({
          set: moment.optional(),
          advanceMs: z.int().optional(),
          frozen: z.boolean().optional(),
        })
        .refine((change) => Object.keys(change).length > 0, { error: 'say set, advanceMs or frozen' }),
      ({ set, advanceMs = 0, frozen }) => {
        moment.parse((set ?? world.now()) + advanceMs);
        if (frozen !== undefined) world.clock.freeze(frozen);
        if (set !== undefined) world.clock.set(set);
        world.advance(advanceMs);
        return time();
      },
    ),
    endpoint(
      'POST',
      '/delivery',
      z.strictObject({ account: username.optional(), plan: deliveryPlanSchema.nullable() }),
      ({ account, plan }) => {
        for (const target of account === undefined ? world.accounts() : [find(account)])
          target.delivery = plan ?? undefined;
        return { ok: true };
      },
    ),
    endpoint(
      'POST',
      '/delivery-state',
      z.strictObject({
        account: username,
        messageid: z.union([z.string().regex(/^\d{1,20}$/), z.int(), z.bigint()]),
        recipient: z.string().optional(),
        state: z.enum(DELIVERY_STATES),
      }),
      ({ account, messageid, recipient, state }) => {
        const wanted = recipient === undefined ? undefined : (readRecipient(recipient) ?? recipient);
        const rows = find(account)
          .outbox.find(BigInt(messageid))
          .filter((row) => wanted === undefined || row.recipient === wanted);
        if (rows.length === 0) throw new Error(`account ${account} has sent no such message`);
        world.setState(rows, state);
        return { recipients: rows.length };
      },
    ),
    endpoint(
      'POST',
      '/inbound',
      z.union([
        z.strictObject({ account: username, ...received }),
        z.strictObject({ account: username, messages: z.array(z.strictObject(received)) }),
      ]),
      (input) => {
        const account = find(input.account);
        const arrive = (one: z.output<typeof receivedSchema>) => {
          const from = readRecipient(one.from) ?? one.from;
          return world.receive(account, {
            from,
            line: lineOf(account, one.line),
            text: one.message,
            at: one.at,
          });
        };
        if (!('messages' in input)) return { messageid: arrive(input) };
        for (const { line } of input.messages) lineOf(account, line);
        return { messageids: input.messages.map(arrive) };
      },
    ),
    endpoint(
      'POST',
      '/foreign',
      z.strictObject({
        account: username,
        line: z.string().optional(),
        recipients: z.array(z.string()),
        message: z.string(),
        ageSeconds: z.int().min(0).default(0),
      }),
      ({ account, line, recipients, message, ageSeconds }) => {
        const target = find(account);
        const from = line ?? target.lines[0] ?? '';
        const at = world.now() - ageSeconds * 1000;
        const sent = sendForeign(world, target, { from, recipients, message, flash: false, at });
        if (isRefusal(sent)) throw new Error(`not sent: ${sent.refused}`);
        return { messageids: messageIds(sent) };
      },
    ),
    endpoint('GET', '/shapes', z.strictObject({}), () => ({ shapes: SHAPES, on: world.switches.shapes })),
    endpoint(
      'POST',
      '/shapes',
      z.strictObject({ account: username.optional(), shapes: shapesSchema.nullable() }),
      ({ account, shapes }) => {
        if (account === undefined) world.setSwitches({ shapes: shapes ?? [] });
        else find(account).shapes = shapes ?? undefined;
        return { ok: true };
      },
    ),
    endpoint('GET', '/switches', z.object({}), () => world.switches),
    endpoint('POST', '/switches', switchesSchema.partial(), (change) => world.setSwitches(change)),
    endpoint(
      'POST',
      '/credit',
      z.strictObject({ account: username, credit: rial }),
      ({ account, credit }) => {
        find(account).credit = credit;
        return { ok: true };
      },
    ),
    endpoint(
      'POST',
      '/price',
      z.strictObject({ account: username, ...priceSchema.partial().shape }),
      ({ account, ...given }) => {
        const target = find(account);
        target.price = priceSchema.parse({ ...target.price, ...given });
        return target.price;
      },
    ),
    endpoint(
      'POST',
      '/user-status',
      z.strictObject({ account: username, userStatus: userStatusSchema }),
      ({ account, userStatus }) => {
        find(account).userStatus = userStatus;
        return { ok: true };
      },
    ),
    endpoint(
      'POST',
      '/ids',
      z.strictObject({ account: username.optional(), mode: z.enum(['call', 'recipient']) }),
      ({ account, mode }) => {
        for (const target of account === undefined ? world.accounts() : [find(account)])
          target.idsMode = mode;
        return { ok: true };
      },
    ),
    endpoint('POST', '/accounts', accountSeed, (seed) => showAccount(world.addAccount(seed))),
    endpoint('POST', '/accounts/fresh', freshAccountSeed, (given) => addFreshAccount(world, given)),
    endpoint('GET', '/faults', z.object({}), () => ({
      faults: faults.list(),
      operations: faults.operations,
    })),
    endpoint('POST', '/faults', faultSchema, (rule) => ({ id: faults.add(rule) })),
    endpoint('DELETE', '/faults', z.strictObject({ id: z.coerce.number().int().optional() }), ({ id }) => {
      if (id === undefined) faults.clear();
      else if (!faults.remove(id)) throw new Error(`no fault ${id}`);
      return { ok: true };
    }),
  ];
}

function lineOf(account: Account, written: string | undefined): string {
  const line = written === undefined ? account.lines[0] : findLine(account.lines, written);
  if (line === undefined) throw new Error(`account ${account.username} has no such line`);
  return line;
}
