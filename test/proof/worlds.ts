import type { World } from './state.ts';

const one = { calls: 1, processes: 2, takes: 2 } as const;
const sends = { approval: true, later: true } as const;

/** Each is searched to its end. Together they are what CI looks at; `npm run proof -- --long` has the larger ones besides. */
export const WORLDS = {
  'one call and every trouble': {
    ...one,
    takes: 3,
    kills: 1,
    cuts: 1,
    late: true,
    interrupts: true,
    lists: true,
    refusals: true,
  },
  'three processes': { ...one, processes: 3, takes: 3, kills: 1, cuts: 1, late: true, lists: true },
  'two calls': { ...one, calls: 2, kills: 1, interrupts: true },
  'three calls': { ...one, calls: 3, takes: 1, kills: 1 },
  'a draft and what comes of it': { ...one, draft: sends, second: 'of the first', interrupts: true },
  'a second send': { ...one, processes: 1, takes: 3, second: 'of the first', lists: true, kills: 1, cuts: 1 },
  'an equal send': { ...one, second: 'of somebody else', lists: true, kills: 1 },
  'lost commits': { ...one, takes: 3, copy: 'live', lists: true },
  'lost commits and presses': { ...one, takes: 1, copy: 'live', draft: { approval: false, later: true } },
  'a backup': {
    ...one,
    processes: 1,
    copy: 'operator',
    second: 'of the first',
    kills: 1,
    lists: true,
    refusals: true,
  },
  'a scheduled send and a backup': {
    ...one,
    processes: 1,
    draft: { approval: false, later: true },
    copy: 'operator',
  },
} as const satisfies Record<string, World>;

/** Minutes, and gigabytes. */
export const LONG = {
  'three processes, killed twice': { ...WORLDS['three processes'], kills: 2 },
  'a draft and a backup': {
    ...WORLDS['a draft and what comes of it'],
    processes: 1,
    copy: 'operator',
    refusals: true,
  },
  'lost commits and interrupts': { ...WORLDS['lost commits'], lists: false, interrupts: true },
} as const satisfies Record<string, World>;

/** What is said to be out of reach is: these end in a second copy, and a limit that is gone can be taken off the page. */
export const LIMITS = {
  'a process is cut off, and with it goes what the database has lost': { ...WORLDS['lost commits'], cuts: 1 },
} as const satisfies Record<string, World>;
