import * as fc from 'fast-check';
import { GrammyError, HttpError } from 'grammy';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { AppError } from '../domain/errors.ts';
import { Secret } from '../domain/secret.ts';
import { MAX_LINES, WINDOW_MS } from './log-bound.ts';
import { createLogger, createSecretRegistry } from './log.ts';
import type { Logger } from './log.ts';
import { withCorrelation } from '../ports/correlation.ts';

const KEY = 'sandbox-key-demo';
const BOT_TOKEN = '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw-';

interface Line {
  [name: string]: unknown;
}

/** Runs `write` with a logger and gives what came out. */
function logged(
  write: (log: Logger) => void,
  options: { pretty?: boolean; secrets?: string[] } = {},
): string {
  const secrets = createSecretRegistry();
  for (const value of options.secrets ?? [KEY]) secrets.add(new Secret(value));
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  write(createLogger({ level: 'trace', pretty: options.pretty ?? false, destination, secrets }));
  return lines.join('');
}

function parsed(output: string): Line {
  const line: unknown = JSON.parse(output);
  return { ...(typeof line === 'object' ? line : {}) };
}

/** How a value looks after it has gone through something. */
const ENCODINGS: Record<string, (value: string) => string> = {
  raw: (value) => value,
  reversed: (value) => Array.from(value).toReversed().join(''),
  upper: (value) => value.toUpperCase(),
  lower: (value) => value.toLowerCase(),
  url: (value) => encodeURIComponent(value),
  form: (value) => new URLSearchParams({ v: value }).toString().slice(2),
  json: (value) => JSON.stringify({ value }),
  jsonTwice: (value) => JSON.stringify(JSON.stringify({ value })),
  hex: (value) => Buffer.from(value).toString('hex'),
  hexUpper: (value) => Buffer.from(value).toString('hex').toUpperCase(),
  base64: (value) => Buffer.from(value).toString('base64'),
  base64At1: (value) => Buffer.from(`a${value}b`).toString('base64'),
  base64At2: (value) => Buffer.from(`ab${value}`).toString('base64'),
  base64At3: (value) => Buffer.from(`abc${value}:x`).toString('base64'),
  base64url: (value) => Buffer.from(`a${value}`).toString('base64url'),
  utf16: (value) => Buffer.from(value, 'utf16le').toString('hex'),
  utf16Base64: (value) => Buffer.from(value, 'utf16le').toString('base64'),
};

