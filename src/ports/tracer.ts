import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';

/*
 * One trace from what somebody typed to the calls that come of it, over all processes. Where none is made there is no tracer
 * at all: what would be traced is then made without it, and runs as it is.
 */

/** Words, counts and ids from the code: never what somebody has typed, a number, an address or a credential. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What the payload of a job says of the trace that asked for it. */
const stampShape = z.object({
  /** The span, as W3C has it in `traceparent`. */
  parent: z.string(),
  /** When its trace began, in seconds since 1970. */
  since: z.number(),
  /** Of a job that looks after something long ago: the span of that. */
  link: z.string().optional(),
});
export type TraceStamp = Readonly<z.output<typeof stampShape>>;

/** A piece of work that is under way. */
export interface Span {
  /** Of its trace; null for one of which nothing is handed over. */
  readonly traceId: string | null;
  /** For jobs that are asked for here. */
  readonly stamp: TraceStamp;
  set(attributes: SpanAttributes): void;
  /** Notes a moment of it. */
  event(name: string, attributes?: SpanAttributes): void;
}

export interface Tracer {
  /**
   * Does the work as a span within the current one; an update begins a trace. What fails in it is told by its kind alone, and
   * thrown on.
   */
  span<T>(
    kind: 'update' | 'call' | 'part',
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<T>,
  ): Promise<T>;
  /**
   * Does a job as part of the trace that asked for it. Where that is `apart`, or began long ago, the job has a trace of its
   * own, with a link there: of one that goes on for days nobody sees the end.
   */
  job<T>(
    name: string,
    by: { readonly stamp: TraceStamp | null; readonly apart: boolean },
    attributes: SpanAttributes,
    work: () => Promise<T>,
  ): Promise<T>;
}

/** The trace that has asked for a job, by its payload; null where there is none. */
export function traceIn(payload: unknown): TraceStamp | null {
  return z.object({ trace: stampShape }).safeParse(payload).data?.trace ?? null;
}

const spans = new AsyncLocalStorage<Span>();

/** What runs now; absent where nothing is traced, and in what Peyk does by itself. */
export function currentSpan(): Span | undefined {
  return spans.getStore();
}

/** Does the work as part of this span. */
export function withSpan<T>(span: Span, work: () => T): T {
  return spans.run(span, work);
}
