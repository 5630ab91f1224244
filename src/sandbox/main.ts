import { ArgumentsError, USAGE, readArguments } from './arguments.ts';
import { logLine } from './journal.ts';
import { startSandbox } from './server.ts';

/** The sandbox as a program: one line of JSON on stdout when ready, everything else on stderr. */
async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { log, ...rest } = options;
  if (!['127.0.0.1', '::1', 'localhost'].includes(options.host))
    note(
      `listening on ${options.host}: this is a test server with public keys, do not let strangers reach it`,
    );
  const sandbox = await startSandbox({
    ...rest,
    onExchange: log ? (exchange) => process.stderr.write(`${logLine(exchange)}\n`) : undefined,
    onCrash: (error) => note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // One Ctrl-C comes twice below npm, which passes on what the terminal has sent already.
      if (stopping) return;
      stopping = true;
      sandbox.close().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    });
  }
  const { baseUrl, wsUrl, adminUrl } = sandbox;
  process.stdout.write(`${JSON.stringify({ baseUrl, wsUrl, adminUrl })}\n`);
}

function note(text: string): void {
  process.stderr.write(`sandbox: ${text}\n`);
}

function fail(error: unknown): void {
  note(error instanceof Error ? error.message : String(error));
  if (error instanceof ArgumentsError) process.stderr.write(`${USAGE}\n`);
  process.exit(error instanceof ArgumentsError ? 2 : 1);
}

main().catch(fail);