describe('a log line', () => {
  it('is one line of JSON with level, time and message', () => {
    const output = logged((log) => log.info({ attempt: 'a1', ms: 12 }, 'accepted'));
    expect(output.endsWith('\n')).toBe(true);
    expect(parsed(output)).toMatchObject({ level: 'info', attempt: 'a1', ms: 12, msg: 'accepted' });
    expect(parsed(output)['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('is kept to its level', () => {
    const lines: string[] = [];
    const log = createLogger({
      level: 'warn',
      pretty: false,
      destination: { write: (line) => lines.push(line) },
      secrets: createSecretRegistry(),
    });
    log.info('quiet');
    log.warn('loud');
    expect(lines).toHaveLength(1);
  });

  it('masks members by telling names at any depth, and in the bindings of a child', () => {
    const output = logged((log) =>
      log.child({ apiKey: 'aaa' }).info({
        token: 'bbb',
        headers: { Authorization: 'ccc', 'x-api-key': 'ddd' },
        form: [{ passwd_repeat: 'eee', melli_code: 'fff' }],
        map: new Map([['user', { password: 'ggg' }]]),
        tokens: 3,
      }),
    );
    expect(output).not.toMatch(/aaa|bbb|ccc|ddd|eee|fff|ggg/);
    expect(output).toContain('"tokens":3');
  });

  it('holds no bot token, registered or not, in whatever place', () => {
    const output = logged((log) => {
      log.info({ url: `https://api.telegram.org/bot${BOT_TOKEN}/getMe` }, `token ${BOT_TOKEN}`);
      log.error(new Error(encodeURIComponent(BOT_TOKEN)));
    });
    expect(output).not.toContain('AAHdqTcv');
  });

  it('cannot be begun or coloured by a value', () => {
    const hostile = 'a\nb\r\u001b[31m\u0085\u2028\u202e\u2066\u007fc';
    const output = logged((log) => log.info({ name: hostile }, hostile));
    expect(output.trimEnd()).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect(parsed(output)).toMatchObject({ name: hostile, msg: hostile });
  });

  it('does not speak to the terminal when it is pretty', () => {
    const output = logged(
      (log) => log.info({ name: 'x\u001b]0;title\u0007\\u001b' }, 'a\u001b[2J\rb\u202e'),
      {
        pretty: true,
      },
    );
    expect(output).toContain('a\\u001b[2J\\rb\\u202e');
    expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });
});

describe('an error in the log', () => {
  it('shows its chain of causes, with code and params', () => {
    const cause = Object.assign(new TypeError('reset'), { code: 'ECONNRESET', syscall: 'read' });
    const error = new AppError('gateway_no_answer', 'no answer', { params: { seconds: 60 }, cause });
    expect(parsed(logged((log) => log.error({ err: error }, 'send')))).toMatchObject({
      msg: 'send',
      err: {
        type: 'AppError',
        message: 'no answer',
        code: 'gateway_no_answer',
        params: { seconds: 60 },
        cause: { type: 'TypeError', message: 'reset', code: 'ECONNRESET', syscall: 'read' },
      },
    });
  });

  it('shows neither payload nor address of a call to Telegram', () => {
    const refused = new GrammyError(
      "Call to 'sendMessage' failed!",
      { ok: false, error_code: 403, description: 'Forbidden: bot was kicked' },
      'sendMessage',
      { chat_id: 1, text: 'private words' },
    );
    const lost = new HttpError(
      "Network request for 'getMe' failed!",
      new Error('https://api.telegram.org/botXYZ/getMe'),
    );
    const output = logged((log) => {
      log.error({ err: refused, nested: { list: [refused] } });
      log.error(lost);
    });
    expect(output).not.toMatch(/private words|botXYZ/);
    expect(output).toContain('Forbidden: bot was kicked');
    expect(output).toContain('"error_code":403');
    expect(output).toContain('https://api.telegram.org/…');
  });

  it('shows no query, parameter or context that an error carries', () => {
    const error = Object.assign(new Error('failed'), {
      query: 'select private',
      parameters: ['private'],
      ctx: { a: 'private' },
    });
    const output = logged((log) => log.error({ err: error, all: new AggregateError([error]) }, 'storage'));
    expect(output).not.toContain('private');
    expect(output).toContain('"errors":[');
  });

  it('may be anything that was thrown, and may go in circles', () => {
    const circle = new Error('circle');
    circle.cause = circle;
    const output = logged((log) =>
      log.error({ err: circle, other: new Error('x', { cause: 'https://h.example/secret' }) }),
    );
    expect(output).toContain('circle');
    expect(output).not.toContain('h.example/secret');
  });
});

describe('a registered secret', () => {
  it.each(Object.keys(ENCODINGS))('does not come out as %s', (name) => {
    const encode = ENCODINGS[name] ?? String;
    for (const secret of [KEY, 'p@ss "w\\örd" +/=&?%', 'کلمهٔ عبور بسیار بلند', BOT_TOKEN]) {
      const encoded = encode(secret);
      const outputs = everywhere(encoded, secret);
      for (const output of outputs) {
        expect(output).not.toContain(secret);
        // The middle of the encoded form: its ends may belong to what stands around it.
        expect(output).not.toContain(encoded.slice(6, -6));
      }
    }
  });

  it('does not come out of buffers and byte arrays', () => {
    const bytes = Buffer.from(KEY);
    const output = logged((log) =>
      log.info({ buffer: bytes, array: new Uint8Array(bytes), list: [...bytes] }),
    );
    expect(output).not.toContain([...bytes].join(','));
    expect(output).not.toContain(`"3":${bytes[3]},"4":${bytes[4]}`);
  });

  it('does not come out of anything a program may log, for any secret', () => {
    const secrets = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 40 });
    const encodings = fc.constantFrom(...Object.keys(ENCODINGS));
    fc.assert(
      fc.property(secrets, encodings, (secret, name) => {
        fc.pre(/^\P{C}+$/u.test(secret));
        const encoded = (ENCODINGS[name] ?? String)(secret);
        fc.pre(encoded.length >= 24 && !/^(.)\1*$/u.test(secret));
        for (const output of everywhere(encoded, secret)) expect(output).not.toContain(encoded.slice(8, -8));
      }),
      { numRuns: 150 },
    );
  });

  it('of an address takes the password with it', () => {
    const output = logged((log) => log.info({ note: 'hunter2-é and hunter2-%C3%A9' }), {
      secrets: ['postgres://peyk:hunter2-%C3%A9@db.example.com/peyk'],
    });
    expect(output).not.toContain('hunter2');
  });
});

