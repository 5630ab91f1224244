import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { readJson } from './json.ts';
import type { Sandbox } from './server.ts';

/** What tests of this folder share: a plain client, one per version, and a raw socket. */

export const KEY = 'sandbox-key-demo';
export const TOKEN = 'sandbox-token-demo';
export const LINE = '3000123456';
export const PLAIN = '09121111111';

export type Reply = { httpStatus: number; contentType: string; text: string; json: unknown };
export type Query = Record<string, string>;

type HttpOptions = {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT';
  headers?: Record<string, string>;
  body?: string;
};

/** One request on a connection of its own; the body is read to its end and, when it is JSON, parsed. */
export async function http(url: string, options: HttpOptions = {}): Promise<Reply> {
  const dispatcher = new Agent({ maxHeaderSize: 1024 * 1024 });
  try {
    const { statusCode, headers, body } = await request(url, { ...options, dispatcher });
    const text = await body.text();
    const contentType = String(headers['content-type'] ?? '');
    const json = contentType.startsWith('application/json') ? readJson(text) : undefined;
    return { httpStatus: statusCode, contentType, text, json };
  } finally {
    await dispatcher.close();
  }
}

export function v4(sandbox: Sandbox, path: string, query: Query = {}, key = KEY): Promise<Reply> {
  return http(`${sandbox.baseUrl}/api/v4/${key}/${path}?${new URLSearchParams(query).toString()}`);
}

export function v3(sandbox: Sandbox, path: string, body: unknown = {}, headers?: Query): Promise<Reply> {
  return http(`${sandbox.baseUrl}/api/v3/rest/${path}`, {
    method: 'POST',
    headers: headers ?? { authorization: KEY },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Deletes with a JSON body: version 3 on its host, version 1 on its own. */
export function remove(version: 3 | 1, sandbox: Sandbox, path: string, body: unknown = {}): Promise<Reply> {
  const base = version === 3 ? `${sandbox.baseUrl}/api/v3/rest` : `${sandbox.wsUrl}/api/v1/rest`;
  const token = version === 3 ? KEY : TOKEN;
  return http(`${base}/${path}`, { method: 'DELETE', headers: { token }, body: JSON.stringify(body) });
}

type Parameters = Record<string, string | number | readonly (string | number)[]>;

/** An operation that versions 4 and 3 have at the same path; version 4 gets lists with commas between. */
export function rest(
  version: 4 | 3,
  sandbox: Sandbox,
  path: string,
  parameters: Parameters = {},
): Promise<Reply> {
  if (version === 3) return v3(sandbox, path, parameters);
  const query = Object.entries(parameters).map(([name, value]) => [name, [value].flat().join(',')]);
  return v4(sandbox, `${path}.json`, Object.fromEntries(query));
}

export function v1(sandbox: Sandbox, path: string, body?: unknown, headers?: Query): Promise<Reply> {
  const url = `${sandbox.wsUrl}/api/v1/rest/${path}`;
  const given = { headers: headers ?? { token: TOKEN } };
  if (body === undefined) return http(url, given);
  return http(url, {
    ...given,
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A send of version 4, 3 or 1 with the demo account's credentials. */
export function sendOn(
  version: number,
  sandbox: Sandbox,
  { from = LINE, recipients = [PLAIN], message = 'سلام' } = {},
): Promise<Reply> {
  if (version === 4) return v4(sandbox, 'sms/send.json', { from, recipients: recipients.join(','), message });
  const body = { from, recipients, message, type: 0 };
  return version === 3 ? v3(sandbox, 'sms/send', body) : v1(sandbox, 'sms/send', body);
}

/** A table as the documents have it. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [head = '', ...lines] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines].join('\n');
}

/** Holds the table of a document to the one in code; with UPDATE_TABLES=1 it is written. */
export function documentTable(name: string, table: string): { readonly text: string; readonly made: string } {
  const file = new URL(name, import.meta.url);
  const [head = ''] = /^\| \S+/.exec(table) ?? [];
  const before = readFileSync(file, 'utf8');
  const at = before.indexOf(`\n${head}`);
  const rest = before.slice(at + 1);
  const made = `${before.slice(0, at + 1)}${table}${rest.replace(/^(?:\|.*(?:\n|$))*/, '\n')}`;
  if (process.env['UPDATE_TABLES'] === '1') writeFileSync(file, made);
  return { text: readFileSync(file, 'utf8'), made };
}

/** Writes raw bytes and reads until the connection ends, and how it ended. */
export function exchange(url: string, bytes: string): Promise<{ text: string; ended: 'fin' | 'reset' }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    let ended: 'fin' | 'reset' = 'fin';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => {
      ended = 'reset';
    });
    socket.on('close', () => resolve({ text, ended }));
  });
}

/** A version 3 send as raw HTTP, for {@link exchange}; it asks for the connection to end with the answer. */
export function rawSend(): string {
  const body = JSON.stringify({ from: LINE, recipients: [PLAIN], message: 'raw', type: 0 });
  return [
    'POST /api/v3/rest/sms/send HTTP/1.1',
    'host: sandbox',
    'connection: close',
    `authorization: ${KEY}`,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
