import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAppError } from '../domain/errors.ts';
import { refuseExposure, type StartedWith } from './exposing-options.ts';

const QUIET: StartedWith = { execArgv: [], nodeOptions: undefined, inspectorUrl: undefined };

function refusalOf(more: Partial<StartedWith>): string | null {
  try {
    refuseExposure({ ...QUIET, ...more });
    return null;
  } catch (error) {
    if (!isAppError(error, 'config')) throw error;
    return error.message;
  }
}

const OPTIONS = [
  '--inspect',
  '--inspect=0.0.0.0:9229',
  '--inspect-brk',
  '--inspect-wait',
  '--inspect_port=1',
  '--debug-port=1',
  '--heapsnapshot-signal=SIGUSR2',
  '--heapsnapshot-near-heap-limit=3',
  '--heap-prof',
  '--abort-on-uncaught-exception',
  '--abort_on_uncaught_exception',
  '--diagnostic-dir=/tmp',
  '--report-on-signal',
  '--report-uncaught-exception',
  '--report-on-fatalerror',
];

describe('a start that would open the memory of the process', () => {
  test.each(OPTIONS)('is refused, and names what it is: %s', (option) => {
    const name = option.split('=')[0]?.replaceAll('_', '-') ?? '';
    for (const more of [
      { execArgv: ['--no-warnings', option] },
      { nodeOptions: `--max-old-space-size=100  ${option}` },
      { nodeOptions: `"${option}" --no-warnings` },
    ]) {
      expect(refusalOf(more)).toContain(` ${name}. `);
      expect(refusalOf(more)).not.toContain('0.0.0.0');
      expect(refusalOf(more)).toContain('ALLOW_INSPECTOR=1');
    }
  });

  test('is refused for an inspector that listens whatever has opened it', () => {
    expect(refusalOf({ inspectorUrl: 'ws://127.0.0.1:9229/1' })).toContain('an inspector that listens');
    const both = refusalOf({ inspectorUrl: 'ws://127.0.0.1:9229/1', execArgv: ['--inspect'] });
    expect(both).toContain(': --inspect. ');
    expect(both).not.toContain('9229');
  });

  test('is none with all other options', () => {
    expect(refusalOf({})).toBeNull();
    const others = ['--max-old-space-size=900', '--disable-sigusr1', '--report-exclude-env', '--no-warnings'];
    expect(refusalOf({ execArgv: others, nodeOptions: others.join(' ') })).toBeNull();
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (execArgv, nodeOptions) => {
        const text = [...execArgv, nodeOptions].join(' ').replaceAll('_', '-');
        fc.pre(!/--(?:inspect|debug-port|heap|abort|diagnostic|report)/u.test(text));
        expect(refusalOf({ execArgv, nodeOptions })).toBeNull();
      }),
    );
  });
});
