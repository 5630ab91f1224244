import busboy from 'busboy';
import { ApiError } from '../errors.ts';
import { mimeFor, type UploadedFile } from '../files.ts';

const BARE_NAME = /(;\s*filename=)([^";\r\n][^;\r\n]*)([^\r\n]*)/i;

/** The two halves of a form: texts by name, and files in their order. */
export interface Form {
  values: Map<string, string>;
  files: UploadedFile[];
}

/**
 * Reads a multipart body (whole, as bytes). Takes what grammY sends: header names in lower case,
 * `form-data;name=` without a space, and file names without quotation marks.
 */
export function readMultipart(contentType: string, body: Buffer): Promise<Form> {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const form: Form = { values: new Map(), files: [] };
  const source = quoteFileNames(body, boundary?.[1] ?? boundary?.[2] ?? '');
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new ApiError(400, 'Bad Request: wrong multipart form'));
    let parser: busboy.Busboy;
    try {
      parser = busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8' });
    } catch {
      fail();
      return;
    }
    parser.on('field', (name, value) => form.values.set(name, value));
    parser.on('file', (field, stream, info) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const name = info.filename || 'file';
        form.files.push({ field, name, mime: mimeFor(name), bytes: Buffer.concat(chunks) });
      });
    });
    parser.on('error', fail);
    parser.on('close', () => resolve(form));
    parser.end(source);
  });
}

/**
 * Puts the file names in quotation marks. The server reads a bare one up to the next `;`, blanks and letters of
 * any script included, and decodes `%xx`; the parser stops at the first character that is no token.
 */
function quoteFileNames(body: Buffer, boundary: string): Buffer {
  const delimiter = Buffer.from(`--${boundary}\r\n`);
  const pieces: Buffer[] = [];
  let from = 0;
  let at = boundary === '' ? -1 : body.indexOf(delimiter);
  while (at >= 0) {
    const headAt = at + delimiter.length;
    const headEnd = body.indexOf('\r\n\r\n', headAt);
    if (headEnd < 0) break;
    const head = body.toString('utf8', headAt, headEnd);
    const quoted = head.replace(BARE_NAME, (_, key: string, name: string, rest: string) => {
      const others = /^;\s*[\w*-]+=/.test(rest) ? rest : '';
      return `${key}"${escapeQuotes(percentDecoded(name.trim()))}"${others}`;
    });
    if (quoted !== head) {
      pieces.push(body.subarray(from, headAt), Buffer.from(quoted));
      from = headEnd;
    }
    at = body.indexOf(delimiter, headEnd);
  }
  return pieces.length === 0 ? body : Buffer.concat([...pieces, body.subarray(from)]);
}

function escapeQuotes(name: string): string {
  return name.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function percentDecoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
