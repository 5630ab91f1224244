import type { Message, Poll, Sticker } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { post } from '../../src/playground/deliver.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { given, has, isFromBot, plain, rows, talkIn } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';

/* What is no command and no answer: one line and a button that leads on, and in a group nothing where people talk. */

const { world, talk } = useWorld();

const BOT = 'PeykSandboxBot';
const HELP = '❓ What you can do here';
const CSV = Buffer.from('mobile,name\n09121234567,Ali\n09351112233,Mina\n');
const STICKER: Sticker = {
  file_id: 's',
  file_unique_id: 's',
  type: 'regular',
  width: 9,
  height: 9,
  is_animated: false,
  is_video: false,
};
const GIF = {
  file_id: 'g',
  file_unique_id: 'g',
  file_name: 'hello.mp4',
  width: 9,
  height: 9,
  duration: 2,
};
const POLL: Poll = {
  id: '1',
  question: 'When?',
  options: [{ persistent_id: '0', text: 'Now', voter_count: 0 }],
  total_voter_count: 0,
  is_closed: false,
  is_anonymous: true,
  members_only: false,
  type: 'regular',
  allows_multiple_answers: false,
  allows_revoting: false,
};
const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });

async function linked(language_code = 'en'): Promise<Person> {
  const person = someone('Sara', language_code);
  await talk.connects(person, { apiKey: talk.account().apiKey });
  return person;
}

/** A group with a linked account, its owner, an operator, and somebody without a role; the bot hears all that is said. */
async function staffed(type: 'supergroup' | 'forum' = 'supergroup') {
  const [owner, operator, outsider] = [someone('Olga'), someone('Omid'), someone('Nobody')];
  const group = world.driver.group({
    creator: owner,
    members: [operator, outsider],
    type,
    bot: 'administrator',
  });
  await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
  await talk.gives('operator', operator, group);
  return { owner, operator, outsider, group };
}

/** Somebody sends what cannot be typed. */
function sends(person: Person, content: Partial<Message>, chat: number = person.id): Message {
  const key =
    chat > 0
      ? [...world.playground.emulator.world.chats.keys()].find((each) => each.startsWith(`${chat}`))
      : String(chat);
  const place = given(world.playground.emulator.world.chats.get(given(key)));
  return post(world.playground.emulator, place, { from: person.user, content }).wire;
}

/** What the bot said in a place after a message of it, once all that this person did there has been handled. */
async function since(
  person: Person,
  place: number | Person,
  { message_id: after }: Message,
): Promise<string[]> {
  await talk.settled(person, place);
  return world.driver
    .messages(place)
    .filter((each) => isFromBot(each) && each.message_id > after && !plain(each).includes(`id ${person.id}`))
    .map(plain);
}

