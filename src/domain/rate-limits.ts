import { createTokenBuckets, type Allowance, type TokenBuckets } from './token-buckets.ts';

/** What is limited. `read`: a command that asks the gateway; `upload`: a file for the bot. */
export type LimitedKind = 'command' | 'press' | 'read' | 'upload';
export type LimitScope = 'person' | 'chat' | 'deployment';

/** Something that somebody did. */
export interface Act {
  /** All that it is: a command with a file that asks the gateway is three of them. The first gives it its name. */
  readonly kinds: readonly [LimitedKind, ...LimitedKind[]];
  /** Who: a Telegram id. */
  readonly person: number;
  readonly chat: number;
  /** Whether it keeps money from being spent, as Stop does. Of a press that is not known before its token is read. */
  readonly urgent: boolean | 'perhaps';
}

export interface Refusal {
  readonly scope: LimitScope;
  readonly kind: LimitedKind;
  /** When it would be let through. */
  readonly waitMs: number;
  /** Whether it is told now, and logged: once in a while, however much is refused. */
  readonly tell: boolean;
  /** What may be urgent is let through if it is. */
  readonly mayBeUrgent: boolean;
}

/**
 * What is let through. Generous to people: they should never meet it. Small against loops: what goes on for an hour is far
 * below what a process, Telegram and a gateway bear. Telegram lets a bot say 20 messages a minute in a group, and 30 a
 * second in all: more commands than that could not be answered in any case.
 */
export const ALLOWANCES: Readonly<Record<LimitScope, Readonly<Record<LimitedKind, Allowance>>>> = {
  person: {
    // Somebody who types as fast as they can, for half a minute, and then one a second. Answers to questions are among them.
    command: { burst: 40, perMinute: 60 },
    // ▶ through a hundred pages without a pause; a press takes a third of a second to come back.
    press: { burst: 80, perMinute: 120 },
    // Nobody reads twenty answers at once.
    read: { burst: 20, perMinute: 30 },
    // An album of files, and once more.
    upload: { burst: 20, perMinute: 12 },
  },
  chat: {
    // Thirty people who each type four commands at once.
    command: { burst: 120, perMinute: 120 },
    // Thirty people who each go through eight pages at once.
    press: { burst: 240, perMinute: 240 },
    // Thirty people who each ask twice at once; then what one account bears beside its sends.
    read: { burst: 60, perMinute: 60 },
    // A whole team that hands in its files; each of them is read and kept.
    upload: { burst: 30, perMinute: 20 },
  },
  deployment: {
    // A minute of what comes in when everybody comes to work; a process handles some hundreds a second.
    command: { burst: 6000, perMinute: 6000 },
    press: { burst: 12_000, perMinute: 12_000 },
    // Each is a call that somebody waits for, and holds a connection for as long.
    read: { burst: 1500, perMinute: 1500 },
    // Up to 5 MiB each, of which rows are read and written.
    upload: { burst: 200, perMinute: 120 },
  },
};

/** What keeps money from being spent, and every press, as it may do so: only a program does it more often. */
const URGENT: Allowance = { burst: 300, perMinute: 600 };
/** A person, or a chat, is told of it so often; and all of them together, so that a flood of many is not answered by one. */
const TOLD: Allowance = { burst: 1, perMinute: 2 };
const TOLD_IN_ALL: Allowance = { burst: 60, perMinute: 300 };

/** Somebody without a role, in a chat where others have one: what is said to them takes from the pace of those. */
const WITHOUT_ROLE: Allowance = { burst: 1, perMinute: 1 };

/** A key takes about 50 bytes: all the buckets together stay below 10 MB. */
const MAX_KEYS = 10_000;
const SCOPES = ['person', 'chat', 'deployment'] as const satisfies readonly LimitScope[];
const EVERYBODY = 0;

