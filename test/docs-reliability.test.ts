import { describe, expect, it } from 'vitest';
import { USAGE } from './chaos/arguments.ts';
import { dealInboxStrikes } from './chaos/inbox-strikes.ts';
import { createRandom } from './chaos/random.ts';
import { dealStrikes, type Strike } from './chaos/strikes.ts';
import {
  claimsOf,
  linesInBackticks,
  MAX_BYTES,
  namedTests,
  namesTest,
  shownIn,
} from './support/named-tests.ts';
import { readProjectFile } from './support/project-files.ts';

const DOCUMENT = 'docs/reliability.md';
const RUNS = /^npm run chaos -- (--[a-z]+)$/u;
const SIMULATION = 'npm run simulate';
/** What a fault may befall. */
const PARTS = ['updates', 'confirming', 'sending', 'looking for unknown', 'receiving', 'telling'];
const APART = 'out of reach: ';
/** Enough for every kind of blow to be dealt many times. */
const DECKS = 300;

const page = readProjectFile(DOCUMENT);
const list = readProjectFile('docs/shown/reliability.md');
const faults = faultsIn(section(list, '## Faults', '## Bad days'));

describe('the page on reliability', () => {
  const promises = shownIn(section(list, '## Promises', '## Faults'));
  const days = shownIn(section(list, '## Bad days', '## Figures'));

  it('has something for each promise, and a test for each bad day, listed under the words of the page', () => {
    const shown = [...promises, ...days];
    expect(shown.map(({ anchor, words }) => ({ anchor, words }))).toEqual(claimsOf(page));
    expect(shown.filter(({ by }) => by.length === 0)).toEqual([]);
    expect(shown.flatMap(({ by }) => by).filter((source) => !isShown(source))).toEqual([]);
    expect(days.flatMap(({ by }) => by).filter((source) => !namesTest(source))).toEqual([]);
    expect(namedTests(page + list).filter((named) => !namesTest(named))).toEqual([]);
    expect(promises).toHaveLength(8);
    expect(days.length).toBeGreaterThan(9);
  });

  it('tells of a long run only figures that this run has left', () => {
    const runs = section(page, '## What the long runs found', '## What is not covered').split(/^- /mu);
    const told = runs.slice(1).map((run) => {
      const [, command = '', words = ''] = /^`([^`]+)`:([^]*?)(?:\n\n|$)/u.exec(run) ?? [];
      const block = list.split('<!-- figures of ').find((each) => each.includes(`\n\`${command}\`, `)) ?? '';
      const figures = new Set(block.match(/(?<= )[\d,.]+(?= \|$)/gmu));
      return {
        command,
        isKept: block !== '',
        odd: (words.match(/\d[\d,]*/gu) ?? []).filter((figure) => !figures.has(figure)),
      };
    });
    expect(told.filter(({ isKept, odd }) => !isKept || odd.length > 0)).toEqual([]);
    expect(told.length).toBeGreaterThan(6);
    // The page says that every broken copy was caught.
    expect(list).not.toMatch(/ not caught \|$/mu);
  });

  it('is read in ten minutes', () => {
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(MAX_BYTES);
  });
});

describe('the list of faults', () => {
  const cells = faults.flatMap((fault) => fault.parts);
  const sources = new Set(cells.flatMap(({ by }) => by));

  it('leads each fault in each part to something, or says that it does not get there', () => {
    const named = faults.map(({ name, parts, apart }) => ({
      name,
      parts: [...parts.map(({ part }) => part), ...apart].toSorted(),
    }));
    expect(named.filter(({ parts }) => parts.join() !== PARTS.toSorted().join())).toEqual([]);
    expect(cells.filter(({ by }) => by.length === 0)).toEqual([]);
    expect(faults.length).toBeGreaterThan(27);
    process.stdout.write(
      `${DOCUMENT}: ${faults.length} faults, ${cells.length} parts that they reach, ${sources.size} sources\n`,
    );
  });

  it('names only tests that exist, blows that are dealt, and runs that there are', () => {
    expect([...sources].filter((source) => !isShown(source))).toEqual([]);
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
    expect(faultsIn('### It\n\n- a\n  - `b › c`\n- d\n- out of reach: e, f\n')).toEqual([
      {
        name: 'It',
        parts: [
          { part: 'a', by: ['b › c'] },
          { part: 'd', by: [] },
        ],
        apart: ['e', 'f'],
      },
    ]);
  });
});

function section(text: string, from: string, to: string): string {
  const [, after = ''] = text.split(`${from}\n`);
  const [inner = ''] = after.split(`${to}\n`);
  return inner;
}

interface Fault {
  readonly name: string;
  readonly parts: readonly { readonly part: string; readonly by: readonly string[] }[];
  /** The parts that it does not reach. */
  readonly apart: readonly string[];
}

/** By heading, each part of Peyk with what shows the fault there, one on a line. */
function faultsIn(text: string): Fault[] {
  return text
    .split(/^### /mu)
    .slice(1)
    .map((entry) => {
      const [name = '', ...items] = entry.split(/\n+- /u);
      const parts = items.filter((item) => !item.startsWith(APART));
      return {
        name,
        parts: parts.map((item) => ({ part: item.split('\n')[0] ?? '', by: linesInBackticks(item) })),
        apart: items
          .filter((item) => item.startsWith(APART))
          .flatMap((item) => item.slice(APART.length).trim().split(', ')),
      };
    });
}

function isShown(source: string): boolean {
  if (source === SIMULATION) return true;
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
    case 'pause':
      return strike.cut === true ? 'pause and cut' : 'pause';
    case 'kill':
    case 'disk':
    case 'postgres':
    case 'replay':
    case 'blackout':
      return strike.kind;
  }
}