describe.concurrent('in private', () => {
  test('a file without a word leads by one press into a send with it', async () => {
    const sara = await linked();
    const file = sara.upload(sara, 'customers.csv', CSV);
    const asked = await talk.hears(sara, 'Use this file, customers.csv?', file.message_id);
    expect(asked.reply_to_message?.message_id).toBe(file.message_id);
    expect(rows(asked)).toEqual([
      ['✉️ Send to these numbers'],
      ['📒 Add to a phonebook'],
      ['👥 Keep these people'],
      [HELP],
    ]);
    await talk.presses(sara, asked, '✉️');
    const card = await talk.hears(sara, 'mobile', asked.message_id);
    expect(plain(card)).toContain('customers.csv');
    await talk.turns(asked, (m) => rows(m).length === 0);
  });

  test('words after a file, and words with it, are the text to its numbers by one press', async () => {
    const sara = await linked();
    const file = sara.upload(sara, 'customers.csv', CSV);
    await talk.hears(sara, 'Use this file, customers.csv?', file.message_id);
    const told = await talk.asks(sara, sara, 'Dear {name}, we open at 9.', 'send it as an SMS?');
    expect(rows(told)).toEqual([['✉️ To the numbers of customers.csv'], ['✉️ Make it an SMS'], [HELP]]);
    await talk.presses(sara, told, '✉️ To the numbers');
    const card = await talk.hears(sara, has('▶'), told.message_id);
    expect(plain(card)).toContain('Dear {name}, we open at 9.');
    await talk.presses(sara, card, '▶');
    expect(plain(await talk.turns(card, has('✅')))).toContain('Dear Ali, we open at 9.');

    const other = sara.upload(sara, 'guests.csv', CSV, 'Welcome, {name}!');
    const asked = await talk.hears(sara, 'Use this file, guests.csv?', other.message_id);
    await talk.presses(sara, asked, '✉️ Send to these numbers');
    const guests = await talk.hears(sara, has('▶'), asked.message_id);
    await talk.presses(sara, guests, '▶');
    expect(plain(await talk.turns(guests, has('✅')))).toContain('Welcome, Ali!');

    await talk.asks(sara, sara, '/credit', '💰');
    const later = await talk.asks(sara, sara, 'We are closed today.', 'send it as an SMS?');
    expect(rows(later)).toEqual([['✉️ Make it an SMS'], [HELP]]);
  });

  test('words while the columns of a file are asked about can be its text, and one that does not fit is told', async () => {
    const sara = await linked();
    const file = sara.upload(sara, 'customers.csv', CSV, '/bulk 09121234567');
    const card = await talk.hears(sara, has('▶'), file.message_id);
    const told = await talk.asks(sara, sara, 'Dear {nmae}', 'Should this be the text of #A1?');
    expect(rows(told)).toEqual([['✏️ Use it as the text'], ['✉️ Make it an SMS']]);
    await talk.presses(sara, told, '✏️');
    const again = await talk.hears(
      sara,
      (m) => has('▶')(m) && plain(m).includes('Dear {nmae}'),
      card.message_id,
    );
    await talk.presses(sara, again, '▶');
    await talk.hears(sara, 'There is no field {nmae} here. Did you mean {name}?', again.message_id);
    const question = await talk.hears(sara, 'What should the message say?', again.message_id);
    await talk.presses(sara, question, '✔ {name}');
    expect(plain(await talk.hears(sara, has('✅'), card.message_id))).toContain('Dear Ali');
  });

  test('or into a phonebook, a new one too, and its numbers are not asked for again', async () => {
    const sara = await linked();
    const file = sara.upload(sara, 'customers.csv', CSV);
    const asked = await talk.hears(sara, 'Use this file', file.message_id);
    await talk.presses(sara, asked, '📒');
    const which = await talk.hears(sara, 'There is no phonebook yet', asked.message_id);
    expect(rows(which)).toEqual([['➕ New'], ['✖ Cancel']]);
    await talk.presses(sara, which, '➕ New');
    const name = await talk.hears(sara, 'new phonebook be called', which.message_id);
    await talk.asks(sara, sara, 'Customers', /Customers[\s\S]*2 numbers/u);
    expect(name.message_id).toBeGreaterThan(which.message_id);
  });

  test('or keeps its people, by the button that says so', async () => {
    const sara = await linked();
    const file = sara.upload(sara, 'customers.csv', CSV);
    const asked = await talk.hears(sara, 'Use this file', file.message_id);
    await talk.presses(sara, asked, '👥');
    const card = await talk.hears(sara, has('▶'), asked.message_id);
    expect(plain(card)).toContain('customers.csv');
    await talk.presses(sara, card, '👥');
    await talk.asks(sara, sara, '#customers', '👥');
  });

  test('a file that is no table is called so, and one before an account is linked leads to linking', async () => {
    const sara = await linked();
    const pdf = sara.upload(sara, 'offer.pdf', Buffer.from('%PDF'));
    await talk.hears(sara, 'offer.pdf does not look like a CSV, XLSX or VCF file', pdf.message_id);
    const nobody = someone('Nobody');
    nobody.start();
    const file = nobody.upload(nobody, 'customers.csv', CSV);
    const told = await talk.hears(nobody, 'No gateway account is linked', file.message_id);
    expect(rows(told)).toEqual([['🔗 Link an account'], [HELP]]);
    await talk.presses(nobody, told, '🔗');
    await talk.hears(nobody, 'Send the API key', told.message_id);
  });

  test('a bare text becomes an SMS by one press, and nothing of it is typed again', async () => {
    const sara = await linked();
    const told = await talk.asks(
      sara,
      sara,
      'The shop is closed tomorrow.',
      'Do you want to send it as an SMS?',
    );
    expect(rows(told)).toEqual([['✉️ Make it an SMS'], [HELP]]);
    await talk.presses(sara, told, '✉️');
    await talk.hears(sara, 'To which numbers?', told.message_id);
    const card = await talk.asks(sara, sara, '09121234567', '#A1');
    expect(plain(card)).toContain('The shop is closed tomorrow.');
    const whole = await talk.asks(sara, sara, '09121234567 Come today', 'Do you want to send it as an SMS?');
    await talk.presses(sara, whole, '✉️');
    expect(plain(await talk.hears(sara, '#A2', whole.message_id))).toContain('Come today');
  });

  test('nothing of a text is kept for its button: where the message is gone, so is the text', async () => {
    const sara = await linked();
    const said = sara.send(sara, 'A word to nobody');
    const told = await talk.hears(sara, 'Do you want to send it as an SMS?', said.message_id);
    world.playground.control.remove({ user_id: sara.id, chat_id: sara.id, message_id: said.message_id });
    await talk.presses(sara, told, '✉️');
    expect(rows(await talk.turns(told, 'is gone'))).toEqual([]);
  });

  test.each<[string, Partial<Message>]>([
    ['a voice message', { voice: { file_id: 'v', file_unique_id: 'v', duration: 2 } }],
    ['a round video', { video_note: { file_id: 'n', file_unique_id: 'n', length: 9, duration: 2 } }],
    ['a place', { location: { latitude: 35.7, longitude: 51.4 } }],
    ['a sticker', { sticker: STICKER }],
    ['a die', { dice: { emoji: '🎲', value: 3 } }],
    ['a poll', { poll: POLL }],
    ['a GIF', { animation: GIF, document: GIF }],
  ])('%s is answered with what the bot can read', async (_what, content) => {
    const sara = await linked();
    const told = await talk.hears(sara, 'I read text', sends(sara, content).message_id);
    expect(rows(told)).toEqual([[HELP]]);
    await talk.presses(sara, told, HELP);
    await talk.hears(sara, 'What you can do here', told.message_id);
  });

  test('the contact of somebody is a number to send to', async () => {
    const sara = await linked();
    const contact = { phone_number: '+989121234567', first_name: 'Ali' };
    const told = await talk.hears(sara, 'Send an SMS to Ali?', sends(sara, { contact }).message_id);
    await talk.presses(sara, told, '✉️');
    await talk.hears(sara, 'What should the message say?', told.message_id);
    expect(plain(await talk.asks(sara, sara, 'Hello', '#A1'))).toContain('09121234567');
  });

  test.each([
    [
      'en',
      '09121234567',
      'What do you want with it?',
      ['✉️ SMS to', '🔎 Messages with', '👥 Keep'],
      'No received message',
    ],
    ['fa', '۰۹۱۲ ۱۲۳ ۴۵۶۷', 'با آن چه کار دارید؟', ['✉️ پیامک', '🔎 پیام‌های', '👥 ثبت'], 'چیزی با'],
  ] as const)(
    'a number alone can be written to, looked up and kept (%s)',
    async (lang, typed, asked, offers, none) => {
      const sara = await linked(lang);
      const told = await talk.asks(sara, sara, typed, asked);
      const labels = rows(told).flat();
      expect(offers.map((offer, at) => labels[at]?.startsWith(offer))).toEqual([true, true, true]);
      await talk.presses(sara, told, '🔎');
      await talk.hears(sara, none, told.message_id);
      await talk.presses(sara, told, '👥');
      const keeps = lang === 'en' ? 'What do you want to keep of 0912' : 'برای 09121234567 چه ثبت شود؟';
      await talk.hears(sara, keeps, told.message_id);
      await talk.presses(sara, told, '✉️');
      const text = lang === 'en' ? 'What should the message say?' : 'متن پیام چه باشد؟';
      await talk.hears(sara, text, told.message_id);
      expect(plain(await talk.asks(sara, sara, '۱۲۳', '#A1'))).toContain('09121234567');
    },
  );

  test('an album, and what is forwarded at once, is answered once, and an edit is told that it changes nothing', async () => {
    const sara = await linked();
    const photo = [{ file_id: 'p', file_unique_id: 'p', width: 9, height: 9 }];
    const first = sends(sara, { photo, media_group_id: '7' });
    sends(sara, { photo, media_group_id: '7' });
    sends(sara, { photo, media_group_id: '7' });
    expect(await since(sara, sara, first)).toHaveLength(1);
    const forward_origin = { type: 'hidden_user', sender_user_name: 'Ali', date: 1 } as const;
    const said = sends(sara, { text: 'one', forward_origin });
    const together: object = { date: said.date };
    for (const text of ['two', 'three']) {
      post(
        world.playground.emulator,
        given([...world.playground.emulator.world.chats.values()].find(({ id }) => id === sara.id)),
        { from: sara.user, content: { text, forward_origin, ...together } },
      );
    }
    const typed = sara.send(sara, 'four');
    sara.edit(typed, 'five');
    expect(await since(sara, sara, said)).toHaveLength(3);
  });

  test('the pieces of an album are answered once also below a card, beside a command and as an answer', async () => {
    const sara = await linked();
    const photo = [{ file_id: 'p', file_unique_id: 'p', width: 9, height: 9 }];
    const album = (media_group_id: string, content: object): Message => {
      const first = sends(sara, { photo, ...content, media_group_id });
      sends(sara, { photo, ...content, caption: '', media_group_id });
      return first;
    };
    const first = album('1', { caption: '/send 09121234567 Look' });
    const card = await talk.hears(sara, has('✅'), first.message_id);
    expect(await since(sara, sara, first)).toEqual([
      expect.stringContaining('An SMS carries text only'),
      plain(card),
    ]);
    expect(await since(sara, sara, album('2', { reply_to_message: card }))).toHaveLength(1);
    // Nothing of it is what people get, and whoever may not send is told that alone.
    const asks = sends(sara, { photo, caption: '/whoami' });
    expect((await since(sara, sara, asks)).join()).not.toContain('carries text only');
    const other = someone('Nobody');
    await talk.asks(other, other, '/whoami', String(other.id));
    const refused = sends(other, { photo, caption: '/send 09121234567 Look' });
    expect(await since(other, other, refused)).toEqual([expect.not.stringContaining('carries text only')]);
    await talk.asks(sara, sara, '/send 09121234567', 'What should the message say?');
    // What is written below a picture is the answer, and is said to be all of it that goes.
    const pictured = album('3', { caption: 'Look here' });
    const ready = await talk.hears(sara, has('✅'), pictured.message_id);
    expect(plain(ready)).toContain('Look here');
    expect(await since(sara, sara, pictured)).toEqual([
      expect.stringContaining('An SMS carries text only'),
      plain(ready),
    ]);
    const asked = await talk.asks(sara, sara, '/send 09121234567', 'What should the message say?');
    album('4', {});
    const again = await talk.hears(sara, 'There is no text in that message.', asked.message_id);
    const typed = await talk.asks(sara, sara, 'Hello', has('✅'));
    const between = world.driver.messages(sara).filter(({ message_id: id }) => id > again.message_id);
    expect(between.filter(isFromBot).map(plain)).toEqual([plain(typed)]);
  });

  test.each([
    ['en', 'Thank you so much!', 'At your service. /send'],
    ['en', 'hi there', 'At your service. /send'],
    ['fa', 'دستت درد نکنه', 'در خدمتم. پیامک با /send'],
    ['fa', 'سلام، خسته نباشید', 'در خدمتم. پیامک با /send'],
  ] as const)('thanks and greetings are answered in short: %s %s', async (lang, words, welcome) => {
    const sara = await linked(lang);
    const told = await talk.asks(sara, sara, words, welcome);
    expect(rows(told)).toEqual([]);
    const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
    await talk.presses(sara, card, '✅');
    await talk.turns(card, has('📊'));
    await talk.asks(sara, sara, words, welcome, { replyTo: card });
  });

  test.each([
    ['en', 'ok', 'no draft of yours is open'],
    ['en', 'no', 'no draft of yours is open'],
    ['fa', 'باشه', 'پیش‌نویس بازی هم ندارید'],
  ] as const)('a yes or a no to nothing is no SMS: %s %s', async (lang, words, says) => {
    const sara = await linked(lang);
    expect(rows(await talk.asks(sara, sara, words, says))).toEqual([]);
  });

  test.each([
    ['en', 'Use this file', 'The question above still waits for its answer.', 'I read text, contacts'],
    ['fa', 'چه کنم؟', 'سؤال بالا هنوز منتظر جواب است.', 'من متن، مخاطب و فایل'],
  ])(
    'a file does not answer a question of words, nor a voice an old answer: %s',
    async (lang, use, waits, reads) => {
      const sara = await linked(lang);
      const old = await talk.asks(sara, sara, '/credit', '💰');
      const below: object = { reply_to_message: old };
      const voice = { file_id: 'v', file_unique_id: 'v', duration: 2 };
      await talk.hears(sara, reads, sends(sara, { voice, ...below }).message_id);
      const asked = await talk.asks(sara, sara, '/send 09121234567', has('✖'));
      const { message_id: after } = sara.upload(sara, 'people.csv', Buffer.from('09121234567'));
      expect(plain(await talk.hears(sara, use, after))).toContain(waits);
      const card = await talk.asks(sara, sara, 'Hello', has('✅'));
      const alone = sara.upload(sara, 'people.csv', Buffer.from('09121234567'));
      expect(plain(await talk.hears(sara, use, alone.message_id))).not.toContain(waits);
      expect(card.message_id).toBeGreaterThan(asked.message_id);
    },
  );

  test('a message that is edited to a command gives it by one press', async () => {
    const sara = await linked();
    const typed = sara.send(sara, '/sedn 09121234567 Hello');
    await talk.hears(sara, 'Did you mean', typed.message_id);
    sara.edit(typed, '/send 09121234567 Hello');
    const told = await talk.hears(sara, 'Nothing was changed', typed.message_id);
    await talk.presses(sara, told, '/send');
    expect(plain(await talk.hears(sara, '#A1', told.message_id))).toContain('Hello');
  });

  test('what Telegram itself says of the chat is not answered', async () => {
    const sara = await linked();
    const service = sends(sara, { message_auto_delete_timer_changed: { message_auto_delete_time: 86_400 } });
    expect(await since(sara, sara, service)).toEqual([]);
  });

  test('says the same in Persian', async () => {
    const reza = await linked('fa');
    const told = await talk.asks(reza, reza, 'فردا تعطیل است', 'پیامک شود؟');
    expect(rows(told)).toEqual([['✉️ پیامک شود'], ['❓ کارهایی که می‌توانید انجام دهید']]);
    const file = reza.upload(reza, 'مشتریان.csv', CSV);
    await talk.hears(reza, 'با فایل مشتریان.csv چه کنم؟', file.message_id);
    await talk.asks(reza, reza, '/sned 09121234567 سلام', 'منظورتان /send بود؟');
  });
});

