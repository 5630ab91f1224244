import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Where only this machine gets to. */
export const LOOPBACK = '127.0.0.1';

/** A mistake on the command line, worded for the person who made it. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Takes apart what comes after the script's name. Throws ArgumentsError for what is not among the options.
 * @param others whether there may be more than options
 */
export function splitArguments<T extends Options>(argv: readonly string[], options: T, others?: 'and names') {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: others !== undefined });
  } catch (error) {
    throw new ArgumentsError(error instanceof Error ? error.message : String(error));
  }
}

/** Reads a port, 0 included. Throws ArgumentsError with the name of the option. */
export function readPort(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new ArgumentsError(`${name} must be a port from 0 to 65535`);
  }
  return Number(text);
}

/** What runs until it is told to end. */
interface Running {
  /** Printed as JSON. */
  readonly ready: object;
  close(): Promise<void>;
}

/**
 * Runs a stand-in as a program: one line of JSON on stdout when ready, everything else on stderr. Ends with 0 on SIGTERM
 * and SIGINT, with 2 on a mistake in the arguments, with 1 when it cannot start.
 * @param read what the arguments say, or `help`
 */
export async function runProgram<T extends { readonly host: string }>(program: {
  readonly name: string;
  readonly usage: string;
  readonly read: (argv: readonly string[]) => T | 'help';
  readonly start: (options: T, note: (text: string) => void) => Promise<Running>;
}): Promise<void> {
  const note = (text: string): void => {
    process.stderr.write(`${program.name}: ${text}\n`);
  };
  const fail = (error: unknown): void => {
    note(error instanceof Error ? error.message : String(error));
    if (error instanceof ArgumentsError) process.stderr.write(`${program.usage}\n`);
    process.exit(error instanceof ArgumentsError ? 2 : 1);
  };
  try {
    const options = program.read(process.argv.slice(2));
    if (options === 'help') {
      process.stdout.write(`${program.usage}\n`);
      return;
    }
    if (![LOOPBACK, '::1', 'localhost'].includes(options.host))
      note(`listening on ${options.host}: this is a test server, do not let strangers reach it`);
    const running = await program.start(options, note);
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        // One Ctrl-C comes twice below npm, which passes on what the terminal has sent already.
        if (stopping) return;
        stopping = true;
        running.close().then(() => process.exit(0), fail);
      });
    }
    process.stdout.write(`${JSON.stringify(running.ready)}\n`);
  } catch (error) {
    fail(error);
  }
}
