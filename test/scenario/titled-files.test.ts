import type { Message } from '@grammyjs/types';
import { afterAll, describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { workbook } from '../../src/tables/testing/files.ts';
import { ordersIn } from '../support/orders.ts';
import { has, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Files as shops keep them: names below a title, a person who says which row has them, and fields that a press puts in. */

const { made } = useWorld({}, { deliverySeconds: 600 });
const on = made(ordersIn);

afterAll(async () => {
  expect(on.talk.refused()).toEqual([]);
});

const csv = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'));

/** A sheet with its title merged over all columns; a row without cells is not in it, as in Excel's own. */
async function titled(...lines: readonly (readonly string[])[]): Promise<Uint8Array> {
  const written = lines.map((cells, index) => {
    const inside = cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('');
    return cells.length === 0 ? '' : `<row r="${index + 1}">${inside}</row>`;
  });
  return await workbook({
    rows: `${written.join('')}</sheetData><mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells><sheetData>`,
  });
}

async function opens(
  person: Person,
  name: string,
  bytes: Uint8Array,
  says: Parameters<typeof on.talk.hears>[1] = has('▶'),
): Promise<Message> {
  const after = person.upload(person, name, bytes, '/bulk').message_id;
  return await on.talk.hears(person, says, after);
}

describe.concurrent('a file with a title', () => {
  test('has its names found, told by the row of the spreadsheet, and nothing above them is left out', async () => {
    const { sara, account } = await on.linked();
    const bytes = await titled(
      ['Customers of March'],
      [],
      ['no', 'customer name', 'mobile'],
      ['1', 'Sara', '09121110001'],
      ['2', 'Lena', '09121110002'],
      ['total', '2', ''],
    );
    const card = await opens(sara, 'march.xlsx', bytes);
    const told = plain(card).split('\n');
    expect(told).toContain('📄 march.xlsx · 3 rows · sheet «A»');
    expect(told).toContain('📱 Phone column: «mobile» (found)');
    expect(told).toContain('🏷 Fields for the text: {no} {customer name} {mobile}');
    expect(told).toContain('4: 1 | Sara | 09121110001');
    expect(told).toContain('Row 3 names the columns; it and the rows above it are not recipients.');
    await on.talk.presses(sara, card, '▶');
    const question = await on.talk.hears(sara, 'What should the message say?', card.message_id);
    expect(rows(question)).toEqual([['{no}', '{customer name}'], ['✖ Cancel']]);

    await on.talk.asks(sara, sara, 'Dear {name}', 'Did you mean {customer name}?');
    const again = await on.talk.hears(sara, has('✔ {customer name}'), question.message_id);
    await on.talk.presses(sara, again, '✔');
    const ready = await on.talk.turns(card, has('✅'));
    expect(plain(ready)).toContain('3 rows → 2 to send, 🚫 1 invalid');
    expect(plain(ready)).toContain('Message 1 of 2 · row 4 of the file');
    await on.talk.presses(sara, ready, '👀');
    await on.talk.presses(sara, await on.talk.turns(card, has('⬇')), '⬇');
    const file = await on.talk.hears(
      sara,
      (m) => m.document?.file_name === 'skipped-A1.csv',
      card.message_id,
    );
    expect(on.talk.fileOf(file).toString('utf8').trim().split('\r\n').slice(1)).toEqual([
      expect.stringMatching(/^6,/u),
    ]);
    await on.talk.presses(sara, card, '⬅');
    await on.ships(sara, await on.talk.turns(card, has('✅')), '2 accepted');
    expect(on.sent(account).map(({ text }) => text)).toEqual(['Dear Sara', 'Dear Lena']);
  });

  test('has its fields put into the text by presses', async () => {
    const { sara, account } = await on.linked({ language: 'fa' });
    const bytes = await titled(
      ['فروشگاه نیک', '', ''],
      ['نام مشتری', 'شمارهٔ همراه', 'شهر'],
      ['سارا', '۰۹۱۲۱۱۱۰۰۰۱', 'قم'],
    );
    const card = await opens(sara, 'مشتریان.xlsx', bytes);
    expect(plain(card)).toContain('ردیف ۲ نام ستون‌هاست؛ خودش و ردیف‌های بالای آن گیرنده نیستند.');
    await on.talk.presses(sara, card, '▶');
    const question = await on.talk.hears(sara, 'متن پیام چه باشد؟', card.message_id);
    await on.talk.presses(sara, question, '{نام مشتری}');
    const begun = await on.talk.turns(question, 'تا اینجا:');
    expect(plain(begun)).toContain('{نام مشتری}');
    expect(rows(begun).at(-2)).toEqual(['✔ همین متن']);
    sara.send(sara, '، سفارش شما آماده است');
    const ready = await on.talk.turns(card, has('✅'));
    expect(plain(ready)).toContain('سارا، سفارش شما آماده است');

    // The text that is there can be gone on with too.
    await on.talk.presses(sara, ready, '✏️ ویرایش');
    await on.talk.presses(sara, await on.talk.turns(card, has('✏️ متن')), '✏️ متن');
    const more = await on.talk.hears(sara, 'متن پیام چه باشد؟', question.message_id);
    await on.talk.presses(sara, more, '{شهر}');
    await on.talk.presses(sara, await on.talk.turns(more, 'سفارش شما آماده است {شهر}'), '✔');
    const last = await on.talk.turns(
      card,
      (m) => plain(m).includes('سارا، سفارش شما آماده است قم') && has('✅')(m),
    );
    await on.ships(sara, last, '۱ پذیرفته شد');
    expect(on.sent(account).map(({ text }) => text)).toEqual(['سارا، سفارش شما آماده است قم']);
  });

  test.each([
    ['en', 'names are in row 2', 'Row 2 names the columns', 'Row «row 9» is empty or not among', 'row 9'],
    ['fa', 'نام‌ها در ردیف ۲ است', 'ردیف ۲ نام ستون‌هاست', 'ردیف «ردیف ۹» در', 'ردیف ۹'],
  ] as const)('is read by the row that somebody says, in %s', async (language, said, told, none, beyond) => {
    const { sara } = await on.linked({ language });
    const card = await opens(
      sara,
      'a.csv',
      csv('name,mobile', 'نام,شماره', 'Sara,09121110001', 'Lena,09121110002'),
    );
    expect(plain(card)).not.toContain(told);
    await on.talk.asks(sara, sara, beyond, none);
    sara.send(sara, said);
    await on.talk.turns(card, told);
    sara.send(sara, language === 'fa' ? 'ردیف ۱' : 'row 1', { replyTo: card });
    await on.talk.turns(card, (m) => !plain(m).includes(told) && has('▶')(m));
    // Below the line that is left of a card which went on, the card is meant.
    sara.send(sara, said, { replyTo: await on.talk.hears(sara, /^⬇️/u) });
    await on.talk.turns(card, told);
  });

  test.each([
    ['en', 'It has the names of columns in row 2 and no recipient below them.'],
    ['fa', 'در ردیف ۲ نام ستون‌ها هست ولی زیر آن هیچ گیرنده‌ای نیست.'],
  ] as const)('and names alone is refused, in %s', async (language, told) => {
    const { sara } = await on.linked({ language });
    const bytes = await titled(['لیست مشتریان'], ['نام', 'موبایل']);
    const card = await opens(sara, 'empty.xlsx', bytes, told);
    expect(rows(card).flat()).toHaveLength(1);
  });
});
