import { badRequest } from '../errors.ts';
import type { UploadedFile } from '../files.ts';

/**
 * The parameters of one call. Whatever the form of the request, each value is a text: numbers and objects of
 * a JSON body are written back as JSON, which is how the server reads them too.
 */
export interface Params {
  str: (name: string) => string;
  /** The value, or Telegram's refusal of a missing one. */
  required: (name: string) => string;
  /** A whole number, or `fallback` when it is missing or no number; cut to the limits. */
  int: (name: string, fallback: number, min?: number, max?: number) => number;
  bool: (name: string) => boolean;
  has: (name: string) => boolean;
  /** The parsed JSON value; undefined when missing. `what` names it in the refusal for broken JSON. */
  json: (name: string, what: string) => unknown;
  file: (field: string) => UploadedFile | undefined;
  files: readonly UploadedFile[];
  /** Everything, decoded for people: for the call log and for matching faults. */
  shown: Readonly<Record<string, unknown>>;
}

export function createParams(values: ReadonlyMap<string, string>, files: readonly UploadedFile[]): Params {
  const str = (name: string): string => values.get(name) ?? '';
  return {
    str,
    required(name) {
      const text = str(name);
      if (text === '') throw badRequest(`Parameter "${name}" is required`);
      return text;
    },
    int(name, fallback, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
      const text = str(name).trim();
      const value = /^[+-]?\d+$/.test(text) ? Number(text) : fallback;
      return Math.min(Math.max(value, min), max);
    },
    bool: (name) => ['true', 'yes', '1'].includes(str(name).toLowerCase()),
    has: (name) => values.has(name),
    json(name, what) {
      const text = str(name);
      if (text === '') return undefined;
      try {
        return JSON.parse(text);
      } catch {
        throw badRequest(`can't parse ${what} JSON object`);
      }
    },
    file: (field) => files.find((file) => file.field === field),
    files,
    shown: Object.fromEntries([...values].map(([name, value]) => [name, decoded(value)])),
  };
}

/** The file that a parameter names: `attach://<field>`, or a part with the parameter's own name. */
export function attachedFile(params: Params, name: string, value: string): UploadedFile | undefined {
  if (value.startsWith('attach://')) return params.file(value.slice('attach://'.length));
  return value === '' ? params.file(name) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decoded(value: string): unknown {
  if (!/^(?:-?\d{1,15}$|[[{]|true$|false$)/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
