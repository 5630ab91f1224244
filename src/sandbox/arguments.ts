import { ArgumentsError, LOOPBACK, readPort, splitArguments } from '../pages/program.ts';
import { FileError, readAccounts, readConfig } from './config.ts';
import type { FaultRule } from './faults.ts';
import type { AccountSeed } from './world/account-seed.ts';
import { SHAPES, shapesSchema } from './shapes.ts';
import type { ShapeName } from './shapes.ts';
import type { SwitchesChange } from './world/switches.ts';

/** What the command line of the sandbox says. Files are named, not opened, save accounts and configuration. */
export type SandboxArguments = {
  readonly host: string;
  readonly port: number;
  readonly wsPort: number;
  readonly adminPort: number | undefined;
  readonly accounts: readonly AccountSeed[] | undefined;
  readonly ledgerFile: string | undefined;
  readonly deliverySeconds: number | undefined;
  readonly switches: SwitchesChange | undefined;
  readonly faults: readonly FaultRule[] | undefined;
  readonly strict: boolean | undefined;
  readonly shapes: readonly ShapeName[] | undefined;
  /** One line for each request on stderr. */
  readonly log: boolean;
};

export const USAGE = `Usage: peyk-sandbox [options]      (in the sources: npm run sandbox -- [options])
  --port N               versions 4 and 3 (default 8801; 0 = a free port)
  --ws-port N            version 1 (default 8802; 0 = a free port)
  --admin-port N         admin interface (default: off; 0 = a free port)
  --host ADDRESS         where to listen (default 127.0.0.1, which only this machine reaches)
  --config FILE          JSON of accounts with all they have, switches, faults, delivery plan
  --accounts FILE        JSON list of accounts in place of the built-in ones
  --ledger FILE          append every accepted send and every request to FILE
  --delivery-seconds N   time until the last recipient has settled (default 4)
  --strict               refuse what a real gateway may refuse; otherwise it passes with a warning in the journal
  --shapes NAME…         what answers look like where the interface is silent, several beside each other:
${SHAPES.map(({ name, does }) => `                           ${name.padEnd(17)}${does}`).join('\n')}
  --log                  one line for each request on stderr: what it was, how it ended, why it was refused
  --help                 this text`;

const DEFAULT_PORT = 8801;
const DEFAULT_WS_PORT = 8802;

/** Reads the arguments after the script's name; `help` when that is all they ask for. Throws ArgumentsError. */
export function readArguments(argv: readonly string[]): SandboxArguments | 'help' {
  const { values, positionals } = split(argv);
  if (values.help === true) return 'help';
  if (values.shapes === undefined && positionals[0] !== undefined)
    throw new ArgumentsError(`${positionals[0]} belongs to no option`);
  if (values.config !== undefined && values.accounts !== undefined)
    throw new ArgumentsError('--config and --accounts both name accounts: give one of them');
  const { accounts, config } = readFiles(values);
  return {
    host: values.host ?? LOOPBACK,
    port: readPort('--port', values.port) ?? DEFAULT_PORT,
    wsPort: readPort('--ws-port', values['ws-port']) ?? DEFAULT_WS_PORT,
    adminPort: readPort('--admin-port', values['admin-port']),
    accounts: accounts ?? config?.accounts,
    switches: config?.switches,
    faults: config?.faults,
    ledgerFile: values.ledger,
    deliverySeconds: readSeconds('--delivery-seconds', values['delivery-seconds']) ?? config?.deliverySeconds,
    strict: values.strict,
    shapes: values.shapes === undefined ? undefined : readShapes([...values.shapes, ...positionals]),
    log: values.log ?? false,
  };
}

function split(argv: readonly string[]) {
  return splitArguments(
    argv,
    {
      port: { type: 'string' },
      'ws-port': { type: 'string' },
      'admin-port': { type: 'string' },
      host: { type: 'string' },
      config: { type: 'string' },
      accounts: { type: 'string' },
      ledger: { type: 'string' },
      'delivery-seconds': { type: 'string' },
      strict: { type: 'boolean' },
      shapes: { type: 'string', multiple: true },
      log: { type: 'boolean' },
      help: { type: 'boolean' },
    },
    'and names',
  );
}

function readFiles(named: { accounts?: string | undefined; config?: string | undefined }) {
  try {
    return {
      accounts: named.accounts === undefined ? undefined : readAccounts(named.accounts),
      config: named.config === undefined ? undefined : readConfig(named.config),
    };
  } catch (error) {
    throw error instanceof FileError ? new ArgumentsError(error.message) : error;
  }
}

function readShapes(names: readonly string[]): readonly ShapeName[] {
  const read = shapesSchema.safeParse(names);
  if (read.success) return read.data;
  throw new ArgumentsError(`--shapes: ${read.error.issues.map(({ message }) => message).join('; ')}`);
}

function readSeconds(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}(\.\d+)?$/.test(text)) throw new ArgumentsError(`${name} must be a number of seconds`);
  return Number(text);
}
