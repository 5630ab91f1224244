import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '../src/sandbox/server.ts';
import { machineTime, serve } from './child.ts';

/* The sandbox gateway: messages come in when they are told to, and it is written down when an inbox was answered. */

const LINE = '3000123456';
const KEY = 'bench-key-';
/** Version 4 has it in the address, version 3 in a header. */
const OF_KEY = new RegExp(`${KEY}(\\w+)`, 'u');

let sandbox: Sandbox | null = null;
let requests = 0;
let read: { readonly account: string; readonly at: number }[] = [];

const Message = z.object({ request: z.custom<IncomingMessage>() });
const Receive = z.object({
  account: z.string(),
  from: z.string(),
  text: z.string(),
  ageSeconds: z.number().default(0),
});

subscribe('http.server.response.finish', (message) => {
  const { url = '', headers } = Message.parse(message).request;
  requests += 1;
  if (!url.includes('/inboxpaged')) return;
  const [, account = ''] = OF_KEY.exec(`${url} ${headers.authorization}`) ?? [];
  read.push({ account, at: machineTime() });
});

serve(
  {
    listen: async (payload) => {
      const { accounts } = z.object({ accounts: z.array(z.string()) }).parse(payload);
      sandbox = await startSandbox({
        keep: { ledger: 100 },
        accounts: accounts.map((name) => ({
          username: name,
          password: `${name}-pass`,
          apiKey: `${KEY}${name}`,
          lines: [LINE],
          credit: 1_000_000_000_000,
        })),
      });
      return { baseUrl: sandbox.baseUrl, wsUrl: sandbox.wsUrl };
    },

    /** Has a message come in, and tells when it did. */
    receive: (payload) => {
      const { account: name, from, text, ageSeconds } = Receive.parse(payload);
      const account = sandbox?.world.account(name);
      if (sandbox === null || account === undefined) throw new Error(`no account ${name}`);
      sandbox.world.receive(account, {
        from,
        line: LINE,
        text,
        at: sandbox.world.now() - ageSeconds * 1000,
      });
      return machineTime();
    },

    requests: () => requests,

    /** The pages of inboxes that were answered since the last time this was asked. */
    read: () => {
      const found = read;
      read = [];
      return found;
    },
  },
  async () => {
    await sandbox?.close();
  },
);
