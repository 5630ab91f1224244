import { look, well, type ClockSeen, type Finding } from './finding.ts';

/** A header has whole seconds, and its answer was on the way for some. */
const MOST_SECONDS = 5;

/** How far this machine is ahead of the header `date` of an answer that has just come; empty where that is no date. */
export function aheadOf(of: string, date: string | undefined): readonly ClockSeen[] {
  const then = Date.parse(date ?? '');
  // What was cut off of the second is half a one at a guess.
  return Number.isNaN(then) ? [] : [{ of, aheadMs: Date.now() - then - 500 }];
}

/** This machine's clock beside all others that were seen; null where none was. */
export function compareClocks(clocks: readonly ClockSeen[]): Finding | null {
  if (clocks.length === 0) return null;
  const seconds = clocks.map(({ of, aheadMs }) => ({ of, ahead: Math.round(aheadMs / 1000) }));
  const off = seconds.filter(({ ahead }) => Math.abs(ahead) > MOST_SECONDS);
  if (off.length === 0)
    return well('clock', `within ${MOST_SECONDS} s of ${clocks.map(({ of }) => of).join(', ')}`);
  const told = off.map(({ of, ahead }) => `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} ${of}`);
  return look(
    'clock',
    `this machine is ${told.join(', ')}. Have time synchronisation (NTP) set what is wrong`,
  );
}
