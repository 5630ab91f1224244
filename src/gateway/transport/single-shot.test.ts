import { describe, expect, test } from 'vitest';

import { acceptance, gatewayOf, SEND, VERSIONS } from '../testing/accounts.ts';
import { startRawServer } from '../testing/raw-server.ts';
import { underFault, WIRE_FAULTS } from '../testing/wire-faults.ts';

describe.each(VERSIONS)('a send of version %i', (version) => {
  test.each(WIRE_FAULTS)('is one request and unknown after $title', async (fault) => {
    await underFault(fault, async (server) => {
      const gateway = gatewayOf(version, server.url);

      const result = await gateway.use('sending').send(SEND);
      await gateway.close();

      expect(result).toMatchObject({ outcome: 'unknown', ...fault.expected });
      expect([server.connections(), server.requests().length]).toEqual([1, fault.requests ?? 1]);
    });
  });

  test('is one request on one connection that it asks to close', async () => {
    const server = await startRawServer({
      // A server that would like to keep the connection.
      onRequest: (socket) => {
        const body = acceptance(version);
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: keep-alive\r\n\r\n${body}`,
        );
      },
    });
    const gateway = gatewayOf(version, server.url);

    const first = await gateway.use('sending').send(SEND);
    const second = await gateway.use('sending').send(SEND);
    await gateway.close();
    await server.close();

    expect(first).toMatchObject({ outcome: 'accepted', messageIds: [{ id: '9007199254740993' }] });
    expect(second.outcome).toBe('accepted');
    expect(server.connections()).toBe(2);
    expect(server.requests()).toHaveLength(2);
    expect(server.requests()[0]).toMatch(/\r\nconnection: close\r\n/i);
  });

  test('to a port where nobody listens is proven unsent', async () => {
    const server = await startRawServer({});
    await server.close();
    const gateway = gatewayOf(version, server.url);

    const result = await gateway.use('sending').send(SEND);
    await gateway.close();

    expect(result).toEqual({ outcome: 'not_sent', reason: 'refused' });
  });

  test('to a server that closes every connection at once makes one connection', async () => {
    const server = await startRawServer({ onConnection: (socket) => socket.resetAndDestroy() });
    const gateway = gatewayOf(version, server.url);

    const result = await gateway.use('sending').send(SEND);
    await gateway.close();
    await server.close();

    // Whether the close is seen before or after the write is a race; both answers are true.
    expect(['unknown', 'not_sent']).toContain(result.outcome);
    expect(server.connections()).toBe(1);
  });
});
