import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Context, Span as OtelSpan, SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { isAppError } from '../domain/errors.ts';
import type { Log } from '../ports/runtime.ts';
import { currentSpan, withSpan, type Span, type Tracer } from '../ports/tracer.ts';
import type { Config } from './config.ts';

export interface OtelTracerOptions {
  readonly traces: NonNullable<Config['traces']>;
  readonly version: string;
  readonly roles: readonly string[];
  readonly log: Log;
}

export interface OtelTracer extends Tracer {
  /** Hands over what is left, for a few seconds at most. */
  stop(): Promise<void>;
}

/** A batch with all its tries. Whatever the collector does not take in this time is dropped. */
const EXPORT_MS = 5000;
const DRAIN_MS = 3000;
/** A job that begins later than this after its trace has one of its own. */
const TOGETHER_SECONDS = 900;

const KINDS = {
  update: SpanKind.SERVER,
  call: SpanKind.CLIENT,
  part: SpanKind.INTERNAL,
} as const;

/**
 * Hands spans over to a collector, as OTLP in JSON. Nobody waits for it: what has ended waits in memory, 2048 spans at
 * most, and what finds no room, or is not taken in time, is dropped. It is registered nowhere in the process, and patches nothing.
 */
export function startOtelTracer({ traces, version, roles, log }: OtelTracerOptions): OtelTracer {
  const agents: (HttpAgent | HttpsAgent)[] = [];
  const collector = new OTLPTraceExporter({
    url: `${traces.endpoint}/v1/traces`,
    headers: headersIn(traces.headers?.reveal() ?? ''),
    timeoutMillis: EXPORT_MS,
    httpAgentOptions(protocol) {
      const agent = protocol === 'http:' ? new HttpAgent() : new HttpsAgent();
      agents.push(agent);
      return agent;
    },
  });
  let isOver = false;
  const exporter: SpanExporter = {
    export(spans, done) {
      if (isOver) return done({ code: FAILED });
      collector.export(spans, (result) => {
        if (result.error !== undefined)
          log.warn(
            { spans: spans.length, why: kindOf(result.error) },
            'traces were not taken by the collector',
          );
        done(result);
      });
    },
    shutdown: () => collector.shutdown(),
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': traces.serviceName,
      'service.version': version,
      'process.pid': process.pid,
      'peyk.roles': roles.join(','),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(traces.share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS + 1000 })],
  });
  const tracer = provider.getTracer('peyk', version);

  return {
    async span(kind, name, attributes, work) {
      const above = kind === 'update' ? undefined : currentSpan()?.stamp;
      const options = { kind: KINDS[kind], attributes };
      const span = tracer.startSpan(name, options, below(contextOf(above?.parent)));
      return await within(span, above?.since ?? nowSeconds(), above?.link, work);
    },
    async job(name, { stamp, apart }, attributes, work) {
      const kind = SpanKind.CONSUMER;
      if (stamp === null || (!apart && nowSeconds() - stamp.since <= TOGETHER_SECONDS)) {
        const span = tracer.startSpan(name, { kind, attributes }, below(contextOf(stamp?.parent)));
        return await within(span, stamp?.since ?? nowSeconds(), undefined, work);
      }
      // A job that asks for itself again and again, as one after delivery reports does, links to where that began.
      const looksAfter = stamp.link ?? stamp.parent;
      const context = contextOf(looksAfter);
      const links = context === null ? [] : [{ context }];
      const span = tracer.startSpan(name, { kind, attributes, links }, ROOT_CONTEXT);
      return await within(span, nowSeconds(), apart ? looksAfter : undefined, work);
    },
    async stop() {
      const drained = provider.shutdown().catch(() => undefined);
      await Promise.race([drained, sleep(DRAIN_MS, undefined, { ref: false })]);
      isOver = true;
      for (const agent of agents) agent.destroy();
    },
  };
}

/** As the library has it. */
const FAILED = 1;

async function within<T>(
  span: OtelSpan,
  since: number,
  link: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await withSpan(spanOf(span, since, link), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}

function spanOf(span: OtelSpan, since: number, link: string | undefined): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = traceFlags & TraceFlags.SAMPLED;
  const parent = `00-${traceId}-${spanId}-0${sampled}`;
  return {
    traceId: sampled === 0 ? null : traceId,
    stamp: link === undefined ? { parent, since } : { parent, since, link },
    set: (attributes) => void span.setAttributes({ ...attributes }),
    event: (name, attributes) => void span.addEvent(name, { ...attributes }),
  };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The span that a `traceparent` names; null for none, and for one that nobody here has written. */
function contextOf(traceparent: string | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  return { traceId, spanId, traceFlags: Number(flags) & TraceFlags.SAMPLED, isRemote: true };
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/;

function below(parent: SpanContext | null): Context {
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

/** One word: what errors say may hold what people have typed, or an address. */
function kindOf(error: unknown): string {
  if (isAppError(error)) return error.code;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (/^[A-Z0-9_]{1,40}$/u.test(code)) return code;
  return error instanceof Error && /^\w{1,40}$/u.test(error.name) ? error.name : 'unknown';
}

/** `name=value` with commas between, percent-encoded. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}
