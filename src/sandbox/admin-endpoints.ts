import { z } from 'zod';
import { faultSchema } from './faults.ts';
import type { Faults } from './striking.ts';
import type { Journal } from './journal.ts';
import type { Json } from './json.ts';
import { showBook } from './versions/phonebook-results.ts';
import { accountSeed, priceSchema, userStatusSchema } from './world/account-seed.ts';
import type { Account } from './world/account.ts';
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
};

type Endpoint = { method: string; path: string; run(input: unknown): Json };

const rial = z.int().min(0);
const username = z.string();

/** The table of the admin interface. A `run` throws with a text for the caller when the input is wrong. */
export function adminEndpoints({ world, ledger, journal, faults }: AdminDeps): readonly Endpoint[] {
  const find = (name: string): Account => {
    const account = world.account(name);
    if (account === undefined) throw new Error(`no account ${name}`);
    return account;
  };

  return [
    endpoint('GET', '/state', z.object({}), () => ({
      now: world.now(),
      totals: ledger.totals(),
      accounts: world.accounts().map(describe),
      faults: faults.list().length,
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
      }),
      (filter) => ({ total: journal.total(), exchanges: journal.list(filter) }),
    ),
    endpoint('POST', '/reset', z.object({}), () => {
      world.reset();
      faults.clear();
      return { ok: true };
    }),
    endpoint('POST', '/clock', z.strictObject({ advanceMs: z.int() }), ({ advanceMs }) => {
      world.advance(advanceMs);
      return { now: world.now() };
    }),
    endpoint(
      'POST',
      '/inbound',
      z.strictObject({
        account: username,
        line: z.string().optional(),
        from: z.string(),
        message: z.string(),
      }),
      (input) => {
        const account = find(input.account);
        const line = input.line === undefined ? account.lines[0] : findLine(account.lines, input.line);
        if (line === undefined) throw new Error(`account ${account.username} has no such line`);
        const from = readRecipient(input.from) ?? input.from;
        return { messageid: world.receive(account, { from, line, text: input.message }) };
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
      ({ account, gsm7, ucs2 }) => {
        const target = find(account);
        target.price = { gsm7: gsm7 ?? target.price.gsm7, ucs2: ucs2 ?? target.price.ucs2 };
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
    endpoint('POST', '/accounts', accountSeed, (seed) => describe(world.addAccount(seed))),
    endpoint('GET', '/faults', z.object({}), () => ({ faults: faults.list() })),
    endpoint('POST', '/faults', faultSchema, (rule) => ({ id: faults.add(rule) })),
    endpoint('DELETE', '/faults', z.strictObject({ id: z.coerce.number().int().optional() }), ({ id }) => {
      if (id === undefined) faults.clear();
      else if (!faults.remove(id)) throw new Error(`no fault ${id}`);
      return { ok: true };
    }),
  ];
}

function endpoint<I>(method: string, path: string, input: z.ZodType<I>, run: (input: I) => Json): Endpoint {
  return { method, path, run: (raw) => run(input.parse(raw)) };
}

/** An account without its secrets. */
function describe(account: Account): { readonly [member: string]: Json } {
  const { username, lines, userStatus, credit, price, idsMode } = account;
  const received = account.inbox.length;
  const unread = account.inbox.filter(({ read }) => !read).length;
  const blocked = account.blacklist.size();
  const phonebooks = account.phonebooks.all().map((book) => showBook(account, book));
  return {
    username,
    lines,
    userStatus,
    credit,
    price,
    idsMode,
    received,
    unread,
    blocked,
    phonebooks,
    sentCalls: account.outbox.all().length,
  };
}
