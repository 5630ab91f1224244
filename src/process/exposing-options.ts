import { AppError } from '../domain/errors.ts';

/** What a process of Node was started with. */
export interface StartedWith {
  /** `process.execArgv`. */
  readonly execArgv: readonly string[];
  /** The variable NODE_OPTIONS. */
  readonly nodeOptions: string | undefined;
  /** Where an inspector listens; undefined: none does. */
  readonly inspectorUrl: string | undefined;
}

/**
 * Options that open the memory of the process to others or write it to a disk, with every key in it. A diagnostic report has
 * all settings in it.
 */
const EXPOSING =
  /^--(?:inspect|debug-port|heapsnapshot-|heap-prof|abort-on-uncaught-exception|diagnostic-dir|report-(?!exclude-))/u;

/**
 * Refuses to go on in a process whose memory others can read. Throws `config` with the names of the options, without their
 * values.
 */
export function refuseExposure(startedWith: StartedWith): void {
  const found = exposingOptions(startedWith);
  if (found.length === 0) return;
  throw new AppError(
    'config',
    `its memory, with all keys in it, would be open to others or written to a disk: ${found.join(', ')}. ` +
      'Take that out of the command and of NODE_OPTIONS, or set ALLOW_INSPECTOR=1 where nobody’s keys are at stake.',
  );
}

function exposingOptions({ execArgv, nodeOptions = '', inspectorUrl }: StartedWith): string[] {
  // NODE_OPTIONS is divided by spaces; a quoted option has its name in front too.
  const given = [...execArgv, ...nodeOptions.split(/\s+/u).map((option) => option.replace(/^["']+/u, ''))];
  const names = given.map((option) =>
    (option.split('=')[0] ?? '').replaceAll('_', '-').replace(/["']+$/u, ''),
  );
  const found = [...new Set(names.filter((name) => EXPOSING.test(name)))];
  const isOpen = inspectorUrl !== undefined && !found.some((name) => name.startsWith('--inspect'));
  return isOpen ? [...found, 'an inspector that listens'] : found;
}
