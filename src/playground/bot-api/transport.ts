import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import { readMultipart, type Form } from './multipart.ts';
import { createParams, type Params } from './params.ts';

/** 50 MB of file and room for the rest of the form. */
const MAX_BODY_BYTES = 51 * 1024 * 1024;

/** The whole body. Throws 413 above {@link MAX_BODY_BYTES}. */
export async function readBody(request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const piece: Buffer = chunk;
    size += piece.length;
    if (size > limit) throw new ApiError(413, 'Request Entity Too Large');
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}

/** Parameters from the query and from a JSON, urlencoded or multipart body; the body wins. */
export async function readParams(request: IncomingMessage, query: URLSearchParams): Promise<Params> {
  const values = new Map(query);
  if (request.method === 'GET') return createParams(values, []);
  const type = request.headers['content-type'] ?? '';
  const body = await readBody(request);
  const form = await readForm(type, body);
  for (const [name, value] of form.values) values.set(name, value);
  return createParams(values, form.files);
}

/** The parameters of a call that came as an object (a webhook's answer). */
export function paramsFromObject(object: Readonly<Record<string, unknown>>): Params {
  return createParams(textValues(object), []);
}

async function readForm(type: string, body: Buffer): Promise<Form> {
  const kind = type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (kind === 'multipart/form-data') return readMultipart(type, body);
  if (kind === 'application/json') return { values: jsonValues(body), files: [] };
  if (kind === 'application/x-www-form-urlencoded') {
    return { values: new Map(new URLSearchParams(body.toString('utf8'))), files: [] };
  }
  return { values: new Map(), files: [] };
}

function jsonValues(body: Buffer): Map<string, string> {
  if (body.length === 0) return new Map();
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw new ApiError(400, "Bad Request: can't parse JSON object");
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ApiError(400, 'Bad Request: JSON object expected');
  }
  return textValues(parsed);
}

function textValues(object: object): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    if (value === null || value === undefined) continue;
    values.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return values;
}
