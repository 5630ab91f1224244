import { connect, createServer, type Socket } from 'node:net';

/** What a pooler does with the settings that a session asks for at its start. */
export type Pooling = 'swallows' | 'refuses';

export interface Pooler {
  readonly port: number;
  close(): Promise<void>;
}

const ALWAYS_HANDED_ON = new Set(['user', 'database', 'client_encoding']);

/** Stands between clients and a server as poolers do, and hands on who somebody is, and nothing that they ask for. */
export async function startPooler(socketPath: string, pooling: Pooling): Promise<Pooler> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => undefined).on('close', () => open.delete(client));
    client.once('data', (startup: Buffer) => {
      const asked = parametersOf(startup);
      const refused = [...asked.keys()].find((name) => !ALWAYS_HANDED_ON.has(name));
      if (pooling === 'refuses' && refused !== undefined) {
        client.end(refusal(`unsupported startup parameter: ${refused}`));
        return;
      }
      const upstream = connect(socketPath);
      upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.on('close', () => upstream.destroy());
      upstream.write(startupWith([...asked].filter(([name]) => ALWAYS_HANDED_ON.has(name))));
      client.pipe(upstream).pipe(client);
    });
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', () => listening());
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((closed) => {
        server.close(() => closed());
      });
    },
  };
}

/** The message that begins a session: its length, the version of the protocol, names and values that end with a zero. */
function parametersOf(startup: Buffer): ReadonlyMap<string, string> {
  const words = startup.subarray(8).toString('utf8').split('\0');
  const found = new Map<string, string>();
  for (let n = 0; n + 1 < words.length && words[n] !== ''; n += 2) found.set(words[n]!, words[n + 1]!);
  return found;
}

function startupWith(parameters: readonly (readonly [string, string])[]): Buffer {
  const words = Buffer.from(`${parameters.flat().join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + words.length, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, words]);
}

function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E', 0);
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}
