import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldColumnName } from './column-name.ts';
import { checkMessage, isBlank } from './message.ts';
import { continued, readTemplate, renderRow, withNearest } from './merge.ts';

const COLUMNS = ['موبایل', 'نام', 'کد ملی', 'Order No', '', 'name'];
const SKIP = { way: 'skip' } as const;

function render(text: string, cells: readonly string[], columns: readonly string[] = COLUMNS): string {
  const rendered = renderRow(readTemplate(text, columns), cells, { way: 'default', value: '∅' });
  if (!rendered.ok) throw new Error('with a default nothing is missing');
  return rendered.text;
}

/** Braces, names and whatever else stands in a text, in no order. */
function anyText(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom('{', '}', '{{', '}}', '{}', '{ }', '{name}', '{نام}', '{5}', '{x}', '{__proto__}', ' '),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  return fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
}

describe('a text with fields', () => {
  const cells = ['09121234567', 'مریم', '0012345679', 'A-17', 'blue', 'Sara'];

  test.each<[string, string]>([
    ['سلام {نام} عزیز', 'سلام مریم عزیز'],
    ['{ نام }', 'مریم'],
    ['{كد ملي}', '0012345679'],
    ['{کدملی}', '0012345679'],
    ['{کد\u200cملی}', '0012345679'],
    ['{orderno}', 'A-17'],
    ['{ORDER NO}', 'A-17'],
    ['{Order\nNo}', 'A-17'],
    ['{name}{name} {نام}', 'SaraSara مریم'],
    ['{5}', 'blue'],
    ['{۵}', 'blue'],
    ['{Column 5}', 'blue'],
    ['{ستون ۵}', 'blue'],
    ['{{name}}', '{name}'],
    ['{{{name}}}', '{Sara}'],
    ['{{}}', '{}'],
    ['{{', '{'],
    ['}}', '}'],
    ['{', '{'],
    ['}', '}'],
    ['{name', '{name'],
    ['name}', 'name}'],
    ['{a{name}b}', '{aSarab}'],
    ['{name}}', 'Sara}'],
    ['{}', '{}'],
    ['{  }', '{  }'],
    ['{\u200c}', '{\u200c}'],
    ['', ''],
    ['no fields: 50% $& $1', 'no fields: 50% $& $1'],
  ])('%j becomes %j', (text, rendered) => {
    expect(readTemplate(text, COLUMNS).unknown).toEqual([]);
    expect(render(text, cells)).toBe(rendered);
  });

  test('tells the columns that it uses, each once', () => {
    expect(readTemplate('{name} {نام} {name} {5}', COLUMNS)).toEqual({
      pieces: [5, ' ', 1, ' ', 5, ' ', 4],
      fields: [5, 1, 4],
      unknown: [],
    });
  });

  test.each<[string, string, string | null]>([
    ['{nmae}', 'nmae', 'name'],
    ['{nam}', 'nam', 'name'],
    ['{first name}', 'first name', 'name'],
    ['{order}', 'order', 'Order No'],
    ['{Order_No}', 'Order_No', 'Order No'],
    ['{کد}', 'کد', 'کد ملی'],
    ['{ نم }', 'نم', 'نام'],
    ['{address}', 'address', null],
    ['{o}', 'o', null],
    [`{${'name '.repeat(15).trim()}}`, 'name '.repeat(15).trim(), 'name'],
    [`{${'name '.repeat(16).trim()}}`, 'name '.repeat(16).trim(), null],
    ['{1}', '1', null],
    ['{6}', '6', null],
    ['{7}', '7', null],
    ['{column 99999}', 'column 99999', null],
    ['{__proto__}', '__proto__', null],
    ['{constructor}', 'constructor', null],
    ['{toString}', 'toString', null],
    ['{hasOwnProperty}', 'hasOwnProperty', null],
  ])('%s is no column of these', (text, name, nearest) => {
    expect(readTemplate(`a ${text} b`, COLUMNS).unknown).toEqual([{ name, nearest }]);
    expect(render(`a ${text} b`, cells)).toBe(`a ${text} b`);
  });

  test('takes the first of two columns that are as near', () => {
    expect(readTemplate('{nam}', ['name', 'namo']).unknown).toEqual([{ name: 'nam', nearest: 'name' }]);
  });

  test('takes no column that is two slips from a short name', () => {
    expect(readTemplate('{odrer}', ['orders']).unknown).toEqual([{ name: 'odrer', nearest: null }]);
  });

  test('names a field that is unknown once, however it is written', () => {
    expect(readTemplate('{Address} {ADDRESS} {address}', COLUMNS).unknown).toHaveLength(1);
  });

  test('finds a column without a name by its place, and by nothing that only holds one', () => {
    const columns = Array.from({ length: 12 }, () => '');
    expect(readTemplate('{12} {column 10} {ستون ۱} {3}', columns).fields).toEqual([11, 9, 0, 2]);
    const others = '{no 3} {3rd} {13} {0} {03} {my column 3}';
    expect(readTemplate(others, columns)).toMatchObject({ fields: [], unknown: { length: 6 } });
  });

  test('looks for what was meant by twenty unknown fields, and no more', () => {
    const text = Array.from({ length: 21 }, (_, n) => `{address${String.fromCharCode(97 + n)}}`).join('');
    const { unknown } = readTemplate(text, ['address']);
    expect(unknown.filter(({ nearest }) => nearest === 'address')).toHaveLength(20);
    expect(unknown.at(-1)).toEqual({ name: 'addressu', nearest: null });
  });

  test('takes columns by any name, those of every object too', () => {
    const columns = ['__proto__', 'constructor', 'toString', '{name}', 'a}b'];
    expect(render('{__proto__}{constructor}{ToString}{name}{ab}', ['1', '2', '3', '4', '5'], columns)).toBe(
      '12345',
    );
  });

  test('takes the first of columns that are alike, and the first cell for it', () => {
    expect(render('{name}', ['one', 'two'], ['name', 'Name'])).toBe('one');
  });

  test('is the same text for every row where it has no fields', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.array(fc.string()), (typed, row) => {
        const text = typed.replaceAll(/[{}]/gu, '');
        const template = readTemplate(text, COLUMNS);
        expect(template.fields).toEqual([]);
        expect(renderRow(template, row, SKIP)).toEqual({ ok: true, text });
      }),
    );
  });

  test('keeps every text whose braces are doubled', () => {
    fc.assert(
      fc.property(anyText(), fc.array(fc.string(), { maxLength: 6 }), (text, row) => {
        const doubled = text.replaceAll(/[{}]/gu, '$&$&');
        const template = readTemplate(doubled, COLUMNS);
        expect([template.fields, template.unknown]).toEqual([[], []]);
        expect(renderRow(template, row, SKIP)).toEqual({ ok: true, text });
      }),
      { numRuns: 500 },
    );
  });

  test('is read and rendered without an exception, whatever it is', () => {
    fc.assert(
      fc.property(anyText(), fc.array(anyText(), { maxLength: 8 }), (text, columns) => {
        const template = readTemplate(text, columns);
        for (const field of template.fields) expect(field).toBeLessThan(columns.length);
        expect(typeof renderRow(template, [], SKIP).ok).toBe('boolean');
      }),
      { numRuns: 1000 },
    );
  });

  test('finds every column by its name, and by its name as another would type it', () => {
    // Vowel marks alone are no name: such a column has its place instead.
    const name = fc
      .stringMatching(/^[a-zA-Zآ-یك-ي_][a-zA-Zآ-ی0-9۰-۹ _-]{0,12}$/u)
      .filter((each) => foldColumnName(each) !== '');
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.constantFrom<(typed: string) => string>(
          (typed) => typed,
          (typed) => typed.toUpperCase(),
          (typed) => typed.replaceAll(' ', '\u200c'),
          (typed) => typed.replaceAll('ی', 'ي').replaceAll('ک', 'ك'),
          (typed) => typed.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(0x6f0 + Number(digit))),
        ),
        (columns, chosen, retype) => {
          const column = columns[chosen % columns.length] ?? '';
          const { fields, unknown } = readTemplate(`{${retype(column)}}`, columns);
          expect(unknown).toEqual([]);
          expect(fields).toHaveLength(1);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the values of a row', () => {
  test('stand as they are, and are never read as fields, patterns or braces', () => {
    const template = readTemplate('<{نام}|{name}>', COLUMNS);
    const value = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((each) => !/[\p{Cc}\p{Cf}\p{Z}\s]/u.test(each) && !isBlank(each));
    fc.assert(
      fc.property(
        fc.oneof(value, fc.constantFrom('{نام}', '{{', '}}', '{name}', '$&', '$1', '\\n')),
        (one) => {
          expect(renderRow(template, ['', one, '', '', '', '{name}'], SKIP)).toEqual({
            ok: true,
            text: `<${one}|{name}>`,
          });
        },
      ),
      { numRuns: 500 },
    );
  });

  test('keep their spaces and lines, and lose only controls that print nothing', () => {
    expect(render('{name}|', ['', '', '', '', '', ' a\tb\r\nc  '])).toBe(' a\tb\r\nc  |');
    expect(render('{name}|', ['', '', '', '', '', 'a\u0001b\u001b\u007fc\u0085\u000bd'])).toBe('abcd|');
    expect(render('{name}|', ['', '', '', '', '', '\u202bنام\u202c \u200c'])).toBe('\u202bنام\u202c \u200c|');
  });

  test.each(['half \ud83d', '\udc00 half', 'nul \0 byte'])(
    'that are broken (%j) make a text that may not be sent',
    (value) => {
      expect(checkMessage(render('Hello {name}', ['', '', '', '', '', value])).ok).toBe(false);
    },
  );

  test('are missing where a cell is blank or not there, and the first of the text is told', () => {
    const template = readTemplate('{name} {نام} {5}', COLUMNS);
    const blank = ['', ' ', '\t\n', '\u200c', '\u00a0\u200f', '\0', '\u3164'];
    for (const cell of blank) {
      expect(renderRow(template, ['', 'a', '', '', 'b', cell], SKIP)).toEqual({ ok: false, missing: 5 });
      expect(renderRow(template, ['', cell, '', '', 'b', 'a'], { way: 'stop' })).toEqual({
        ok: false,
        missing: 1,
      });
    }
    expect(renderRow(template, ['', 'a'], SKIP)).toEqual({ ok: false, missing: 5 });
    expect(renderRow(template, [], SKIP)).toEqual({ ok: false, missing: 5 });
  });

  test('that are missing become the default, which is no field either', () => {
    const template = readTemplate('{name}, {نام}', COLUMNS);
    expect(renderRow(template, ['', 'مریم'], { way: 'default', value: '{نام}' })).toEqual({
      ok: true,
      text: '{نام}, مریم',
    });
    expect(renderRow(template, [], { way: 'default', value: '' })).toEqual({ ok: true, text: ', ' });
  });

  test('in columns that the text does not use may be missing', () => {
    expect(renderRow(readTemplate('{name}', COLUMNS), ['', '', '', '', '', 'x'], SKIP)).toEqual({
      ok: true,
      text: 'x',
    });
  });
});

