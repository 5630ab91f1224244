import type { Random } from './random.ts';
import { linkFault, spaceOut, telegramRule, type Blow, type Rule, type Strike } from './strikes.ts';

/** Deals the blows of a round of the inbox: something of every kind. */
export function dealInboxStrikes(random: Random, lengthMs: number, processes: number): Strike[] {
  const process = (): number => random.int(0, processes - 1);
  const deck: Blow[] = [
    { kind: 'kill', process: process(), downMs: random.int(0, 1500) },
    { kind: 'kill', process: process(), downMs: 0 },
    { kind: 'kill', process: process(), downMs: 0 },
    { kind: 'holder', how: 'kill', ms: 0 },
    { kind: 'holder', how: 'kill', ms: random.int(0, 500) },
    // Longer than a lease: somebody else has the account when it wakes.
    { kind: 'holder', how: 'pause', ms: random.int(3000, 5000) },
    { kind: 'pause', process: process(), ms: random.int(300, 3500) },
    ...Array.from({ length: 5 }, (): Blow => ({ kind: 'gateway', rule: inboxRule(random) })),
    { kind: 'gateway', rule: outage(random) },
    ...Array.from({ length: 4 }, (): Blow => ({ kind: 'telegram', rule: sayingRule(random) })),
    {
      kind: 'wire',
      wire: 'gateway',
      fault: linkFault(random, 1000, 12_000),
      ms: random.int(200, 3000),
      open: true,
    },
    { kind: 'wire', wire: 'telegram', fault: linkFault(random, 2000, 1500), ms: random.int(200, 2500) },
    { kind: 'wire', wire: 'postgres', fault: linkFault(random, 8000, 8000), ms: random.int(200, 2500) },
    { kind: 'cut_all', wire: random.pick(['gateway', 'telegram', 'postgres']) },
    {
      kind: 'refuse',
      wire: random.pick(['gateway', 'telegram', 'postgres']),
      ms: random.int(200, 1500),
      open: random.chance(0.5),
    },
    { kind: 'refuse', wire: 'gateway', ms: random.int(1000, 3000), open: true },
  ];
  if (random.chance(0.8)) deck.push({ kind: 'postgres' });
  if (random.chance(0.4)) deck.push({ kind: 'blackout', downMs: random.int(0, 500) });
  if (random.chance(0.5)) deck.push({ kind: 'kill', process: process(), downMs: random.int(0, 800) });
  return spaceOut(random, deck, lengthMs);
}

/**
 * The gateway is away again and again while messages pile up, the first time before any has come. What is killed holds
 * no account that matters: it is one process, at the end.
 */
export function dealTide(random: Random, lengthMs: number, processes: number): Strike[] {
  const away = (at: number, ms: number): Strike => ({ kind: 'refuse', at, wire: 'gateway', ms, open: true });
  const starts = [0, lengthMs * 0.45, lengthMs * 0.75];
  return [
    ...starts.map((at, index) =>
      away(Math.round(at + (index === 0 ? 0 : random.int(-300, 300))), random.int(1200, 2600)),
    ),
    ...[0, 1].map((): Strike => ({
      kind: 'telegram',
      at: random.int(0, lengthMs - 1000),
      rule: sayingRule(random),
    })),
    {
      kind: 'kill',
      at: lengthMs - random.int(0, 300),
      process: random.int(0, processes - 1),
      downMs: random.int(0, 500),
    },
  ];
}

/** Some reads of the inbox fail: before or after the gateway has done its part, with words, without, or with other words. */
function inboxRule(random: Random): Rule {
  const when = random.pick(['before', 'after'] as const);
  return {
    // Another program's calls are of version 4 for the most part: what is meant for Peyk meets Peyk.
    version: 3,
    operation: random.pick(['inboxpaged', 'inboxpaged', 'inboxpaged', 'inboxpaged', 'receive']),
    skip: random.int(0, 3),
    times: random.int(1, 4),
    ...random.pick<Rule>([
      { kind: 'drop', when },
      { kind: 'reset', when },
      { kind: 'hang', when },
      { kind: 'html', when, httpStatus: random.pick([200, 502, 503]) },
      { kind: 'truncate', mode: random.pick(['length', 'chunked']) },
      { kind: 'truncate', mode: random.pick(['length', 'chunked']), bytes: random.int(0, 400) },
      { kind: 'error', when, code: 27 },
      { kind: 'error', when, code: 1000 },
      { kind: 'error', when, status: 429, httpStatus: 429 },
      { kind: 'error', when, status: 500, httpStatus: 500 },
      { kind: 'error', when, status: 503, httpStatus: 503 },
      {
        kind: 'body',
        when,
        text: random.pick(['', '{"return":', '[]', 'null', '{"return":{"status":200}}', '{"entries":[]}']),
      },
      { kind: 'delay', when, ms: random.int(200, 2500) },
      { kind: 'delay', when, ms: random.int(200, 2500) },
    ]),
  };
}

/** Every call fails for a while. */
function outage(random: Random): Rule {
  return {
    version: 3,
    times: random.int(5, 25),
    ...random.pick<Rule>([
      { kind: 'error', when: 'before', status: 503, httpStatus: 503 },
      { kind: 'error', when: 'before', status: 429, httpStatus: 429 },
      { kind: 'html', when: 'before', httpStatus: 502 },
      { kind: 'reset', when: 'before' },
      { kind: 'delay', when: 'after', ms: 400 },
    ]),
  };
}

function sayingRule(random: Random): Rule {
  return telegramRule(random, ['sendMessage', 'sendMessage', 'sendMessage', 'editMessageText', 'getUpdates']);
}
