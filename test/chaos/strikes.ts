import type { LinkFault } from './proxy.ts';
import { SLOW_ACCOUNT } from './places.ts';
import type { Random } from './random.ts';

/** A rule of the sandbox or the emulator, as their own interfaces take it. */
export type Rule = Readonly<Record<string, unknown>>;

export type Wire = 'gateway' | 'telegram' | 'postgres';

/** One blow of the nemesis. */
export type Strike = { readonly at: number } & (
  | { readonly kind: 'kill'; readonly process: number; readonly downMs: number }
  /** With `cut` the database sees its connections end meanwhile: others take over what it holds, and then it goes on. */
  | { readonly kind: 'pause'; readonly process: number; readonly ms: number; readonly cut?: boolean }
  /** Whoever polls an account at this moment. */
  | { readonly kind: 'holder'; readonly how: 'kill' | 'pause'; readonly ms: number }
  /** Every process is killed and the database restarted in the same moment. */
  | { readonly kind: 'blackout'; readonly downMs: number }
  | { readonly kind: 'postgres' }
  | {
      readonly kind: 'wire';
      readonly wire: Wire;
      readonly fault: LinkFault;
      readonly ms: number;
      /** Connections to the gateway too that are there already: its lists are read over a few that stay. */
      readonly open?: boolean;
    }
  /** With `open` those that are there end as well. */
  | { readonly kind: 'refuse'; readonly wire: Wire; readonly ms: number; readonly open?: boolean }
  | { readonly kind: 'cut_all'; readonly wire: Wire }
  /** One process alone is cut off from it, while the others go on. */
  | { readonly kind: 'partition'; readonly process: number; readonly wire: Wire; readonly ms: number }
  /** The disk of the database is full for a while; a server that has ended over it is started again. */
  | { readonly kind: 'disk'; readonly ms: number }
  | { readonly kind: 'gateway'; readonly rule: Rule }
  | { readonly kind: 'telegram'; readonly rule: Rule }
  /** Delivers so many updates again, the newest of this round first. */
  | { readonly kind: 'replay'; readonly count: number }
);

/** The gateway of the chat in which sends are stopped takes its time, so that there is something to stop. */
export const slowGateway = {
  kind: 'gateway',
  at: 0,
  rule: { operation: 'send', account: SLOW_ACCOUNT, kind: 'delay', when: 'before', ms: 700, times: 100 },
} as const satisfies Strike;

const METHODS = [
  'sendMessage',
  'editMessageText',
  'editMessageText',
  'answerCallbackQuery',
  'getUpdates',
] as const;

export type Blow = Strike extends infer S ? (S extends Strike ? Omit<S, 'at'> : never) : never;

/** Deals the blows of a round: something of every kind, in any order, 0.2 to 2 seconds apart. */
export function dealStrikes(random: Random, lengthMs: number, processes: number): Strike[] {
  const process = (): number => random.int(0, processes - 1);
  const long = random.chance(0.5);
  const deck: Blow[] = [
    { kind: 'kill', process: process(), downMs: random.int(0, 2000) },
    { kind: 'kill', process: process(), downMs: random.int(0, 1000) },
    { kind: 'kill', process: process(), downMs: 0 },
    { kind: 'kill', process: process(), downMs: 0 },
    ...(long ? [] : [{ kind: 'pause', process: process(), ms: random.int(300, 3500) } as const]),
    { kind: 'gateway', rule: gatewayAfter(random) },
    { kind: 'gateway', rule: gatewayAfter(random) },
    { kind: 'gateway', rule: repeatBait(random) },
    { kind: 'gateway', rule: gatewayBefore(random) },
    { kind: 'telegram', rule: telegramRule(random) },
    { kind: 'telegram', rule: telegramRule(random) },
    { kind: 'wire', wire: 'gateway', fault: linkFault(random, 6000, 1200), ms: random.int(200, 3000) },
    { kind: 'wire', wire: 'telegram', fault: linkFault(random, 2000, 1500), ms: random.int(200, 2500) },
    { kind: 'wire', wire: 'postgres', fault: linkFault(random, 4000, 4000), ms: random.int(200, 2500) },
    random.chance(0.5)
      ? { kind: 'cut_all', wire: random.pick(['gateway', 'telegram', 'postgres']) }
      : { kind: 'refuse', wire: random.pick(['gateway', 'telegram', 'postgres']), ms: random.int(200, 1500) },
    { kind: 'replay', count: random.int(2, 8) },
    { kind: 'replay', count: random.int(1, 3) },
    ...(['gateway', 'telegram', 'postgres'] as const).map((wire): Blow => ({
      kind: 'partition',
      process: process(),
      wire,
      ms: random.int(300, 2500),
    })),
  ];
  if (random.chance(0.6)) deck.push({ kind: 'postgres' });
  if (random.chance(0.2)) deck.push({ kind: 'blackout', downMs: random.int(0, 500) });
  if (random.chance(0.5)) deck.push({ kind: 'kill', process: process(), downMs: random.int(0, 800) });
  const first: Blow[] = long
    ? [{ kind: 'pause', process: process(), ms: random.int(5000, 7000), cut: true }]
    : [];
  return spaceOut(random, deck, lengthMs, first);
}

