import { currentSpan, type Tracer } from '../ports/tracer.ts';
import type { Calls, GatewayLog } from './calls.ts';

/**
 * The calls of an account, each with its repeats as a span of what it is made for: the name of the operation, never its
 * address. What Peyk asks by itself, outside of any trace, has none.
 */
export function traceCalls(calls: Calls, version: number, tracer: Tracer): Calls {
  const traced = async <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    currentSpan() === undefined
      ? await work()
      : await tracer.span('call', `gateway ${operation}`, { 'peyk.gateway.version': version }, work);
  return {
    read: async (operation, ...rest) => await traced(operation, () => calls.read(operation, ...rest)),
    write: async (operation, ...rest) => await traced(operation, () => calls.write(operation, ...rest)),
    send: async (operation, ...rest) => await traced(operation, () => calls.send(operation, ...rest)),
  };
}

/** The log of calls, which also says in the span of each how it has ended. */
export function traceOutcomes(log: GatewayLog | undefined): GatewayLog {
  return (record) => {
    const { outcome, httpStatus, reason } = record;
    const span = currentSpan();
    if (httpStatus !== undefined) span?.event('answered');
    span?.set({ 'peyk.outcome': outcome, 'http.response.status_code': httpStatus, 'error.type': reason });
    log?.(record);
  };
}
