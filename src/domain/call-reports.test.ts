import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  eachReport,
  hearReports,
  isFinal,
  openReports,
  startReports,
  type CallReports,
  type HeardReport,
} from './call-reports.ts';

const NUMBERS = ['1', '2', '3', '4', '5'];
const heardOf = fc.record({
  id: fc.constantFrom('7', '8', '9', '10'),
  recipient: fc.option(fc.constantFrom(...NUMBERS)),
  kind: fc.constantFrom('waiting', 'sent', 'delivered', 'failed', 'blocked', 'unknown' as const),
  raw: fc.constantFrom('', '1', '2'),
  text: fc.constantFrom('', 'a, "b"'),
});

/** What holds for one recipient by itself: written anew, a report at a time. */
function alone(place: number, ids: readonly string[], said: readonly (HeardReport & { id: string })[]) {
  const isShared = ids.filter((id) => id === ids[place]).length > 1;
  let [kind, raw]: [string, string] = ['waiting', ''];
  for (const each of said) {
    if (kind === 'delivered' || kind === 'failed' || kind === 'blocked') break;
    if (each.id !== ids[place] || (each.recipient !== null && each.recipient !== NUMBERS[place])) continue;
    const isOfSome =
      each.recipient === null && isShared && (each.kind === 'failed' || each.kind === 'blocked');
    [kind, raw] = [isOfSome ? 'unknown' : each.kind, each.raw];
  }
  return { kind, raw };
}

function grouped(said: readonly (HeardReport & { id: string })[]) {
  return Map.groupBy(said, ({ id }) => id);
}

test('reports leave each recipient where its own words leave it, at once or one after the other, and count as they stand', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('7', '8', '9', ''), { minLength: 5, maxLength: 5 }),
      fc.array(heardOf, { maxLength: 12 }),
      (ids, said) => {
        const begun = startReports(ids);
        const together = hearReports(begun, NUMBERS, grouped(said), 50) ?? begun;
        let one: CallReports = begun;
        for (const each of said) one = hearReports(one, NUMBERS, grouped([each]), 50) ?? one;
        for (const reports of [one, together]) {
          expect(reports.ids).toBe(ids.join(','));
          expect(reports.marks).toHaveLength(5);
          const each = eachReport(reports);
          for (const [place, { id, said: word }] of each.entries()) {
            expect(id).toBe(ids[place]);
            if (id === '') expect(word).toBeNull();
            else expect(word).toMatchObject(alone(place, ids, said));
          }
          const words = new Map(reports.words.map((word) => [word.mark, word]));
          expect(words.size).toBe(reports.words.length);
          const names = reports.words.map(({ kind, raw, text, at }) => JSON.stringify([kind, raw, text, at]));
          expect(new Set(names).size).toBe(names.length);
          for (const { n } of reports.words) expect(n).toBeGreaterThan(0);
          for (const { mark, n } of reports.words)
            expect(Array.from(reports.marks).filter((own) => own === mark)).toHaveLength(n);
          expect(openReports(reports)).toBe(
            each.filter(({ said: word }) => word !== null && !isFinal(word.kind)).length,
          );
        }
      },
    ),
  );
});

test('what says nothing new changes nothing', () => {
  const begun = startReports(['7', '8']);
  const silent = { mark: '.', kind: 'waiting', raw: '', text: '', at: null } as const;
  expect(begun).toEqual({ ids: '7,8', marks: '..', words: [{ ...silent, n: 2 }] });
  expect(startReports(['', '7'], [null, silent])).toMatchObject({ marks: '-.', words: [{ n: 1 }] });
  const said = new Map([['7', [{ recipient: null, kind: 'sent', raw: '1', text: 'on its way' } as const]]]);
  const after = hearReports(begun, ['1', '2'], said, 60);
  expect(after).toMatchObject({
    words: [
      { kind: 'waiting', n: 1 },
      { kind: 'sent', at: 60, n: 1 },
    ],
  });
  expect(hearReports(after ?? begun, ['1', '2'], said, 90)).toBeNull();
  expect(hearReports(begun, ['1', '2'], new Map(), 60)).toBeNull();
});

test('a call has as many words as it needs', () => {
  const ids = Array.from({ length: 300 }, (_, n) => String(n + 1));
  let reports = startReports(ids);
  for (const id of ids) {
    const said = new Map([[id, [{ recipient: null, kind: 'sent', raw: id, text: '' } as const]]]);
    reports = hearReports(reports, ids, said, 1) ?? reports;
  }
  expect(eachReport(reports).map(({ said }) => said?.raw)).toEqual(ids);
  expect(new Set(reports.marks).size).toBe(300);
  expect(reports.marks).toMatch(/^[a-zA-Z]{52}[^a-zA-Z]{248}$/);
});
