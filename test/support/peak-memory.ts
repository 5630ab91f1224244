import { readFileSync } from 'node:fs';

/**
 * Reads the most memory that this process has held at once, in bytes. On Linux `maxRSS` begins with what the process held
 * that has started this one, so the kernel's figure for the program itself is read instead.
 */
export function peakMemory(): number {
  const kilobytes = process.platform === 'linux' ? ownPeak() : null;
  return (kilobytes ?? process.resourceUsage().maxRSS) * 1024;
}

function ownPeak(): number | null {
  const found = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'utf8'));
  return found === null ? null : Number(found[1]);
}