describe('the registry of secrets', () => {
  it('leaves texts alone that hold none', () => {
    const registry = createSecretRegistry();
    registry.add(new Secret(KEY));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        expect(registry.scrub(text)).toBe(text);
      }),
    );
  });

  it('scrubs each of many, also those that overlap or begin alike, and twice is as good as once', () => {
    const registry = createSecretRegistry();
    for (const value of ['abcdef', 'abcdef1', 'abcdef12345', 'xyzzy-1']) registry.add(new Secret(value));
    const scrubbed = registry.scrub('<abcdef12345> <abcdef1> <abcdef><xyzzy-1>abcdefabcdef');
    expect(scrubbed).toBe('<***> <***> <***><***>******');
    expect(registry.scrub(scrubbed)).toBe(scrubbed);
  });

  it('does not take a word for a secret because it is short', () => {
    const registry = createSecretRegistry();
    registry.add(new Secret('demo'));
    registry.add(new Secret(''));
    expect(registry.scrub('a demo account')).toBe('a demo account');
  });

  it('forgets the one added longest ago when it is full, and only that', () => {
    let now = 0;
    const registry = createSecretRegistry({ capacity: 2, now: () => now });
    for (const value of ['first-secret', 'second-secret', 'first-secret', 'third-secret']) {
      registry.add(new Secret(value));
      now += 3_600_000;
    }
    expect(registry.scrub('first-secret second-secret third-secret')).toBe('*** second-secret ***');
  });

  it('never forgets one of the deployment, however many come after it and whatever else they are', () => {
    let now = 0;
    const registry = createSecretRegistry({ capacity: 2, now: () => now });
    const address = 'postgres://peyk:hunter2-%C3%A9@db.example.com/peyk';
    for (const value of [KEY, address]) registry.keep(new Secret(value));
    for (let index = 0; index < 50; index += 1) {
      // An account may have the same secret, and lose it again.
      for (const value of [KEY, `secret-of-account-${index}`]) registry.add(new Secret(value));
      now += 3_600_000;
    }
    const parts = [KEY, address, 'hunter2-%C3%A9', 'hunter2-é', Buffer.from(KEY).toString('base64')];
    expect(parts.map((part) => registry.scrub(part))).toEqual(parts.map(() => '***'));
    expect(registry.scrub('secret-of-account-1.')).toBe('secret-of-account-1.');
  });

  it('never forgets one that may be in use, however many are', () => {
    let now = 0;
    const registry = createSecretRegistry({ capacity: 2, now: () => now });
    const values = Array.from({ length: 50 }, (_, index) => `secret-of-account-${index}.`);
    for (const value of values) registry.add(new Secret(value));
    // An account is open for a minute, its calls for a minute and a half more.
    now += 150_000;
    registry.add(new Secret('another-secret'));
    expect(values.map((value) => registry.scrub(value))).toEqual(values.map(() => '***'));
    now += 3_600_000;
    registry.add(new Secret('a-third-secret'));
    expect(values.map((value) => registry.scrub(value))).toEqual(values);
    expect(registry.scrub('another-secret a-third-secret')).toBe('*** ***');
  });
});

