import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { faultSchema } from '../src/sandbox/faults.ts';
import { startSandbox, type Sandbox } from '../src/sandbox/server.ts';
import { machineTime, serve } from './child.ts';

/* The sandbox gateway, and when requests reach it and have been answered. */

interface Seen {
  readonly operation: string;
  readonly startedAt: number;
  readonly finishedAt: number;
}

let sandbox: Sandbox | null = null;
let seen: Seen[] = [];
let requests = 0;
const starts = new WeakMap<IncomingMessage, number>();
const awaited = new Map<string, (at: number) => void>();

subscribe('http.server.request.start', (message) => {
  const { request } = Message.parse(message);
  const at = machineTime();
  starts.set(request, at);
  const operation = operationOf(request);
  awaited.get(operation)?.(at);
  awaited.delete(operation);
});

subscribe('http.server.response.finish', (message) => {
  const { request } = Message.parse(message);
  requests += 1;
  seen.push({
    operation: operationOf(request),
    startedAt: starts.get(request) ?? 0,
    finishedAt: machineTime(),
  });
});

const Message = z.object({ request: z.custom<IncomingMessage>() });
const Listen = z.object({
  accounts: z.array(z.string()),
  reports: z.object({ seconds: z.number(), of: z.int() }).optional(),
});
const Name = z.object({ operation: z.string() });

serve(
  {
    listen: async (payload) => {
      const { accounts, reports } = Listen.parse(payload);
      sandbox = await startSandbox({
        deliverySeconds: reports?.seconds ?? 0.2,
        keep: { ledger: 100, ...(reports && { recipients: reports.of, messages: reports.of }) },
        accounts: accounts.map((name) => ({
          username: name,
          password: `${name}-pass`,
          apiKey: keyOf(name),
          lines: ['3000123456'],
          credit: 1_000_000_000_000,
        })),
      });
      return { baseUrl: sandbox.baseUrl, wsUrl: sandbox.wsUrl };
    },
    fault: (payload) => sandbox?.faults.add(faultSchema.parse(payload)),
    clearFaults: () => sandbox?.faults.clear(),

    /** How many were answered so far. */
    requests: () => requests,

    /** Resolves with when the next request for the operation comes. */
    next: async (payload) => {
      const { operation } = Name.parse(payload);
      return await new Promise<number>((resolve) => awaited.set(operation, resolve));
    },

    /** The requests for the operation that were answered since the last time this was asked. */
    answered: (payload) => {
      const { operation } = Name.parse(payload);
      const found = seen.filter((request) => request.operation === operation);
      seen = [];
      return found;
    },
  },
  async () => {
    await sandbox?.close();
  },
);

function operationOf(request: IncomingMessage): string {
  const path = (request.url ?? '').split('?')[0] ?? '';
  return path.slice(path.lastIndexOf('/') + 1);
}

function keyOf(account: string): string {
  return `bench-key-${account}`;
}
