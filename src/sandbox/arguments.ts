import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { accountSeed } from './world/account-seed.ts';
import type { AccountSeed } from './world/account-seed.ts';

/** What the command line of the sandbox says. Files are named, not opened, save the accounts. */
export type SandboxArguments = {
  readonly port: number;
  readonly wsPort: number;
  readonly adminPort: number | undefined;
  readonly accounts: readonly AccountSeed[] | undefined;
  readonly ledgerFile: string | undefined;
  readonly deliverySeconds: number | undefined;
  /** One line for each request on stderr. */
  readonly log: boolean;
};

export const USAGE = `Usage: npm run sandbox -- [options]
  --port N               versions 4 and 3 (default 8801; 0 = a free port)
  --ws-port N            version 1 (default 8802; 0 = a free port)
  --admin-port N         admin interface (default: off; 0 = a free port)
  --accounts FILE        JSON list of accounts in place of the built-in ones
  --ledger FILE          append every accepted send and every request to FILE
  --delivery-seconds N   time until the last recipient has settled (default 4)
  --log                  one line for each request on stderr: what it was, how it ended, why it was refused
  --help                 this text`;

const DEFAULT_PORT = 8801;
const DEFAULT_WS_PORT = 8802;

/** A mistake on the command line, worded for the person who made it. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}

/** Reads the arguments after the script's name; `help` when that is all they ask for. Throws ArgumentsError. */
export function readArguments(argv: readonly string[]): SandboxArguments | 'help' {
  const values = split(argv);
  if (values.help === true) return 'help';
  return {
    port: readPort('--port', values.port) ?? DEFAULT_PORT,
    wsPort: readPort('--ws-port', values['ws-port']) ?? DEFAULT_WS_PORT,
    adminPort: readPort('--admin-port', values['admin-port']),
    accounts: values.accounts === undefined ? undefined : readAccounts(values.accounts),
    ledgerFile: values.ledger,
    deliverySeconds: readSeconds('--delivery-seconds', values['delivery-seconds']),
    log: values.log ?? false,
  };
}

function split(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        port: { type: 'string' },
        'ws-port': { type: 'string' },
        'admin-port': { type: 'string' },
        accounts: { type: 'string' },
        ledger: { type: 'string' },
        'delivery-seconds': { type: 'string' },
        log: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new ArgumentsError(error instanceof Error ? error.message : String(error));
  }
}

function readPort(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new ArgumentsError(`${name} must be a port from 0 to 65535`);
  }
  return Number(text);
}

function readSeconds(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}(\.\d+)?$/.test(text)) throw new ArgumentsError(`${name} must be a number of seconds`);
  return Number(text);
}

function readAccounts(file: string): AccountSeed[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : describeIo(error);
    throw new ArgumentsError(`--accounts: cannot read ${file}: ${reason}`);
  }
  const checked = z.array(accountSeed).min(1).safeParse(content);
  if (checked.success) return checked.data;
  throw new ArgumentsError(`--accounts: ${file} does not fit:\n${z.prettifyError(checked.error)}`);
}

function describeIo(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
