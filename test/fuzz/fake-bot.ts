import type { Role } from '../../src/domain/roles.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Log } from '../../src/ports/runtime.ts';
import type { BindingView, Identity } from '../../src/ports/stores.ts';
import type { BotDeps } from '../../src/telegram/dispatch/bot.ts';
import { createBot } from '../../src/telegram/dispatch/bot.ts';
import type { Argument, Command, Feature, OwnMessage } from '../../src/telegram/feature.ts';
import type { RequestContext } from '../../src/telegram/request-context.ts';
import { createWebhook } from '../../src/telegram/updates/webhook.ts';
import { declaredFeatures } from '../support/features.ts';
import { NO_METRICS } from '../support/no-metrics.ts';
import { BOT, TOKENS } from './update-maker.ts';

/** What the bot did with the updates of one input. */
export interface Deeds {
  /** Handlers that ran, with the right that they need. */
  readonly ran: {
    readonly name: string;
    readonly permission: Command['permission'];
    readonly place: string;
  }[];
  readonly asked: { readonly personId: number; readonly chatId: number; readonly chatType: string }[];
  readonly calls: { readonly method: string; readonly payload: Readonly<Record<string, unknown>> }[];
  readonly errors: string[];
  done: number;
}

export interface World {
  role: Role | null;
  bound: boolean;
  deeds: Deeds;
}

const SECRET = 's'.repeat(32);
const BINDING: BindingView = {
  id: 'b',
  kinds: ['api_key'],
  keyTail: 'abcd',
  accountName: 'Nik',
  line: '3000123456',
};

export function noDeeds(): Deeds {
  return { ran: [], asked: [], calls: [], errors: [], done: 0 };
}

/** The real bot from the webhook on, over stores that are fakes; handlers only note that they ran. */
export function createFakeBot(world: World) {
  const forms = new Map<string, NonNullable<Identity['form']>>();
  const seen = new Set<number>();
  const log = createErrorLog(world);
  const features = declaredFeatures().map((feature) => harmless(feature, world));
  const deps: Partial<BotDeps> = {
    token: '4242:x',
    me: { ...BOT, can_join_groups: true, can_read_all_group_messages: true } as BotDeps['me'],
    client: {},
    features,
    log,
    metrics: NO_METRICS,
    leads: () => true,
    clock: { monotonic: () => 0 },
    rateLimit: 0,
    defaults: { lang: 'en', timeZone: 'Asia/Tehran' },
    placeOpened: () => Promise.resolve(),
    team: { left: () => Promise.resolve(), returned: () => Promise.resolve() },
    placeClosed: () => Promise.resolve(),
    readFile: () => Promise.resolve(new Uint8Array()),
    sealer: { sealShort: (plain) => Buffer.from(plain), openShort: (sealed) => sealed },
    outgoing: {
      weigh: () => async (prev, method, payload, signal) => await prev(method, payload, signal),
      install: (api) => {
        api.config.use((_, method, payload) => {
          world.deeds.calls.push({ method, payload: { ...payload } });
          const result = method.startsWith('send') || method.startsWith('edit') ? { message_id: 900 } : true;
          return Promise.resolve({ ok: true, result } as never);
        });
      },
    } as Partial<BotDeps['outgoing']> as BotDeps['outgoing'],
    identities: {
      identify: ({ chat, person, formKey }) => {
        world.deeds.asked.push({ personId: person.id, chatId: chat.telegramId, chatType: chat.type });
        return Promise.resolve({
          chat: { ...chat, id: 'c', lang: null, timeZone: null, showsNumbers: null },
          person: { id: person.id, name: person.name, lang: null, mobile: null },
          role: world.role,
          binding: world.bound ? BINDING : null,
          form: forms.get(formKey) ?? null,
          isShut: false,
        });
      },
      lookUp: () => Promise.resolve({ chatId: null, lang: null }),
      migrateChat: () => Promise.resolve(),
    } as Partial<BotDeps['identities']> as BotDeps['identities'],
    buttons: {
      mint: (_, specs) => Promise.resolve(specs.map((_spec, index) => TOKENS[index % TOKENS.length] ?? '')),
      claim: ({ token }) => Promise.resolve(claimOf(token, features)),
    },
    gateways: {
      capabilities: () => ({ versions: [], has: () => world.bound, missing: () => ['api_key'] }),
    } as Partial<BotDeps['gateways']> as BotDeps['gateways'],
    forms: {
      write: (key, updateId, state) => {
        forms.set(key, { updateId, state });
        return Promise.resolve();
      },
      remove: (key) => {
        forms.delete(key);
        return Promise.resolve();
      },
    },
    updates: {
      accept: (_, rows) => {
        const fresh = rows.map(({ id }) => id).filter((id) => !seen.has(id));
        for (const id of fresh) seen.add(id);
        return Promise.resolve(fresh);
      },
      reopen: () => Promise.resolve([]),
      open: () => Promise.resolve(0),
      done: (_, ids) => {
        world.deeds.done += ids.length;
        return Promise.resolve();
      },
      announce: () => Promise.resolve(),
    },
    audit: { add: () => Promise.resolve() } as Partial<BotDeps['audit']> as BotDeps['audit'],
    bindings: { knowsAny: () => Promise.resolve(false) },
  };
  const { intake } = createBot(deps as BotDeps);
  const clock = {
    now: () => new Date(1_700_000_000_000),
    monotonic: () => 0,
    // Nothing here takes long enough for it to end.
    sleep: () => new Promise<void>(() => undefined),
  };
  const webhook = createWebhook({ secret: new Secret(SECRET), intake, clock, log });
  const HEADERS: Readonly<Record<string, string>> = {
    'x-telegram-bot-api-secret-token': SECRET,
    'content-type': 'application/json',
  };
  return {
    commands: features.flatMap(({ commands }) => commands.map(({ name }) => name)),
    /** Brings an update as Telegram does, waits until it is handled, and returns the status of the answer. */
    async bring(json: string): Promise<number> {
      const { status } = await webhook({
        method: 'POST',
        header: (name: string) => HEADERS[name.toLowerCase()],
        read: () => Promise.resolve(Buffer.from(json)),
      });
      await intake.idle();
      return status;
    },
    forget() {
      forms.clear();
      seen.clear();
    },
  };
}

