import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Sent with everything that a browser may show: nothing comes from elsewhere and nothing frames the page. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Where a page finds what it shares with others: the same path as from its folder in the sources. */
export const COMMON_PATH = '/pages/common/';
export const COMMON_FOLDER = new URL('common/', import.meta.url);

/** Letters for Persian where the system has none; all of their weights are in one file. */
const FONT = 'vazirmatn.woff2';

/** Serves one file of a page's folder (a plain name, no folders) or of what pages share; false when there is no such file. */
export async function servePage(folder: URL, path: string, response: ServerResponse): Promise<boolean> {
  const isCommon = path.startsWith(COMMON_PATH);
  const name = path === '/' ? 'index.html' : path.slice(isCommon ? COMMON_PATH.length : 1);
  const type = TYPES[extname(name)];
  if (type === undefined || !/^[a-z0-9][a-z0-9_-]*\.[a-z0-9]+$/i.test(name)) return false;
  try {
    const isFont = isCommon && name === FONT;
    const bytes = await readFile(isFont ? findFont() : new URL(name, isCommon ? COMMON_FOLDER : folder));
    response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': type, 'content-length': bytes.length });
    response.end(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Where the code was packed up for others, it lies among the files; otherwise in its package. */
function findFont(): URL | string {
  const packed = new URL(FONT, COMMON_FOLDER);
  if (existsSync(packed)) return packed;
  return createRequire(import.meta.url).resolve('vazirmatn/fonts/webfonts/Vazirmatn[wght].woff2');
}
