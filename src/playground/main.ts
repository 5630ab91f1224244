import { runProgram } from '../pages/program.ts';
import { USAGE, readArguments } from './arguments.ts';
import { startPlayground } from './server.ts';

await runProgram({
  name: 'telegram',
  usage: USAGE,
  read: readArguments,
  async start({ tokens, ...options }) {
    const { apiRoot, pageUrl, token, close } = await startPlayground({
      ...options,
      ...(tokens === undefined ? {} : { tokens }),
      anyToken: true,
      seedWorld: true,
    });
    return { ready: { apiRoot, pageUrl, token }, close };
  },
});