describe.concurrent('undo with nothing but a scheduled send', () => {
  test.each([
    ['en', 'undo', 'is scheduled and was not changed', '🗑'],
    ['fa', 'لغو', 'زمان‌بندی شده است و تغییری نکرد', '🗑'],
    ['en', 'please cancel it', 'is scheduled and was not changed', '🗑'],
    ['fa', 'لغوش کن', 'زمان‌بندی شده است و تغییری نکرد', '🗑'],
  ])('leads to the card that cancels it, in %s', async (language, word, says, button) => {
    const sara = await linked(language);
    const card = await talk.asks(sara, sara, '/schedule in 2h 09121234567 Hello', has('✅'));
    await talk.presses(sara, card, '✅');
    await talk.turns(card, /Scheduled for|زمان‌بندی‌شده/u);
    const told = await talk.asks(sara, sara, word, says);
    expect(rows(await talk.hears(sara, has(button), told.message_id)).flat()).toHaveLength(3);
  });
});

describe.concurrent('a command that there is not', () => {
  test('is taken for the one that was meant, and given by one press', async () => {
    const sara = await linked();
    const told = await talk.asks(sara, sara, '/sned 09121234567 Hello there', 'Did you mean /send?');
    expect(rows(told)).toEqual([['/send'], [HELP]]);
    await talk.presses(sara, told, '/send');
    expect(plain(await talk.hears(sara, '#A1', told.message_id))).toContain('Hello there');
    const file = sara.upload(sara, 'customers.csv', CSV, '/blk');
    const bulk = await talk.hears(sara, 'Did you mean /bulk?', file.message_id);
    await talk.presses(sara, bulk, '/bulk');
    await talk.hears(sara, 'customers.csv', bulk.message_id);
    await talk.asks(sara, sara, '/sch', 'Did you mean /schedule?');
    await talk.asks(sara, sara, '/nothing_like_it', 'I do not know /nothing_like_it');
  });

  test.each([
    ['/ send', 'There is a space after the slash, so I did not read this as /send.'],
    ['/سثدی', 'I do not know /سثدی. Did you mean /send?'],
    ['/سند', 'I do not know /سند. Did you mean /send?'],
    ['/ارسال', 'I do not know /ارسال. Did you mean /send?'],
    ['/ سثدی', 'I do not know /سثدی. Did you mean /send?'],
    ['／send', 'This only looks like /send: there are other characters in it.'],
    ['/ｓｅｎｄ', 'This only looks like /send: there are other characters in it.'],
    ['/se\u{200c}nd', 'This only looks like /send: there are other characters in it.'],
  ])('%s is taken for /send, and nothing is sent by it', async (slip, why) => {
    const sara = await linked();
    const told = await talk.asks(sara, sara, `${slip} 09121234567 سلام`, why);
    expect(rows(told)).toEqual([['/send'], [HELP]]);
    expect((await since(sara, sara, told)).filter((text) => text.includes('Draft'))).toEqual([]);
    await talk.presses(sara, told, '/send');
    const card = await talk.hears(sara, '#A1', told.message_id);
    expect(plain(card)).toContain('سلام');
    expect(plain(card)).toContain('09121234567');
  });

  test('in Persian and in a group it is offered once to who has a role, and other words behind a slash are talk', async () => {
    const reza = await linked('fa');
    for (const [slip, name] of [
      ['/قثحخقف', 'report'],
      ['/راهنما', 'help'],
      ['/تنظیمات', 'help'],
      ['/گزارش', 'report'],
      ['/اعتبار', 'credit'],
      ['/زمان‌بندی', 'schedule'],
    ])
      await talk.asks(reza, reza, slip ?? '', `منظورتان /${name} بود؟`);
    await talk.asks(reza, reza, '/ send 09121234567 سلام', 'بعد از / فاصله افتاده');
    await talk.asks(reza, reza, '/فردا تعطیل است', 'پیامک شود؟');
    const { owner, outsider, group } = await staffed();
    const told = await talk.asks(owner, group, '/سثدی 09121234567 سلام', 'Did you mean /send?');
    outsider.send(group, '/ send 09121234567 سلام');
    owner.send(group, '/فردا تعطیل است');
    expect(await since(owner, group, told)).toEqual([]);
  });

  test('may have lost its slash', async () => {
    const sara = await linked();
    const told = await talk.asks(sara, sara, 'credit', 'Did you mean the command /credit?');
    expect(rows(told)).toEqual([['/credit'], ['✉️ Make it an SMS'], [HELP]]);
    await talk.presses(sara, told, '/credit');
    await talk.hears(sara, 'rial', told.message_id);
    const reza = await linked('fa');
    await talk.asks(reza, reza, 'موجودی', 'منظورتان دستور /credit بود؟');
    await talk.asks(reza, reza, 'موجودی انبار تمام شد', 'پیامک شود؟');
  });

  test.each([
    ['en', 'How much credit do I have?', '/credit', 'rial'],
    ['fa', 'آمار ارسال', '/report', '📊 گزارش'],
    ['fa', 'میخوام پیامک بفرستم', '/send', 'به کدام شماره‌ها؟'],
    ['en', 'who am I?', '/whoami', 'Sara'],
    ['fa', 'زمان‌بندی فردا ۹ ۰۹۱۲۱۲۳۴۵۶۷ سلام', '/schedule', '#A1'],
  ])('in %s «%s» has a button for %s', async (language, words, label, answer) => {
    const person = await linked(language);
    const told = await talk.asks(person, person, words, has('✉️'));
    expect(rows(told).flat()).toContain(label);
    await talk.presses(person, told, label);
    await talk.hears(person, answer, told.message_id);
  });

  test.each([
    ['en', 'to 09121234567', '✉️ SMS to 09121234567'],
    ['en', '09121234567, 09351112233', '✉️ Make it an SMS'],
    ['fa', '۰۹۱۲۱۲۳۴۵۶۷ و ۰۹۳۵۱۱۱۲۲۳۳', '✉️ پیامک شود'],
  ])('is none where there are numbers alone: in %s «%s» can be sent to', async (language, words, label) => {
    const person = await linked(language);
    const told = await talk.asks(person, person, words, has(label));
    await talk.presses(person, told, label);
    const { message_id: after } = await talk.hears(person, has('✖'), told.message_id);
    const { message_id: said } = person.send(person, 'Hello');
    const card = await talk.hears(person, '#A1', said);
    expect(after).toBeLessThan(said);
    for (const number of words.match(/[0-9۰-۹]{11}/gu) ?? []) {
      const latin = number.replaceAll(/[۰-۹]/gu, (digit) => String(digit.charCodeAt(0) - 0x6f0));
      expect(plain(card)).toContain(latin);
    }
  });

  test('is not looked for in what is long', async () => {
    const sara = await linked();
    const text = 'Dear customer, your report of today is ready: call us please';
    const told = await talk.asks(sara, sara, text, has('✉️'));
    expect(rows(told)).toEqual([['✉️ Make it an SMS'], [HELP]]);
  });

  test.each([
    ['/settings', 'help'],
    ['/language', 'lang'],
    ['/search order', 'find'],
    ['/cancle', 'cancel'],
  ])('%s is what others call /%s', async (typed, name) => {
    const sara = await linked();
    const told = await talk.asks(sara, sara, typed, `Did you mean /${name}?`);
    expect(rows(told)).toEqual([[`/${name}`], [HELP]]);
  });

  test('with a key behind it is deleted, as behind /connect', async () => {
    const sara = await linked();
    for (const slip of ['/conect', '/ connect', '/زخددثزف']) {
      const said = sara.send(sara, `${slip} hunter2hunter2`);
      await talk.hears(sara, 'looked like a key', said.message_id);
    }
    expect(world.driver.messages(sara).some((m) => plain(m).includes('hunter2'))).toBe(false);
  });
});

