import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const READY_MS = 120_000;
const STOP_MS = 60_000;
const CALL_MS = 10_000;
const MOST_OUTPUT = 64_000_000;

/** The screen of try mode to its end, or the one line of a stand-in. */
const READY = /Ctrl-C|^\{.*\}$/m;

export interface Start {
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly uid?: number;
  readonly gid?: number;
  /** Sends SIGTERM to the program itself, where it is not what was started. */
  readonly stop?: () => void;
}

/**
 * Starts the command of an image, has it used with the addresses that it printed when ready, and ends it by SIGTERM.
 * Rejects when it does not become ready or does not end with 0, and then prints what it has said.
 */
export async function whileRunning(
  { command: [program = '', ...args], stop, ...how }: Start,
  use: (addresses: readonly string[]) => Promise<void>,
): Promise<void> {
  const child = spawn(program, args, { ...how, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => String(code ?? signal));
  try {
    const began = performance.now();
    const ready = await until(() => READY.test(output), ended);
    if (ready !== undefined) throw new Error(ready);
    const addresses = output.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [];
    say(`ready after ${seconds(began)}: ${addresses.join(' ')}`);
    await use(addresses);
    const asked = performance.now();
    if (stop === undefined) child.kill('SIGTERM');
    else stop();
    const how = await Promise.race([ended, pause(STOP_MS, 'still running', { ref: false })]);
    if (how !== '0') throw new Error(`SIGTERM ended it with ${how}`);
    say(`SIGTERM ended it with 0 after ${seconds(asked)}`);
  } catch (error) {
    process.stdout.write(output);
    throw error;
  } finally {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  }
}

/** What GET answers at `/` of each of these, when asked at another address by the name that a browser has for it. */
export async function askedAt(address: string, bases: readonly string[]): Promise<readonly string[]> {
  const answers = bases.map(async (base) => {
    const { host, port } = new URL(base);
    const call = get({ host: address, port, headers: { host }, timeout: CALL_MS });
    const [answer]: IncomingMessage[] = await once(call, 'response');
    return answer === undefined ? '' : await text(answer);
  });
  return await Promise.all(answers);
}

/** Throws unless all of these answer at that address, one of them with a page. */
export async function expectPages(address: string, bases: readonly string[]): Promise<void> {
  const pages = (await askedAt(address, bases)).filter((body) => /<!doctype html>/i.test(body));
  if (pages.length === 0) throw new Error(`there is no page at ${address}`);
  say(`answers at ${address}, ${pages.length} of ${bases.length} with a page`);
}

/** What a program prints. Throws, with what it complained of, when it does not end with 0. */
export function output(
  [program = '', ...args]: readonly string[],
  how: Omit<Start, 'command' | 'stop'> = {},
): string {
  const done = spawnSync(program, args, { ...how, encoding: 'utf8', maxBuffer: MOST_OUTPUT });
  if (done.status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${done.status}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

/** Milliseconds of this program as seconds, since a moment of its clock. */
export function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Why what is waited for is not there; undefined when it is. */
async function until(isThere: () => boolean, ended: Promise<string>): Promise<string | undefined> {
  let how: string | undefined;
  void ended.then((code) => (how = code));
  const end = performance.now() + READY_MS;
  while (performance.now() < end && how === undefined) {
    if (isThere()) return undefined;
    await pause(100);
  }
  return how === undefined ? 'it did not become ready' : `it ended with ${how}`;
}
