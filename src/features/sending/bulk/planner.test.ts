import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SKIP_REASONS, skippedRows, type OnMissing, type SourceRow } from '../../../domain/bulk.ts';
import { readCellNumber } from '../../../domain/cell-number.ts';
import { fitsAddress } from '../../../domain/kinds/multi.ts';
import { readTemplate, renderRow } from '../../../domain/merge.ts';
import { checkMessage, measureMessage } from '../../../domain/message.ts';
import type { PlannedCall, PlanSpec, SkippedRow } from '../../../ports/bulk.ts';
import { createPlanner } from './planner.ts';
import { createTally } from './tally.ts';

const LINE = '3000123456';
const mobile = (index: number): string => `0912${String(index).padStart(7, '0')}`;
const SPEC: PlanSpec = {
  bulk: {
    columns: ['mobile', 'name'],
    phone: 0,
    header: 0,
    onMissing: { way: 'skip' },
    rows: 0,
    decided: null,
  },
  text: 'Hello {name}',
  line: LINE,
  blocked: new Set(),
  inAddress: false,
  rule: null,
};

const people = (count: number, name = (index: number): string => `N${index}`): SourceRow[] =>
  Array.from({ length: count }, (_, index) => [index + 1, [mobile(index), name(index)]]);

/** Plans rows as a task does, some at a time. */
function plan(
  rows: readonly SourceRow[],
  more: Partial<Omit<PlanSpec, 'bulk'>> & { readonly bulk?: Partial<PlanSpec['bulk']> } = {},
  atATime = 1000,
) {
  const bulk = { ...SPEC.bulk, ...more.bulk };
  const planner = createPlanner({ ...SPEC, ...more, bulk });
  const tally = createTally(bulk);
  const calls: PlannedCall[] = [];
  const skipped: SkippedRow[] = [];
  const keep = (part: ReturnType<typeof planner.drain>): void => {
    calls.push(...part.calls);
    skipped.push(...part.skipped);
  };
  for (let at = 0; at < rows.length; at += atATime) {
    planner.take(tally.take(rows.slice(at, at + atATime)));
    keep(planner.drain());
  }
  keep(planner.drain(true));
  return { calls, skipped, summary: planner.summary() };
}

/** Who gets which message, decided row by row in the straightforward way. */
function straightforward(
  rows: readonly SourceRow[],
  {
    text,
    header,
    onMissing,
    inAddress,
    blocked,
  }: Pick<PlanSpec, 'text' | 'inAddress' | 'blocked'> & Pick<PlanSpec['bulk'], 'header' | 'onMissing'>,
): unknown[][] {
  const template = readTemplate(text, SPEC.bulk.columns);
  const isOwn = template.fields.length > 0 || template.pieces.join('') !== text;
  const taken = new Set<string>();
  return rows.slice(header).map(([row, cells]) => {
    const number = readCellNumber(cells[0] ?? '');
    if (!number.ok) return [row, number.reason];
    const rendered = renderRow(template, cells, onMissing);
    if (!rendered.ok) return [row, `missing:${rendered.missing}`];
    const { text: own } = rendered;
    const check = checkMessage(own);
    if (!check.ok)
      return [
        row,
        { empty: 'no_text', too_long: 'text_too_long', lone_surrogate: 'broken_text', nul: 'broken_text' }[
          check.reason
        ],
      ];
    if (inAddress && isOwn && own.includes(',')) return [row, 'comma'];
    if (inAddress && isOwn && !fitsAddress({ text: own })) return [row, 'address'];
    if (taken.has(number.recipient)) return [row, 'repeated'];
    taken.add(number.recipient);
    return blocked?.has(number.recipient) === true ? [row, 'blocked'] : [row, number.recipient, own];
  });
}

