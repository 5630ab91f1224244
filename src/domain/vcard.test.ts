import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVCardReader, readVCards } from './vcard.ts';

const quotedPrintable = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

describe('a vCard', () => {
  test.each<[string, string, { name: string; numbers: string[] }[]]>([
    [
      'of a phone, version 2.1, quoted-printable over several lines',
      `BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${quotedPrintable('احمدی')};=\r\n${quotedPrintable('رضا')};;;\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${quotedPrintable('رضا')}=\r\n=20${quotedPrintable('احمدی')}\r\nTEL;CELL;PREF:0912-123-4567\r\nTEL;HOME:02188887777\r\nEND:VCARD\r\n`,
      [{ name: 'رضا احمدی', numbers: ['0912-123-4567', '02188887777'] }],
    ],
    [
      'of version 3.0, folded, in groups, with a picture',
      `BEGIN:VCARD\nVERSION:3.0\nN:Ahmadi;Sara;;Dr.;\nitem1.TEL;type=CELL:+98 912\n  123 4567\nitem1.X-ABLabel:_$!<Mobile>!$_\nPHOTO;ENCODING=b:${'QUJD'.repeat(900)}\n ${'QUJD'.repeat(900)}\nitem2.TEL:۰۹۳۵۱۱۱۲۲۳۳\nEND:VCARD`,
      [{ name: 'Sara Ahmadi', numbers: ['+98 912 123 4567', '۰۹۳۵۱۱۱۲۲۳۳'] }],
    ],
    [
      'of version 4.0, with addresses of numbers, and escaped signs',
      'BEGIN:VCARD\nVERSION:4.0\nFN:Shop\\, North\nTEL;VALUE=uri;TYPE="voice,home:1":tel:+98-912-123-4567;ext=5\nTEL:+98-912-123-4567\nTEL;TYPE="a:b":1\nsay TEL:2\nEND:VCARD',
      [{ name: 'Shop, North', numbers: ['+98-912-123-4567', '1'] }],
    ],
    [
      'one after the other, without an end, a name or a number',
      'BEGIN:VCARD\nTEL:1\nBEGIN:VCARD\nORG:Nik;Sales\nEND:VCARD\nTEL:5\nbegin:vcard\nfn:A\ntel:2',
      [
        { name: '', numbers: ['1'] },
        { name: 'Nik Sales', numbers: [] },
        { name: 'A', numbers: ['2'] },
      ],
    ],
    [
      'by what it is shown as, else by its parts, else by a nickname',
      'BEGIN:VCARD\nORG:Nik\nNICKNAME:Ali\nN:Ahmadi;Ali\nFN:Ali A\nFN:B\nEND:VCARD\nBEGIN:VCARD \nORG:Nik\nNICKNAME:Ali\nN:Ah\\;madi;Sara;Mina;Dr.\nFN:\nEND:VCARD\nBEGIN:VCARD\nORG:Nik\nNICKNAME:Ali\\nA  \n\tB\nEND:VCARD\nBEGIN:VCARD\nN:Ali\nEND:VCARD',
      [
        { name: 'Ali A', numbers: [] },
        { name: 'Sara Mina Ah;madi', numbers: [] },
        { name: 'Ali A B', numbers: [] },
        { name: 'Ali', numbers: [] },
      ],
    ],
    [
      'whose picture ends as a quoted line does, and whose words speak of quoting',
      'BEGIN:VCARD\nPHOTO;ENCODING=b:QUI=\nTEL: tel:5 \nTEL: ;ext=5\nFN:a;QUOTED-PRINTABLE:=41\nEND:VCARD',
      [{ name: 'a QUOTED-PRINTABLE:=41', numbers: ['5'] }],
    ],
    [
      'with a sign in small digits of the old quoting',
      'BEGIN:VCARD\nORG;QUOTED-PRINTABLE:caf=c3=a9 4=4',
      [{ name: 'café 4=4', numbers: [] }],
    ],
    [
      'with more than anybody is called, or can be called at',
      `BEGIN:VCARD\nFN:${' '.repeat(2000)}a\nN:${' '.repeat(1900)}\n ${' '.repeat(200)}a\nORG:${'b'.repeat(300)}\nTEL:${'1'.repeat(300)}\n${Array.from({ length: 30 }, (_, at) => `TEL:${at}`).join('\n')}`,
      [
        {
          name: 'b'.repeat(200),
          numbers: ['1'.repeat(200), ...Array.from({ length: 19 }, (_, at) => `${at}`)],
        },
      ],
    ],
    ['of something else', 'BEGIN:VEVENT\nTEL:1\nEND:VEVENT', []],
    ['that is none', 'mobile,name\n09121234567,Ali\nTEL:3\nEND:VCARD', []],
  ])('%s', (_, text, cards) => {
    expect(readVCards(text)).toEqual(cards);
  });

  test('gives back every name and number that was written into it, in whatever way', () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}]{1,30}$/u);
    const number = fc.stringMatching(/^\+?[0-9۰-۹]{3,15}$/u);
    const style = fc.constantFrom('plain', 'folded', 'quoted');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.uniqueArray(number, { maxLength: 5 }), style)), (people) => {
        const line = (name: string, value: string, how: string): string =>
          how === 'quoted'
            ? `${name};ENCODING=QUOTED-PRINTABLE:${quotedPrintable(value).replaceAll(/(.{30})/gu, '$1=\r\n')}`
            : how === 'folded'
              ? Array.from(`a-1.${name}:${value}`).join('\r\n ')
              : `${name}:${value}`;
        const text = people.map(([name, numbers, how]) =>
          [
            'BEGIN:VCARD',
            line('FN', name, how),
            ...numbers.map((each) => line('TEL', each, how)),
            'END:VCARD',
          ].join('\r\n'),
        );
        expect(readVCards(text.join('\r\n'))).toEqual(people.map(([name, numbers]) => ({ name, numbers })));
      }),
    );
  });

  test('is read from anything without failing, in as little room as one card needs', () => {
    const piece = fc.oneof(
      fc.constantFrom('BEGIN:VCARD', 'END:VCARD', 'TEL:', 'FN;ENCODING=QUOTED-PRINTABLE:=', ' ', 'N:;;;'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, piece)), (pieces) => {
        const reader = createVCardReader();
        const cards = [...pieces.map(([one, other]) => reader.line(one + other)), reader.end()];
        for (const card of cards.filter((each) => each !== null)) {
          expect(card.name.length).toBeLessThanOrEqual(200);
          expect(card.numbers.length).toBeLessThanOrEqual(20);
        }
      }),
    );
    const reader = createVCardReader();
    reader.line('BEGIN:VCARD');
    reader.line('NOTE:');
    for (let index = 0; index < 100_000; index += 1) reader.line(` ${'x'.repeat(70)}`);
    expect(reader.end()).toEqual({ name: '', numbers: [] });
  });
});