/** The first token opens an action for admins, the second one the command that is given again; no other opens anything. */
function claimOf(token: string, features: readonly Feature[]) {
  const action = features
    .flatMap((feature) => feature.actions ?? [])
    .find(({ permission }) => permission === 'limits.manage');
  if (token === TOKENS[0] && action !== undefined)
    return { ok: true as const, action: action.name, payload: {} };
  if (token === TOKENS[1]) return { ok: true as const, action: 'kit.again', payload: { line: '/limits 5' } };
  return { ok: false as const, reason: 'unknown' as const };
}

/** A feature as it is declared, without what stands behind it. */
function harmless(feature: Feature, world: World): Feature {
  const note = (name: string, permission: Command['permission'], place: string) => () => {
    world.deeds.ran.push({ name, permission, place });
    return Promise.resolve();
  };
  return {
    ...feature,
    commands: feature.commands.map((command) => ({
      ...command,
      args: Object.fromEntries(
        Object.entries(command.args).map(([name, argument]) => [name, withoutStores(argument)]),
      ),
      run: note(`/${command.name}`, command.permission, command.place),
    })),
    actions: (feature.actions ?? []).map((action) => ({
      ...action,
      run: note(action.name, action.permission, 'anywhere'),
    })),
    starts: Object.fromEntries(
      Object.keys(feature.starts ?? {}).map((letter) => [letter, note(`start ${letter}`, null, 'private')]),
    ),
    replied: () => Promise.resolve(false),
    meant: () => Promise.resolve(false),
    // As if every second message of the bot's showed a send and a received message.
    ...(feature.shownBy && {
      shownBy: (_: RequestContext, target: OwnMessage | null) =>
        Promise.resolve(target === null || target.id % 2 === 0 ? null : SHOWN),
    }),
    // As if a draft stood for every command: so each edit is followed that may be.
    ...(feature.edited && { edited: () => Promise.resolve(() => Promise.resolve()) }),
  };
}

const SHOWN = { message: 'in1', number: '09121234567', send: 'A1', draft: 'draft' };

/** Choices and what an answer names are read from stores that are not there: nothing can be chosen, all that is named is there. */
function withoutStores({ choices, isThere, ...argument }: Argument): Argument {
  return {
    ...argument,
    ...(choices && { choices: () => Promise.resolve([]) }),
    ...(isThere && { isThere: () => Promise.resolve(true) }),
  };
}

function createErrorLog(world: World): Log {
  const log: Log = {
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields, message) => {
      const { err } = fields as { err?: unknown };
      world.deeds.errors.push(
        `${message}: ${err instanceof Error ? (err.stack ?? '') : JSON.stringify(fields)}`,
      );
    },
    child: () => log,
  };
  return log;
}