describe('many lines of one sentence', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The words of what is written, ten seconds after `write`, without and with what it says of what was left out. */
  function linesOf(level: string, write: (log: Logger) => void): { own: Line[]; leftOut: Line[] } {
    const lines: Line[] = [];
    const destination = { write: (line: string) => lines.push(parsed(line)) };
    write(createLogger({ level, pretty: false, destination, secrets: createSecretRegistry() }));
    vi.advanceTimersByTime(WINDOW_MS);
    const isOwn = ({ msg }: Line): boolean => msg !== 'lines like this were left out';
    return { own: lines.filter(isOwn), leftOut: lines.filter((line) => !isOwn(line)) };
  }
  const MANY = MAX_LINES + 25;

  it('are left out beyond the bound, and counted in a line of their level that belongs to no chat and no update', () => {
    const { own, leftOut } = linesOf('info', (log) => {
      for (let n = 0; n < MANY; n += 1)
        withCorrelation(n, () => log.child({ chat: `c${n}` }).warn({ n }, 'it was refused'));
      log.info({}, 'it went on');
      withCorrelation(7, () => vi.advanceTimersByTime(WINDOW_MS));
    });
    expect(own).toHaveLength(MAX_LINES + 1);
    expect(leftOut).toMatchObject([{ level: 'warn', line: 'it was refused', lines: 25 }]);
    expect(leftOut[0]).not.toHaveProperty('chat');
    expect(leftOut[0]).not.toHaveProperty('update');
  });

  it('are counted also when the process ends before', () => {
    const before = new Set(process.listeners('exit'));
    const fresh = () => process.listeners('exit').filter((each) => !before.has(each));
    const { leftOut } = linesOf('info', (log) => {
      for (let n = 0; n < MANY; n += 1) log.warn({ n }, 'it was refused');
      expect(fresh()).toHaveLength(1);
      for (const end of fresh()) end(0);
    });
    expect(leftOut).toMatchObject([{ lines: 25 }]);
    expect(fresh()).toEqual([]);
  });

  it('are all there where each has a reference that somebody was shown, and where each tells of an end', () => {
    const { own, leftOut } = linesOf('info', (log) => {
      for (let n = 0; n < MANY; n += 1) log.error({ reference: `r${n}` }, 'a turn failed');
      for (let n = 0; n < MANY; n += 1) log.fatal({ n }, 'it ends');
    });
    expect(own).toHaveLength(2 * MANY);
    expect(leftOut).toEqual([]);
  });

  it.each(['debug', 'trace'])('are all there at the level %s', (level) => {
    const { own, leftOut } = linesOf(level, (log) => {
      for (let n = 0; n < MANY; n += 1) log.warn({ n }, 'it was refused');
    });
    expect(own).toHaveLength(MANY);
    expect(leftOut).toEqual([]);
  });

  it('without words of their own are one source', () => {
    const { own, leftOut } = linesOf('info', (log) => {
      for (let n = 0; n < MANY; n += 1) log.warn(new Error(`number ${n}`));
    });
    expect(own).toHaveLength(MAX_LINES);
    expect(leftOut).toMatchObject([{ level: 'warn', line: '', lines: 25 }]);
  });
});

/** What the log makes of a value in all the places that a value can stand in. */
function everywhere(value: string, secret: string): string[] {
  const write = (log: Logger): void => {
    log.trace(value);
    log.info({ value, nested: { deep: [{ value }], map: new Map([[value, 1]]), set: new Set([value]) } });
    log.warn(
      { err: new Error(`before ${value} after`, { cause: new Error('inner', { cause: value }) }) },
      value,
    );
    log.error(new AppError('internal', value, { params: { value } }));
    log.child({ value }).info({ [value]: 1 }, 'text %s', value);
  };
  return [false, true].map((pretty) => logged(write, { pretty, secrets: [secret] }));
}