describe.concurrent('the code of a card, alone', () => {
  test.each(['#A1', 'A1', 'a1', '#A۱', 'A۱', '/A1', '/a۱', '/ A1', '#Ａ１'])(
    '%s brings the card with its buttons',
    async (typed) => {
      const sara = await linked();
      const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
      const again = await talk.asks(sara, sara, typed, 'Draft #A1');
      expect(rows(again)).toEqual(rows(card));
    },
  );

  test('of a card that there is not is answered with what next', async () => {
    const [sara, reza] = [await linked(), await linked('fa')];
    const none = await talk.asks(sara, sara, '#b7', 'There is no card B7 in this chat');
    expect(plain(none)).toContain('/report today');
    await talk.asks(reza, reza, 'A۷', 'کارت A7 در این گفتگو نیست');
  });

  test('in a group is heard where the bot is meant, and is talk elsewhere', async () => {
    const { owner, operator, outsider, group } = await staffed();
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1');
    const said = operator.send(group, 'A1');
    outsider.send(group, 'A1', { replyTo: card });
    expect((await since(operator, group, said)).filter((text) => text.includes('Draft'))).toEqual([]);
    const credit = await talk.asks(owner, group, '/credit', 'rial');
    await talk.asks(operator, group, '#a1', 'Draft #A1', { replyTo: credit });
    await talk.asks(operator, group, `@${BOT} A۱`, 'Draft #A1');
    await talk.asks(operator, group, '/A۱', 'Draft #A1');
    await talk.asks(outsider, group, `@${BOT} A1`, 'needs the role');
  });

  test('is a text like any other in an answer that was asked for', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, '/send', 'To which numbers?');
    await talk.asks(sara, sara, '09121234567', 'What should the message say?');
    expect(plain(await talk.asks(sara, sara, 'B7', '#A1'))).toContain('B7');
  });
});