const cell = fc.oneof(
  { weight: 4, arbitrary: fc.nat(99).map(mobile) },
  fc.constantFrom('', '۰۹۱۲۰۰۰۰۰۰۱', '9.12E+09', '0912', 'Sara', '0912000000A', '=HYPERLINK("x")'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Sara', 'سارا', '', ' ', 'a,b', '{name}') },
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('x'.repeat(900), '\ud800', 'a\0b'),
);
const anyRows = fc
  .array(fc.tuple(cell, value), { maxLength: 420, size: 'max' })
  .map((all) => all.map((cells, index): SourceRow => [index * 2 + 1, cells]));
const anyText = fc.constantFrom(
  'Hello {name}',
  'سلام {name} عزیز {mobile}',
  'No field at all',
  '{{name}}',
  '{{a, b}}',
  '{name}',
);
const anyMissing: fc.Arbitrary<OnMissing> = fc.constantFrom(
  { way: 'skip' },
  { way: 'default', value: 'customer' },
);

describe('the calls of a file', () => {
  it('have each row once, as a message or with the reason why it is none', () => {
    fc.assert(
      fc.property(
        anyRows,
        anyText,
        anyMissing,
        fc.nat(3),
        fc.boolean(),
        fc.array(fc.nat(60)),
        fc.integer({ min: 1, max: 200 }),
        (rows, text, onMissing, header, inAddress, blocked, atATime) => {
          const numbers = new Set(blocked.map((index) => `98${mobile(index).slice(1)}`));
          const { calls, skipped, summary } = plan(
            rows,
            { text, inAddress, blocked: numbers, bulk: { header, onMissing } },
            atATime,
          );
          const each = [
            ...calls.flatMap((call) =>
              call.recipients.map((to, at) => [call.rowNumbers[at], to, call.texts?.[at] ?? text]),
            ),
            ...skipped.map(([row, , reason]) => [row, reason]),
          ];
          expect(each.toSorted(([left], [right]) => Number(left) - Number(right))).toEqual(
            straightforward(rows, { text, header, onMissing, inAddress, blocked: numbers }),
          );
          const placed = [...calls.flatMap((call) => call.rowNumbers), ...skipped.map(([row]) => row)];
          expect(placed.toSorted((left, right) => left - right)).toEqual(
            rows.slice(header).map(([row]) => row),
          );
          const recipients = calls.flatMap((call) => call.recipients);
          expect(new Set(recipients).size).toBe(recipients.length);
          expect(recipients.filter((each) => numbers.has(each))).toEqual([]);
          expect(summary.recipients).toBe(recipients.length);
          expect(skippedRows(summary)).toBe(skipped.length);
          expect(calls.map(({ chunk }) => chunk)).toEqual(calls.map((_, index) => index));
          const cells = new Map(rows.map(([row, own]) => [row, own]));
          const lengths = { messages: 0, parts: 0 };
          for (const call of calls) {
            expect(call.recipients.length).toBeLessThanOrEqual(call.texts === null ? 200 : 100);
            expect(call.rowNumbers.length).toBe(call.recipients.length);
            for (const [index, recipient] of call.recipients.entries()) {
              const own = call.texts?.[index] ?? text;
              expect(checkMessage(own).ok).toBe(true);
              const row = cells.get(call.rowNumbers[index] ?? 0) ?? [];
              expect(readCellNumber(row[0] ?? '')).toEqual({ ok: true, recipient });
              lengths.messages += 1;
              lengths.parts += measureMessage(own).parts;
            }
          }
          for (const [, , reason] of skipped) expect(SKIP_REASONS).toContain(reason.split(':')[0]);
          expect(summary.lengths.reduce((sum, each) => sum + each.messages, 0)).toBe(lengths.messages);
          expect(summary.lengths.reduce((sum, each) => sum + each.messages * each.parts, 0)).toBe(
            lengths.parts,
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('carry two hundred of one text, and a hundred that differ', () => {
    const same = plan(people(450), { text: 'Hello' });
    expect(same.calls.map(({ recipients }) => recipients.length)).toEqual([200, 200, 50]);
    expect(same.calls.every(({ texts }) => texts === null)).toBe(true);
    expect(same.summary).toMatchObject({ recipients: 450, personal: false, perCall: 200 });
    expect(plan(people(400), { text: 'Hello' }).calls.map(({ recipients }) => recipients.length)).toEqual([
      200, 200,
    ]);

    const own = plan(people(450));
    expect(own.calls.map(({ recipients }) => recipients.length)).toEqual([100, 100, 100, 100, 50]);
    expect(own.calls[4]?.texts?.[49]).toBe('Hello N449');
    expect(own.summary).toMatchObject({ recipients: 450, personal: true, perCall: 100 });
    for (const [{ calls }, text] of [
      [same, 'Hello'],
      [own, null],
    ] as const)
      for (const { recipients, texts, payloadSha256 } of calls)
        expect(payloadSha256).toEqual(
          createHash('sha256')
            .update(JSON.stringify([LINE, text, recipients, texts ?? []]))
            .digest(),
        );
  });

  it('say a doubled brace themselves, because the text of the draft does not', () => {
    const { calls, summary } = plan(people(2), { text: 'Use {{code}}' });
    expect(calls[0]?.texts).toEqual(['Use {code}', 'Use {code}']);
    expect(summary.personal).toBe(true);
  });

  it('have one digest, whatever pieces the rows come in, and no other file, text or line has it', () => {
    const digest = (...given: Parameters<typeof plan>): string => plan(...given).summary.digest;
    const first = digest(people(300));
    expect(digest(people(300), {}, 7)).toBe(first);
    const others = [
      digest(people(299)),
      digest(people(300).toReversed()),
      digest(people(300, (index) => `M${index}`)),
      digest(people(300), { text: 'Hello {name}.' }),
      digest(people(300), { line: '50001234' }),
      digest(people(300), { blocked: new Set([`98${mobile(5).slice(1)}`]) }),
      digest([]),
    ];
    expect(new Set([first, ...others]).size).toBe(others.length + 1);
    fc.assert(
      fc.property(anyRows, anyText, (rows, text) => {
        const once = plan(rows, { text });
        expect(digest(rows, { text }, 13)).toBe(once.summary.digest);
        const [call] = once.calls;
        fc.pre(call !== undefined && call.texts !== null);
        const changed = rows.map(([row, cells]): SourceRow =>
          row === call?.rowNumbers[0] ? [row, [cells[0] ?? '', `${cells[1] ?? ''}!`]] : [row, cells],
        );
        const other = plan(changed, { text });
        fc.pre(other.calls[0]?.texts?.[0] !== call?.texts?.[0]);
        expect(other.summary.digest).not.toBe(once.summary.digest);
      }),
      { numRuns: 60 },
    );
  });
});

describe('what a file has come to', () => {
  it('is told by length and operator, and by what does not leave, the most frequent first', () => {
    const texts = ['short', 'سلام', 'x'.repeat(200), 'ی'.repeat(100)];
    const rows: SourceRow[] = [
      ...[0, 0, 0, 1, 1, 2, 3, 3, 3].map((text, at): SourceRow => [at + 1, [mobile(at), texts[text] ?? '']]),
      [10, ['09351112233', 'short']],
      [11, ['0912', 'short']],
      [12, ['', 'short']],
      [18, ['09121234567 09351112233', 'short']],
      ...[1, 2].map((at): SourceRow => [12 + at, [mobile(at), 'short']]),
      ...['x', 'y', 'z'].map((cell, at): SourceRow => [15 + at, [cell, 'short']]),
    ];
    const { summary } = plan(rows, { text: '{name}', blocked: null });
    expect(summary).toMatchObject({
      recipients: 10,
      blockedIsKnown: false,
      lengths: [
        { encoding: 'ucs2', parts: 2, messages: 3, operator: 'mci' },
        { encoding: 'gsm7', parts: 1, messages: 3, operator: 'mci' },
        { encoding: 'ucs2', parts: 1, messages: 2, operator: 'mci' },
        { encoding: 'gsm7', parts: 2, messages: 1, operator: 'mci' },
        { encoding: 'gsm7', parts: 1, messages: 1, operator: 'irancell' },
      ],
      skipped: [
        { reason: 'not_a_number', rows: 3 },
        { reason: 'repeated', rows: 2 },
        { reason: 'no_number', rows: 1 },
        { reason: 'several_numbers', rows: 1 },
        { reason: 'too_short', rows: 1 },
      ],
    });
    expect(summary).not.toHaveProperty('found');
  });

  it('is held to the rule of its line, text by text where each has its own', () => {
    const rule = {
      line: LINE,
      purpose: null,
      window: null,
      required: 'Nik',
      words: ['sale', 'free gift', 'win'],
    };
    const names = ['Nik', 'Sale at Nik', 'sale', 'a free gift'];
    const found = (text: string) =>
      plan(
        people(4, (at) => names[at] ?? ''),
        { text, rule },
      ).summary.found;
    const said = { required: 'Nik', lacking: 2, words: ['sale', 'free gift'] };
    expect(found('Hi {name}')).toEqual({ ...said, lookedFor: rule.words });
    // One text for all is looked at where it stands.
    expect(found('sale')).toBeUndefined();
  });

  it('names, in an address book, whose the number is that cannot be read, unless the name may be one', () => {
    const rows: SourceRow[] = [
      [1, ['Sara', 'x'.repeat(40)]],
      [2, ['۰۹۱۲۱', 'y']],
      [3, [' ', 'z']],
      [4, ['Ali', '']],
      [5, ['Reza 912', '9'.repeat(200)]],
      [6, ['Nina']],
      [7, []],
    ];
    const skipped = (name: string) =>
      plan(rows, { text: 'Hello', bulk: { phone: 1, file: { name, reference: 'f', sheet: null } } }).skipped;
    expect(skipped('people.csv').slice(-2)).toEqual([
      [6, '', 'no_number'],
      [7, '', 'no_number'],
    ]);
    expect(skipped('Contacts.VCF').map(([, raw]) => raw)).toEqual([
      `${'x'.repeat(30)} Sara`,
      'y',
      'z',
      'Ali',
      `${'9'.repeat(30)} Reza 912`,
      'Nina',
      '',
    ]);
    const plain = ['x'.repeat(40), 'y', 'z', '', '9'.repeat(100), '', ''];
    for (const name of ['people.csv', 'a.vcf.csv'])
      expect(skipped(name).map(([, raw]) => raw)).toEqual(plain);
  });
});

describe('a row that misses a value', () => {
  const rows: SourceRow[] = [
    [1, [mobile(1), 'Sara']],
    [2, [mobile(2), ' ']],
    [3, [mobile(3)]],
  ];

  it('is left out with its column, or filled, or keeps everything here', () => {
    const skip = plan(rows);
    expect(skip.skipped).toEqual([
      [2, mobile(2), 'missing:1'],
      [3, mobile(3), 'missing:1'],
    ]);
    expect(skip.summary).toMatchObject({ recipients: 1, missing: 2 });

    const fill = plan(rows, { bulk: { onMissing: { way: 'default', value: 'friend' } } });
    expect(fill.calls[0]?.texts).toEqual(['Hello Sara', 'Hello friend', 'Hello friend']);
    expect(fill.summary).toMatchObject({ recipients: 3, missing: 2, skipped: [] });

    const stop = plan(rows, { bulk: { onMissing: { way: 'stop' } } });
    expect(stop.summary).toMatchObject({ recipients: 0, missing: 2, lengths: [] });
    const complete = plan(rows.slice(0, 1), { bulk: { onMissing: { way: 'stop' } } });
    expect(complete.summary).toMatchObject({ recipients: 1, missing: 0 });
  });

  it('does not take the place of a later one with the same number', () => {
    const { calls, skipped } = plan([
      [1, [mobile(1), '']],
      [2, [mobile(1), 'Sara']],
      [3, [mobile(1), 'Lena']],
    ]);
    expect(calls[0]).toMatchObject({ recipients: ['989120000001'], texts: ['Hello Sara'], rowNumbers: [2] });
    expect(skipped.map(([row, , reason]) => [row, reason])).toEqual([
      [1, 'missing:1'],
      [3, 'repeated'],
    ]);
  });
});

describe('calls that travel in an address', () => {
  it('stay short enough, leave out what a comma would part, and are found by counting', () => {
    const { calls, skipped, summary } = plan(
      people(60, (index) => (index === 7 ? 'a,b' : 'سلام'.repeat(20))),
      { inAddress: true },
    );
    const units = calls.map(({ texts }) => (texts ?? []).map((text) => encodeURIComponent(text).length + 40));
    const sum = (each: readonly number[] = []) => each.reduce((all, one) => all + one, 0);
    for (const [at, each] of units.entries()) {
      expect(sum(each)).toBeLessThanOrEqual(6800);
      const next = units[at + 1];
      if (next !== undefined) expect(sum(each) + sum(next.slice(0, 1))).toBeGreaterThan(6800);
    }
    expect(units.length).toBeGreaterThan(1);
    expect(skipped.map(([row, , reason]) => [row, reason])).toEqual([[8, 'comma']]);
    expect(summary).toMatchObject({ recipients: 59, perCall: null });
    // Two that fill one to its last unit.
    const full = plan(
      people(2, () => 'ی'.repeat(560)),
      { text: '{name}', inAddress: true },
    );
    expect(full.calls).toHaveLength(1);
    const long = plan(
      people(2, (index) => (index === 0 ? '…'.repeat(900) : 'x')),
      { text: '{name}', inAddress: true },
    );
    expect(long.skipped).toEqual([[1, mobile(0), 'address']]);
  });

  it('do not touch one text for all, which goes another way', () => {
    const { calls } = plan(people(450), { text: 'One, for all', inAddress: true });
    expect(calls.map(({ recipients }) => recipients.length)).toEqual([200, 200, 50]);
  });
});
