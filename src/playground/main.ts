import { startPlayground } from './server.ts';

/** `npm run playground`: port from PLAYGROUND_PORT, otherwise any free one; runs until SIGTERM or SIGINT. */
const port = Number(process.env['PLAYGROUND_PORT'] ?? 0);
const playground = await startPlayground({ port, anyToken: true, seedWorld: true });
const { apiRoot, pageUrl, token } = playground;
process.stdout.write(`${JSON.stringify({ apiRoot, pageUrl, token })}\n`);

let stopping = false;
/** More than once for one Ctrl-C: npm passes on what the terminal has sent already. */
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  playground.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
