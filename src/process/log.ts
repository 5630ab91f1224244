import { AsyncLocalStorage } from 'node:async_hooks';
import pino from 'pino';
import { prettyFactory } from 'pino-pretty';

import { createLogBound } from './log-bound.ts';
import { describeError, withoutPaths } from './log-errors.ts';
import { MASK } from '../domain/secret.ts';
import { correlationId } from '../ports/correlation.ts';
import { currentSpan } from '../ports/tracer.ts';
import type { SecretRegistry } from './secret-registry.ts';

export { createSecretRegistry } from './secret-registry.ts';
export type { SecretRegistry } from './secret-registry.ts';

export type Logger = pino.Logger;

export interface LoggerOptions {
  level: string;
  /** Lines for a person at a terminal rather than JSON. */
  pretty: boolean;
  /** Takes one whole line at a time; standard output if absent. */
  destination?: { write(line: string): unknown };
  secrets: SecretRegistry;
}

/**
 * The log: one line of JSON an event. No secret leaves by it: members with telling names are masked wherever they
 * stand, and each finished line is searched for every registered secret in its usual encodings and for bot
 * tokens. Errors are taken over member by member, with their causes. Control and direction characters are
 * escaped, so that a value can neither begin a line nor speak to the terminal. About 4 µs a line (measured).
 *
 * One sentence fills no log: `log-bound.ts` says how often it passes. Fatal lines and those with a reference always do, and
 * all of them where the level is `debug` or `trace`.
 */
export function createLogger({ level, pretty, destination, secrets }: LoggerOptions): Logger {
  const sink = destination ?? pino.destination({ dest: 1, sync: true });
  const prettify = pretty
    ? prettyFactory({
        colorize: destination === undefined && process.stdout.isTTY,
        translateTime: 'SYS:HH:MM:ss',
      })
    : null;
  const isBounded = BOUNDED_LEVELS.has(level);
  const methods = new Map<number, pino.LogFn>();
  // Whatever a line comes from, the count of what was left out does not come from there.
  const apart = AsyncLocalStorage.snapshot();
  const bound = createLogBound({
    now: () => performance.now(),
    later(ms, work) {
      const told = (): void => bound.close();
      process.once('exit', told);
      setTimeout(() => {
        process.off('exit', told);
        work();
      }, ms).unref();
    },
    tell: ({ level: of, sentence, lines }) =>
      apart(() => methods.get(of)?.call(log, { line: sentence, lines }, 'lines like this were left out')),
  });
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: SERIALIZERS,
    mixin: () => {
      const update = correlationId();
      const trace = currentSpan()?.traceId ?? undefined;
      if (trace !== undefined) return update === undefined ? { trace } : { update, trace };
      return update === undefined ? {} : { update };
    },
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => loggable(fields),
    },
    hooks: {
      logMethod(args, method, of) {
        const [first, second] = args as unknown[];
        if (isBounded && of < FATAL && !hasReference(first)) {
          const sentence = typeof second === 'string' ? second : typeof first === 'string' ? first : '';
          if (!bound.passes(of, sentence)) {
            methods.set(of, method);
            return;
          }
        }
        // Without words of its own, a line would take the error's message as it is.
        if (first instanceof Error && second === undefined)
          method.apply(this, [first, withoutPaths(first.message)]);
        else method.apply(this, args);
      },
    },
  };
  const log = pino(options, {
    write(line) {
      const scrubbed = secrets.scrub(line).replaceAll(BOT_TOKEN, MASK);
      sink.write(prettify === null ? escapeJson(scrubbed) : prettify(escapeForTerminal(scrubbed)));
    },
  });
  return log;
}

/** Whoever asks for more than these looks for something, and sees all of it. */
const BOUNDED_LEVELS: ReadonlySet<string> = new Set(['info', 'warn', 'error', 'fatal']);
const FATAL = 60;

/** A person was shown it, to be found in the log. */
function hasReference(fields: unknown): boolean {
  return typeof fields === 'object' && fields !== null && 'reference' in fields;
}

/** Members that are masked wherever they stand, in lower case and without `-` and `_`. */
const TELLING_NAMES = new Set([
  'password',
  'passwd',
  'passwdrepeat',
  'passwordrepeat',
  'repeatpassword',
  'passphrase',
  'mellicode',
  'apikey',
  'token',
  'secret',
  'credentials',
  'authorization',
  'cookie',
  'masterkey',
  'masterkeys',
  'xapikey',
  'xtelegrambotapisecrettoken',
]);

/** The bindings of a child logger pass by the formatters, so their own members are masked here. */
const SERIALIZERS = {
  ...Object.fromEntries(
    [...TELLING_NAMES, 'apiKey', 'api_key', 'masterKey', 'Authorization'].map((name) => [name, () => MASK]),
  ),
  err: (value: unknown) => (value instanceof Error ? describeError(value) : value),
};

const BOT_TOKEN = /(?<!\d)\d{6,}(?::|%3A)[\w-]{30,}/gi;

/**
 * Masks by name, makes errors loggable wherever they stand, and turns Maps and Sets, which JSON drops, into lists.
 * A walk of our own, because the logger's own redaction costs 25 µs a line with these names (measured).
 */
function loggable(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const isTelling = TELLING_NAMES.has(name.replaceAll(/[-_]/g, '').toLowerCase());
    shown[name] = isTelling && value !== null && value !== undefined ? MASK : loggableValue(value, depth);
  }
  return shown;
}

function loggableValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return describeError(value);
  if (depth >= 4) return '[deep]';
  if (value instanceof Map || value instanceof Set) return loggableValue([...value], depth);
  if (Array.isArray(value)) return value.slice(0, 100).map((each) => loggableValue(each, depth + 1));
  return isPlainObject(value) ? loggable(value, depth + 1) : value;
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** JSON escapes what is below space; this adds DEL, C1, line separators and direction controls. */
function escapeJson(line: string): string {
  return line.replaceAll(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, unicodeEscape);
}

/** The terminal sees strings unescaped, so control characters get a second escape; newlines of stacks stay. */
function escapeForTerminal(line: string): string {
  const escaped = escapeJson(line).replaceAll(
    /\\(?:\\|[bfr]|u(?:00[01][0-9a-f]|007f|00[89][0-9a-f]|061c|20[0-6][0-9a-f]))/giu,
    (escape) => (escape === '\\\\' ? escape : `\\${escape}`),
  );
  return escaped;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
