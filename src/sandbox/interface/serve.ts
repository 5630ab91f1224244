import { jsonAnswer } from '../http.ts';
import type { Answer } from '../http.ts';
import type { ApiVersion } from '../versions/api-version.ts';
import { openApi } from './openapi.ts';
import { interfacePage } from './page.ts';

/** The interface of a version as `/interface/vN.json` (OpenAPI) or `/interface/vN.md`; undefined for any other path. */
export function interfaceAnswer(versions: readonly ApiVersion[], path: string): Answer | undefined {
  const [, number, form] = /^\/interface\/v(\d)\.(json|md)$/.exec(path) ?? [];
  const version = versions.find((one) => String(one.version) === number);
  if (version === undefined) return undefined;
  if (form === 'json') return jsonAnswer(openApi(version));
  const headers = { 'content-type': 'text/markdown; charset=utf-8' };
  return { httpStatus: 200, headers, body: interfacePage(version) };
}