describe.concurrent('while a draft waits', () => {
  test.each(['yes', 'OK!', 'بله', 'بفرست', '✅'])(
    '%s is shown the button, and sends nothing',
    async (word) => {
      const sara = await linked();
      const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
      const told = await talk.asks(sara, sara, word, 'Press ✅ on the card of #A1');
      expect(told.reply_to_message?.message_id).toBe(card.message_id);
      await talk.asks(sara, sara, word, 'Press ✅ on the card of #A1', { replyTo: card });
      expect(
        await world.database.sql`select 1 from job j join draft d on d.id = j.draft_id
      where d.author_id = ${sara.id}`,
      ).toHaveLength(0);
    },
  );

  test.each([
    ['en', 'Yes, send it please!', 'Press ✅ on the card of #A1'],
    ['en', 'No', 'Press ✖ on the card of #A1'],
    ['en', 'don’t send it', 'Press ✖ on the card of #A1'],
    ['fa', 'آره بفرست لطفا', 'روی کارت #A1 دکمهٔ ✅ را بزنید'],
    ['fa', 'نه، نفرست', 'روی کارت #A1 دکمهٔ ✖ را بزنید'],
    ['en', 'Stop everything!', 'Press ✖ on the card of #A1'],
    ['fa', 'همه رو لغو کن', 'روی کارت #A1 دکمهٔ ✖ را بزنید'],
    ['fa', 'لغوش کن', 'روی کارت #A1 دکمهٔ ✖ را بزنید'],
  ])('in %s «%s» is shown the button that does', async (language, words, says) => {
    const person = await linked(language);
    const card = await talk.asks(person, person, '/send 09121234567 Hello', '#A1');
    const told = await talk.asks(person, person, words, says);
    expect(told.reply_to_message?.message_id).toBe(card.message_id);
    await talk.asks(person, person, words, says, { replyTo: card });
    if (!says.includes('✖')) return;
    await talk.presses(person, told, '/cancel');
    await talk.turns(card, (now) => rows(now).length === 0);
  });

  test.each([
    ['en', 'yes', 'If you mean #A1, press ✅ on its card'],
    ['en', 'no', 'If you mean #A1, press ✖ on its card'],
    ['fa', 'بله', 'اگر منظورتان #A1 است، روی کارتش دکمهٔ ✅ را بزنید'],
  ])(
    'in %s «%s» behind another question is not taken for a word about the draft',
    async (language, word, says) => {
      const person = await linked(language);
      const card = await talk.asks(person, person, '/send 09121234567 Hello', '#A1');
      await talk.asks(person, person, '/block 09121234567', '⛔');
      const told = await talk.asks(person, person, word, says);
      expect(told.reply_to_message?.message_id).toBe(card.message_id);
      expect(rows(told)).toEqual([]);
    },
  );

  test('a reply to its card can become its text; once it was sent, the way is to its report', async () => {
    const { owner, group } = await staffed();
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1');
    const told = await talk.asks(owner, group, 'Good morning', 'Should this be the text of #A1?', {
      replyTo: card,
    });
    await talk.presses(owner, told, '✏️');
    const now = await talk.turns(card, 'Good morning');
    await talk.presses(owner, now, '✅');
    await talk.turns(card, /accepted|delivered/u);
    const mine = await linked();
    const own = await talk.asks(mine, mine, '/send 09121234567 Hello', '#A1');
    await talk.presses(mine, own, '✅');
    await talk.turns(own, /accepted|delivered/u);
    const report = await talk.asks(mine, mine, 'and?', '#A1 was confirmed already', { replyTo: own });
    expect(rows(report)).toEqual([['📊 Report']]);
  });

  test('a file in reply to its card is met as a file, in a group too', async () => {
    const { owner, group } = await staffed();
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1');
    const below = owner.upload(group, 'customers.csv', CSV, undefined, { replyTo: card });
    const asked = await talk.hears(group, 'Use this file, customers.csv?', below.message_id);
    await talk.presses(owner, asked, '✉️');
    await talk.hears(group, 'mobile', asked.message_id);
    const mine = await linked();
    const own = await talk.asks(mine, mine, '/send 09121234567 Hello', '#A1');
    await talk.presses(mine, own, '✅');
    await talk.turns(own, /accepted|delivered/u);
    const file = mine.upload(mine, 'numbers.csv', CSV, undefined, { replyTo: own });
    const again = await talk.hears(mine, 'Use this file, numbers.csv?', file.message_id);
    expect(rows(again).flat().length).toBeGreaterThan(1);
  });

  test('a second person’s yes below the call is shown the button that approves', async () => {
    const { owner, operator, group } = await staffed();
    await talk.asks(owner, group, '/limits approval 1', 'pproval');
    const card = await talk.asks(operator, group, '/send 09121234567 09351112233 Hello', '#A1');
    await talk.presses(operator, card, '➡');
    const call = await talk.hears(group, 'waits for approval', card.message_id);
    for (const replyTo of [call, card]) {
      const told = await talk.asks(owner, group, 'ok', 'Press ✅ on the card of #A1', { replyTo });
      expect(told.reply_to_message?.message_id).toBe(card.message_id);
    }
  });

  test('a question about it ends with it: what is typed then is no answer', async () => {
    const sara = await linked();
    const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
    await talk.presses(sara, card, '🕐');
    const question = await talk.hears(sara, 'Choose, or type a time', card.message_id);
    const now = given(world.driver.messages(sara).find((m) => m.message_id === card.message_id));
    await talk.presses(sara, now, '✅');
    await talk.turns(card, /accepted|delivered/u);
    // Nothing that asks stands below the card any more.
    await until(() => expect(world.driver.messages(sara).at(-1)?.message_id).toBe(card.message_id));
    expect(question.message_id).toBeGreaterThan(card.message_id);
    await talk.asks(sara, sara, 'tomorrow 9', 'I act on commands, so nothing was done with this');
  });

  test('nobody else’s word changes it', async () => {
    const { owner, operator, group } = await staffed();
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A1');
    const said = operator.send(group, 'Something else', { replyTo: card });
    expect(await since(operator, group, said)).toEqual([
      'Nothing was done with this reply: I act on commands and buttons.',
    ]);
    expect(
      plain(given(world.driver.messages(group).find((m) => m.message_id === card.message_id))),
    ).toContain('Hello');
  });
});

