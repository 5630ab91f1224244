import { setTimeout as sleep } from 'node:timers/promises';
import type { PeykSlot } from './peyk.ts';
import { within } from './patience.ts';
import type { Plan } from './schedule.ts';
import type { Stand } from './stand.ts';
import type { Strike, Wire } from './strikes.ts';

/** How often what was done, by its name in the report. */
export type Blows = Record<(typeof NAMES)[Strike['kind']], number>;

const NAMES = {
  kill: 'processes killed (SIGKILL)',
  blackout: 'processes killed (SIGKILL)',
  pause: 'processes paused (SIGSTOP)',
  holder: 'processes paused (SIGSTOP)',
  postgres: 'database restarts without shutdown',
  wire: 'network cuts',
  refuse: 'network cuts',
  cut_all: 'network cuts',
  partition: '… of one process alone',
  disk: 'disks full for a while',
  gateway: 'gateway faults',
  telegram: 'telegram faults',
  replay: 'updates repeated in a storm',
} as const satisfies Record<Strike['kind'], string>;

const HOLDER_MS = 1000;
const LEAVES_MS = 60_000;

export function noBlows(): Blows {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name is one of them
  return Object.fromEntries(Object.values(NAMES).map((name) => [name, 0])) as Blows;
}

export function totalOf(blows: Blows): number {
  return Object.values(blows).reduce((sum, count) => sum + count, 0);
}

/**
 * Strikes as planned, and resolves at the end of the round, when all that lasts for a while is over. On a machine that has much
 * else to do people are slow: the second half of the blows waits until something `leaves`.
 */
export async function strikeAll(
  stand: Stand,
  plan: Pick<Plan, 'lengthMs' | 'latencyMs' | 'strikes'>,
  firstUpdate: number,
  blows: Blows,
  signal: AbortSignal,
  leaves: () => boolean = () => true,
): Promise<void> {
  const began = performance.now();
  const half = plan.lengthMs / 2;
  const leaving = within(LEAVES_MS, () => signal.aborted || leaves()).then(() =>
    Math.max(0, performance.now() - began - half),
  );
  for (const proxy of stand.wires.gateway) proxy.slow(plan.latencyMs);
  const until = async (at: number): Promise<void> => {
    const due = at + (at > half ? await leaving : 0);
    await sleep(Math.max(0, due - (performance.now() - began)), undefined, { signal }).catch(() => undefined);
  };
  await Promise.all([
    until(plan.lengthMs),
    ...plan.strikes.map(async (strike) => {
      await until(strike.at);
      if (!signal.aborted) await fall(stand, strike, firstUpdate, blows, signal);
    }),
  ]);
}

async function fall(
  stand: Stand,
  strike: Strike,
  firstUpdate: number,
  blows: Blows,
  signal: AbortSignal,
): Promise<void> {
  const hold = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
  const count = (kind: Strike['kind'], times = 1): void => void (blows[NAMES[kind]] += times);
  switch (strike.kind) {
    case 'kill':
      count('kill');
      return await stand.peyks[strike.process]?.strike(strike.downMs);
    case 'pause':
      count('pause');
      return await freeze(stand, strike.process, strike.cut === true, () => hold(strike.ms));
    case 'holder': {
      const slot = (await findHolder(stand)) ?? stand.peyks[0];
      count(strike.how);
      if (strike.how === 'kill') return await slot?.strike(strike.ms);
      slot?.pause();
      await hold(strike.ms);
      slot?.resume();
      return;
    }
    case 'blackout':
      count('kill', stand.peyks.length);
      count('postgres');
      await Promise.all([stand.restartPostgres(), ...stand.peyks.map((peyk) => peyk.strike(strike.downMs))]);
      return;
    case 'postgres':
      count('postgres');
      return await stand.restartPostgres();
    case 'wire':
      count('wire');
      for (const proxy of stand.wires[strike.wire]) {
        // A call to the gateway is a connection of its own; the others keep theirs.
        if (strike.wire === 'gateway') proxy.harmNext(strike.fault);
        if (strike.wire !== 'gateway' || strike.open === true) proxy.harmOpen(strike.fault);
      }
      await hold(strike.ms);
      return await healWire(stand, strike.wire);
    case 'refuse':
      count('refuse');
      await Promise.all(stand.wires[strike.wire].map((proxy) => proxy.refuse(true)));
      if (strike.open === true) for (const proxy of stand.wires[strike.wire]) proxy.cutAll();
      await hold(strike.ms);
      return await healWire(stand, strike.wire);
    case 'cut_all':
      count('cut_all');
      for (const proxy of stand.wires[strike.wire]) proxy.cutAll();
      return;
    case 'partition':
      count('partition');
      return await cutOff(stand, strike.process, strike.wire, () => hold(strike.ms));
    case 'disk':
      count('disk');
      stand.disk?.fill();
      await hold(strike.ms);
      stand.disk?.free();
      if (!stand.postgres.runs()) await stand.restartPostgres();
      return;
    case 'gateway':
      count('gateway');
      return await stand.gateway.fault(strike.rule);
    case 'telegram':
      count('telegram');
      return await stand.telegram.fault(strike.rule);
    case 'replay': {
      const known = await stand.telegram.updates(firstUpdate);
      const again = known.slice(-strike.count).toReversed();
      count('replay', again.length);
      for (const { id } of again) await stand.telegram.replay(id);
    }
  }
}

/** One process stands still while something lasts; with `cut` it also loses its connections to the database, and its locks. */
export async function freeze(
  stand: Stand,
  process: number,
  cut: boolean,
  lasts: () => Promise<void>,
): Promise<void> {
  stand.peyks[process]?.pause();
  await (cut ? cutOff(stand, process, 'postgres', lasts) : lasts());
  stand.peyks[process]?.resume();
}

async function cutOff(
  { ownWires }: Stand,
  process: number,
  wire: Wire,
  lasts: () => Promise<void>,
): Promise<void> {
  const own = ownWires[process]?.[wire] ?? [];
  await Promise.all(own.map((proxy) => proxy.refuse(true)));
  for (const proxy of own) proxy.cutAll();
  await lasts();
  await Promise.all(own.map((proxy) => proxy.heal()));
}

/** The process that polls an account now, or does so next; undefined: nobody for a second. */
async function findHolder({ postgres, peyks }: Stand): Promise<PeykSlot | undefined> {
  const holder = await postgres
    .ask(async (sql) => {
      for (const until = performance.now() + HOLDER_MS; performance.now() < until; await sleep(10)) {
        const [row] = await sql<{ lease_owner: string }[]>`
          select lease_owner from account where lease_until > now() order by lease_until desc limit 1`;
        if (row !== undefined) return row.lease_owner;
      }
      return null;
    })
    .catch(() => null);
  return peyks.find((_, index) => holder?.startsWith(`${index} `) === true);
}

async function healWire(stand: Stand, wire: Wire): Promise<void> {
  await Promise.all(stand.wires[wire].map((proxy) => proxy.heal()));
}

/** Takes away everything that harms: what hangs is cut, what is down is up again. */
export async function heal(stand: Stand): Promise<void> {
  await stand.gateway.clearFaults();
  await stand.telegram.clearFaults();
  for (const wire of ['gateway', 'telegram', 'postgres'] as const) await healWire(stand, wire);
  for (const proxy of stand.wires.gateway) proxy.slow(0);
  // A call that the gateway has let hang would wait for a minute; the network ends it now.
  for (const proxy of stand.wires.gateway) proxy.cutAll();
  for (const peyk of stand.peyks) peyk.heal();
}
