import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkMessage } from '../../../../domain/message.ts';
import { readTableRows, readTypedRows } from './rows.ts';

const [SARA, ALI] = ['989121234567', '989351112233'];

const reasons = (typed: string): [number, string][] =>
  readTypedRows(typed).bad.map(({ place, reason }) => [place, reason]);

describe('rows that are typed', () => {
  test('are line, number, text and perhaps a kind, in digits of any script', () => {
    const { rows, bad } = readTypedRows(
      '3000123456;09121234567;Hello\n۳۰۰۰۱۲۳۴۵۶؛۰۹۳۵۱۱۱۲۲۳۳؛سلام؛۱\n\n+983000123456; +98 912 123 4567 ; Bye ; 0 ',
    );
    expect(bad).toEqual([]);
    expect(rows).toEqual([
      { line: '3000123456', recipient: SARA, text: 'Hello', flash: false },
      { line: '3000123456', recipient: ALI, text: 'سلام', flash: true },
      { line: '3000123456', recipient: SARA, text: 'Bye', flash: false },
    ]);
  });

  test('may hold semicolons and commas in their texts', () => {
    const texts = ['a;b', 'a; b;c;', 'a;2', 'x;01', 'a,b، c'];
    for (const text of texts) {
      expect(
        readTypedRows(`3000123456;09121234567;${text}`).rows.map((row) => [row.text, row.flash]),
      ).toEqual([[text, false]]);
      expect(
        readTypedRows(`3000123456;09121234567;${text};1`).rows.map((row) => [row.text, row.flash]),
      ).toEqual([[text, true]]);
    }
    expect(readTypedRows('3000123456;09121234567;we won;1;0').rows[0]).toMatchObject({
      text: 'we won;1',
      flash: false,
    });
  });

  test('of number and text alone leave by the line of the chat, where it has one', () => {
    const typed =
      '09121234567 Hello; Sara\n۰۹۳۵۱۱۱۲۲۳۳؛سلام؛۱\n3000123456;09121234567;Bye\n3000123456;0912x;x\n09121234567';
    const { rows, bad } = readTypedRows(typed, { inAddress: false, ownLine: '50001234' });
    expect(rows).toEqual([
      { line: '50001234', recipient: SARA, text: 'Hello; Sara', flash: false },
      { line: '50001234', recipient: ALI, text: 'سلام', flash: true },
      { line: '3000123456', recipient: SARA, text: 'Bye', flash: false },
    ]);
    expect(bad.map(({ place, reason }) => [place, reason])).toEqual([
      [4, 'no_number'],
      [5, 'form'],
    ]);
    expect(readTypedRows(typed, { inAddress: false, ownLine: null }).rows).toHaveLength(1);
  });

  test.each([
    '09121234567 hi Ali; 09351112233 hi Reza',
    '۰۹۱۲۱۲۳۴۵۶۷ سلام علی؛ ۰۹۳۵۱۱۱۲۲۳۳ سلام رضا',
    '3000123456;09121234567;hi Ali;3000123456;09351112233;hi Reza',
  ])('of two messages on one line are neither: %s', (typed) => {
    const { rows, bad } = readTypedRows(typed, { inAddress: false, ownLine: '50001234' });
    expect(rows).toEqual([]);
    expect(bad.map(({ reason }) => reason)).toEqual(['row_within']);
  });

  test('may name a number in their texts', () => {
    const typed =
      '09121234567 Your courier: Ali; 09351112233\n09121234567 Ali 09351112233; his number is this';
    expect(readTypedRows(typed, { inAddress: false, ownLine: '50001234' }).bad).toEqual([]);
  });

  test('are refused one by one, each with its place and why; the good ones stay', () => {
    const typed = [
      '3000123456;09121234567;good',
      'foo',
      '12;09121234567;x',
      '3000123456;0912x;x',
      '3000123456;09121234567, 09351112233;x',
      '3000123456;09121234567 0912x;x',
      '3000123456;09121234567 09121234567, 09351112233;x',
      '3000123456;09121234567;',
      `3000123456;09121234567;${'x'.repeat(901)}`,
      '3000123456;09121234567;half \ud83d',
      '3000123456;+989121234567;good',
      '50001234;09121234567;good',
    ].join('\n');
    expect(reasons(typed)).toEqual([
      [2, 'form'],
      [3, 'no_line'],
      [4, 'no_number'],
      [5, 'several_numbers'],
      [6, 'several_numbers'],
      [7, 'several_numbers'],
      [8, 'no_text'],
      [9, 'text_too_long'],
      [10, 'broken_text'],
      [11, 'repeated_row'],
    ]);
    expect(readTypedRows(typed).rows.map(({ line, text }) => [line, text])).toEqual([
      ['3000123456', 'good'],
      ['50001234', 'good'],
    ]);
  });

  test('are two where line, number and text are others, though they read the same side by side', () => {
    const { rows } = readTypedRows('12345;09989121234;989121234567x\n12345989;09121234989;121234567x');
    expect(rows.map(({ line, recipient, text }) => line + recipient + text)).toHaveLength(2);
    expect(new Set(rows.map(({ line, recipient, text }) => line + recipient + text)).size).toBe(1);
  });

  test('with a comma, or too long for an address, are refused only where version 4 alone would carry them', () => {
    const typed = `3000123456;09121234567;a, b\n3000123456;09121234567;سلام، علی\n3000123456;09121234567;${'漢'.repeat(900)}`;
    expect(readTypedRows(typed).bad).toEqual([]);
    const { rows, bad } = readTypedRows(typed, { inAddress: true });
    expect(bad.map(({ place, reason }) => [place, reason])).toEqual([
      [1, 'comma'],
      [3, 'address'],
    ]);
    expect(rows.map(({ text }) => text)).toEqual(['سلام، علی']);
  });

  test('come out as they went in, whatever the text', () => {
    const text = fc
      .string({
        unit: fc.constantFrom('a', 'ی', ';', '؛', ' ', '0', '1', ',', '😀', '"'),
        minLength: 1,
        maxLength: 40,
      })
      .filter((each) => checkMessage(each).ok && each === each.trim());
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 20 }), (messages) => {
        const typed = messages.map(
          ([each, flash], n) => `3000123456;0912${String(n).padStart(7, '0')};${each};${flash ? 1 : 0}`,
        );
        const { rows, bad } = readTypedRows(typed.join('\n'));
        expect(bad).toEqual([]);
        expect(rows.map((row) => [row.text, row.flash])).toEqual(messages);
      }),
    );
  });

  test('are never lost: each is a good one or a bad one', () => {
    const piece = fc.constantFrom(
      '3000123456',
      '09121234567',
      'x',
      ';',
      '؛',
      ' ',
      '1',
      '',
      '0912',
      '\u200b',
      '\ud83d',
    );
    const line = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (typed) => {
        const { rows, bad } = readTypedRows(typed.join('\n'));
        expect(rows.length + bad.length).toBe(typed.filter((each) => each.trim() !== '').length);
        expect(new Set(rows.map((row) => JSON.stringify([row.line, row.recipient, row.text]))).size).toBe(
          rows.length,
        );
        for (const row of rows) {
          expect(row.recipient).toMatch(/^989\d{9}$/);
          expect(row.line).toMatch(/^\d{5,14}$/);
          expect(checkMessage(row.text).ok).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('rows of a file', () => {
  const row = ['3000123456', '09121234567', 'Hello; you', '1'];

  test.each<[string, string[][]]>([
    ['without a heading', [row]],
    ['under a heading of the usual names', [['line', 'number', 'text', 'flash'], row]],
    ['under a Persian heading', [['خط', 'شماره', 'متن', 'آنی'], row]],
    ['under a heading of several words', [['Sender line', 'Mobile number', 'Message', 'Flash'], row]],
    ['under a Persian heading of several words', [['خط فرستنده', 'شمارهٔ گیرنده', 'متن پیام', 'آنی'], row]],
    ['under a heading of other words', [['from which', 'to whom', 'what', ''], row]],
    ['under a heading that names no text', [['Line', 'Number', 'what', ''], row]],
    ['under a heading that names no number', [['Line', 'to whom', 'Text', ''], row]],
    ['under a heading that names no line', [['from which', 'Number', 'Text', ''], row]],
    ['with spaces around', [[' Line ', ' Number', 'Text ', ' Flash '], row.map((cell) => ` ${cell} `)]],
    ...[
      [0, 2, 1],
      [1, 0, 2],
      [2, 1, 0],
    ].map((order): [string, string[][]] => [
      `in the order ${order.join()}`,
      [['line', 'number', 'text'], row].map((cells) => [
        ...order.map((at) => cells[at] ?? ''),
        cells[3] ?? 'flash',
      ]),
    ]),
    [
      'in other columns',
      [
        ['Flash', ' Text ', 'x', 'Mobile ', ' Line'],
        ['1', 'Hello; you', '?', '09121234567', '3000123456'],
      ],
    ],
  ])('are read %s', (_what, table) => {
    expect(readTableRows(table)).toMatchObject({
      rows: [{ line: '3000123456', recipient: SARA, text: 'Hello; you', flash: true }],
      bad: [],
    });
  });

  test('are refused with the number of the row in the file; a kind that is neither 0 nor 1 is no kind', () => {
    const { rows, bad } = readTableRows([
      ['line', 'number', 'text', 'flash'],
      ['3000123456', '09121234567', 'one'],
      ['3000123456', '0912', 'two', ''],
      ['3000123456', '09121234567', 'three', 'yes'],
      ['3000123456'],
    ]);
    expect(rows.map(({ text }) => text)).toEqual(['one']);
    expect(bad.map(({ place, reason }) => [place, reason])).toEqual([
      [3, 'no_number'],
      [4, 'no_flash'],
      [5, 'no_number'],
    ]);
    expect(bad[0]?.raw).toBe('3000123456;0912;two');
    // A first row that lacks a line or a number is no heading.
    for (const first of [
      ['', 'Ali', 'Hi'],
      ['Ali', '', 'Hi'],
    ])
      expect(readTableRows([first, row]).bad.map(({ place }) => place)).toEqual([1]);
    expect(readTableRows([row, ['Ali', 'Omid', 'Hi']]).bad.map(({ place }) => place)).toEqual([2]);
  });
});
