import type { z } from 'zod';
import type { Json } from './json.ts';

/** One address of the admin interface. Its `run` throws with a text for the caller when the input is wrong. */
export type Endpoint = { readonly method: string; readonly path: string; run(input: unknown): Json };

export function endpoint<I>(
  method: string,
  path: string,
  input: z.ZodType<I>,
  run: (input: I) => Json,
): Endpoint {
  return { method, path, run: (raw) => run(input.parse(raw)) };
}
