import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldColumnName } from './column-name.ts';
import {
  knownField,
  NUMBER_COLUMN,
  personCells,
  personColumns,
  personTable,
  readPerson,
  readPersonChange,
  readPersonColumns,
  splitPerson,
} from './people.ts';

test.for([
  [['موبایل', 'نام', 'نام خانوادگی', 'شهر'], 1, ['نام خانوادگی', 'شهر']],
  [['Mobile', 'City', 'Full name'], 2, ['City']],
  [['شماره', 'نام و نام‌خانوادگی'], 1, []],
  [['Mobile', 'Company', ''], null, ['Company', '3']],
  [['Mobile', 'Full Name', 'Name'], 2, ['Full Name']],
] as const)('the name and the fields of %j', ([columns, name, fields]) => {
  const read = readPersonColumns(columns, 0, []);
  expect(read.name).toBe(name);
  expect(read.fields.map((field) => field.name)).toEqual(fields);
});

test('a column is the field that is kept already, whatever keyboard or case its name is typed in', () => {
  const known = ['City', 'city', 'تاریخ تولد'];
  expect(knownField('city', known)).toBe('city');
  const { fields } = readPersonColumns(['Mobile', 'CITY', 'تاريخ تولد', 'Size'], 0, known.slice(1));
  expect(fields.map((field) => field.name)).toEqual(['city', 'تاریخ تولد', 'Size']);
});

test('nothing is kept in a field that only all objects have', () => {
  const sara = { number: '989120000001', name: 'Sara', fields: { city: 'Qom' }, tags: [] };
  expect(personCells(sara, ['constructor', 'city'])).toEqual(['09120000001', 'Sara', '', 'Qom']);
});

test('a blank cell says nothing, and a name is one line that is not too long', () => {
  const columns = readPersonColumns(['Mobile', 'Name', 'City', 'Size'], 0, []);
  expect(readPerson(columns, ['0912', ' Sara\n Ahmadi ', ' \u200c '])).toMatchObject({
    name: 'Sara Ahmadi',
    fields: {},
  });
  expect(readPerson(columns, ['0912', '', ' Qom ', '38'])).toEqual({
    name: '',
    fields: { City: 'Qom', Size: '38' },
    tags: [],
  });
  expect(readPerson(columns, ['0912', ` ${'س'.repeat(100)}`]).name).toBe('س'.repeat(60));
  expect(readPerson(columns, ['0912', `${'س'.repeat(59)} س`]).name).toBe('س'.repeat(59));
  const tagged = readPersonColumns(['Mobile', 'City', 'Tags'], 0, []);
  const nobody = { name: '', fields: {}, tags: [] };
  expect(readPerson(tagged, ['0912'])).toEqual(nobody);
  expect(readPerson(tagged, ['0912', '', 'vip, <b>; New |vip'])).toEqual({ ...nobody, tags: ['vip', 'new'] });
  expect(readPerson(readPersonColumns(['Mobile', 'Name'], 0, []), ['0912', 'vip'])).toEqual({
    ...nobody,
    name: 'vip',
  });
});

/** Neither the name nor the tags. */
function isField(column: string): boolean {
  return readPersonColumns([column], -1, []).fields.length === 1;
}

test('who is written as a row is read from it again', () => {
  const word = fc.stringMatching(/^[a-z\u0627-\u063a]{1,12}$/u);
  fc.assert(
    fc.property(
      fc.constantFrom('en', 'fa'),
      fc.uniqueArray(word, { maxLength: 6, selector: foldColumnName }),
      fc.array(word, { minLength: 7, maxLength: 7 }),
      (locale, names, values) => {
        const fields = names.filter((name) => isField(name) && !personColumns([], locale).includes(name));
        const person = {
          number: '989120000001',
          name: values[6] ?? '',
          fields: Object.fromEntries(fields.map((name, at) => [name, values[at] ?? ''])),
          tags: [],
        };
        const columns = personColumns(fields, locale);
        expect(columns).toHaveLength(fields.length + 2);
        const { name, fields: read } = readPerson(
          readPersonColumns(columns, NUMBER_COLUMN, []),
          personCells(person, fields),
        );
        expect({ name, fields: read }).toEqual({ name: person.name, fields: person.fields });
      },
    ),
  );
});

