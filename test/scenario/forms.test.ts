import { describe, expect, test, vi } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { quiet } from '../support/quiet.ts';
import { restart } from '../support/restart.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { has, plain, rows, talkIn } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';
import { until } from '../support/until.ts';

/* Asking for arguments one by one: what counts as an answer, whose it is, and when the form is left. */

const { world, talk, made } = useWorld({}, { deliverySeconds: 1 });
const on = made(schedulesIn);

const ASK_NUMBERS = 'To which numbers?';
const ASK_TEXT = 'What should the message say?';
const OVER = 'No question is waiting for this answer';
const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });

async function linked(first_name = 'Sara', language_code = 'en'): Promise<Person> {
  const person = someone(first_name, language_code);
  await talk.connects(person, { apiKey: talk.account().apiKey });
  return person;
}

/** A group with a linked account, its owner, and one more operator. */
async function staffed(type: 'supergroup' | 'forum' = 'supergroup') {
  const [owner, operator] = [someone('Olga'), someone('Omid')];
  // As an administrator the bot hears everything that is said, not only commands and replies.
  const group = world.driver.group({ creator: owner, members: [operator], type, bot: 'administrator' });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.gives('operator', operator, group);
  return { owner, operator, group, account };
}

/** The messages that ask for a text and have buttons. */
const asking = (group: number): number[] =>
  world.driver
    .messages(group)
    .filter((m) => plain(m).startsWith(ASK_TEXT) && rows(m).length > 0)
    .map(({ message_id: id }) => id);

