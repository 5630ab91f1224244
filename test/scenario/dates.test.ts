import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { dayAfter, jalaliDayOf, localTimeOf } from '../../src/domain/calendar.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { given, has, PATIENCE, plain, rows } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/use-world.ts';

/* Sends by people's dates, from the line or the form to the message that is delivered on the day. */

const ZONE = 'Asia/Tehran';
const LINE = '3000123456';

const { world, talk, made } = useWorld({}, { deliverySeconds: 0.3 });
const on = made((of, by) => schedulesIn(of, by));

/** A Jalali date so many days from today. */
const away = (days: number): string => {
  const { year, month, day } = dayAfter(localTimeOf(new Date(), ZONE), days);
  const jalali = jalaliDayOf(new Date(Date.UTC(year, month - 1, day, 12)), 'UTC');
  return `${jalali.month}/${jalali.day}`;
};

interface Kept {
  readonly number: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

const keep = async (group: number, tag: string, people: readonly Kept[]): Promise<void> => {
  await world.database.sql`
    insert into contact (chat_id, number, name, fields, tags, set_by)
    select c.id, p.number, p.name, p.fields, array[${tag}], 1
    from chat c, jsonb_to_recordset(${JSON.stringify(people)}::text::jsonb) as p (number text, name text, fields jsonb)
    where c.telegram_id = ${group}`;
};

/** As if the time of each order of a group were now, or so many minutes ago. */
const comes = async (group: number, minutesAgo = 0): Promise<void> => {
  await world.database.sql`
    update date_send o set done_on = to_char(now() - interval '3 days', 'YYYY-MM-DD'),
      minute = extract(hour from l.at)::int * 60 + extract(minute from l.at)::int
    from chat c, (select (now() - ${minutesAgo} * interval '1 minute') at time zone ${ZONE} as at) as l
    where c.id = o.chat_id and c.telegram_id = ${group}`;
  // Of the days before only today's people are looked at.
  await world.database.sql`
    update date_send o set done_on = to_char((now() at time zone ${ZONE}) - o.minute * interval '1 minute' - interval '1 day', 'YYYY-MM-DD')
    from chat c where c.id = o.chat_id and c.telegram_id = ${group}`;
};

/** The list of what is sent by date; the card of a send that waits has a pencil too. */
const theirList = (message: Message): boolean => has('✏️')(message) && plain(message).startsWith('🎂');

const SARA = { number: '989121234567', name: 'Sara' };
const OMID = { number: '989351112233', name: 'Omid' };
const NINA = { number: '989121110001', name: 'Nina' };
const BLOCKED = { number: '989121110009', name: 'Zoe' };

describe('a send by date', () => {
  test('is typed in one line, switched on from its card, and writes to those whose day it is', async () => {
    const { owner, group, account } = await on.team('en', {
      blacklist: [{ line: LINE, to: ['9121110009'] }],
    });
    await keep(group, 'customers', [
      { ...BLOCKED, fields: { birthday: away(0), city: 'Ahvaz' } },
      { ...SARA, fields: { birthday: `1370/${away(0)}`, city: 'Rasht' } },
      { ...OMID, fields: { birthday: away(5), city: 'Qom' } },
      { ...NINA, fields: { birthday: '31/31' } },
    ]);
    const card = await talk.asks(
      owner,
      group,
      '/dates #customers birthday 23:59 Dear {name} of {city}, happy birthday!',
      'Once it is on',
    );
    expect(plain(card).split('\n')).toEqual([
      '🎂 Send by date: birthday · #customers',
      '🕐 On the day at 23:59, every year',
      `📤 From line ${LINE}`,
      expect.stringMatching(/^To 0912•••0009:$/u),
      'Dear Zoe of Ahvaz, happy birthday!',
      expect.stringMatching(/^📨 1 part each/u),
      '✅ 3 people with a date',
      '⚠️ 1 person with something that is no date I can read, such as «31/31»',
      expect.stringMatching(/^📅 Next: .*23:59, 2 people\. In the next 30 days: 3 people$/u),
      'Once it is on, it sends by itself in your name, within the limits of the chat. Anything that cannot be sent asks here first.',
    ]);
    expect(rows(card)).toEqual([['✅ Switch on', '✖ Cancel']]);
    expect(await talk.presses(owner, card, '✅')).toBe('');
    await talk.turns(card, 'It is on.');
    const list = await talk.asks(owner, group, '/dates', '1 send by date');
    expect(plain(list)).toContain('1. 🟢 birthday · #customers');
    expect(plain(list)).toContain('👤 Sent in Olga’s name');
    expect(rows(list)).toEqual([['⏸ 1', '✏️ 1', '🗑 1'], ['➕ New']]);

    await comes(group);
    // Whoever has opted out, or is blocked, gets nothing, as of every send.
    const done = await talk.hears(
      group,
      /1 (accepted|delivered)[^]*🎂 Sent by date: birthday of #customers/u,
      list.message_id,
    );
    expect(talk.sends(account.username).map(({ line, text }) => ({ line, text }))).toEqual([
      { line: LINE, text: 'Dear Sara of Rasht, happy birthday!' },
    ]);
    // Another look, and another clock, find nobody who was not written to.
    await comes(group);
    await until(async () => {
      const [row] = await world.database.sql<{ open: boolean }[]>`
        select bool_or(done_on < to_char((now() at time zone ${ZONE}) - minute * interval '1 minute', 'YYYY-MM-DD')) as open
        from date_send o join chat c on c.id = o.chat_id where c.telegram_id = ${group}`;
      expect(row?.open).toBe(false);
    });
    expect(await on.jobs(group)).toHaveLength(1);
    const audit = await talk.asks(owner, group, '/audit', 'switched on the send by date');
    expect(plain(audit)).toContain('made the send #A1 by the date «birthday» of #customers');
    expect(done.message_id).toBeGreaterThan(list.message_id);

    await talk.presses(owner, list, '⏸');
    const paused = await talk.turns(list, '⏸ Paused: birthday · #customers.');
    expect(plain(paused)).toContain('1. ⏸ birthday · #customers · paused');
    await talk.presses(owner, paused, '▶️');
    const again = await talk.turns(list, '▶️ On again, in your name: birthday · #customers');
    await talk.presses(owner, again, '🗑');
    await talk.turns(list, '🗑 Ended: birthday · #customers');
    await talk.turns(list, 'No sends by date yet');
  });

  test.each([
    [
      'en',
      '{name}',
      'happy birthday!',
      'all the best!',
      'It says now',
      '✅ Use this text',
      'Changed.',
      'It stays as it was',
    ],
    [
      'fa',
      '{نام}',
      'تولدتان مبارک!',
      'روزتان خوش!',
      'متن فعلی',
      '✅ همین متن شود',
      'عوض شد.',
      'متن قبلی می‌ماند',
    ],
  ] as const)(
    'says something else from a change on, and writes to nobody again (%s)',
    async (lang, field, before, after, saysNow, use, changed, stays) => {
      const { owner, group, account } = await on.team(lang);
      const birthday = { fields: { birthday: away(0) } };
      await keep(group, 'vip', [{ ...SARA, ...birthday }]);
      const card = await talk.asks(owner, group, `/dates #vip birthday 23:59 ${field}: ${before}`, '📤');
      await talk.presses(owner, card, '✅');
      await talk.turns(card, '🟢');
      await comes(group);
      const sent = async (...texts: readonly string[]): Promise<void> =>
        await until(() => expect(talk.sends(account.username).map(({ text }) => text)).toEqual(texts));
      await sent(`Sara: ${before}`);

      const list = await talk.asks(owner, group, '/dates', theirList);
      await talk.presses(owner, list, '✏️');
      const asked = await talk.hears(group, saysNow, list.message_id);
      expect(plain(asked)).toContain(`${field}: ${before}`);
      expect(plain(asked)).toContain('{');
      owner.send(group, `${field}: ${after}`, { replyTo: asked });
      const proposed = await talk.hears(group, `Sara: ${after}`, asked.message_id);
      expect(rows(proposed)[0]).toContain(use);
      expect(plain(await talk.asks(owner, group, '/dates', theirList))).toContain(before);
      await talk.presses(owner, proposed, '✅');
      expect(plain(await talk.turns(proposed, changed))).toContain(after);
      await keep(group, 'vip', [{ ...OMID, ...birthday }]);
      await comes(group);
      await sent(`Sara: ${before}`, `Omid: ${after}`);

      const again = await talk.asks(owner, group, '/dates', theirList);
      await talk.presses(owner, again, '✏️');
      const question = await talk.hears(group, saysNow, again.message_id);
      owner.send(group, `${field}: -`, { replyTo: question });
      const other = await talk.hears(group, 'Sara: -', question.message_id);
      await talk.presses(owner, other, '✖');
      await talk.turns(other, stays);
      expect(plain(await talk.asks(owner, group, '/dates', theirList))).toContain(after);
    },
  );

  test('is asked for step by step in Persian, with the dates of people, and a text put together by presses', async () => {
    const { owner, group } = await on.team('fa');
    await talk.asks(owner, group, '/dates', 'هنوز ارسال مناسبتی ندارید');
    const nobody = await talk.asks(owner, group, '/dates #مشتریان', 'هنوز هیچ مخاطبی برچسب ندارد');
    await keep(group, 'اعضا', [
      { ...SARA, name: 'سارا', fields: { شهر: 'رشت', 'پایان قرارداد': `1499/${away(10)}` } },
      { ...OMID, name: '', fields: { 'پایان قرارداد': '۱۴۰۰/۱۲/۳۰' } },
    ]);
    const begun = await talk.asks(owner, group, '/dates', has('➕'));
    expect(begun.message_id).toBeGreaterThan(nobody.message_id);
    await talk.presses(owner, begun, '➕');
    const tag = await talk.hears(group, 'مخاطبان کدام برچسب', begun.message_id);
    await talk.presses(owner, tag, '👥 #اعضا');
    const field = await talk.hears(group, 'تاریخ در کدام فیلد', tag.message_id);
    expect(rows(field).flat()).toEqual(['📅 پایان قرارداد', '✖ انصراف']);
    await talk.presses(owner, field, '📅');
    const days = await talk.hears(group, 'همان روز یا چند روز قبل', field.message_id);
    owner.send(group, 'دو هفته قبل', { replyTo: days });
    const refused = await talk.hears(group, 'نتوانستم «دو هفته قبل» را بخوانم', days.message_id);
    owner.send(group, '۲ هفته قبل', { replyTo: refused });
    const time = await talk.hears(group, 'چه ساعتی', refused.message_id);
    await talk.presses(owner, time, '🕐 ۱۰:۰۰');
    const repeat = await talk.hears(group, 'هر سال، مثل تولد', time.message_id);
    await talk.presses(owner, repeat, '📍');
    const text = await talk.hears(group, 'متن پیام چه باشد', repeat.message_id);
    await talk.presses(owner, text, '{نام}');
    const soFar = await talk.turns(text, has('✔'));
    owner.send(group, 'عزیز، قرارداد شما رو به پایان است.', { replyTo: soFar });
    const card = await talk.hears(group, 'وقتی روشن شود', soFar.message_id);
    expect(plain(card)).toContain('🎂 ارسال مناسبتی: پایان قرارداد · #اعضا');
    expect(plain(card)).toContain('🕐 ۱۴ روز قبل ساعت ۱۰:۰۰، فقط یک بار');
    expect(plain(card)).toContain('سارا عزیز، قرارداد شما رو به پایان است.');
    expect(plain(card)).toContain('✅ ۱ نفر تاریخ دارند');
    expect(plain(card)).toContain('«۱۴۰۰/۱۲/۳۰»');
    expect(plain(card)).toContain('📅 در ۳۰ روز آینده هیچ‌کس');
    await talk.presses(owner, card, '✖');
    await talk.turns(card, '✖ لغو شد. چیزی ارسال نمی‌شود.');
  });

  test('is put right where a tag, a field or a field of the text is not there', async () => {
    const { owner, group } = await on.team();
    await keep(group, 'club', [{ ...SARA, fields: { birthday: away(1) } }]);
    const which = await talk.asks(
      owner,
      group,
      '/dates #clubs birthday 10:00 Dear {nam}',
      'Nobody is kept under #clubs.',
    );
    expect(plain(which)).toContain('The people with which tag?');
    await talk.presses(owner, which, '👥 #club');
    const text = await talk.hears(group, '{nam}', which.message_id);
    await talk.presses(owner, text, '✔');
    const card = await talk.hears(group, 'Once it is on', text.message_id);
    expect(plain(card)).toContain('Dear Sara');
    const asked = await talk.asks(
      owner,
      group,
      '/dates #club birthdy 10:00 Dear {name}',
      'Did you mean birthday?',
    );
    expect(plain(asked)).toContain('Which field of #club is the date?');
    await talk.presses(owner, asked, '📅 birthday');
    await talk.hears(group, 'Once it is on', asked.message_id);
    await on.limit(group, { window: [540, 1260] });
    const late = await talk.asks(owner, group, '/dates #club birthday 23:00 Dear {name}', 'Once it is on');
    expect(plain(late)).toContain('⚠️ This chat sends only from 09:00 to 21:00');
    const open = await talk.asks(owner, group, '/dates #club birthday 20:00 Dear {name}', 'Once it is on');
    expect(plain(open)).not.toContain('⚠️');
    // Whoever looks at the people of a tag is led here too.
    const people = await talk.asks(owner, group, '/people #club', has('🎂 Send by date'));
    await talk.presses(owner, people, '🎂');
    await talk.hears(group, 'Which field of #club is the date?', people.message_id);
    await talk.asks(owner, group, '/dates #club birthday 25:00 Hello', '«25:00» is no time of the day');
  });

  test('asks on its card where it comes too late, and goes by a press', async () => {
    const { owner, group, account } = await on.team();
    await keep(group, 'club', [{ ...SARA, fields: { birthday: away(0) } }]);
    const card = await talk.asks(owner, group, '/dates #club birthday 10:00 Dear {name}', 'Once it is on');
    await talk.presses(owner, card, '✅');
    await talk.turns(card, 'It is on.');
    const { hour, minute } = localTimeOf(new Date(), ZONE);
    // Shortly after midnight what is 40 minutes late was due the day before.
    const people = hour * 60 + minute < 40 ? -1 : 0;
    await world.database
      .sql`update contact set fields = jsonb_build_object('birthday', ${away(people)}::text)`;
    await comes(group, 40);
    const asks = await talk.hears(group, 'more than half an hour late', card.message_id);
    expect(plain(given(asks))).toMatch(/🎂 Sent by date: birthday of #club|was held back/u);
    const shown = await talk.hears(group, has('✅ Send now'), card.message_id);
    expect(talk.sends(account.username)).toEqual([]);
    await talk.presses(owner, shown, '✅');
    await until(() => expect(talk.sends(account.username)).toHaveLength(1));
  });

  test('asks after a backup was brought back, and says where it is resumed', async () => {
    const { owner, group, account } = await on.team();
    await keep(group, 'club', [{ ...SARA, fields: { birthday: away(0) } }]);
    const card = await talk.asks(owner, group, '/dates #club birthday 23:59 Dear {name}', 'Once it is on');
    await talk.presses(owner, card, '✅');
    await talk.turns(card, 'It is on.');
    // As restoring does, which this world of several stories cannot.
    await world.database.sql`
      update date_send o set confirmed_by = null from chat c where c.id = o.chat_id and c.telegram_id = ${group}`;
    await comes(group);
    const asks = await talk.hears(group, 'See in /dates whether it is still to be sent', card.message_id);
    expect(plain(given(asks))).toContain('The bot’s data was restored from a backup');
    const list = await talk.asks(owner, group, '/dates', 'each of its sends asks here first');
    await talk.presses(owner, list, '⏸');
    const paused = await talk.turns(list, '⏸ Paused');
    await talk.presses(owner, paused, '▶️');
    const again = await talk.turns(list, '▶️ On again, in your name');
    expect(plain(again)).not.toContain('asks here first');
    expect(talk.sends(account.username)).toEqual([]);
  });

  test.each([
    [
      'en',
      'Once it is on',
      'It is on.',
      'The account that it was confirmed for is no longer linked.',
      '✅ Send now',
      'for another account than the one that is linked here now',
      '▶️ On again, in your name',
    ],
    [
      'fa',
      'وقتی روشن شود',
      'روشن شد.',
      'حسابی که برای آن تأیید شده بود دیگر وصل نیست.',
      '✅ ارسال همین حالا',
      'برای حساب دیگری روشن شده بود',
      '▶️ دوباره روشن شد، به نام شما',
    ],
  ] as const)(
    'asks after another account was linked, goes by a press, and says where it is resumed (%s)',
    async (lang, promise, isOn, why, now, ofOther, resumed) => {
      const { owner, group, account } = await on.team(lang);
      await keep(group, 'club', [{ ...SARA, fields: { birthday: away(0) } }]);
      const card = await talk.asks(owner, group, '/dates #club birthday 23:59 Hello', promise);
      await talk.presses(owner, card, '✅');
      await talk.turns(card, isOn);
      const other = talk.account();
      await talk.connects(owner, { apiKey: other.apiKey }, { chat: group, line: null });
      await until(async () => expect((await talk.bindings(group)).at(-1)?.state).toBe('live'));
      await comes(group);
      const asks = await talk.hears(group, why, card.message_id);
      expect(plain(given(asks))).toContain('/dates');
      const shown = await talk.hears(group, has(now), card.message_id);
      expect([...talk.sends(account.username), ...talk.sends(other.username)]).toEqual([]);
      await talk.presses(owner, shown, '✅');
      await until(() => expect(talk.sends(other.username)).toHaveLength(1));
      const list = await talk.asks(owner, group, '/dates', ofOther);
      await talk.presses(owner, list, '⏸');
      const paused = await talk.turns(list, has('▶️'));
      await talk.presses(owner, paused, '▶️');
      expect(plain(await talk.turns(list, resumed))).not.toContain(ofOther);
      expect(talk.sends(account.username)).toEqual([]);
    },
  );

  test.each(['en', 'fa'] as const)(
    'beyond what a chat can have is not switched on, however many were prepared before, and waits on its card (%s)',
    async (language) => {
      const { owner, group } = await on.team(language);
      await keep(group, 'club', [{ ...SARA, fields: { birthday: away(1) } }]);
      const prepare = async () =>
        await talk.asks(owner, group, '/dates #club birthday 10:00 Hello', /Once it is on|وقتی روشن شود/u);
      const cards = [await prepare(), await prepare()];
      await world.database.sql`
        insert into date_send (chat_id, bot_id, source_update, tag, field, yearly, days_before, minute, text, line, lang, created_by, state, confirmed_by)
        select o.chat_id, o.bot_id, -(o.source_update * 100 + n), o.tag, o.field, o.yearly, o.days_before, o.minute, o.text, o.line, o.lang, o.created_by, 'paused', o.created_by
        from (select o.* from date_send o join chat c on c.id = o.chat_id where c.telegram_id = ${group} limit 1) as o, generate_series(1, 29) as n`;
      // Both are pressed before either is answered.
      const presses = cards.map((card) => owner.tap(card, '✅'));
      for (const press of presses) await world.driver.waitForAnswer(press, PATIENCE);
      await talk.turns(given(cards[0]), /It is on\.|روشن شد\./u);
      const left = await talk.turns(given(cards[1]), /There are 30 sends by date|۳۰ ارسال مناسبتی هست/u);
      expect(rows(left).flat()).toContain(language === 'en' ? '✅ Switch on' : '✅ روشن شود');
      await talk.asks(
        owner,
        group,
        '/dates #club birthday 10:00 Hi',
        /There are 30 sends by date|۳۰ ارسال مناسبتی هست/u,
      );
      // With one that nobody needs ended, the same card goes on.
      const list = await talk.asks(owner, group, '/dates', /^🎂 30 sends by date|^🎂 ۳۰ ارسال مناسبتی/u);
      await talk.presses(owner, list, '🗑');
      await talk.turns(list, /🗑 Ended|🗑 پایان یافت/u);
      await talk.presses(owner, left, '✅');
      await talk.turns(left, /It is on\.|روشن شد\./u);
    },
  );

  test('tells where everybody whose day it is lacks a field of the text', async () => {
    const { owner, group } = await on.team();
    await keep(group, 'club', [{ ...SARA, fields: { birthday: away(0), city: 'Rasht' } }]);
    const card = await talk.asks(owner, group, '/dates #club birthday 10:00 To {city}', 'Once it is on');
    await talk.presses(owner, card, '✅');
    await talk.turns(card, 'It is on.');
    await world.database.sql`
      update contact set fields = fields - 'city' from chat c where c.id = chat_id and c.telegram_id = ${group}`;
    await comes(group);
    const told = await talk.hears(group, 'Nothing was sent today.', card.message_id);
    expect(plain(told)).toContain(
      'It was the day of 1 person, and nothing can be sent to them: an empty field of the text.',
    );
    // And where nobody has the tag any more the list says so.
    await world.database
      .sql`delete from contact using chat c where c.id = chat_id and c.telegram_id = ${group}`;
    await talk.asks(owner, group, '/dates', '⚠️ Nobody has the tag #club any more, so nothing is sent.');
  });
});
