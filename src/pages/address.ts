import type { Server } from 'node:http';

/** Where this machine finds a server that listens: `http://`, its address and port; of one on all addresses, loopback. */
export function urlOf(server: Server): string {
  const found = server.address();
  if (found === null || typeof found === 'string') throw new Error('the server listens on no port');
  const { address, port } = found;
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${inUrl(own)}:${port}`;
}

/** An IP address as a URL has it; one of version 4 that came by a socket of version 6 is its own again. */
export function inUrl(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}
