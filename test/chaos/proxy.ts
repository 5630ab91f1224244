import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** What happens to the bytes of one connection. Counts are of bytes in the named direction. */
export type LinkFault =
  | { readonly kind: 'delay'; readonly ms: number }
  /** Both ends see a reset after so many bytes have passed. */
  | { readonly kind: 'reset'; readonly way: 'up' | 'down'; readonly after: number }
  /** Both ends see an orderly end. */
  | { readonly kind: 'cut'; readonly way: 'up' | 'down'; readonly after: number }
  /** From there on nothing passes in this direction, and nobody is told. */
  | { readonly kind: 'blackhole'; readonly way: 'up' | 'down'; readonly after: number };

export interface FaultyProxy {
  readonly port: number;
  /** Where new connections lead from now on. */
  lead(to: NetConnectOpts): void;
  /** New connections carry their bytes so many milliseconds late, each way. */
  slow(ms: number): void;
  /** Harms the next connection that is made; faults wait in a line. */
  harmNext(fault: LinkFault): void;
  /** Harms every connection that is open, counted from now. Returns how many. */
  harmOpen(fault: LinkFault): number;
  /** Whether new connections are refused, as by a machine on which nothing listens. */
  refuse(refusing: boolean): Promise<void>;
  /** Forgets the faults in line, takes connections, and cuts those that a fault was laid on. */
  heal(): Promise<void>;
  /** Cuts every open connection. */
  cutAll(): void;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  harm(fault: LinkFault): void;
  harmed: boolean;
}

/** A TCP proxy on loopback that does to connections what networks do. */
export async function startFaultyProxy(to: NetConnectOpts): Promise<FaultyProxy> {
  let target = to;
  let latencyMs = 0;
  let refusing = false;
  let waiting: LinkFault[] = [];
  const links = new Set<Link>();

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const link = join(client, connect({ ...target, allowHalfOpen: true }), latencyMs);
    links.add(link);
    // One end may live on behind the other, unaware, until somebody heals.
    for (const socket of [link.client, link.server]) {
      socket.once('close', () => {
        if (link.client.destroyed && link.server.destroyed) links.delete(link);
      });
    }
    const fault = waiting.shift();
    if (fault !== undefined) link.harm(fault);
  });
  const listen = (port: number): Promise<void> =>
    new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', failed);
        listening();
      });
    });
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const cutAll = (only: (link: Link) => boolean = () => true): void => {
    for (const link of links) {
      if (!only(link)) continue;
      link.client.destroy();
      link.server.destroy();
    }
  };

  return {
    port,
    lead(next) {
      target = next;
    },
    slow(ms) {
      latencyMs = ms;
    },
    harmNext(fault) {
      waiting.push(fault);
    },
    harmOpen(fault) {
      for (const link of links) link.harm(fault);
      return links.size;
    },
    async refuse(now) {
      if (now === refusing) return;
      refusing = now;
      if (!now) return await listen(port);
      // New ones are refused at once. Nobody waits for the end of those that are open: it may never be told of.
      server.close();
    },
    async heal() {
      waiting = [];
      cutAll((link) => link.harmed);
      if (!refusing) return;
      refusing = false;
      await listen(port);
    },
    cutAll: () => cutAll(),
    async close() {
      cutAll();
      await new Promise<void>((closed) => {
        server.close(() => closed());
      });
    },
  };
}

function join(client: Socket, server: Socket, latencyMs: number): Link {
  const up = createFlow(latencyMs);
  const down = createFlow(latencyMs);
  const end = (how: 'reset' | 'cut'): void => {
    for (const socket of [client, server]) {
      // A unix socket knows no reset.
      if (how === 'reset' && socket.remoteAddress !== undefined) socket.resetAndDestroy();
      else socket.destroy();
    }
  };
  pipe(client, server, up, end);
  pipe(server, client, down, end);
  const link: Link = {
    client,
    server,
    harmed: false,
    harm(fault) {
      link.harmed = true;
      for (const [way, flow] of [
        ['up', up],
        ['down', down],
      ] as const) {
        if (fault.kind === 'delay') flow.delayMs = fault.ms;
        else if (fault.way === way) flow.stop = { kind: fault.kind, left: fault.after };
      }
    },
  };
  return link;
}

interface Flow {
  delayMs: number;
  stop: { readonly kind: 'reset' | 'cut' | 'blackhole'; left: number } | null;
  /** When what passes now may arrive: delayed bytes keep their order. */
  last: Promise<void>;
}

function createFlow(delayMs: number): Flow {
  return { delayMs, stop: null, last: Promise.resolve() };
}

function pipe(from: Socket, to: Socket, flow: Flow, end: (how: 'reset' | 'cut') => void): void {
  const later = (work: () => void): void => {
    const { delayMs, last } = flow;
    if (delayMs === 0 && last === settled) return work();
    const due = new Promise<void>((resolve) => {
      setTimeout(resolve, delayMs);
    });
    const mine = Promise.all([last, due]).then(work);
    flow.last = mine;
  };
  flow.last = settled;
  from.on('data', (bytes: Buffer) => {
    const { stop } = flow;
    if (stop === null) return later(() => void to.write(bytes));
    const pass = bytes.subarray(0, stop.left);
    stop.left -= pass.length;
    if (pass.length > 0) later(() => void to.write(pass));
    if (pass.length === bytes.length) return;
    if (stop.kind !== 'blackhole') later(() => end(stop.kind === 'reset' ? 'reset' : 'cut'));
  });
  from.on('end', () => {
    if (flow.stop?.kind !== 'blackhole') later(() => to.end());
  });
  // A blackhole does not tell of an end either; whoever heals cuts both.
  from.on('error', () => to.destroy());
  from.on('close', (broken) => {
    if (flow.stop?.kind !== 'blackhole') later(() => void (broken ? to.destroy() : to.end()));
  });
}

const settled = Promise.resolve();
