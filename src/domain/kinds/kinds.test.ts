import { expect, test } from 'vitest';
import { newBulk, type BulkSummary } from '../bulk.ts';
import { callsOf, canonicalPayload, messagesOf, withoutBlocked } from '../outgoing.ts';
import { callSizeOf, leastPace } from '../pace.ts';
import { bookOf, fileOf, kindOf, kindsWith, namedBook, OPEN_SECONDS, type Outgoing } from './index.ts';
import type { OutgoingRow } from './kind.ts';
import { fitsAddress, travelsInAddress, whyUnfit } from './multi.ts';

// Statements go by these, and a kind has most of them from what kinds have in common: written by hand, so that none changes unseen.
test.each([
  ['hasText', ['text', 'future', 'book', 'bulk']],
  ['repeatsRecipients', ['multi']],
  ['isListed', ['text', 'multi', 'book', 'bulk']],
  ['tellsClock', ['text', 'pattern', 'bulk']],
] as const)('%s holds for %j', (trait, kinds) => {
  expect(kindsWith(trait)).toEqual(kinds);
});

const row = (recipient: string, line = '3000'): OutgoingRow => ({
  line,
  recipient,
  text: 'Hello',
  flash: false,
});
const ROWS = [row('1'), row('2'), row('1', '5000')];
const COUNTED: BulkSummary = {
  recipients: 7,
  skipped: [],
  blockedIsKnown: true,
  missing: 0,
  lengths: [{ encoding: 'gsm7', parts: 2, messages: 7 }],
  personal: true,
  perCall: 100,
  digest: 'of all rows',
};
const local = { year: '1405', month: '9', day: '3', hour: '0', minute: '0' };
const text = { kind: 'text' } as const;
const multi = { kind: 'multi', rows: ROWS, inAddress: true } as const;
const pattern = { kind: 'pattern', patternId: '1', variables: { a: 'b' }, perCall: 1 } as const;
const future = { kind: 'future', at: 1120, local } as const;
const book = { kind: 'book', bookId: '7', title: 'VIP', way: 'call' } as const;
const begun = newBulk({ name: 'a.csv', reference: 'r' });
const bulk = { ...begun, step: 'review', summary: COUNTED } as const;
const ALL: readonly Outgoing[] = [text, multi, pattern, future, book, bulk];

test('those who got nothing are sent the same in the same way, but by no call that would reach the others, and at no time that is over', () => {
  const missed = (outgoing: Outgoing, seconds: number) =>
    kindOf(outgoing).toMissed(outgoing, { seconds, messages: () => ROWS.slice(1) });
  expect(ALL.map((each) => missed(each, 1000))).toEqual([
    text,
    { ...multi, rows: ROWS.slice(1) },
    pattern,
    future,
    text,
    bulk,
  ]);
  expect(missed(future, 1001)).toEqual(text);
});

test('those whose outcome is in doubt are sent what they were meant to get, and nobody else', () => {
  const doubted = (rows: readonly OutgoingRow[]) => ALL.map((each) => kindOf(each).toDoubted(each, rows));
  expect(doubted(ROWS)).toEqual([
    text,
    { kind: 'multi', rows: ROWS },
    pattern,
    future,
    text,
    { kind: 'multi', rows: ROWS },
  ]);
  // The rows of a file that all get one text have none of their own.
  expect(doubted([]).at(-1)).toEqual(text);
});

test('only a phonebook that is named is one that a call names, and only a file is one', () => {
  expect(ALL.map(bookOf)).toEqual([null, null, null, null, book, null]);
  expect(ALL.map(namedBook)).toEqual([null, null, null, null, book, null]);
  expect(namedBook(kindOf(book).numbered(book))).toBeNull();
  expect(ALL.map((each) => kindOf(each).numbered(each))).toEqual([
    text,
    multi,
    pattern,
    future,
    { ...book, way: 'expanded' },
    bulk,
  ]);
  expect(ALL.map(fileOf)).toEqual([null, null, null, null, null, bulk]);
  expect(ALL.map((each) => kindOf(each).keptUntil(each))).toEqual([null, null, null, 1120, null, null]);
});

test('a pace slows what is several calls, and makes them no larger', () => {
  expect(ALL.map(leastPace)).toEqual([50, 50, 50, null, null, 200]);
  const sizes = (perHour: number) => [...ALL, begun].map((each) => callSizeOf(each, { perHour }));
  expect(sizes(120)).toEqual([10, 10, 10, 10, 10, 100, 100]);
  expect(sizes(100_000)).toEqual([200, 100, 200, 200, 200, 100, 100]);
  const inAddress = { ...bulk, summary: { ...COUNTED, perCall: 3 } };
  expect(callSizeOf(inAddress, { perHour: 120 })).toBe(3);
});

