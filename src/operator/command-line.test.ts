import { describe, expect, test } from 'vitest';
import { readCommandLine, usageOf } from './command-line.ts';

const textOf = (args: readonly string[]): string => {
  const read = readCommandLine(args);
  return 'text' in read ? read.text : '';
};

test('what stands behind a command is its own to read, in whatever script and with whatever dashes', () => {
  expect(readCommandLine([])).toEqual({ kind: 'run' });
  expect(readCommandLine(['halt', 'restored', '--since', '2026-11-22T09:30:00Z'])).toEqual({
    kind: 'command',
    name: 'halt',
    args: ['restored', '--since', '2026-11-22T09:30:00Z'],
  });
  expect(readCommandLine(['forget', '۰۹۱۲', '۱۲۳', '۴۵۶۷'])).toMatchObject({ args: ['۰۹۱۲', '۱۲۳', '۴۵۶۷'] });
  expect(readCommandLine(['forget'])).toEqual({ kind: 'command', name: 'forget', args: [] });
});

describe('help', () => {
  test('has every command, where settings come from, and what each exit code means', () => {
    const help = textOf(['--help']);
    for (const part of [
      'peyk try',
      'peyk keys rotate',
      'peyk halt restored [--since TIME]',
      'peyk forget NUMBER',
    ])
      expect(help).toContain(part);
    for (const part of ['.env', 'DATA_DIR', 'README.md', 'operations.md']) expect(help).toContain(part);
    expect([...help.matchAll(/^ {2}(\d+) /gmu)].map(([, code]) => code)).toEqual([
      '0',
      '1',
      '64',
      '69',
      '78',
    ]);
    expect(help.split('\n').filter((line) => line.length > 118)).toEqual([]);
    expect(textOf(['-h'])).toBe(help);
  });

  test('of one command has its ways alone, and goes before what else stands there', () => {
    expect(textOf(['keys', '--help'])).toBe(usageOf('keys'));
    expect(textOf(['keys', 'rotate', '-h'])).toBe(usageOf('keys'));
    expect(
      usageOf('keys')
        .split('\n')
        .map((line) => line.split('  ')[0]),
    ).toEqual(['peyk keys status', 'peyk keys new', 'peyk keys rotate']);
  });
});

describe('a mistake', () => {
  test.each([
    [['kyes'], 'there is no command "kyes". Did you mean keys?'],
    [['hal'], 'Did you mean halt?'],
    [['Keys'], 'Did you mean keys?'],
    [['doctors'], 'there is no command "doctors"'],
    [['something'], 'there is no command "something". peyk --help lists what there is.'],
    [['toString'], 'there is no command "toString"'],
    [['--hlep'], 'there is no option --hlep. Did you mean --help?'],
    [['-x'], 'there is no option -x. peyk --help'],
    [['--versoin', 'keys'], 'Did you mean --version?'],
    [['try', 'this'], 'peyk try takes nothing behind it'],
  ])('is told with what was meant, where something is near: %j', (args, said) => {
    expect(readCommandLine(args).kind).toBe('mistake');
    expect(textOf(args)).toContain(said);
  });

  test('does not bring what was typed to the terminal as it stands', () => {
    expect(textOf(['\u001b[31mred'])).not.toContain('\u001b');
  });
});