/** The card without its number. */
const anonymous = (text: string): string => text.replace(/#A\d+/u, '#A');

describe.concurrent('a form in the private chat', () => {
  test.each([
    ['en', 'There is no text in that message.\nWhat should the message say?'],
    ['fa', 'آن پیام متن ندارد.\nمتن پیام چه باشد؟'],
  ] as const)('says of what has no text that it has none, and asks again (%s)', async (language, again) => {
    const sara = await linked('Sara', language);
    const asked = await talk.asks(sara, sara, '/send 09121234567', again.split('\n')[1] ?? '');
    sara.shareLocation(sara, 35.7, 51.4);
    expect(plain(await talk.hears(sara, has('✖'), asked.message_id))).toContain(again);
    await talk.asks(sara, sara, 'Hello', '#A1');
  });

  test.each([
    ['en', 'My credit?', '/credit', '▶ Continue', 'rial'],
    ['fa', 'گزارش دیروز', '/report', '▶ ادامه', '📊'],
  ] as const)(
    'offers the command that an answer speaks of, and can be gone on with: in %s «%s»',
    async (language, words, label, goOn, answer) => {
      const sara = await linked('Sara', language);
      const asked = sara.send(sara, '/send').message_id;
      await talk.hears(sara, has('✖'), asked);
      const again = await talk.asks(sara, sara, words, has('✖'));
      expect(rows(again)[0]).toEqual([label]);
      await talk.presses(sara, again, label);
      const waits = await talk.hears(sara, '⏸', again.message_id);
      await talk.hears(sara, answer, waits.message_id);
      await talk.presses(sara, waits, goOn);
      await talk.hears(sara, has('✖'), waits.message_id);
      await talk.asks(sara, sara, '09121234567', has('✖'));
      await talk.asks(sara, sara, language === 'en' ? 'Hello' : 'سلام', '#A1');
    },
  );

  test('ends in the same card as the command in one line', async () => {
    const sara = await linked();
    const line = await talk.asks(sara, sara, '/send 09121234567 0912x, 09351112233 Hello <you>', '#A1');
    await talk.asks(sara, sara, '/cancel', '#A1 is cancelled');
    await talk.asks(sara, sara, '/send', ASK_NUMBERS);
    await talk.asks(sara, sara, '09121234567 0912x, 09351112233', ASK_TEXT);
    const steps = await talk.asks(sara, sara, 'Hello <you>', '#A2');
    expect(anonymous(plain(steps))).toBe(anonymous(plain(line)));
    expect(rows(steps)).toEqual(rows(line));
  });

  test('begins anew by a button for the same command, and leaves no button that does nothing', async () => {
    const sara = await linked();
    const slip = await talk.asks(sara, sara, '/sned', has('/send'));
    const first = await talk.asks(sara, sara, '/send 09121234567', ASK_TEXT);
    await talk.presses(sara, slip, '/send');
    await talk.hears(sara, ASK_NUMBERS, first.message_id);
    expect(rows(await talk.turns(first, (m) => rows(m).length === 0))).toEqual([]);
  });

  test('asks only for what a line has left out', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, '/send 09121234567', ASK_TEXT);
    const card = await talk.asks(sara, sara, 'Hello', '#A1');
    expect(plain(card)).toContain('1 number → 1 to send');
    expect(world.driver.messages(sara).some((m) => plain(m).includes(ASK_NUMBERS))).toBe(false);
  });

  test.each([
    ['en', ASK_NUMBERS, ASK_TEXT, 'See you at ten', '1 number → 1 to send'],
    ['fa', 'به کدام شماره‌ها', 'متن پیام چه باشد؟', 'ساعت ده می‌بینمتان', '۱ شماره ← ۱ ارسال می‌شود'],
  ])('offers the words behind the numbers as the text, in %s', async (lang, which, what, words, one) => {
    const sara = await linked('Sara', lang);
    await talk.asks(sara, sara, '/send', which);
    const asked = await talk.asks(sara, sara, `09121234567 ${words}`, what);
    expect(rows(asked)[0]).toEqual([`✉️ ${words}`]);
    await talk.presses(sara, asked, `✉️ ${words}`);
    const card = await talk.hears(sara, has('✅'), asked.message_id);
    expect(plain(card)).toContain(`\n${words}\n`);
    expect(plain(card)).toContain(`${one}\n09121234567\n`);

    await talk.asks(sara, sara, '/send', which);
    const names = await talk.asks(sara, sara, '09121234567 Ali, 09351112233 Mina', what);
    expect(rows(names)).toHaveLength(1);
    await talk.asks(sara, sara, '/send', which);
    expect(rows(await talk.asks(sara, sara, '09121234567 0912x', what))).toHaveLength(1);
  });

  test('asks again, with the reason, for what will not do', async () => {
    const sara = await linked();
    const first = await talk.asks(sara, sara, '/send', ASK_NUMBERS);
    const second = await talk.asks(sara, sara, 'my mother', 'no mobile number in «my mother»');
    expect(plain(second)).toContain(ASK_NUMBERS);
    expect(second.message_id).toBeGreaterThan(first.message_id);
    await talk.asks(sara, sara, '۰۹۱۲۱۲۳۴۵۶۷', ASK_TEXT);
    const third = await talk.asks(sara, sara, 'x'.repeat(901), '901 characters');
    expect(plain(third)).toContain('at most 900');
    await talk.asks(sara, sara, 'Hello', '#A1');
  });

  test('says what is wrong with a line, and asks for that argument alone', async () => {
    const sara = await linked();
    const asked = await talk.asks(sara, sara, `/send 09121234567 ${'x'.repeat(901)}`, 'at most 900');
    expect(plain(asked)).toContain(ASK_TEXT);
    const card = await talk.asks(sara, sara, 'Hello', '#A1');
    expect(plain(card)).toContain('09121234567');
  });

  test.each(['/stop', '/undo', 'stop!', '/لغو'])(
    'is left by %s alone: an open draft stays',
    async (typed) => {
      const sara = await linked();
      const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
      await talk.asks(sara, sara, '/send', ASK_NUMBERS);
      await talk.asks(sara, sara, typed, /Question cancelled[^]*Draft #A1 stays open/u);
      expect(has('✅ Send')(await talk.turns(card, 'Hello'))).toBe(true);
    },
  );

  test('is left by a slash and a word also where it asks for a text', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, '/send 09121234567', ASK_TEXT);
    const told = await talk.asks(sara, sara, '/لغو', /Question cancelled|#A1/u);
    expect(plain(told)).toContain('Question cancelled');
  });

  test('is left by /cancel, and what is typed afterwards starts nothing', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, '/send', ASK_NUMBERS);
    const left = await talk.asks(sara, sara, '/cancel', 'Question cancelled');
    expect(plain(left)).not.toContain('Draft');
    const before = world.driver.messages(sara).length;
    await talk.asks(sara, sara, '09121234567', 'What do you want with it?');
    await talk.settled(sara, sara);
    expect(world.driver.messages(sara)).toHaveLength(before + 4);
  });

  test.each([
    ['en', 'cancel', 'Question cancelled'],
    ['fa', 'لغو', 'سؤال لغو شد'],
  ])('is left by a word for it where that can be no answer, in %s', async (language, word, told) => {
    const person = await linked('Sara', language);
    const question = await talk.asks(person, person, '/send', has('✖'));
    await talk.asks(person, person, word, told);
    expect(rows(await talk.turns(question, (now) => rows(now).length === 0))).toEqual([]);
  });

  test('is left by a word alone, also where an earlier question waits: a draft stays', async () => {
    const sara = await linked();
    const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
    await talk.asks(sara, sara, '/status', has('✖'));
    await talk.hears(sara, has('✖'), sara.send(sara, '/send').message_id);
    await talk.asks(sara, sara, 'cancel', 'Question cancelled');
    expect(rows(await talk.turns(card, 'Draft #A1')).flat()).toContain('✖ Cancel');
  });

  test('does not take a file for an answer where none is asked for: it is offered its ways, and the question stays', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, '/send', ASK_NUMBERS);
    const { message_id: after } = sara.upload(
      sara,
      'people.csv',
      Buffer.from('mobile,name\n09121234567,Ali\n'),
    );
    const offered = await talk.hears(sara, 'Use this file', after);
    expect(rows(offered)[0]).toEqual(['✉️ Send to these numbers']);
    await talk.asks(sara, sara, '09121234567', ASK_TEXT);
  });

  test('shows the text that a line has without a number', async () => {
    const sara = await linked();
    const question = await talk.asks(sara, sara, '/send Ali Hello', ASK_NUMBERS);
    expect(plain(question)).toMatch(/^✉️ Text: «Ali Hello»\nTo which numbers\?/u);
  });

  test.each([
    ['en', 'Hello to 09121234567', '📱 09121234567 · Hello', 'Hello'],
    ['en', 'Ali 09121234567, 09351112233 Hello you', '📱 09121234567 +1 · Hello you', 'Hello you'],
    ['fa', 'سلام ۰۹۱۲۱۲۳۴۵۶۷', '📱 09121234567 · سلام', 'سلام'],
  ])(
    'for numbers offers those that stand behind the text, in %s: %s',
    async (language, line, label, text) => {
      const person = await linked('Sara', language);
      const asked = await talk.asks(person, person, `/send ${line}`, has('📱'));
      expect(rows(asked)[0]).toEqual([label]);
      await talk.presses(person, asked, '📱');
      const card = await talk.hears(person, has('✅'), asked.message_id);
      expect(plain(card)).toContain(`\n${text}\n`);
      expect(plain(card)).toContain('09121234567');
    },
  );

  test.each([
    [
      'en',
      '/send tomorrow at 9 to 09121234567 Hello',
      '🕐 tomorrow at 9 · 09121234567 · Hello',
      /🕐 To be sent .*09:00/u,
    ],
    [
      'en',
      '/send Hello to 09121234567 tomorrow 9:30',
      '🕐 tomorrow 9:30 · 09121234567 · Hello',
      /🕐 To be sent .*09:30/u,
    ],
    ['en', '/schedule Hello tomorrow 9 09121234567', '🕐 tomorrow 9 · Hello', /🕐 To be sent .*09:00/u],
    ['fa', '/schedule سلام فردا ۹ 09121234567', '🕐 فردا ۹ · سلام', /🕐 .*۰۹:۰۰/u],
    ['fa', '/send فردا ساعت ۹ به 09121234567 سلام', '🕐 فردا ساعت ۹ · 09121234567 · سلام', /🕐 .*۰۹:۰۰/u],
  ])(
    'takes a time beside the text for the time to send at, in %s: %s',
    async (language, line, label, when) => {
      const person = await linked('Sara', language);
      const asked = await talk.asks(person, person, line, has('🕐'));
      expect(rows(asked).slice(0, -1)).toEqual([[label]]);
      await talk.presses(person, asked, '🕐');
      const card = await talk.hears(person, has('✅'), asked.message_id);
      expect(plain(card)).toMatch(when);
      expect(plain(card)).toMatch(/\n(?:Hello|سلام)\n/u);
    },
  );

  test.each([
    ['en', 'Ali Rezaei', 'Ali Hello,\n\nsee  you', 'Hello,\n\nsee  you', 'What should the message say?'],
    ['fa', 'علی رضایی', 'علی سلام', 'سلام', 'متن پیام چه باشد'],
  ])(
    'for numbers knows people by the names they are kept by, in %s',
    async (language, name, line, text, asks) => {
      const person = await linked('Sara', language);
      await talk.asks(person, person, `/people 09121234567 ${name}`, has('🗑'));
      const named = await talk.asks(person, person, `/send ${line}`, has(`👤 ${name}`));
      await talk.presses(person, named, '👤');
      const card = await talk.hears(person, has('✅'), named.message_id);
      expect(plain(card)).toContain(`\n${text}\n`);
      expect(plain(card)).toContain('09121234567');
      // The name alone leaves the text to be asked for.
      await talk.presses(person, await talk.asks(person, person, `/send ${name}`, has('👤')), '👤');
      await talk.hears(person, asks, card.message_id);
      await talk.asks(person, person, '/send', has('✖'));
      const refused = await talk.asks(person, person, name, has('👤'));
      await talk.presses(person, refused, '👤');
      await talk.hears(person, asks, refused.message_id);
      // Nobody is kept by the name.
      const unknown = await talk.asks(person, person, '/send Reza Hello', has('✖'));
      expect(rows(unknown)).toHaveLength(1);
    },
  );

  test.each([
    ['en', '/rule contains price on nothing → here', 'digits'],
    ['fa', '/rule شامل قیمت خط فلان ← اینجا', 'رقم'],
  ])('says once what it asks for, in %s: %s', async (language, typed, part) => {
    const person = await linked('Sara', language);
    const asked = plain(await talk.asks(person, person, typed, part));
    expect(asked.split(part)).toHaveLength(2);
  });

  test.each([
    [
      'en',
      '/rules nonsense',
      '«nonsense» is not a setting',
      'hours Sat-Wed 8-16',
      'Which of these should I set?',
    ],
    ['fa', '/rules فلان', '«فلان» از تنظیم‌های', 'لغو11 3000123456 روشن', 'کدام را تنظیم کنم؟'],
    ['en', '/alerts blah', '«blah» is not an alert setting', 'quiet 22-8', 'Which of these should I set?'],
    ['fa', '/alerts چرت', '«چرت» از تنظیم‌های', 'سکوت 22-8', 'کدام را تنظیم کنم؟'],
    ['en', '/line 5', '«5» is no sender line', '5 to 14 digits', 'Which one should I use?'],
    ['fa', '/line ۵', '«۵» خط فرستنده نیست', '۵ تا ۱۴ رقم', 'از کدام خط ارسال شود؟'],
  ])('names what was typed, says what would do and asks, in %s: %s', async (language, typed, ...says) => {
    const person = await linked('Sara', language);
    const asked = plain(await talk.asks(person, person, typed, has('✖')));
    for (const part of says) expect(asked).toContain(part);
    expect(asked.startsWith(says[0] ?? '')).toBe(true);
  });

  test('takes the settings of rules in Persian, as it names them', async () => {
    const person = await linked('Sara', 'fa');
    await talk.asks(person, person, '/rules لغو۱۱ 3000123456 روشن', 'از این به بعد 11');
    const closed = await talk.asks(person, person, '/rules تعطیل خاموش', '▫️');
    expect(plain(closed)).toContain('پاسخ خودکار نمی‌گیرند');
  });

  test.each([
    ['en', 'my mistake', 'Cancelled', '▶ Continue'],
    ['fa', 'اشتباه شد', 'لغو شد', '▶ ادامه'],
  ])(
    'can be gone on with after a mistake at its first question, in %s',
    async (language, word, says, goOn) => {
      const person = await linked('Sara', language);
      const question = await talk.asks(person, person, '/block', has('✖'));
      const told = await talk.asks(person, person, word, says);
      expect(rows(told)).toEqual([[goOn]]);
      await talk.presses(person, told, goOn);
      const again = await talk.hears(person, has('✖'), told.message_id);
      expect(plain(again)).toBe(plain(question));
      await talk.asks(person, person, '09121234567', has('✅'));
    },
  );

  test.each([
    ['en', 'no', 'Question cancelled'],
    ['en', 'nevermind, wait', 'Question cancelled'],
    ['fa', 'نه', 'سؤال لغو شد'],
    ['fa', 'ولش کن', 'سؤال لغو شد'],
  ])('ends by a no where it cannot be an answer, in %s: %s', async (language, word, says) => {
    const person = await linked('Sara', language);
    await talk.asks(person, person, '/send', has('✖'));
    expect(rows(await talk.asks(person, person, word, says))).toEqual([]);
  });

  test.each([
    [
      'en',
      '/send 09121234567',
      'What should the message say',
      'no',
      'Cancelled',
      ['✅ Use it', '▶ Continue'],
      '#A1',
    ],
    ['fa', '/send 09121234567', 'متن پیام چه باشد', 'لغو', 'لغو شد', ['✅ همین', '▶ ادامه'], '#A1'],
    [
      'en',
      '/template greting',
      'greting',
      'never mind',
      'Cancelled',
      ['✅ Use it', '▶ Continue'],
      'Saved as',
    ],
    ['fa', '/book_new', 'دفترچه', 'نه', 'لغو شد', ['✅ همین', '▶ ادامه'], 'کدام شماره‌ها برای «نه»'],
    ['fa', '/name 09121234567', 'نام', 'ولش کن', 'لغو شد', ['✅ همین', '▶ ادامه'], 'ولش کن است'],
  ])(
    'that any words would answer ends by a no too, and nothing is lost, in %s: %s',
    async (language, line, asks, word, says, labels, becomes) => {
      const person = await linked('Sara', language);
      const question = await talk.asks(person, person, line, asks);
      const told = await talk.asks(person, person, word, says);
      const [take = '', goOn = ''] = labels;
      expect(rows(told)).toEqual([[expect.stringContaining(take)], [goOn]]);
      await talk.presses(person, told, goOn);
      const again = await talk.hears(person, has('✖'), told.message_id);
      expect(plain(again)).toBe(plain(question));
      const once = await talk.asks(person, person, word, says);
      await talk.presses(person, once, take);
      expect(plain(await talk.hears(person, becomes, once.message_id))).toContain(word);
    },
  );

  test('that is over says so to whoever replies to its question', async () => {
    const sara = await linked();
    const question = await talk.asks(sara, sara, '/send', ASK_NUMBERS);
    await talk.asks(sara, sara, '/cancel', 'Question cancelled');
    const told = await talk.asks(sara, sara, '09121234567', OVER, { replyTo: question });
    expect(plain(told)).toContain('start again');
  });

  test('is left by another command, which is carried out', async () => {
    const sara = await linked();
    await talk.asks(sara, sara, '/send 09121234567', ASK_TEXT);
    await talk.asks(sara, sara, '/credit', 'rial');
    const said = sara.send(sara, 'Hello');
    await talk.settled(sara, sara);
    const after = world.driver.messages(sara).filter((m) => m.message_id > said.message_id);
    expect(after.map(plain).join('\n')).not.toContain('#A1');
  });

  test('is left by its Cancel button', async () => {
    const sara = await linked();
    const question = await talk.asks(sara, sara, '/send', ASK_NUMBERS);
    expect(await talk.presses(sara, question, '✖')).toBe('');
    const left = await talk.turns(question, 'Nothing was changed');
    expect(rows(left)).toEqual([]);
    const said = sara.send(sara, '09121234567');
    await talk.settled(sara, sara);
    const after = world.driver.messages(sara).filter((m) => m.message_id > said.message_id);
    expect(after.map(plain).join('\n')).not.toContain(ASK_TEXT);
  });

  test('takes an answer by button, and by typing instead', async () => {
    const sara = await linked();
    const question = await talk.asks(sara, sara, '/line', 'Which one should I use?');
    expect(rows(question)).toEqual([['✓ 3000123456'], ['✖ Cancel']]);
    await talk.asks(sara, sara, '5000 is mine', 'has 5 to 14 digits');
    await talk.asks(sara, sara, '50001234', 'Line 50001234 is used');
    const again = await talk.asks(sara, sara, '/line', 'Which one should I use?');
    expect(rows(again)).toEqual([['✓ 50001234'], ['3000123456'], ['✖ Cancel']]);
    expect(await talk.presses(sara, again, '3000123456')).toBe('');
    await talk.hears(sara, 'Line 3000123456 is used', again.message_id);
    // An answered question has no buttons left to press twice.
    await world.driver.waitForMessage(sara, (m) => m.message_id === again.message_id && rows(m).length === 0);
  });
});