test.each<[string, readonly string[], string | null]>([
  ['{نام} عزیز', ['نام مشتری', 'موبایل'], '{نام مشتری} عزیز'],
  ['{نام} و {nmae} {{نام}}', ['نام مشتری', 'name'], '{نام مشتری} و {name} {{نام}}'],
  ['{Nmae} {name} {nmae}', ['name'], '{name} {name} {name}'],
  ['{nmae} {colour}', ['name'], null],
  ['{name}', ['name'], null],
  ['no field', ['name'], null],
])('%j put right for the columns %j is %j', (text, columns, right) => {
  expect(withNearest(text, columns)).toBe(right);
});

test.each([
  ['', 'Hi', 'Hi'],
  ['{name}', 'عزیز', '{name} عزیز'],
  ['{name}', ', hello', '{name}, hello'],
  ['{name}', '، سلام', '{name}، سلام'],
  ['{name}', '\u200cها', '{name}\u200cها'],
  ['{name}', '. Bye', '{name}. Bye'],
  ['Hi (', '{name}', 'Hi ({name}'],
  ['Hi «', '{name}', 'Hi «{name}'],
  ['Hi «{name}', '» you', 'Hi «{name}» you'],
  ['Hi\n', '{name}', 'Hi\n{name}'],
  ['Hi', '{name}', 'Hi {name}'],
  ['{name}', '{city}', '{name} {city}'],
  ['Hi there', 'you too', 'Hi there you too'],
])('%j continued by %j is %j', (text, next, whole) => {
  expect(continued(text, next)).toBe(whole);
});
