import { runProgram } from '../pages/program.ts';
import { USAGE, readArguments } from './arguments.ts';
import { logLine } from './journal.ts';
import { startSandbox } from './server.ts';

await runProgram({
  name: 'sandbox',
  usage: USAGE,
  read: readArguments,
  async start({ log, ...options }, note) {
    const { baseUrl, wsUrl, adminUrl, close } = await startSandbox({
      ...options,
      onExchange: log ? (exchange) => process.stderr.write(`${logLine(exchange)}\n`) : undefined,
      onCrash: (error) => note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    });
    return { ready: { baseUrl, wsUrl, adminUrl }, close };
  },
});