test('a file can leave once it is counted, and then says of itself what was counted', () => {
  const payload = { line: '3000', text: 'Hi', flash: false, recipients: [] };
  const of = (outgoing: Outgoing) => {
    const kind = kindOf(outgoing);
    const whole = { ...payload, outgoing };
    return [
      kind.isReady(outgoing),
      kind.messages(whole),
      kind.people(whole),
      kind.lengths(outgoing, 'Hi', 0),
    ];
  };
  expect(of(bulk)).toEqual([true, 7, 7, COUNTED.lengths]);
  expect(of(begun)).toEqual([false, 0, 0, []]);
  expect(ALL.map((each) => kindOf(each).isReady(each))).toEqual(ALL.map(() => true));
  expect(kindOf(bulk).calls({ ...payload, outgoing: bulk })).toEqual([]);
  // What was said yes to: the rows by their digest, with line, text and how it is shown.
  const stands = [bulk, begun].map((outgoing) => kindOf(outgoing).canonical({ ...payload, outgoing }));
  expect(stands).toEqual([
    ['bulk', 'of all rows', '3000', 'Hi', false],
    ['bulk', '', '3000', 'Hi', false],
  ]);
  const whole = { ...payload, outgoing: bulk };
  expect(withoutBlocked(whole, [{ line: '3000', recipient: '1' }])).toBe(whole);
});

test('rows stay by their line and recipient, and people count once', () => {
  const whole = { outgoing: multi, line: '', text: '', flash: false, recipients: ['1', '2'] };
  expect(kindOf(multi).messages(whole)).toBe(3);
  expect(kindOf(multi).people(whole)).toBe(2);
  expect(withoutBlocked(whole, [{ line: '3000', recipient: '1' }])).toEqual({
    ...whole,
    outgoing: { ...multi, rows: ROWS.slice(1) },
    recipients: ['2', '1'],
  });
  expect(withoutBlocked(whole, [{ line: '5000', recipient: '2' }])).toBe(whole);
  // A call without rows of its own stands for none.
  expect(kindOf(multi).ofCall(multi, { recipients: ['1'], messages: null })).toEqual({ ...multi, rows: [] });
});

// Kept with each send by their hash: one that was said yes to before an upgrade has to be the same after it.
test('what a confirmation stands for is written as it always was', () => {
  const written = [
    text,
    { ...multi, rows: ROWS.slice(0, 1) },
    { ...pattern, variables: { b: '1', a: '2' } },
    future,
    book,
  ];
  const payload = { line: '3000', text: 'Hi', flash: true, recipients: ['1', '2'] };
  expect(written.map((outgoing) => canonicalPayload({ ...payload, outgoing }))).toEqual(
    [
      '{"kind":"text"}',
      '{"inAddress":true,"kind":"multi","rows":[{"flash":false,"line":"3000","recipient":"1","text":"Hello"}]}',
      '{"kind":"pattern","patternId":"1","perCall":1,"variables":{"a":"2","b":"1"}}',
      '{"at":1120,"kind":"future","local":{"day":"3","hour":"0","minute":"0","month":"9","year":"1405"}}',
      '{"bookId":"7","kind":"book","title":"VIP","way":"call"}',
    ].map((outgoing) => `[${outgoing},"3000","Hi",true,["1","2"]]`),
  );
});

test('an address is filled to its last unit, and a call to its hundredth message', () => {
  const rows = (count: number, units: number) =>
    Array.from({ length: count }, (_, n) => ({ ...row(String(n)), text: 'x'.repeat(units) }));
  const sizes = (all: readonly OutgoingRow[], inAddress?: true) =>
    callsOf({
      outgoing: { kind: 'multi', rows: all, inAddress },
      line: '',
      text: '',
      flash: false,
      recipients: [],
    }).map(({ recipients, messages }) => {
      expect(messages?.map(({ recipient }) => recipient)).toEqual(recipients);
      return recipients.length;
    });
  // 40 of them are for what stands beside a text.
  expect([6760, 6761].map((units) => fitsAddress({ text: 'x'.repeat(units) }))).toEqual([true, false]);
  expect(sizes(rows(3, 3360), true)).toEqual([2, 1]);
  expect(sizes(rows(3, 3361), true)).toEqual([1, 1, 1]);
  expect(sizes(rows(3, 3361))).toEqual([3]);
  expect(sizes(rows(201, 1))).toEqual([100, 100, 1]);
});