test.for([
  ['Sara Ahmadi', { name: 'Sara Ahmadi' }],
  ['#vip', { tags: ['vip'] }],
  ['Sara #vip -#New', { name: 'Sara', tags: ['vip'], without: ['new'] }],
  ['birthday=1370/5/12', { fields: { birthday: '1370/5/12' } }],
  [
    'Sara Birthday: 1370/5/12, end of contract = 1405/10/1 #vip',
    {
      name: 'Sara',
      fields: { birthday: '1370/5/12', 'end of contract': '1405/10/1' },
      tags: ['vip'],
    },
  ],
  ['سارا احمدی تولد=۱۳۷۰/۵/۱۲، شهر=قم', { name: 'سارا احمدی', fields: { تولد: '۱۳۷۰/۵/۱۲', شهر: 'قم' } }],
  ['shop=', { fields: { shop: '' } }],
  [
    'Sara,Ahmadi end of contract=1405/10/1',
    { name: 'Sara Ahmadi', fields: { 'end of contract': '1405/10/1' } },
  ],
  ['end of contract=', { fields: { 'end of contract': '' } }],
  ['#<b> Sara', { name: '#<b> Sara' }],
  [`${'x'.repeat(70)}=1`, { name: 'x'.repeat(60) }],
  ['نام: سارا احمدی، شهر=قم', { name: 'سارا احمدی', fields: { شهر: 'قم' } }],
  ['full name = Sara', { name: 'Sara' }],
  ['name=', { name: '' }],
  ['  ', {}],
  ['site=https://a.ir/?x=1', { fields: { site: 'https://a.ir/?x=1' } }],
  ['site= https://a.ir/?x=1', { fields: { site: 'https://a.ir/?x=1' } }],
  ['name=Sara birthday=1370/5/12', { name: 'Sara', fields: { birthday: '1370/5/12' } }],
  [
    'name=Sara Ahmadi end of contract = 1405/1/1 size=40',
    { name: 'Sara Ahmadi', fields: { 'end of contract': '1405/1/1', size: '40' } },
  ],
  ['Sara birthday= size=40 #vip', { name: 'Sara', fields: { birthday: '', size: '40' }, tags: ['vip'] }],
  ['code=abc=', { fields: { code: 'abc=' } }],
  ['birthday: 1370 size=40', { fields: { birthday: '1370', size: '40' } }],
] as const)('what %s says of somebody', ([typed, change]) => {
  expect(readPersonChange(typed, ['birthday', 'contract', 'end of contract'])).toEqual(change);
});

test('an exported table is read again with its tags', () => {
  const person = { number: '989120000001', name: 'سارا', fields: { شهر: 'قم' }, tags: ['1405', 'vip'] };
  const { header, row } = personTable(['شهر'], 'fa');
  expect(readPerson(readPersonColumns(header, NUMBER_COLUMN, []), row(person))).toEqual({
    name: 'سارا',
    fields: { شهر: 'قم' },
    tags: ['1405', 'vip'],
  });
});

test('the number of a person stands before or behind what is said of them', () => {
  const words = fc.stringMatching(/^[a-z=#]{1,8}(?: [a-z=#]{1,8}){0,3}$/u);
  const place = fc.tuple(
    fc.constantFrom('09121234567', '۰۹۱۲ ۱۲۳ ۴۵۶۷', '+98 912 123 4567'),
    words,
    fc.option(words),
  );
  fc.assert(
    fc.property(place, ([number, before, behind]) => {
      const said = behind === null ? before : `${before} ${behind}`;
      const typed = behind === null ? `${before} ${number}` : `${before} ${number} ${behind}`;
      expect(splitPerson(typed)).toEqual({ numbers: ['989121234567'], words: said });
      expect(splitPerson(`${number} ${said}`)).toEqual({ numbers: ['989121234567'], words: said });
      expect(splitPerson(said)).toEqual({ numbers: [], words: said });
    }),
  );
});
