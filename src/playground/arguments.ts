import { ArgumentsError, LOOPBACK, readPort, splitArguments } from '../pages/program.ts';
import { TOKEN } from './server.ts';

/** What the command line of the emulator says. */
export interface PlaygroundArguments {
  readonly host: string;
  readonly port: number;
  readonly tokens: string[] | undefined;
  readonly limiter: boolean;
}

export const USAGE = `Usage: peyk-telegram [options]      (in the sources: npm run playground -- [options])
  --port N               Bot API and chat page (default 8081; 0 = a free port)
  --host ADDRESS         where to listen (default 127.0.0.1, which only this machine reaches)
  --token TOKEN          of the first bot (default: generated at each start); may be repeated. Other tokens make
                         bots too, with the first call
  --limiter              refuse with 429 what is above Telegram's published limits
  --help                 this text`;

const DEFAULT_PORT = 8081;

/** Reads the arguments after the script's name; `help` when that is all they ask for. Throws ArgumentsError. */
export function readArguments(argv: readonly string[]): PlaygroundArguments | 'help' {
  const { values } = splitArguments(argv, {
    port: { type: 'string' },
    host: { type: 'string' },
    token: { type: 'string', multiple: true },
    limiter: { type: 'boolean' },
    help: { type: 'boolean' },
  });
  if (values.help === true) return 'help';
  if (values.token?.every((token) => TOKEN.test(token)) === false)
    throw new ArgumentsError('--token must be <digits>:<35 characters of A-Z a-z 0-9 _ ->');
  return {
    host: values.host ?? LOOPBACK,
    port: readPort('--port', values.port) ?? DEFAULT_PORT,
    tokens: values.token,
    limiter: values.limiter ?? false,
  };
}