describe.concurrent('a form in a group', () => {
  test('takes only its own person’s reply to the question as the answer', async () => {
    const { owner, operator, group } = await staffed();
    const question = await talk.asks(owner, group, '/send', ASK_NUMBERS);
    expect(plain(question)).toMatch(/\n✖ \/cancel\n\(Reply to this message/u);
    owner.send(group, '09121234567');
    const told = await talk.asks(operator, group, '09121234567', OVER, { replyTo: question });
    expect(plain(told)).toContain('from you: that one is over, or was put to somebody else');
    await talk.settled(operator, group);
    expect(world.driver.messages(group).some((m) => plain(m).includes(ASK_TEXT))).toBe(false);
    await talk.asks(owner, group, '09121234567', ASK_TEXT, { replyTo: question });
  });

  test.each([
    ['en', ASK_TEXT, 'There is no text in that message.'],
    ['fa', 'متن پیام چه باشد', 'آن پیام متن ندارد.'],
  ])('asks again where a file is the reply to a question for words, in %s', async (language, asks, says) => {
    const owner = someone('Olga', language);
    const group = world.driver.group({ creator: owner, members: [] });
    await talk.connects(owner, { apiKey: talk.account().apiKey }, { chat: group });
    const question = await talk.asks(owner, group, '/send 09121234567', asks);
    owner.upload(group, 'voice.bin', Buffer.from('1'), '', { replyTo: question });
    const again = await talk.hears(group, says, question.message_id);
    expect(plain(again)).toContain(asks);
    await talk.asks(owner, group, 'Hello', '#A1', { replyTo: again });
  });

  test('takes a reply to what has asked whether something was the answer, of its own person alone', async () => {
    const { owner, operator, group } = await staffed();
    await talk.asks(owner, group, '/send', ASK_NUMBERS);
    const asked = await talk.asks(owner, group, 'one moment', 'Is this the answer to my question?');
    operator.send(group, '09121234568', { replyTo: asked });
    await talk.settled(operator, group);
    expect(world.driver.messages(group).some((m) => plain(m).includes(ASK_TEXT))).toBe(false);
    const next = await talk.asks(owner, group, '09121234567', ASK_TEXT, { replyTo: asked });
    expect(rows(await talk.turns(asked, (now) => rows(now).length === 0))).toEqual([]);
    expect(plain(await talk.asks(owner, group, 'Hello', '#A1', { replyTo: next }))).not.toContain('moment');
  });

  test('says so where its question is over: asked anew, or left by /cancel', async () => {
    const { owner, group } = await staffed();
    const first = await talk.asks(owner, group, '/send', ASK_NUMBERS);
    const second = await talk.asks(owner, group, '/send', ASK_NUMBERS);
    await talk.asks(owner, group, '09121234567', OVER, { replyTo: first });
    const third = await talk.asks(owner, group, '09121234567', ASK_TEXT, { replyTo: second });
    await talk.asks(owner, group, '/cancel', 'Question cancelled');
    await talk.asks(owner, group, 'Hello', OVER, { replyTo: third });
    // What people say below anything else of the bot's is talk, perhaps: they are told once.
    const left = await talk.asks(owner, group, '/whoami', 'Role: owner');
    await talk.asks(owner, group, 'Thanks', 'Nothing was done with this reply', { replyTo: left });
    const said = owner.send(group, 'Thanks again', { replyTo: left });
    expect((await talk.settled(owner, group)).filter((m) => m.message_id > said.message_id)).toEqual([]);
  });

  test('that a button has begun is asked once: pressed again, the question comes to the end of the chat', async () => {
    const { owner, group } = await staffed();
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A');
    await talk.presses(owner, card, '✏️ Text');
    const first = await talk.hears(group, ASK_TEXT, card.message_id);
    expect(rows(first)).toEqual([['✖ Cancel']]);
    await on.calm(group);
    await talk.presses(owner, card, '✏️ Text');
    const second = await talk.hears(group, ASK_TEXT, first.message_id);
    expect(asking(group)).toEqual([second.message_id]);
    owner.send(group, 'Kept', { replyTo: second });
    await talk.turns(card, 'Kept');
    await talk.turns(second, (m) => rows(m).length === 0);
  });

  test('that waits is not lost to one that a button begins', async () => {
    const { owner, group } = await staffed();
    const card = await talk.asks(owner, group, '/send 09121234567 Hello', '#A');
    await talk.asks(owner, group, '/send 09351112233', ASK_TEXT);
    await talk.presses(owner, card, '✏️ Text');
    const left = await talk.hears(group, 'still unanswered', card.message_id);
    const asked = await talk.hears(group, ASK_TEXT, left.message_id);
    owner.send(group, 'Kept', { replyTo: asked });
    await talk.turns(card, 'Kept');
    await talk.presses(owner, left, '▶ Continue');
    const resumed = await talk.hears(group, ASK_TEXT, asked.message_id);
    const next = await talk.asks(owner, group, 'Come at ten', has('✅'), { replyTo: resumed });
    expect(plain(next)).toContain('Come at ten');
  });

  test('does not mix two people who answer at the same time', async () => {
    const { owner, operator, group } = await staffed();
    const mine = await talk.asks(owner, group, '/send', ASK_NUMBERS);
    const theirs = await talk.asks(operator, group, '/send', ASK_NUMBERS);
    expect(theirs.message_id).not.toBe(mine.message_id);
    const text2 = await talk.asks(operator, group, '09350000002', ASK_TEXT, { replyTo: theirs });
    const text1 = await talk.asks(owner, group, '09120000001', ASK_TEXT, { replyTo: mine });
    const card1 = await talk.asks(owner, group, 'from Olga', '#A', { replyTo: text1 });
    const card2 = await talk.asks(operator, group, 'from Omid', '#A', { replyTo: text2 });
    expect(plain(card1)).toMatch(/from Olga[\s\S]*0912•••0001/u);
    expect(plain(card2)).toMatch(/from Omid[\s\S]*0935•••0002/u);
  });

  test('does not mix two topics of a forum, and each is asked and answered in its topic', async () => {
    const { owner, group } = await staffed('forum');
    const { control } = world.playground;
    const topics = ['Orders', 'Support'].map((name) => control.topic({ chat_id: group, name }).id);
    const [orders, support] = topics as [number, number];
    const one = await talk.asks(owner, group, '/send', ASK_NUMBERS, { threadId: orders });
    const two = await talk.asks(owner, group, '/send', ASK_NUMBERS, { threadId: support });
    expect([one, two].map((m) => m.message_thread_id)).toEqual([orders, support]);
    const text2 = await talk.asks(owner, group, '09350000002', ASK_TEXT, { replyTo: two, threadId: support });
    const text1 = await talk.asks(owner, group, '09120000001', ASK_TEXT, { replyTo: one, threadId: orders });
    const card1 = await talk.asks(owner, group, 'for orders', '#A', { replyTo: text1, threadId: orders });
    const card2 = await talk.asks(owner, group, 'for support', '#A', { replyTo: text2, threadId: support });
    expect([text1, text2, card1, card2].map((m) => m.message_thread_id)).toEqual([
      orders,
      support,
      orders,
      support,
    ]);
    expect(plain(card1)).toMatch(/for orders[\s\S]*0912•••0001/u);
    expect(plain(card2)).toMatch(/for support[\s\S]*0935•••0002/u);
  });

  test('keeps its buttons for the person who was asked', async () => {
    const { owner, operator, group } = await staffed();
    await talk.asks(owner, group, '/line 50001234', 'Line 50001234 is used');
    const question = await talk.asks(owner, group, '/line', 'Which one should I use?');
    expect(await talk.presses(operator, question, '3000123456')).toContain('Only the person who asked');
    await talk.settled(operator, group);
    expect(await talk.bindings(group)).toMatchObject([{ line: '50001234' }]);
    await talk.presses(owner, question, '3000123456');
    await talk.hears(group, 'Line 3000123456 is used', question.message_id);
  });
});

describe('what a form remembers', () => {
  test('is sealed, and goes on after a restart on the same database', async () => {
    await using own = await startWorld();
    const its = talkIn(own);
    const sara = own.driver.user({ first_name: 'Sara', language_code: 'en' });
    await its.connects(sara, { apiKey: 'sandbox-key-demo' });
    await its.asks(sara, sara, '/send 09121234567', ASK_TEXT);
    const form = await remembered(own);
    expect(form.toString('latin1')).not.toMatch(/9121234567|send|numbers/);

    await using again = await restart(own);
    expect(again.botUsername).toBe('PeykSandboxBot');
    const card = await its.asks(sara, sara, 'Hello again', '#A1');
    expect(plain(card)).toMatch(/Hello again[\s\S]*09121234567/u);
    await its.settled(sara, sara);
    expect(await own.database.sql`select 1 from form`).toHaveLength(0);
    expect(its.errors()).toEqual([]);
  });

  test.each([
    {
      locale: 'en' as const,
      late: /⌛ I asked this more than ten minutes ago, so your message was not used[^]*What should the message say/u,
      text: ASK_TEXT,
      use: '✅ Use it',
      password: 'The password?',
      deleted: /⌛ [^]*Your message was deleted and not used[^]*The user name/u,
      goOn: '▶ Continue',
      found: 'Use it in this chat?',
    },
    {
      locale: 'fa' as const,
      late: /⌛ از این سؤال بیش از ده دقیقه گذشته[^]*متن پیام چه/u,
      text: 'متن پیام چه',
      use: '✅ همین',
      password: 'رمز؟',
      deleted: /⌛ [^]*پیامتان را پاک کردم[^]*نام کاربری/u,
      goOn: '▶ ادامه',
      found: 'در همین گفتگو استفاده شود؟',
    },
  ])('takes no answer after ten minutes, and says so ($locale)', async ({ locale, ...says }) => {
    await using own = await startWorld();
    const its = talkIn(own);
    const sara = own.driver.user({ first_name: 'Sara', language_code: locale });
    const account = its.account();
    await its.connects(sara, { apiKey: account.apiKey });
    const wait = (minutes: number) =>
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
    try {
      await its.asks(sara, sara, '/send 09121234567', says.text);
      await remembered(own);
      wait(11);
      // A word for a command is that command, whatever was asked before.
      await its.asks(sara, sara, '/credit', /rial|ریال/u);
      await its.asks(sara, sara, '/send 09121234567', says.text);
      await remembered(own);
      wait(11);
      const late = await its.asks(sara, sara, 'Hello', says.late);
      await its.presses(sara, late, says.use);
      await its.hears(sara, '#A1', late.message_id);

      await its.settled(sara, sara);
      await its.asks(sara, sara, '/connect', /API/u);
      const user = await its.asks(sara, sara, '/connect', /API/u);
      await its.presses(sara, user, locale === 'en' ? 'Username' : 'نام کاربری');
      const named = await its.hears(sara, /user name|نام کاربری در/u, user.message_id);
      sara.send(sara, account.username);
      const asked = await its.hears(sara, says.password, named.message_id);
      await quiet(own);
      const whole = await remembered(own);
      wait(11);
      await own.database.sql`update form set updated_at = now() - interval '12 minutes'`;
      await using again = await restart(own);
      // Whoever starts looks what has to go: the name of the user is in it no longer.
      await until(async () => expect(await remembered(own)).not.toEqual(whole));
      const typed = sara.send(sara, account.password);
      const told = await its.hears(sara, says.deleted, asked.message_id);
      expect(own.driver.messages(sara).map(({ message_id: id }) => id)).not.toContain(typed.message_id);
      // What was typed in secret is kept for ten minutes alone, and asked for again.
      await its.presses(sara, told, says.goOn);
      const first = await its.hears(sara, /user name|نام کاربری در/u, told.message_id);
      sara.send(sara, account.username);
      const second = await its.hears(sara, says.password, first.message_id);
      sara.send(sara, account.password);
      await its.hears(sara, says.found, second.message_id);
      await again.stop();
      expect(shows(own, sara)).not.toContain(account.password);
    } finally {
      vi.useRealTimers();
    }
    expect(its.errors()).toEqual([]);
  });
});

/** All that a chat shows. */
function shows({ driver }: World, person: Person): string {
  return driver.messages(person).map(plain).join('\n');
}

/** The one form of a world, once it is written: the question is seen a moment before. */
async function remembered({ database }: World): Promise<Buffer> {
  return await until(async () => {
    const [form] = await database.sql<{ state: Buffer }[]>`select state from form`;
    if (form === undefined) throw new Error('no form yet');
    return form.state;
  });
}
