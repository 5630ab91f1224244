import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A span as OTLP has it in JSON, as far as tests look at it. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly events: readonly { readonly name: string }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
  /** The process that it comes from. */
  readonly pid: number;
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  /** All that has come, head and body of each request. */
  readonly received: readonly { readonly head: string; readonly body: Buffer }[];
  spans(): ExportedSpan[];
  close(): Promise<void>;
}

/**
 * What takes traces in, on loopback.
 * @param how `hangs`: takes everything and never answers
 */
export async function startCollector(how: 'answers' | 'hangs' = 'answers'): Promise<Collector> {
  const received: { readonly head: string; readonly body: Buffer }[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { method, url, rawHeaders } = request;
      received.push({ head: [method, url, ...rawHeaders].join('\n'), body });
      if (how === 'answers') response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    received,
    spans: () => received.flatMap(({ body }) => spansIn(JSON.parse(body.toString('utf8')))),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: Pick<ExportedSpan, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ExportedSpan, 'pid'>[] }[];
  }[];
}

function spansIn(exported: unknown): ExportedSpan[] {
  const { resourceSpans } = exported as Exported;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const pid = Number(valueOf(resource, 'process.pid'));
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, pid })));
  });
}

/** What an attribute says; undefined: it has none of that name. */
export function valueOf({ attributes }: Pick<ExportedSpan, 'attributes'>, name: string): unknown {
  return Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];
}
