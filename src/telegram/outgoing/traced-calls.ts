import type { Transformer } from 'grammy';
import { currentSpan, type Tracer } from '../../ports/tracer.ts';

/** Each call to Telegram that something traced makes, from its turn on, as a span: its method and how it ended, nothing of what it says. */
export function traceCalls(tracer: Tracer): Transformer {
  return async (prev, method, payload, signal) => {
    if (currentSpan() === undefined) return await prev(method, payload, signal);
    return await tracer.span('call', `telegram ${method}`, {}, async () => {
      const answer = await prev(method, payload, signal);
      currentSpan()?.set({ 'http.response.status_code': answer.ok ? 200 : answer.error_code });
      return answer;
    });
  };
}
