import { describe, expect, it } from 'vitest';
import { createTables } from './tables.ts';
import { number, OFFICE, read, refusal, relations, row, workbook } from './testing/files.ts';

describe('a workbook', () => {
  it('gives numbers as the digits that it holds', async () => {
    const stored = [
      '989121234567',
      '9121234567',
      '9.121234567E9',
      '9.89121234567E11',
      '9121234567.0',
      '1.5',
      '-3',
    ];
    const rows = await read(await workbook({ rows: row(...stored.map(number)) }));
    expect(rows).toEqual([
      ['989121234567', '9121234567', '9121234567', '989121234567', '9121234567', '1.5', '-3'],
    ]);
  });

  it('leaves a number whose digits were lost as it is, so that nobody takes it for a mobile', async () => {
    const stored = ['9.12E+09', '9.89123E+11', '9.12123456E9', '9.12E-9', '9E99'];
    expect(await read(await workbook({ rows: row(...stored.map(number)) }))).toEqual([stored]);
  });

  it('gives digits that no floating-point number could hold', async () => {
    expect(await read(await workbook({ rows: row(number('12345678901234567890')) }))).toEqual([
      ['12345678901234567890'],
    ]);
  });

  it('gives texts, shared, inline and computed, and truth values', async () => {
    const rows = row(
      '<c t="s"><v>1</v></c>',
      '<c t="inlineStr"><is><t xml:space="preserve"> in </t></is></c>',
      '<c t="str"><f>A1&amp;"x"</f><v>سلامx</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="b"><v>0</v></c>',
      '<c><f>1+1</f><v>2</v></c>',
      '<c t="e"><v>#N/A</v></c>',
      '<c s="3"><v>45000.5</v></c>',
    );
    const strings =
      '<si><t>no</t></si><si><r><rPr><b/></rPr><t>سلا</t></r><r><t>م</t></r><rPh sb="0" eb="1"><t>aid</t></rPh></si>';
    expect(await read(await workbook({ rows, strings }))).toEqual([
      ['سلام', ' in ', 'سلامx', 'TRUE', 'FALSE', '2', '#N/A', '45000.5'],
    ]);
  });

  it('puts cells where they are, and leaves out empty rows and ends', async () => {
    const rows =
      '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>3</v></c><c r="XFD1" s="1"/></row>' +
      '<row r="2"><c r="A2" s="1"/></row><row r="3"/>' +
      '<row r="9"><c r="AA9"><v>27</v></c></row>';
    expect(await read(await workbook({ rows }))).toEqual([
      ['1', '', '3'],
      [...Array.from({ length: 26 }, () => ''), '27'],
    ]);
  });

  it('reads escapes of what XML cannot hold, and of themselves', async () => {
    const strings = '<si><t>a_x000D_b_x005F_x0041_&amp;&#x41;<![CDATA[<c>]]></t></si>';
    expect(await read(await workbook({ rows: row('<c t="s"><v>0</v></c>'), strings }))).toEqual([
      ['a\rb_x0041_&A<c>'],
    ]);
  });

  it('is its first sheet that people see, wherever it lies', async () => {
    const parts = {
      '_rels/.rels': relations(
        `<Relationship Id="x" Type="${OFFICE}/officeDocument" Target="/book/Main.xml"/>`,
      ),
      'book/main.xml':
        `<x:workbook xmlns:q="${OFFICE}"><x:sheets><x:sheet name="chart" q:id="c"/><x:sheet name="h" state="hidden" q:id="h"/>` +
        '<x:sheet name="s" q:id="s"/><x:sheet name="t" q:id="t"/></x:sheets></x:workbook>',
      'book/_rels/Main.xml.rels': relations(
        `<Relationship Id="c" Type="${OFFICE}/chartsheet" Target="c.xml"/>` +
          ['h', 's', 't']
            .map((id) => `<Relationship Id="${id}" Type="${OFFICE}/worksheet" Target="../s/${id}.xml"/>`)
            .join(''),
      ),
      's/s.xml':
        '<x:worksheet xmlns:x="y"><x:sheetData><x:row><x:c><x:v>5</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      's/t.xml': '<worksheet/>',
      's/h.xml': `<worksheet><sheetData>${row(number('6'))}</sheetData></worksheet>`,
    };
    expect(await read(await workbook({ parts }))).toEqual([['5']]);
    const hidden = {
      ...parts,
      'book/_rels/Main.xml.rels': parts['book/_rels/Main.xml.rels'].replaceAll(/"[st]"/g, '"no"'),
    };
    expect(await read(await workbook({ parts: hidden }))).toEqual([['6']]);
  });

  it('may be written in UTF-16', async () => {
    const xml = `\ufeff<?xml version="1.0" encoding="UTF-16"?><worksheet><sheetData>${row('<c t="str"><v>گچ</v></c>')}</sheetData></worksheet>`;
    const parts = { 'xl/worksheets/sheet1.xml': Buffer.from(xml, 'utf16le') };
    expect(await read(await workbook({ parts }))).toEqual([['گچ']]);
  });

  it('is known by what it is, not by its name, and so is a CSV', async () => {
    const tables = createTables();
    const content = await workbook({ rows: row(number('7')) });
    expect(await tables.read({ name: 'numbers.csv', content })).toEqual([['7']]);
    expect(await tables.read({ name: 'numbers.xlsx', content: Buffer.from('7,8') })).toEqual([['7', '8']]);
  });
});

describe('what is no workbook', () => {
  it('is an archive of anything else', async () => {
    expect(await refusal(Buffer.concat([Buffer.from([0x50, 0x4b, 5, 6]), Buffer.alloc(18)]))).toBe(
      'not_a_table',
    );
    expect(await refusal(await workbook({ parts: { '_rels/.rels': null } }))).toBe('not_a_table');
    expect(await refusal(await workbook({ parts: { 'xl/workbook.xml': null } }))).toBe('not_a_table');
    expect(await refusal(await workbook({ parts: { 'xl/workbook.xml': '<document/>' } }))).toBe(
      'not_a_table',
    );
    expect(await refusal(await workbook({ parts: { 'xl/workbook.xml': '<workbook/>' } }))).toBe(
      'not_a_table',
    );
  });

  it('is one that points to what is not there', async () => {
    expect(await refusal(await workbook({ parts: { 'xl/worksheets/sheet1.xml': null } }))).toBe('damaged');
    expect(await refusal(await workbook({ rows: row('<c t="s"><v>2</v></c>'), strings: '<si/>' }))).toBe(
      'damaged',
    );
    expect(await refusal(await workbook({ rows: row('<c t="s"><v>-1</v></c>'), strings: '<si/>' }))).toBe(
      'damaged',
    );
    expect(await refusal(await workbook({ rows: row('<c r="1A"><v>1</v></c>') }))).toBe('damaged');
  });
});