test('no message overtakes an earlier one to the same number because it is shorter', () => {
  const long = { ...row('1'), text: 'x'.repeat(5000) };
  const all = [{ ...long, recipient: '0' }, long, { ...row('1'), text: 'after it' }];
  const whole = {
    outgoing: { kind: 'multi', rows: all, inAddress: true },
    line: '',
    text: '',
    flash: false,
  } as const;
  const calls = callsOf({ ...whole, recipients: [] });
  expect(calls.map(({ messages }) => messages)).toEqual([[all[0]], [all[1]], [all[2]]]);
});

test('a phonebook that is named goes out by one call however many it holds, and everybody else by calls of two hundred', () => {
  const recipients = Array.from({ length: 401 }, (_, n) => String(n));
  const sends: readonly Outgoing[] = [
    text,
    { ...pattern, perCall: 500 },
    future,
    { ...book, way: 'expanded' },
    book,
  ];
  const calls = sends.map((outgoing) =>
    callsOf({ outgoing, line: '3000', text: 'Hi', flash: false, recipients }),
  );
  expect(calls.map((all) => all.map((each) => each.recipients.length))).toEqual([
    ...Array.from({ length: 4 }, () => [200, 200, 1]),
    [401],
  ]);
  const whole = { outgoing: text, line: '3000', text: 'Hi', flash: false, recipients: ['1'] };
  expect(callsOf(whole).map((call) => messagesOf(whole, call))).toEqual([
    [{ line: '3000', recipient: '1', text: 'Hi' }],
  ]);
});

test('what is looked through for what a line forbids is all that a person wrote, and whole where nothing is put in', () => {
  const saysOf = (outgoing: Outgoing, said: string) =>
    kindOf(outgoing).says({ outgoing, line: '3000', text: said, flash: false, recipients: [] });
  const whole = { line: '3000', text: 'Hi', isWhole: true };
  expect([text, future, book, bulk].map((each) => saysOf(each, 'Hi'))).toEqual(
    Array.from({ length: 4 }, () => [whole]),
  );
  expect(saysOf(multi, '')).toEqual(ROWS.map(({ line, text: own }) => ({ line, text: own, isWhole: true })));
  expect(saysOf({ ...pattern, variables: { b: '1', a: '2' } }, '')).toEqual([
    { line: '3000', text: '1\n2', isWhole: false },
  ]);
  expect(saysOf({ ...bulk, columns: ['name'] }, 'Hi {name}, bye')).toEqual([
    { line: '3000', text: 'Hi \n, bye', isWhole: false, merged: undefined },
  ]);
});

test('a text has its length once, or for each operator where the numbers are known', () => {
  const lengthsTo = (to: number | readonly string[]) => kindOf(text).lengths(text, 'Hi', to);
  const length = { encoding: 'gsm7', parts: 1 };
  expect(lengthsTo(3)).toEqual([{ ...length, messages: 3, operator: undefined }]);
  expect(lengthsTo(['989121234567', '989351234567', '989121234568'])).toEqual([
    { ...length, messages: 2, operator: 'mci' },
    { ...length, messages: 1, operator: 'irancell' },
  ]);
});

test('a draft is open for a quarter of an hour, and that of a file for two hours', () => {
  const most = { text: 900, multi: 900, pattern: 900, future: 900, book: 900 };
  expect(OPEN_SECONDS).toEqual({ ...most, bulk: 7200 });
});

test('several messages travel in an address where nothing but version 4 carries them', () => {
  const versions = [[4], [4, 3], [4, 1], [3], [1], []];
  expect(versions.map(travelsInAddress)).toEqual([true, false, false, false, false, true]);
});

test.each([
  ['Hi, you', null, 'comma'],
  ['x'.repeat(900), null, null],
  ['€'.repeat(800), null, 'address'],
  [' ', 'no_text', 'no_text'],
  ['x'.repeat(100_000), 'text_too_long', 'text_too_long'],
  ['\ud800', 'broken_text', 'broken_text'],
  ['a\0b', 'broken_text', 'broken_text'],
] as const)('%.9j may be no message of its own: %s, and in an address %s', (typed, reason, inAddress) => {
  expect([whyUnfit(typed, false), whyUnfit(typed, true)]).toEqual([reason, inAddress]);
});
