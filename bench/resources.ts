import { z } from 'zod';

/** What the process has used since its start. */
export const Resources = z.object({ cpuMs: z.number(), peakMb: z.number() });

export function resources(): z.output<typeof Resources> {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024 };
}
