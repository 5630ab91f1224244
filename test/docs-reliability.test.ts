import { describe, expect, it } from 'vitest';
import { USAGE } from './chaos/arguments.ts';
import { dealInboxStrikes } from './chaos/inbox-strikes.ts';
import { createRandom } from './chaos/random.ts';
import { dealStrikes, type Strike } from './chaos/strikes.ts';
import { namedTests, namesTest } from './support/named-tests.ts';
import { readProjectFile } from './support/project-files.ts';

const DOCUMENT = 'docs/reliability.md';
const RUNS = /^npm run chaos -- (--[a-z]+)$/u;
const UNSHOWN = 'not shown';
const NOWHERE = '–';
/** Enough for every kind of blow to be dealt many times. */
const DECKS = 300;

describe('the fault matrix', () => {
  const text = section('### Fault matrix', '### Bad days');
  const cells = rowsOf(text).flatMap(([, ...row]) => row);
  const sources = sourcesOf(text);

  it('leads each cell to something, or says that nothing shows it', () => {
    const odd = cells.filter((cell) => cell !== UNSHOWN && cell !== NOWHERE && !/^\d+(, \d+)*$/u.test(cell));
    expect(odd).toEqual([]);
    const used = new Set(cells.flatMap((cell) => cell.match(/\d+/gu) ?? []).map(Number));
    expect([...used].toSorted((a, b) => a - b)).toEqual([...sources.keys()]);
    const count = (what: (cell: string) => boolean): number => cells.filter(what).length;
    process.stdout.write(
      `${DOCUMENT}: ${count((cell) => /^\d/u.test(cell))} cells by ${sources.size} sources, ${count((cell) => cell === UNSHOWN)} not shown\n`,
    );
  });

  it('names only tests that exist, blows that are dealt, and runs that there are', () => {
    expect([...sources.values()].filter((source) => !isShown(source))).toEqual([]);
    expect(sources.size).toBeGreaterThan(60);
  });

  it('is seen through by this test', () => {
    expect(isShown('test/docs-reliability.test.ts › is seen through by this test')).toBe(true);
    for (const made of [
      'test/docs-reliability.test.ts › is not there',
      'storm: earthquake',
      'storm: holder kill',
      'npm run chaos -- --earthquakes',
      'kill',
    ])
      expect(isShown(made)).toBe(false);
    expect(sourcesOf('1. `storm: kill`\n2. `a › b`\n')).toEqual(
      new Map([
        [1, 'storm: kill'],
        [2, 'a › b'],
      ]),
    );
  });
});

describe('the bad days', () => {
  const text = section('### Bad days', '## How to run it');

  it('name a test that exists in every row', () => {
    const rows = rowsOf(text);
    expect(rows.filter((row) => namedTests(row.join(' ')).length === 0)).toEqual([]);
    expect(namedTests(text).filter((named) => !namesTest(named))).toEqual([]);
    expect(rows.length).toBeGreaterThan(9);
  });
});

function section(from: string, to: string): string {
  const [, after = ''] = readProjectFile(DOCUMENT).split(`${from}\n`);
  const [inner = ''] = after.split(`${to}\n`);
  return inner;
}

/** The cells of a table's rows, without its head. */
function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The numbered list below the table. */
function sourcesOf(text: string): Map<number, string> {
  return new Map(
    [...text.matchAll(/^(\d+)\. `([^`\n]+)`$/gmu)].map(([, number, source = '']) => [Number(number), source]),
  );
}

function isShown(source: string): boolean {
  const run = RUNS.exec(source)?.[1];
  if (run !== undefined) return USAGE.includes(`  ${run} `);
  const [, kind, blow = ''] = /^(storm|inbox): (.+)$/u.exec(source) ?? [];
  if (kind === undefined) return namesTest(source);
  return (kind === 'storm' ? STORM : INBOX).has(blow);
}

const STORM = dealt(dealStrikes);
const INBOX = dealt(dealInboxStrikes);

function dealt(deal: typeof dealStrikes): ReadonlySet<string> {
  const decks = Array.from({ length: DECKS }, (_, seed) => deal(createRandom(`matrix ${seed}`), 8000, 3));
  return new Set(decks.flat().map(nameOf));
}

/** What a blow is called in the document: its kind, and what it falls on. */
function nameOf(strike: Strike): string {
  switch (strike.kind) {
    case 'holder':
      return `holder ${strike.how}`;
    case 'wire':
    case 'refuse':
    case 'cut_all':
    case 'partition':
      return `${strike.kind} ${strike.wire}`;
    case 'gateway': {
      const { kind, when = 'after' } = strike.rule;
      return `gateway ${String(kind)} ${String(when)}`;
    }
    case 'telegram': {
      const { code, drop, html502 } = strike.rule;
      if (typeof code === 'number') return `telegram ${code}`;
      if (typeof drop === 'string') return `telegram drop ${drop}`;
      return html502 === true ? 'telegram html502' : 'telegram delay';
    }
    case 'kill':
    case 'pause':
    case 'postgres':
    case 'replay':
    case 'blackout':
      return strike.kind;
  }
}