describe.concurrent('in a group', () => {
  test('what people say to each other is not answered, nor a file, nor what is for another bot', async () => {
    const { owner, operator, group } = await staffed();
    const first = operator.send(group, 'hello all, send me the numbers');
    operator.send(group, 'yes', { replyTo: first });
    operator.upload(group, 'numbers.csv', CSV);
    owner.send(group, 'credit');
    owner.send(group, '/pin something');
    owner.send(group, '/sned@OtherBot 09121234567 Hi');
    await talk.settled(operator, group);
    expect(await since(owner, group, first)).toHaveLength(1);
  });

  test.each([['/bulk Hello'], [`@${BOT}`]])(
    'the other files of an album with %s are met too',
    async (caption) => {
      const { operator, group } = await staffed();
      const files = (names: readonly string[]) =>
        names.map((name) => ({ field: 'file', name, mime: 'text/csv', bytes: CSV }));
      const of = { user_id: operator.id, chat_id: group };
      world.playground.control.upload({ ...of, caption }, files(['first.csv', 'second.csv', 'cat.png']));
      const told = await talk.hears(group, 'Use this file, second.csv?');
      await talk.settled(operator, group);
      expect(world.driver.messages(group).some((each) => plain(each).includes('cat.png'))).toBe(false);
      // Nobody has named the bot beside these.
      world.playground.control.upload(of, files(['third.csv', 'fourth.csv']));
      await talk.settled(operator, group);
      const after = world.driver.messages(group).filter(({ message_id: id }) => id > told.message_id);
      expect(after.filter((each) => plain(each).includes('Use this file'))).toEqual([]);
    },
  );

  test('of a file whose caption is sent it is said that it is not', async () => {
    const { operator, group } = await staffed();
    const photo = operator.upload(group, 'offer.png', CSV, '/send 09121234567 Look');
    await talk.hears(group, 'An SMS carries text only', photo.message_id);
    const card = await talk.hears(group, '#A1', photo.message_id);
    expect(plain(card)).toContain('Look');
  });

  test('who calls the bot by its name is answered', async () => {
    const { owner, group } = await staffed();
    const told = await talk.asks(
      owner,
      group,
      `@${BOT} tell Ali that we are open`,
      'Do you want to send it as an SMS?',
    );
    await talk.presses(owner, told, '✉️');
    await talk.hears(group, 'To which numbers?', told.message_id);
    await talk.asks(owner, group, '/cancel', 'Question cancelled');
    const line = await talk.asks(
      owner,
      group,
      `@${BOT} /send 09121234567 Hi`,
      'Did you mean the command /send?',
    );
    await talk.presses(owner, line, '/send');
    expect(plain(await talk.hears(group, '#A1', line.message_id))).not.toContain(BOT);
    const typo = await talk.asks(owner, group, '/sned 09121234567 Hi', 'Did you mean /send?');
    // Who gives it again means another bot.
    owner.send(group, '/sned 09121234567 Hi');
    expect(await since(owner, group, typo)).toEqual([]);
    await talk.asks(owner, group, `/nothing_like_it@${BOT}`, 'I do not know /nothing_like_it');
  });

  test('below one message of the bot’s it is said once', async () => {
    const { owner, operator, group } = await staffed();
    const message = await talk.asks(owner, group, '/credit', 'rial');
    const said = operator.send(group, 'so little?', { replyTo: message });
    owner.send(group, 'we top it up', { replyTo: message });
    await talk.settled(operator, group);
    expect(
      (await since(owner, group, said)).filter((text) => text.includes('Nothing was done')),
    ).toHaveLength(1);
  });

  test('an outsider is answered once, whatever it is, and a typo of theirs not at all', async () => {
    await using own = await startWorld({ RATE_LIMIT: '1' });
    const there = talkIn(own);
    const [owner, outsider] = ['Olga', 'Sam'].map((first_name) =>
      own.driver.user({ first_name, language_code: 'en' }),
    );
    const group = own.driver.group({
      creator: given(owner),
      members: [given(outsider)],
      bot: 'administrator',
    });
    await there.connects(given(owner), { apiKey: there.account().apiKey }, { chat: group });
    const first = given(outsider).send(group, `@${BOT} what is this?`);
    for (const text of [`@${BOT} hello?`, `/sned@${BOT}`, '/sned 0912 Hi', `@${BOT} /send`])
      given(outsider).send(group, text);
    await there.asks(given(owner), group, '/whoami', `id ${given(owner).id}`);
    const said = own.driver
      .messages(group)
      .filter((each) => isFromBot(each) && each.message_id > first.message_id);
    expect(said.map(plain)).toEqual([
      expect.stringContaining('I act on commands'),
      expect.stringContaining('Role: owner'),
    ]);
  });

  test.each(['supergroup', 'forum'] as const)(
    'a plain answer to a question in a %s is taken by one press',
    async (type) => {
      const { owner, operator, group } = await staffed(type);
      const question = await talk.asks(owner, group, '/send', 'To which numbers?');
      operator.send(group, '09350000000');
      const plainly = owner.send(group, '09121234567');
      const offered = await talk.hears(group, 'Is this the answer to my question?', plainly.message_id);
      expect(offered.reply_to_message?.message_id).toBe(plainly.message_id);
      owner.send(group, 'one moment please');
      expect(await talk.presses(operator, offered, '✅')).not.toBe('');
      await talk.presses(owner, offered, '✅');
      const text = await talk.hears(group, 'What should the message say?', offered.message_id);
      await talk.turns(offered, (m) => rows(m).length === 0);
      expect(question.message_id).toBeLessThan(offered.message_id);
      owner.send(group, 'Hello', { replyTo: text });
      const card = await talk.hears(group, '#A1', text.message_id);
      expect(plain(card)).toContain('0912•••4567');
      const asked = world.driver.messages(group).filter((m) => plain(m).includes('Is this the answer'));
      expect(asked).toHaveLength(1);
    },
  );
});
