import { z } from 'zod';
import { parseLine } from '../../domain/phone.ts';

/** A sender line as people write it, to its digits. */
export const lineSchema = z.string().transform((typed, ctx) => {
  const line = parseLine(typed);
  if (line !== null) return line;
  ctx.addIssue({ code: 'custom', message: 'not a sender line' });
  return z.NEVER;
});
