import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { ordersIn } from '../support/orders.ts';
import { has, plain, rows } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* /people: whom a chat keeps, from a file, a contact or typed, and sends to a tag with what is kept of each. */

let world: World;
let on: ReturnType<typeof ordersIn>;

beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 600 });
  on = ordersIn(world);
});

afterAll(async () => {
  expect(on.talk.errors()).toEqual([]);
  await world.stop();
});

const shown = (message: Message): string[] => plain(message).split('\n');

/** Keeps the people of a file under a tag; resolves with the card that the file has become. */
async function keeps(person: Person, lines: readonly string[], tag: string): Promise<Message> {
  const after = person.upload(person, 'customers.csv', Buffer.from(lines.join('\n')), '/bulk').message_id;
  const card = await on.talk.hears(person, has('👥'), after);
  await on.talk.presses(person, card, '👥');
  await on.talk.hears(person, /Under which tag\?|با کدام برچسب؟/u, card.message_id);
  person.send(person, tag);
  return await on.talk.hears(person, has('✉️'), card.message_id);
}

describe.concurrent('people', () => {
  test('of a file are kept under a tag, and get each their own text from /bulk', async () => {
    const { sara, account } = await on.linked();
    const kept = await keeps(
      sara,
      [
        'mobile,name,size',
        '09120000001,Sara,38',
        '09120000002,Omid,',
        '0912000,Nobody,1',
        '09120000001,Twice,2',
      ],
      '#Customers',
    );
    expect(shown(kept)).toEqual([
      '📄 customers.csv',
      '👥 2 people kept under #customers, 2 of them new. Nothing was sent.',
      '🚫 2 rows left out',
    ]);
    expect(rows(kept)).toEqual([['✉️ Send to them', '👥 Show them']]);
    expect(on.sent(account)).toEqual([]);

    const after = sara.send(sara, '/bulk #customers Dear {name}, size {size}').message_id;
    const card = await on.talk.hears(sara, has('▶'), after);
    expect(shown(card)).toEqual([
      '✉️ Draft #A2 · line 3000123456',
      '👥 #customers · 2 people',
      'Dear {name}, size {size}',
      '🏷 Fields for the text: {mobile} {name} {size}',
      '✅ 2 good numbers',
      'The first rows:',
      '2: 09120000001 | Sara | 38',
      '3: 09120000002 | Omid | ',
    ]);
    expect(rows(card)).toEqual([['▶ Continue'], ['✖ Cancel']]);
    await on.talk.presses(sara, card, '▶');
    const ready = await on.talk.turns(card, has('✅'));
    expect(shown(ready).slice(1, 4)).toEqual([
      '👥 #customers · 2 people',
      '2 people → 1 to send, 🕳 1 with an empty field',
      'Message 1 of 1 · 09120000001',
    ]);
    await on.ships(sara, ready, '1 accepted');
    await on.settled(sara);
    expect(on.sent(account).map(({ recipients, text }) => [recipients.join(), text])).toEqual([
      ['9120000001', 'Dear Sara, size 38'],
    ]);
  });

  test('come from a file with the tag as its caption, and once more without doing anybody twice', async () => {
    const { sara } = await on.linked();
    const bytes = Buffer.from('name,mobile,tags\nSara,09120000001,vip #old\nOmid,09120000002,');
    const uploads = async () => {
      const after = sara.upload(sara, 'vips.csv', bytes, '/people #VIP').message_id;
      return await on.talk.hears(sara, has('✉️'), after);
    };
    expect(shown(await uploads())[1]).toBe('👥 2 people kept under #vip, 2 of them new. Nothing was sent.');
    expect(shown(await uploads())[1]).toBe('👥 2 people kept under #vip, 0 of them new. Nothing was sent.');
    const list = await on.talk.asks(sara, sara, '/people #old', '👥 1 person');
    await on.talk.asks(sara, sara, '/people #old all', '👥 1 person');
    expect(shown(list)[1]).toBe('Sara · 09120000001 · #old #vip');

    // Which column is meant nobody knows: a person says so first.
    const unsure = Buffer.from('a,b\n09120000003,09120000004\n09120000005,09120000006');
    const after = sara.upload(sara, 'two.csv', unsure, '/people #vip').message_id;
    const card = await on.talk.hears(sara, has('📱'), after);
    expect(plain(card)).not.toContain('kept');
    await on.talk.asks(sara, sara, '/people #vip', '👥 2 people');
  });

  test('of two files whose columns only the keyboard or the case tells apart have one field, with what was said last', async () => {
    const { sara } = await on.linked();
    await keeps(sara, ['mobile,name,تاریخ تولد,City', '09120000001,Sara,1370/5/12,Qom'], '#vip');
    await keeps(sara, ['mobile,name,تاريخ تولد,city', '09120000001,Sara,1370/5/13,Rasht'], '#vip');
    const person = plain(await on.talk.asks(sara, sara, '/people 09120000001', 'Sara'));
    expect(person).toContain('1370/5/13');
    expect(person).not.toContain('1370/5/12');
    const after = sara.send(sara, '/bulk #vip From {city}, {تاریخ تولد}').message_id;
    const card = await on.talk.hears(sara, has('▶'), after);
    expect(plain(card)).toContain('{mobile} {name} {City} {تاریخ تولد}');
    expect(plain(card)).toContain('2: 09120000001 | Sara | Rasht | 1370/5/13');
  });

  test('have the name that is typed like a field, in either language, and are greeted by it', async () => {
    const { sara } = await on.linked();
    const made = await on.talk.asks(sara, sara, '/people 09120000001 نام: سارا، شهر: قم #vip', '✅ Kept');
    expect(shown(made)).toContain('👤 سارا · 09120000001');
    await on.talk.asks(sara, sara, '/people 09120000002 name=Omid, city=Qom #vip', '✅ Kept');
    const after = sara.send(sara, '/bulk #vip Dear {name}').message_id;
    const card = await on.talk.hears(sara, has('▶'), after);
    expect(plain(card)).toMatch(/2: 09120000001 \| سارا \|[\s\S]*3: 09120000002 \| Omid \|/u);
  });

  test('are one press away where their tag stands in the place of the numbers of /send, at once or as the answer', async () => {
    const { sara } = await on.linked();
    await keeps(sara, ['mobile,name', '09120000001,Sara', '09120000002,Omid'], '#vip');
    await keeps(sara, ['mobile,name', '09120000003,Reza'], '#new');
    const asked = await on.talk.asks(sara, sara, '/send #VIP Hello all', 'To which numbers?');
    expect(rows(asked)).toEqual([['👥 #vip · 2'], ['✖ Cancel']]);
    await on.talk.presses(sara, asked, '👥');
    // A text that is the same for all asks nothing of their fields.
    const card = await on.talk.hears(sara, has('✅ Send 2'), asked.message_id);
    expect(plain(card)).toContain('Hello all');
    expect(plain(card)).not.toContain('#VIP');
    const text = await on.talk.asks(sara, sara, '/send Hi', 'To which numbers?');
    expect(rows(text)).toEqual([['✖ Cancel']]);
    sara.send(sara, '#nobody');
    const again = await on.talk.hears(sara, has('👥'), text.message_id);
    expect(rows(again)).toEqual([['👥 #vip · 2'], ['👥 #new · 1'], ['✖ Cancel']]);
    await on.talk.presses(sara, again, '👥 #new');
    expect(plain(await on.talk.hears(sara, has('✅ Send 1'), again.message_id))).toContain('Hi');
    for (const line of ['/send Vip Hello', '/send vpi Hello', '/send #vvip Hello']) {
      const word = await on.talk.asks(sara, sara, line, 'To which numbers?');
      expect(rows(word)).toEqual([['👥 #vip · 2'], ['✖ Cancel']]);
    }
  });

  test('are added, changed, found and taken out one by one', async () => {
    const { sara } = await on.linked();
    await on.talk.asks(sara, sara, '/people', 'Nobody is kept here yet');
    const made = await on.talk.asks(
      sara,
      sara,
      '/people 09121234567 Sara Ahmadi birthday=1370/5/12 #VIP',
      '✅ Kept',
    );
    expect(shown(made)).toEqual([
      '✅ Kept.',
      '👤 Sara Ahmadi · 09121234567',
      '🏷 #vip',
      'birthday: 1370/5/12',
    ]);
    expect(rows(made)).toEqual([['✉️ Send', '✏️ Change'], ['🗑 Take out']]);
    const behind = await on.talk.asks(sara, sara, '/people Sara Karimi 0912 123 4567 city=Yazd', '✅ Kept');
    expect(shown(behind)).toContain('👤 Sara Karimi · 09121234567');
    expect(shown(behind)).toContain('city: Yazd');
    await on.talk.asks(sara, sara, '/people 09121234567 Sara Ahmadi', '👤 Sara Ahmadi');
    await on.talk.presses(sara, made, '✏️');
    const question = await on.talk.hears(sara, 'What do you want to keep of 09121234567?', made.message_id);
    const changed = sara.send(sara, 'birthday=, city=Qom -#vip #new').message_id;
    const card = await on.talk.hears(sara, '✅ Kept', changed);
    expect(shown(card).slice(1)).toEqual(['👤 Sara Ahmadi · 09121234567', '🏷 #new', 'city: Qom']);
    expect(question.message_id).toBeLessThan(card.message_id);

    // Words find names, numbers and values.
    for (const words of ['ahmadi', '1234567', 'qom', '#new', '#new ahmadi'])
      await on.talk.asks(sara, sara, `/people ${words}`, /^👥 1 person/u);
    await on.talk.asks(sara, sara, '/people #none', 'Nobody under #none is kept');
    await on.talk.asks(sara, sara, '/people 09120000000', 'is not kept here');
    await on.talk.asks(sara, sara, '/people 09120000000 09120000001', 'One number at a time');

    await on.talk.presses(sara, card, '🗑');
    const asked = await on.talk.hears(sara, 'Take out Sara Ahmadi', card.message_id);
    await on.talk.presses(sara, asked, '🗑');
    await on.talk.turns(asked, '09121234567 is no longer kept.');
    await on.talk.asks(sara, sara, '/people', 'Nobody is kept here yet');
  });

  test('come from a contact with its name, and the inbox calls them by it', async () => {
    const { sara } = await on.linked();
    const contact = sara.shareContact(sara, {
      phone_number: '+989121234567',
      first_name: 'Sara',
      last_name: 'Ahmadi',
    });
    const offer = await on.talk.hears(sara, has('👥'), contact.message_id);
    await on.talk.presses(sara, offer, '👥');
    const card = await on.talk.hears(sara, '✅ Kept', offer.message_id);
    expect(shown(card)[1]).toBe('👤 Sara Ahmadi · 09121234567');
    await on.talk.asks(sara, sara, '/name 09121234567 -', '09121234567');
    await on.talk.asks(sara, sara, '/people', 'Nobody is kept here yet');
  });

  test.each([
    ['en', 'Mina birthday=1370/13/05', 'birthday=31 Feb', 'birthday=1370/12/30 size=1.2.3', 'as a date'],
    ['fa', 'مینا تولد=۱۳۷۰/۱۳/۰۵', 'تولد=۳۱ مهر', 'تولد=۳۰ اسفند سایز=1.2.3', 'را تاریخ نفهمیدم'],
  ] as const)(
    'are kept with what is no date, which is said, in %s',
    async (language, wrong, also, right, says) => {
      const { sara } = await on.linked({ language });
      for (const typed of [wrong, also]) {
        const kept = await on.talk.asks(sara, sara, `/people 09121234567 ${typed}`, has('🗑'));
        expect(plain(kept)).toContain(`«${typed.split('=')[1]}»`);
        expect(plain(kept)).toContain(says);
      }
      const kept = await on.talk.asks(sara, sara, `/people 09121234567 ${right}`, has('🗑'));
      expect(plain(kept)).not.toContain('⚠');
    },
  );

  test('are asked about at once by a number that came alone, and shown where they are kept', async () => {
    const { sara } = await on.linked();
    const number = sara.send(sara, '09121234567');
    const offer = await on.talk.hears(sara, has('👥'), number.message_id);
    await on.talk.presses(sara, offer, '👥');
    await on.talk.hears(sara, 'What do you want to keep of 09121234567?', offer.message_id);
    await on.talk.asks(sara, sara, 'Sara Ahmadi', '✅ Kept');
    const again = await on.talk.hears(sara, has('👥'), sara.send(sara, '09121234567').message_id);
    await on.talk.presses(sara, again, '👥');
    await on.talk.hears(sara, '👤 Sara Ahmadi', again.message_id);
    // Whoever only looks is asked nothing.
    const looked = await on.talk.asks(sara, sara, '/people 09121234568', '09121234568 is not kept here');
    expect(rows(looked)).toEqual([['➕ Keep', '✉️ Send']]);
  });

  test('a tag is taken out as a whole, exported before, and nobody can be sent to after', async () => {
    const { sara } = await on.linked({ language: 'fa' });
    await keeps(sara, ['موبایل,نام', '09120000001,سارا', '09120000002,امید'], '#مشتریان');
    await on.talk.asks(sara, sara, '/people 09120000002 #همکار', '✅ ثبت شد');
    const list = await on.talk.asks(sara, sara, '/people #مشتریان', '👥 ۲ نفر با برچسب');
    await on.talk.presses(sara, list, '⬇ CSV');
    const file = await on.talk.hears(sara, (message) => message.document !== undefined, list.message_id);
    expect(file.document?.file_name).toBe('مشتریان.csv');
    expect(on.talk.fileOf(file).toString('utf8')).toBe(
      '\uFEFFموبایل,نام,برچسب‌ها\r\n09120000001,سارا,"#مشتریان"\r\n09120000002,امید,"#مشتریان #همکار"\r\n',
    );
    const overview = await on.talk.asks(sara, sara, '/people', 'برچسب');
    expect(rows(overview).flat()).toContain('🏷 #همکار · ۱');
    await on.talk.presses(sara, overview, '🏷 #همکار');
    const colleagues = await on.talk.turns(overview, '👥 ۱ نفر با برچسب');
    await on.talk.presses(sara, colleagues, '⬇ XLSX');
    const workbook = await on.talk.hears(
      sara,
      (message) => message.document?.file_name === 'همکار.xlsx',
      overview.message_id,
    );
    expect(workbook.document?.file_size).toBeGreaterThan(0);
    await on.talk.presses(sara, list, '🗑');
    const asked = await on.talk.hears(sara, has('بماند'), list.message_id);
    await on.talk.presses(sara, asked, '🗑');
    await on.talk.turns(asked, '۱ نفر حذف شد؛ ۱ نفر با برچسب دیگر ماند.');
    const none = sara.send(sara, '/bulk #مشتریان سلام').message_id;
    await on.talk.hears(sara, 'کسی با برچسب #مشتریان ثبت نشده است.', none);
    await on.talk.hears(sara, 'کدام فایل؟', none);
  });

  test('who only looks cannot add or change anybody, and is told so', async () => {
    const { driver } = world;
    const owner = driver.user({ first_name: 'Olivia', language_code: 'en' });
    const viewer = driver.user({ first_name: 'Ulf', language_code: 'en' });
    const group = driver.group({ title: 'Shop', creator: owner, members: [viewer] });
    await on.talk.connects(owner, { apiKey: on.talk.account().apiKey }, { chat: group });
    await on.talk.gives('viewer', viewer, group);
    await on.talk.asks(viewer, group, '/people 09121234567 Sara', 'needs the role operator');
    const none = await on.talk.asks(viewer, group, '/people', 'Nobody is kept here yet');
    expect(rows(none)).toEqual([]);
  });
});
