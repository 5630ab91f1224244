import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { minuteOfDay } from '../../src/domain/limits.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { restart } from '../support/restart.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { until } from '../support/story.ts';
import { dataOf, given, plain, rows } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';
import { WEEKDAY_NAME } from '../support/weekday.ts';

/* Sends that Peyk keeps until their time: prepared, listed, changed, missed, and held by the limits of then. */

const NO_PACE = { privateChat: null, group: null, overall: null } as const;

const { world, made } = useWorld({}, { deliverySeconds: 600 });
const on = made(schedulesIn);

const sent = ({ username }: { readonly username: string }) =>
  on.talk.sends(username).map(({ text, recipients }) => ({ text, recipients: recipients.length }));

describe.concurrent('a send with a time of its own', () => {
  test('says when it leaves, waits until then, and leaves once', async () => {
    const { omid, group, account } = await on.team();
    const card = await on.talk.asks(
      omid,
      group,
      '/schedule tomorrow 9:00 09121234567 09351112233 Good morning',
      'Draft',
    );
    expect(plain(card)).toMatch(
      /🕐 To be sent [A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} 20\d\d, 09:00 \(Asia\/Tehran\) · in (\d+ hours|1 day)/,
    );
    expect(rows(card)[0]?.[0]).toMatch(/^✅ Send 2 · [A-Z][a-z]{2} 09:00$/);
    await on.talk.presses(omid, card, '✅');
    const waits = await on.talk.turns(card, 'Scheduled for');
    expect(plain(waits)).toMatch(/#A1 by Omid\n🕐 Scheduled for .*, 09:00 \(Asia\/Tehran\)/);
    expect(plain(waits)).toContain('2 recipients');
    expect(rows(waits)).toEqual([['✏️ Edit', '🕐 Time', '🗑 Cancel']]);
    expect(sent(account)).toEqual([]);

    const list = await on.talk.asks(omid, group, '/scheduled', '1 scheduled send');
    expect(plain(list)).toMatch(/, 09:00 · #A1 · 2 messages · Omid/);
    expect(rows(list)).toEqual([['#A1', '✏️ A1', '🕐 A1', '🗑 A1']]);
    await on.talk.presses(omid, list, '#A1');
    await on.talk.hears(group, /Good morning/, list.message_id);

    await on.comes(group, 'A1');
    await on.talk.turns(card, '2 accepted');
    await on.calm(group);
    expect(sent(account)).toEqual([{ text: 'Good morning', recipients: 2 }]);
    await on.talk.asks(omid, group, '/scheduled', 'Nothing is scheduled here');
  });

  test('reads naturally in Persian, with days of the Jalali calendar', async () => {
    const { omid, group, account } = await on.team('fa');
    const card = await on.talk.asks(
      omid,
      group,
      '/schedule فردا ۹ صبح 09121234567 09351112233 سلام',
      'پیش‌نویس',
    );
    expect(plain(card)).toMatch(
      /🕐 زمان ارسال: \p{L}[\p{L}\u200c]+ [۰-۹]{1,2} \p{L}+ ۱۴[۰-۹]{2}، ۰۹:۰۰ \(Asia\/Tehran\)/u,
    );
    expect(rows(card)[0]?.[0]).toMatch(/^✅ ارسال به ۲ · .* ۰۹:۰۰$/);
    await on.talk.presses(omid, card, '✅');
    const waits = await on.talk.turns(card, 'زمان‌بندی‌شده برای');
    expect(rows(waits)).toEqual([['🕐 تغییر زمان', '✏️ ویرایش'], ['🗑 لغو']]);
    const list = await on.talk.asks(omid, group, '/scheduled', '۱ ارسال زمان‌بندی‌شده');
    expect(plain(list)).toContain('۲ پیام');
    await on.talk.presses(omid, list, '🗑');
    await on.talk.turns(card, 'لغو شد');
    await on.talk.turns(list, 'اینجا چیزی زمان‌بندی نشده است');
    expect(sent(account)).toEqual([]);
  });

  test('may stand behind the numbers', async () => {
    const { sara } = await alone();
    const card = await on.talk.asks(sara, sara, '/schedule 09121234567 tomorrow 9:00 See you', 'Draft');
    expect(plain(card)).toContain('\nSee you\n');
    expect(plain(card)).toMatch(/🕐 To be sent .*, 09:00/u);
    // A text is no time.
    await on.talk.asks(sara, sara, '/schedule 09121234567 See you', 'When should it be sent?');
    await on.talk.asks(sara, sara, 'in 2h', 'See you');
  });

  test('is asked for step by step, and a time that will not do alone is asked again', async () => {
    const { sara } = await alone();
    const asked = await on.talk.asks(sara, sara, '/schedule', 'When should it be sent?');
    sara.send(sara, 'after lunch');
    await on.talk.hears(sara, 'I could not read «after lunch»', asked.message_id);
    const numbers = await on.talk.asks(sara, sara, `${WEEKDAY_NAME.en} 10:30`, 'Which numbers?');
    expect(numbers.message_id).toBeGreaterThan(asked.message_id);
    await on.talk.asks(sara, sara, '09121234567', 'What should the message say?');
    const card = await on.talk.asks(sara, sara, 'Hello', 'Draft');
    const short = WEEKDAY_NAME.en.slice(0, 3);
    expect(plain(card)).toMatch(new RegExp(`🕐 To be sent ${short} .*, 10:30`, 'iu'));

    for (const [when, problem] of [
      ['2020-01-01 10:00', 'That time is over.'],
      ['in 0 minutes', 'less than 1 min away'],
      ['in 400 days', 'more than a year away'],
    ] as const) {
      const again = await on.talk.asks(sara, sara, `/schedule ${when} 09121234567 Hello`, problem);
      expect(plain(again)).toContain('When should it be sent?');
      const made = await on.talk.asks(sara, sara, 'in 2 hours', 'Draft');
      expect(plain(made)).toContain('Hello');
      expect(plain(made)).toMatch(/· in [12] hours?/);
    }
  });

  test.each([
    {
      locale: 'en',
      asks: 'When should it be sent?',
      label: '🕐 Tomorrow 09:00',
      numbers: 'Which numbers?',
      text: 'What should the message say?',
      draft: 'Draft',
    },
    {
      locale: 'fa',
      asks: 'کی ارسال شود؟',
      label: '🕐 فردا ۰۹:۰۰',
      numbers: 'کدام شماره‌ها؟',
      text: 'متن پیام چه باشد؟',
      draft: 'پیش‌نویس',
    },
  ] as const)('has likely ones to press, in a group too, in $locale', async (words) => {
    const { omid, group } = await on.team(words.locale);
    const asked = await on.talk.asks(omid, group, '/schedule', words.asks);
    expect(rows(asked)).toContainEqual([words.label]);
    await on.talk.presses(omid, asked, words.label);
    const numbers = await on.talk.hears(group, words.numbers, asked.message_id);
    const text = await on.talk.asks(omid, group, '09121234567', words.text, { replyTo: numbers });
    const card = await on.talk.asks(omid, group, 'Hello', words.draft, { replyTo: text });
    expect(rows(card)[0]?.[0]).toMatch(/(09:00|۰۹:۰۰)$/u);
    await on.talk.presses(omid, card, '✅');
    const waits = await on.talk.turns(card, /Scheduled for|زمان‌بندی‌شده/u);

    // Where nothing is sent at these hours, the first at which something is.
    await on.limit(group, { window: [600, 660] });
    await on.talk.presses(omid, waits, '🕐');
    const when = await on.talk.hears(group, words.asks, card.message_id);
    expect(rows(when)).not.toContainEqual([words.label]);
    const ten = words.label.replace(/09|۰۹/u, words.locale === 'fa' ? '۱۰' : '10');
    expect(rows(when)).toContainEqual([ten]);
    await on.talk.presses(omid, when, ten);
    const moved = await on.talk.hears(group, /(Draft|پیش‌نویس) #A2/u, when.message_id);
    expect(rows(moved)[0]?.[0]).toMatch(/(10:00|۱۰:۰۰)$/u);
  });

  test.each([
    ['en', 'tomorrow', 'At what time?', /^🕐 .* 09:00$/u, '#A1'],
    ['fa', 'ساعت ۵', 'صبح است یا بعدازظهر؟', /^🕐 .* ۱۷:۰۰$/u, '#A1'],
  ])('in doubt is one press away, in one message, in %s', async (language, typed, told, label, card) => {
    const person = world.driver.user({ first_name: 'Sara', language_code: language });
    await on.talk.connects(person, { apiKey: on.talk.account().apiKey });
    const asked = await on.talk.asks(person, person, `/schedule ${typed} 09121234567 Hello`, told);
    expect(plain(asked)).toMatch(/When should it be sent|کی ارسال شود/u);
    const meant = given(
      rows(asked)
        .flat()
        .find((each) => label.test(each)),
    );
    await on.talk.presses(person, asked, meant);
    const made = await on.talk.hears(person, card, asked.message_id);
    expect(plain(made)).toContain(meant.replace('🕐 ', '').replace(/^\S+ /u, ''));
    expect(plain(made)).toContain('Hello');
  });

  test('can be given to any draft by a button, and taken from it again', async () => {
    const { sara, account } = await alone();
    const card = await on.talk.asks(sara, sara, '/send 09121234567 Hello', 'Draft');
    await on.talk.presses(sara, card, '🕐 When');
    const offers = await on.talk.hears(sara, 'Choose, or type a time', card.message_id);
    const labels = rows(offers).flat();
    expect(labels).toContain('🕐 In 1 hour');
    expect(labels).toContain('🕐 Tomorrow 09:00');
    expect(labels).toContain('🔁 Every week …');
    expect(labels).not.toContain('▶ Now');
    await on.talk.presses(sara, offers, '🕐 Tomorrow');
    const later = await on.talk.turns(card, (m) => rows(m)[0]?.[0]?.endsWith(' 09:00') === true);
    expect(plain(later)).toContain('🕐 To be sent');

    await on.talk.presses(sara, later, '🕐 When');
    const again = await on.talk.hears(sara, 'Choose, or type a time', offers.message_id);
    sara.send(sara, 'فردا ۱۰:۱۵');
    const typed = await on.talk.turns(card, (m) => rows(m)[0]?.[0]?.endsWith(' 10:15') === true);
    await on.talk.presses(sara, typed, '🕐 When');
    const last = await on.talk.hears(sara, 'Choose, or type a time', again.message_id);
    await on.talk.presses(sara, last, '▶ Now');
    const atOnce = await on.talk.turns(card, (m) => rows(m)[0]?.[0] === '✅ Send 1 · 1 part');
    expect(plain(atOnce)).not.toContain('🕐');
    await on.talk.presses(sara, atOnce, '✅');
    await on.talk.turns(card, '1 accepted');
    expect(sent(account)).toEqual([{ text: 'Hello', recipients: 1 }]);
  });

  test('whose time is over before anybody confirms it does not leave', async () => {
    const { sara, account } = await alone();
    const card = await on.talk.asks(sara, sara, '/schedule in 2h 09121234567 Too late', 'Draft');
    await world.database.sql`update draft set send_at = now() - interval '1 minute' where text = 'Too late'`;
    await on.talk.presses(sara, card, '✅');
    await on.talk.hears(sara, 'The time of this draft is over, so nothing was sent', card.message_id);
    await on.talk.turns(card, 'That time is over: choose another one with 🕐 When.');
    await on.calm(sara.id);
    expect(sent(account)).toEqual([]);
  });
});

describe.concurrent('a scheduled send whose account is unlinked', () => {
  test.each([
    ['en', 'tomorrow 9', 'Scheduled for', 'It will not be sent by itself at its time', 'is no longer linked'],
    ['fa', 'فردا ۹', 'زمان‌بندی‌شده برای', 'سر وقتش خودبه‌خود ارسال نمی‌شود', 'دیگر وصل نیست'],
  ])('says so until that is linked again, in %s', async (lang, when, scheduled, willNot, gone) => {
    const sara = world.driver.user({ first_name: 'Sara', language_code: lang });
    const { apiKey } = on.talk.account();
    await on.talk.connects(sara, { apiKey });
    const card = await on.talk.asks(sara, sara, `/schedule ${when} 09121234567 Hi`, '#A1');
    await on.talk.presses(sara, card, '✅');
    await on.talk.turns(card, scheduled);
    const asked = await on.talk.asks(sara, sara, '/disconnect', /Unlink «|جدا شود/u);
    await on.talk.presses(sara, asked, lang === 'en' ? '🔌 Unlink' : '🔌 جدا');
    const told = plain(await on.talk.turns(card, willNot));
    expect(told).toContain(gone);
    expect(told).not.toContain(scheduled);
    expect(plain(await on.talk.asks(sara, sara, '/scheduled', '#A1'))).toContain(gone);
    await on.talk.connects(sara, { apiKey });
    await on.talk.turns(card, scheduled);
    expect(plain(await on.talk.asks(sara, sara, '/scheduled', '#A1'))).not.toContain(gone);
  });
});

describe.concurrent('a scheduled send is changed', () => {
  /** The card of the change that a button below a scheduled send opens. */
  const edits = async (person: Person, card: Message, group: number, code: string) => {
    await on.talk.presses(person, card, '✏️ Edit');
    return await on.talk.hears(group, `Draft #${code}`, card.message_id);
  };

  test('by its author: it stays as it is until the change is confirmed, and ends with that', async () => {
    const { omid, group, account } = await on.team();
    const card = await on.schedules(omid, group, 'tomorrow 9:00', 'First');
    const open = await edits(omid, card, group, 'A2');
    const told = await on.talk.hears(group, '#A2 changes #A1.', card.message_id);
    expect(plain(told)).toMatch(/That one stays scheduled for .*, 09:00 until the change is confirmed/);
    expect(plain(open)).toMatch(
      /✏️ Changes #A1, which stays scheduled for .*, 09:00 until this is confirmed/,
    );
    // That it says the same as what it takes the place of is no warning.
    expect(plain(open)).not.toContain('the same text');
    expect(await on.jobs(group)).toMatchObject([{ code: 'A1', state: 'scheduled' }]);
    const list = await on.talk.asks(omid, group, '/scheduled', '1 scheduled send');
    expect(plain(list)).toMatch(/, 09:00 · #A1 · 2 messages · Omid\n✏️ A change waits to be confirmed: #A2/);
    await on.talk.presses(omid, open, '✏️ Text');
    const form = await on.talk.hears(group, 'What should the message say', open.message_id);
    omid.send(group, 'Second', { replyTo: form });
    const changed = await on.talk.turns(
      open,
      (m) => plain(m).includes('Second') && plain(m).includes('Draft'),
    );
    await on.talk.presses(omid, changed, '✅');
    const waits = await on.talk.turns(open, 'Scheduled for');
    const ended = await on.talk.turns(card, '#A1 by Omid · changed: #A2 takes its place');
    expect(rows(ended)).toEqual([]);

    await on.talk.presses(omid, waits, '🕐 Time');
    const when = await on.talk.hears(group, 'When should it be sent?', form.message_id);
    omid.send(group, 'tomorrow 11', { replyTo: when });
    const moved = await on.talk.hears(group, 'Draft #A3', when.message_id);
    expect(rows(moved)[0]?.[0]).toMatch(/ 11:00$/);
    await on.talk.presses(omid, moved, '✅');
    await on.talk.turns(moved, /Scheduled for .*, 11:00/);
    expect((await on.jobs(group)).map(({ state }) => state)).toEqual(['undone', 'undone', 'scheduled']);
    await on.comes(group, 'A3');
    await on.talk.turns(moved, '2 accepted');
    await on.calm(group);
    expect(sent(account)).toEqual([{ text: 'Second', recipients: 2 }]);
  });

  test('and nobody confirms it: that is told, and it leaves at its old time', async () => {
    const { omid, group, account } = await on.team();
    const card = await on.schedules(omid, group, 'tomorrow 9:00', 'First');
    await on.talk.presses(omid, card, '🕐 Time');
    const when = await on.talk.hears(group, 'When should it be sent?', card.message_id);
    omid.send(group, 'tomorrow 11', { replyTo: when });
    const open = await on.talk.hears(group, 'Draft #A2', when.message_id);
    await on.lapses(group, 'A2');
    const told = await on.talk.hears(group, 'The change #A2 was not confirmed in time.', open.message_id);
    expect(plain(told)).toMatch(/#A1 stays scheduled for .*, 09:00/);
    const list = await on.talk.asks(omid, group, '/scheduled', '1 scheduled send');
    expect(plain(list)).toMatch(/, 09:00 · #A1/);
    expect(plain(list)).not.toContain('#A2');
    await on.comes(group, 'A1');
    await on.talk.turns(card, '2 accepted');
    expect(sent(account)).toEqual([{ text: 'First', recipients: 2 }]);
  });

  test('and the change is dropped: its card says that all stays', async () => {
    const { omid, group } = await on.team();
    const card = await on.schedules(omid, group, 'tomorrow 9:00', 'First');
    const open = await edits(omid, card, group, 'A2');
    await on.talk.presses(omid, open, '✖ Cancel');
    const over = await on.talk.turns(open, (m) => rows(m).length === 0);
    expect(plain(over)).toMatch(/#A1 stays scheduled for .*, 09:00/);
    expect(await on.jobs(group)).toMatchObject([{ code: 'A1', state: 'scheduled' }]);
  });

  test('and its old time comes first: it leaves as it was, and nothing of the change does', async () => {
    const { omid, group, account } = await on.team();
    const card = await on.schedules(omid, group, 'tomorrow 9:00', 'First');
    const open = await edits(omid, card, group, 'A2');
    await on.comes(group, 'A1');
    await on.talk.turns(card, '2 accepted');
    await on.talk.hears(group, '#A1 started without the change: #A2 was not confirmed', open.message_id);
    const over = await on.talk.turns(open, (m) => rows(m).length === 0);
    expect(plain(over)).not.toContain('stays scheduled');
    await on.calm(group);
    expect(sent(account)).toEqual([{ text: 'First', recipients: 2 }]);
  });

  test('by others only as their roles allow', async () => {
    const { omid, oscar, ann, group, account } = await on.team();
    const card = await on.schedules(omid, group, 'tomorrow 9:00');
    await on.talk.presses(oscar, card, '✏️ Edit');
    await on.talk.hears(
      group,
      'Only its author, or somebody who may approve, can change it',
      card.message_id,
    );
    expect(await on.jobs(group)).toMatchObject([{ state: 'scheduled' }]);
    // What he pressed was hers to press: the card has new buttons.
    const anew = await on.talk.turns(card, (m) => dataOf(m, '✏️') !== dataOf(card, '✏️'));
    const open = await edits(ann, anew, group, 'A2');
    const told = await on.talk.hears(group, '#A2 changes #A1.', card.message_id);
    expect(plain(told)).toContain('until Omid confirms the change');
    expect(await on.talk.presses(ann, open, '✅')).toBe('Only the person who asked can press this.');
    const waits = await on.talk.turns(card, (m) => dataOf(m, '🗑') !== dataOf(anew, '🗑'));
    await on.talk.presses(oscar, waits, '🗑 Cancel');
    const ended = await on.talk.turns(card, '#A1 by Omid · cancelled by Oscar · not sent');
    expect(rows(ended)).toEqual([]);
    await on.talk.hears(group, '#A1 no longer waits, so its change #A2 is void', open.message_id);
    await on.calm(group);
    expect(sent(account)).toEqual([]);
  });

  test('and needs an approval of its own, while what was approved stays', async () => {
    const { omid, ann, group, account } = await on.team();
    await on.limit(group, { approval: 1 });
    const draft = await on.talk.asks(
      omid,
      group,
      '/schedule tomorrow 9 09121234567 09351112233 Big',
      'Draft',
    );
    await on.talk.presses(omid, draft, '➡');
    const question = await on.talk.turns(draft, 'waits for approval');
    expect(plain(question)).toContain('🕐 To be sent');
    await on.talk.presses(ann, question, '✅');
    const waits = await on.talk.turns(draft, 'Scheduled for');
    expect(plain(waits)).toContain('approved by Ann');
    const open = await edits(omid, waits, group, 'A2');
    expect(rows(open)[0]?.[0]).toBe('➡ Ask for approval');
    expect(plain(open)).not.toContain('approved by');
    await on.talk.presses(omid, open, '➡');
    const asked = await on.talk.turns(open, 'waits for approval');
    expect(await on.jobs(group)).toMatchObject([{ code: 'A1', state: 'scheduled' }]);
    await on.talk.presses(ann, asked, '✅');
    await on.talk.turns(open, 'Scheduled for');
    await on.talk.turns(draft, 'changed: #A2 takes its place');
    await on.calm(group);
    expect(sent(account)).toEqual([]);
  });
});

describe.concurrent('a send that came too late', () => {
  test('is kept back, asks on its card, and says so in the chat once', async () => {
    const { omid, group, account } = await on.team();
    const card = await on.schedules(omid, group, 'tomorrow 9:00');
    await on.comes(group, 'A1', 1900);
    const missed = await on.talk.turns(card, 'What should happen?');
    expect(plain(missed)).toMatch(/⚠ It was not sent .*\nIts turn came more than half an hour late/);
    expect(rows(missed)).toEqual([['✅ Send now'], ['🕐 New time', '🗑 Cancel']]);
    const told = await on.talk.hears(group, 'What should happen with #A1?', card.message_id);
    expect(told.reply_to_message?.message_id).toBe(card.message_id);
    expect(plain(told)).toMatch(/^Omid: ⚠ It was not sent /u);
    expect(rows(told)).toEqual(rows(missed));
    const list = await on.talk.asks(omid, group, '/scheduled', 'not sent · #A1');
    expect(rows(list)).toEqual([
      ['#A1', '✅ Send now A1'],
      ['✏️ A1', '🕐 A1', '🗑 A1'],
    ]);

    await on.talk.presses(omid, missed, '✅ Send now');
    await on.talk.turns(card, '2 accepted');
    await on.calm(group);
    expect(sent(account)).toEqual([{ text: 'Later', recipients: 2 }]);
    const said = world.driver
      .messages(group)
      .filter((each) => plain(each).includes('What should happen with #A1?'));
    expect(said).toHaveLength(1);
  });

  test('is answered below the call as on the card, and the call has no buttons then', async () => {
    const { omid, group, account } = await on.team();
    const card = await on.schedules(omid, group, 'tomorrow 9:00');
    await on.comes(group, 'A1', 1900);
    const told = await on.talk.hears(group, 'What should happen with #A1?', card.message_id);
    expect(await on.talk.presses(omid, told, '✅ Send now')).toBe('');
    await on.talk.turns(told, (m) => rows(m).length === 0);
    await on.talk.turns(card, '2 accepted');
    await on.calm(group);
    expect(sent(account)).toEqual([{ text: 'Later', recipients: 2 }]);
  });

  test('is given another time, or cancelled', async () => {
    const { omid, oscar, group, account } = await on.team();
    const [first, second] = [
      await on.schedules(omid, group, 'tomorrow 9:00'),
      await on.schedules(omid, group, 'tomorrow 9:00'),
    ];
    await on.comes(group, 'A1', 1900);
    await on.comes(group, 'A2', 1900);
    const missed = await on.talk.turns(first, 'What should happen?');
    await on.talk.presses(omid, missed, '🕐 New time');
    const when = await on.talk.hears(group, 'When should it be sent?', missed.message_id);
    omid.send(group, 'tomorrow 10', { replyTo: when });
    const open = await on.talk.hears(group, 'Draft #A3', when.message_id);
    expect(rows(open)[0]?.[0]).toMatch(/ 10:00$/);
    expect(plain(open)).toContain('✏️ Changes #A1, which waits for its answer until this is confirmed');
    await on.talk.presses(omid, open, '✅');
    await on.talk.turns(open, 'Scheduled for');
    await on.talk.turns(first, 'changed: #A3 takes its place');
    await on.talk.presses(oscar, await on.talk.turns(second, 'What should happen?'), '🗑 Cancel');
    await on.talk.turns(second, 'cancelled by Oscar');
    await on.calm(group);
    expect(sent(account)).toEqual([]);
    expect((await on.jobs(group)).map(({ state }) => state)).toEqual(['undone', 'undone', 'scheduled']);
  });

  test('above the limit needs a second person again, who may also be the one that presses', async () => {
    const { omid, ann, group, account } = await on.team();
    const cards = [
      await on.schedules(omid, group, 'tomorrow 9', 'One'),
      await on.schedules(omid, group, 'tomorrow 9', 'Two'),
    ];
    await on.comes(group, 'A1', 1900);
    await on.comes(group, 'A2', 1900);
    const [first, second] = await Promise.all(
      cards.map(async (card) => await on.talk.turns(card, 'What should happen?')),
    );
    await on.limit(group, { approval: 1 });
    if (first === undefined || second === undefined) throw new Error('no card');
    await on.talk.presses(omid, first, '✅ Send now');
    const question = await on.talk.turns(first, 'waits for approval');
    await on.talk.hears(group, '#A1 by Omid waits for approval', second.message_id);
    await on.talk.presses(ann, question, '✅');
    await on.talk.turns(first, '2 accepted');
    await on.talk.presses(ann, second, '✅ Send now');
    expect(plain(await on.talk.turns(second, '2 accepted'))).toContain('#A2 by Omid, approved by Ann');
    expect(sent(account)).toHaveLength(2);
  });
});

describe.concurrent('the limits of a chat', () => {
  /** Hours of the day that are not now, beginning with the one after next. */
  const otherHours = (): readonly [from: number, to: number] => {
    const hour = Math.floor(minuteOfDay(new Date(), 'Asia/Tehran') / 60);
    return [((hour + 2) % 24) * 60, ((hour + 6) % 24) * 60];
  };
  const clock = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, '0')}:00`;

  test('outside of the hours offer the next ones, for now and for another time', async () => {
    const { omid, group, account } = await on.team();
    const [from, to] = otherHours();
    await on.limit(group, { window: [from, to] });
    const card = await on.talk.asks(omid, group, '/send 09121234567 Soon', 'Sending is possible again');
    expect(plain(card)).toContain(`only from ${clock(from)} to ${clock(to)}`);
    const [[label = '', ...others] = []] = rows(card);
    expect(label).toMatch(new RegExp(`^🕘 Schedule ${clock(from)}( · [A-Z][a-z]{2})?$`));
    expect(others).toEqual([]);
    await on.talk.presses(omid, card, '🕘');
    const later = await on.talk.turns(card, (m) => /^✅.*\d$/u.test(rows(m)[0]?.[0] ?? ''));
    await on.talk.presses(omid, later, '✅');
    await on.talk.turns(card, new RegExp(`Scheduled for .*, ${clock(from)}`));

    const outside = clock((to + 60) % 1440);
    const night = `/schedule tomorrow ${outside} 09121234567 Night`;
    const other = await on.talk.asks(omid, group, night, `this one is for ${outside}`);
    await on.talk.presses(omid, other, '🕘');
    const moved = await on.talk.turns(other, (m) => /^✅.*\d$/u.test(rows(m)[0]?.[0] ?? ''));
    await on.talk.presses(omid, moved, '✅');
    await on.talk.turns(other, 'Scheduled for');
    expect(sent(account)).toEqual([]);
    expect((await on.jobs(group)).map(({ at_ms }) => minuteOfDay(new Date(at_ms), 'Asia/Tehran'))).toEqual([
      from,
      from,
    ]);
  });

  test('offer the next ones to one that they have held back, when it is to be sent now', async () => {
    const { omid, group, account } = await on.team();
    const card = await on.schedules(omid, group, 'tomorrow 9', 'Held back');
    const [from, to] = otherHours();
    await on.limit(group, { window: [from, to] });
    await on.comes(group, 'A1');
    const missed = await on.talk.turns(card, 'What should happen?');
    await on.talk.presses(omid, missed, '✅ Send now');
    const offered = await on.talk.hears(group, 'Sending is possible again', missed.message_id);
    await on.talk.presses(omid, offered, '🕘');
    const change = await on.talk.hears(group, /^✉️ Draft/u, offered.message_id);
    await on.talk.presses(omid, change, '✅');
    await on.talk.turns(change, new RegExp(`Scheduled for .*, ${clock(from)}`));
    await on.calm(group);
    expect(sent(account)).toEqual([]);
  });

  test('are read again when the time comes, and what they forbid asks with the reason', async () => {
    const { omid, group, account } = await on.team();
    const [first, second] = [
      await on.schedules(omid, group, 'tomorrow 9', 'One'),
      await on.schedules(omid, group, 'tomorrow 9', 'Two'),
    ];
    await on.limit(group, { window: otherHours() });
    await on.comes(group, 'A1');
    expect(plain(await on.talk.turns(first, 'What should happen?'))).toContain(
      'That time is outside the chat’s sending hours.',
    );
    await on.limit(group, { cap: 1 });
    await on.comes(group, 'A2');
    const capped = await on.talk.turns(second, 'What should happen?');
    expect(plain(capped)).toContain('It would go over the day’s cap.');
    // The answer meets the same limits.
    await on.talk.presses(omid, capped, '✅ Send now');
    await on.talk.hears(group, 'It would go over the day’s cap', capped.message_id);
    await on.calm(group);
    expect(sent(account)).toEqual([]);
    await on.limit(group, {});
    const now = await on.talk.turns(second, (m) => rows(m)[0]?.[0] === '✅ Send now');
    await on.talk.presses(omid, now, '✅ Send now');
    await on.talk.turns(second, '2 accepted');
    expect(sent(account)).toEqual([{ text: 'Two', recipients: 2 }]);
  });

  test('that nobody knew of find an account that is gone', async () => {
    const { omid, group, account } = await on.team();
    const card = await on.schedules(omid, group, 'tomorrow 9');
    await world.database.sql`
      update binding b set state = 'gone' from chat c where c.id = b.chat_id and c.telegram_id = ${group}`;
    await on.comes(group, 'A1');
    expect(plain(await on.talk.turns(card, 'What should happen?'))).toContain('is no longer linked');
    expect(sent(account)).toEqual([]);
  });
});

test('an answer that proves nothing is as unknown as at any other time', async () => {
  const { omid, group, account } = await on.team();
  const card = await on.schedules(omid, group, 'tomorrow 9', 'Lost');
  world.sandbox.faults.add({
    kind: 'truncate',
    operation: 'send',
    account: account.username,
    times: 1,
    when: 'after',
    skip: 0,
    bytes: 10,
  });
  await on.comes(group, 'A1');
  await on.talk.turns(card, '2 unknown');
  expect(sent(account)).toHaveLength(1);
});

test('a restart neither loses nor doubles what waits, also without its place in the queue', async () => {
  const own = await startWorld({}, { outgoingLimits: NO_PACE });
  const there = schedulesIn(own);
  const { omid, group, account } = await there.team();
  const cards = [
    await there.schedules(omid, group, 'tomorrow 9', 'Kept'),
    await there.schedules(omid, group, 'tomorrow 9', 'Lost'),
    await there.schedules(omid, group, 'tomorrow 9', 'Later'),
  ];
  await own.app.stop();
  await own.database.sql`
    update job set hold_until = now() - interval '1 minute' where draft_id in (select id from draft where text <> 'Later')`;
  await own.database.sql`
    update graphile_worker._private_jobs j set run_at = now() - interval '1 minute'
    from job, draft d where j.key = 'send:' || job.id and d.id = job.draft_id and d.text = 'Kept'`;
  await own.database.sql`
    delete from graphile_worker._private_jobs j using job, draft d
    where j.key = 'send:' || job.id and d.id = job.draft_id and d.text = 'Lost'`;
  {
    await using again = await restart(own);
    await until(() => {
      expect(there.talk.sends(account.username)).toHaveLength(2);
    });
    await Promise.all(
      cards.slice(0, 2).map(async (card) => await there.talk.turns(card, /accepted|delivered/)),
    );
    expect(
      there.talk
        .sends(account.username)
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(['Kept', 'Lost']);
    // The card may show what was accepted before its send is over.
    await until(async () => {
      expect((await there.jobs(group)).map(({ state }) => state)).toEqual(['done', 'done', 'scheduled']);
    });
    await again.stop();
  }
  expect(there.talk.errors()).toEqual([]);
  await own.stop();
});

/** Somebody with an account in the private chat. */
async function alone() {
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = on.talk.account();
  await on.talk.connects(sara, { username: account.username, password: account.password });
  return { sara, account };
}