export interface RateLimits {
  /** Null when it is let through, which takes its tokens. What is refused takes none. `now`: see TokenBuckets. */
  judge(act: Act, now: number): Refusal | null;
  /** Whether somebody without a role is answered now, in a chat where others have one; it takes the token. */
  answersWithoutRole(who: Pick<Act, 'person' | 'chat'>, now: number): boolean;
  /** How many buckets are remembered. */
  size(): number;
}

/**
 * Limits on what people make Peyk do, in the memory of the process that handles all updates. One that takes over begins with
 * full buckets, so a takeover lets at most one burst more through.
 * @param factor on everything that is let through; 0: no limits
 */
export function createRateLimits(factor: number): RateLimits {
  if (factor === 0) return { judge: () => null, answersWithoutRole: () => true, size: () => 0 };
  const buckets = (allowance: Allowance): TokenBuckets => createTokenBuckets(allowance, MAX_KEYS);
  const scaled = ({ burst, perMinute }: Allowance): TokenBuckets =>
    buckets({ burst: Math.max(1, burst * factor), perMinute: perMinute * factor });
  const scopeBuckets = (of: Readonly<Record<LimitedKind, Allowance>>) => ({
    command: scaled(of.command),
    press: scaled(of.press),
    read: scaled(of.read),
    upload: scaled(of.upload),
  });
  const limited = {
    person: scopeBuckets(ALLOWANCES.person),
    chat: scopeBuckets(ALLOWANCES.chat),
    deployment: scopeBuckets(ALLOWANCES.deployment),
  };
  const urgent = scaled(URGENT);
  const told = {
    person: buckets(TOLD),
    chat: buckets(TOLD),
    deployment: buckets(TOLD),
    press: buckets(TOLD),
  };
  const toldInAll = buckets(TOLD_IN_ALL);
  const withoutRole = buckets(WITHOUT_ROLE);

  return {
    judge(act, now) {
      const [named] = act.kinds;
      if (act.urgent !== false) {
        const waitMs = urgent.wait(act.person, now);
        if (waitMs > 0)
          return {
            scope: 'person',
            kind: named,
            waitMs,
            tell: tells('person', act, now),
            mayBeUrgent: false,
          };
        urgent.take(act.person, now);
        if (act.urgent === true) return null;
      }
      const asked = act.kinds.flatMap((kind) => SCOPES.map((scope) => ({ scope, kind })));
      let longest: Pick<Refusal, 'scope' | 'kind' | 'waitMs'> | null = null;
      for (const { scope, kind } of asked) {
        const waitMs = limited[scope][kind].wait(keyOf(scope, act), now);
        if (waitMs > (longest?.waitMs ?? 0)) longest = { scope, kind, waitMs };
      }
      if (longest !== null)
        return { ...longest, tell: tells(longest.scope, act, now), mayBeUrgent: act.urgent === 'perhaps' };
      for (const { scope, kind } of asked) limited[scope][kind].take(keyOf(scope, act), now);
      return null;
    },
    answersWithoutRole({ person, chat }, now) {
      const key = `${chat} ${person}`;
      if (withoutRole.wait(key, now) > 0) return false;
      withoutRole.take(key, now);
      return true;
    },
    size: () =>
      [
        ...SCOPES.flatMap((scope) => Object.values(limited[scope])),
        ...Object.values(told),
        urgent,
        withoutRole,
      ].reduce((sum, each) => sum + each.size(), 0),
  };

  /** Of a limit on everybody, each chat hears once. What is answered in any case, a press, takes nobody's word away. */
  function tells(scope: LimitScope, act: Act, now: number): boolean {
    const isPress = act.kinds.includes('press');
    const key = scope === 'person' || isPress ? act.person : act.chat;
    const own = told[isPress ? 'press' : scope];
    if (own.wait(key, now) > 0 || toldInAll.wait(EVERYBODY, now) > 0) return false;
    own.take(key, now);
    toldInAll.take(EVERYBODY, now);
    return true;
  }
}

function keyOf(scope: LimitScope, { person, chat }: Act): number {
  if (scope === 'deployment') return EVERYBODY;
  return scope === 'person' ? person : chat;
}