/** Blows in any order, but for the `first`, 0.2 to 2 seconds apart. */
export function spaceOut(
  random: Random,
  deck: readonly Blow[],
  lengthMs: number,
  first: readonly Blow[] = [],
): Strike[] {
  const blows = [...first, ...random.shuffled(deck)];
  const gap = lengthMs / blows.length;
  let at = 0;
  return blows.map((blow) => {
    at += Math.min(2000, Math.max(200, Math.round(gap * (0.3 + random.next() * 1.4))));
    return { ...blow, at };
  });
}

/** The effect is there and its answer suffers. A refusal that says so plainly would be a lie, and is not among them. */
function gatewayAfter(random: Random): Rule {
  const times = random.int(1, 2);
  return {
    operation: random.chance(0.8) ? 'send' : 'multi',
    times,
    ...random.pick<Rule>([
      { kind: 'drop', when: 'after' },
      { kind: 'reset', when: 'after' },
      { kind: 'hang', when: 'after' },
      { kind: 'html', when: 'after', httpStatus: random.pick([200, 502, 503]) },
      { kind: 'truncate', mode: random.pick(['length', 'chunked']), bytes: random.int(0, 120) },
      { kind: 'error', when: 'after', code: 27 },
      { kind: 'error', when: 'after', code: 1000 },
      { kind: 'error', when: 'after', status: 429, httpStatus: 429 },
      { kind: 'error', when: 'after', status: 500, httpStatus: 500 },
      {
        kind: 'body',
        when: 'after',
        text: random.pick(['', '{"return":', '[]', 'null', '{"return":{"status":200}}']),
      },
      { kind: 'delay', when: 'after', ms: random.int(200, 2500) },
    ]),
  };
}

/** What an HTTP client with good manners repeats by itself. */
function repeatBait(random: Random): Rule {
  const location = '/api/v3/rest/sms/send';
  return {
    operation: 'send',
    times: 1,
    kind: 'error',
    when: 'after',
    status: 500,
    ...random.pick<Rule>([
      { httpStatus: 421 },
      { httpStatus: 421 },
      { httpStatus: 307, headers: { location } },
      { httpStatus: 308, headers: { location } },
    ]),
  };
}

/** Nothing has happened, and whoever asked is told so, or not told. */
function gatewayBefore(random: Random): Rule {
  return {
    operation: random.chance(0.8) ? 'send' : 'multi',
    times: random.int(1, 2),
    ...random.pick<Rule>([
      { kind: 'drop', when: 'before' },
      { kind: 'reset', when: 'before' },
      { kind: 'hang', when: 'before' },
      { kind: 'html', when: 'before', httpStatus: 502 },
      { kind: 'error', when: 'before', code: 27 },
      { kind: 'error', when: 'before', code: 24 },
      { kind: 'error', when: 'before', code: 22 },
      { kind: 'error', when: 'before', code: 1000 },
      { kind: 'error', when: 'before', status: 429, httpStatus: 429 },
      { kind: 'delay', when: 'before', ms: random.int(200, 3000) },
    ]),
  };
}

/** Some calls of one of these methods fail, or their answers are lost. */
export function telegramRule(random: Random, methods: readonly [string, ...string[]] = METHODS): Rule {
  return {
    method: random.pick(methods),
    times: random.int(1, 3),
    ...random.pick<Rule>([
      { code: 429, description: 'Too Many Requests: retry after 1', retry_after: 1 },
      { html502: true },
      { drop: 'before' },
      { drop: 'after' },
      { drop: 'after' },
      { delay_ms: random.int(200, 2500) },
      { code: 500, description: 'Internal Server Error' },
    ]),
  };
}

export function linkFault(random: Random, up: number, down: number): LinkFault {
  const way = random.pick<'up' | 'down'>(['up', 'down']);
  const after = random.int(0, way === 'up' ? up : down);
  return random.pick<LinkFault>([
    { kind: 'cut', way, after },
    { kind: 'reset', way, after },
    { kind: 'reset', way, after },
    { kind: 'blackhole', way, after },
    { kind: 'delay', ms: random.int(20, 900) },
  ]);
}
