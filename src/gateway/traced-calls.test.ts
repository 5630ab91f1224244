import { expect, test } from 'vitest';

import { withSpan, type Span, type Tracer } from '../ports/tracer.ts';
import type { GatewayLogRecord } from './calls.ts';
import { acceptance, SEND } from './testing/accounts.ts';
import { exchange, rest } from './testing/exchange.ts';

const QUIET: Span = {
  traceId: null,
  stamp: { parent: '', since: 0 },
  set: () => undefined,
  event: () => undefined,
};

test('a call within a trace is a span of it, which says how it ended, and one outside of any has none', async () => {
  const spans: unknown[] = [];
  const records: GatewayLogRecord[] = [];
  const tracer: Tracer = {
    async span(kind, name, attributes, work) {
      const said: unknown[] = [];
      spans.push([kind, name, attributes, said]);
      const set: Span['set'] = (ended) => said.push(ended);
      return await withSpan({ ...QUIET, set, event: (moment) => said.push(moment) }, work);
    },
    job: () => Promise.reject(new Error('no call is a job')),
  };
  const bodies = [rest({ data: { credit: 5 } }), rest({ data: { credit: 6 } }), rest({ entries: [] })];
  const { gateway } = await exchange(3, [...bodies, acceptance(3)], {
    tracer,
    log: (record) => records.push(record),
  });

  await gateway.use('credit').credit();
  const given = await withSpan(QUIET, async () => [
    await gateway.use('credit').credit(),
    await gateway.use('inbox').receive(),
    await gateway.use('sending').send(SEND, { beforeWrite: () => Promise.resolve(true) }),
    await gateway.use('sending').send(SEND, { beforeWrite: () => Promise.resolve(false) }),
  ]);

  expect(given).toMatchObject([6, [], { outcome: 'accepted' }, { outcome: 'not_sent' }]);
  const version = { 'peyk.gateway.version': 3 };
  const ended = (outcome: string, status?: number, reason?: string) => ({
    'peyk.outcome': outcome,
    'http.response.status_code': status,
    'error.type': reason,
  });
  expect(spans).toEqual([
    ['call', 'gateway credit', version, ['answered', ended('read', 200)]],
    ['call', 'gateway receive', version, ['answered', ended('done', 200)]],
    ['call', 'gateway send', version, ['answered', ended('accepted', 200)]],
    ['call', 'gateway send', version, [ended('not_sent', undefined, 'fence')]],
  ]);
  expect(records).toHaveLength(5);
});
