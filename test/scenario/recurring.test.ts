import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { localTimeOf, weekdayOf } from '../../src/domain/calendar.ts';
import { createPurge } from '../../src/storage/purge/purge.ts';
import { giveRole } from '../support/quiet.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { dataOf, has, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';
import { WEEKDAY, WEEKDAY_NAME } from '../support/weekday.ts';

/* Sends that repeat: each makes the next one when it leaves, as long as somebody's yes stands behind it. */

const DAY = WEEKDAY_NAME.en;
const DAY_EN = DAY.slice(0, 1).toUpperCase() + DAY.slice(1);
const EVERY = `every ${DAY} 10:00`;
const RULE = `every ${DAY_EN} at 10:00`;

const { world, made } = useWorld({}, { deliverySeconds: 600 });
const on = made(schedulesIn);

const texts = ({ username }: { readonly username: string }) =>
  on.talk.sends(username).map(({ text }) => text);
const codes = async (group: number) => (await on.jobs(group)).map(({ code, state }) => `${code} ${state}`);

describe.concurrent('a send that repeats each week', () => {
  test('leaves again and again, one card for each, in the name of who confirmed it', async () => {
    const { omid, group, account } = await on.team();
    const draft = await on.talk.asks(
      omid,
      group,
      `/schedule ${EVERY} 09121234567 09351112233 Weekly`,
      'Draft',
    );
    expect(plain(draft)).toMatch(new RegExp(`🕐 To be sent ${DAY_EN.slice(0, 3)} .*, 10:00`));
    expect(plain(draft)).toMatch(new RegExp(`🔁 Then ${RULE}; next ${DAY_EN.slice(0, 3)} .*, 10:00`));
    expect(rows(draft)[0]).toEqual([`✅ Send 2 · ${DAY_EN.slice(0, 3)} 10:00 🔁`]);
    await on.talk.presses(omid, draft, '✅');
    const first = await on.talk.turns(draft, 'Scheduled for');
    expect(plain(first)).toContain(`🔁 Then ${RULE}`);

    await on.comes(group, 'A1');
    await on.talk.turns(first, '2 accepted');
    const second = await on.talk.hears(group, /#A2 by Omid/, first.message_id);
    await on.talk.turns(second, /Scheduled for .*, 10:00/);
    const list = await on.talk.asks(omid, group, '/scheduled', '1 scheduled send');
    expect(plain(list)).toContain(`🔁 ${RULE}`);
    await on.comes(group, 'A2');
    await on.talk.turns(second, '2 accepted');
    await on.talk.hears(group, /#A3 by Omid/, second.message_id);
    await on.calm(group);
    expect(texts(account)).toEqual(['Weekly', 'Weekly']);
    expect(await codes(group)).toEqual(['A1 done', 'A2 done', 'A3 scheduled']);
    const [, , next] = await on.jobs(group);
    const local = localTimeOf(new Date(next?.at_ms ?? 0), 'Asia/Tehran');
    expect([weekdayOf(local), local.hour, local.minute]).toEqual([WEEKDAY, 10, 0]);
  });

  test('is approved as what it is, and the approval holds for those that follow', async () => {
    const { omid, ann, owner, group } = await on.team();
    await on.limit(group, { approval: 1 });
    const draft = await on.talk.asks(
      omid,
      group,
      `/schedule ${EVERY} 09121234567 09351112233 Weekly`,
      'Draft',
    );
    await on.talk.presses(omid, draft, '➡');
    const question = await on.talk.turns(draft, 'waits for approval');
    expect(plain(question)).toContain(`🔁 Then ${RULE}`);
    await on.talk.presses(ann, question, '✅');
    await on.talk.turns(draft, 'Scheduled for');
    await on.comes(group, 'A1');
    const second = await on.talk.hears(group, '#A2 by Omid, approved by Ann', draft.message_id);
    expect(plain(second)).toContain('Scheduled for');
    expect(await codes(group)).toContain('A2 scheduled');
    const audit = await on.talk.asks(owner, group, '/audit', 'follows #A1 in its series');
    expect(plain(audit)).toContain('Peyk: scheduled #A2, which follows #A1 in its series · 2 recipients');
  });

  test('is cancelled for once, for good, or not at all', async () => {
    const { omid, oscar, group, account } = await on.team();
    const first = await on.schedules(omid, group, EVERY, 'Weekly');
    await on.talk.presses(oscar, first, '🗑');
    const question = await on.talk.hears(group, `#A1 repeats ${RULE}. What should end?`, first.message_id);
    expect(rows(question)).toEqual([['🗑 This one only'], ['🗑 The whole series'], ['↩️ Keep it']]);
    await on.talk.presses(oscar, question, '↩️ Keep it');
    await on.talk.turns(question, '#A1 stays as it is.');
    expect(await codes(group)).toEqual(['A1 scheduled']);

    const list = await on.talk.asks(omid, group, '/scheduled', '1 scheduled send');
    await on.talk.presses(omid, list, '🗑');
    const again = await on.talk.hears(group, 'What should end?', list.message_id);
    await on.talk.presses(omid, again, '🗑 This one');
    await on.talk.turns(again, '#A1 was cancelled.');
    const second = await on.talk.hears(group, /#A2 by Omid/, list.message_id);
    expect(await codes(group)).toEqual(['A1 undone', 'A2 scheduled']);
    const [one, two] = await on.jobs(group);
    expect(Math.round(((two?.at_ms ?? 0) - (one?.at_ms ?? 0)) / 86_400_000)).toBe(7);

    await on.talk.presses(omid, second, '🗑');
    const last = await on.talk.hears(group, '#A2 repeats', second.message_id);
    await on.talk.presses(omid, last, '🗑 The whole');
    await on.talk.turns(last, '#A2 was cancelled, and it will not repeat.');
    await on.calm(group);
    expect(await codes(group)).toEqual(['A1 undone', 'A2 undone']);
    expect(texts(account)).toEqual([]);
  });

  test('stands for its own time where it is moved to leave sooner, and says which is the next', async () => {
    const { omid, group } = await on.team();
    const nextOf = (card: Message) => /; next (.*)/u.exec(plain(card))?.[1] ?? 'none';
    const draft = await on.talk.asks(omid, group, `/schedule ${EVERY} 09121234567 Weekly`, 'Draft');
    await on.talk.presses(omid, draft, '✅');
    const first = await on.talk.turns(draft, 'Scheduled for');
    await on.talk.presses(omid, first, '🕐');
    const question = await on.talk.hears(group, 'When should it be sent?', first.message_id);
    omid.send(group, 'in 1h', { replyTo: question });
    const moved = await on.talk.hears(group, 'Draft #A2', question.message_id);
    expect(nextOf(moved)).toBe(nextOf(first));
    await on.talk.presses(omid, moved, '✅');
    const second = await on.talk.turns(moved, 'Scheduled for');
    expect(nextOf(second)).toBe(nextOf(first));
    await on.comes(group, 'A2');
    const third = await on.talk.hears(group, '#A3 by Omid', second.message_id);
    expect(plain(third)).toContain(`Scheduled for ${nextOf(first)}`);
  });

  test('stands still while who confirmed it may not send, and goes on once somebody may again', async () => {
    const { omid, ann, group, account } = await on.team();
    const card = await on.schedules(omid, group, EVERY, 'Weekly');
    await giveRole(world, group, omid.id, 'viewer');
    await on.comes(group, 'A1');
    const missed = await on.talk.turns(card, 'What should happen?');
    expect(plain(missed)).toContain('It is sent in the name of somebody who may not send here any more.');
    expect(plain(missed)).toContain('The rest of its series waits for this answer too.');
    await on.talk.presses(ann, missed, '✅ Send now');
    await on.talk.hears(group, 'It would be sent in the name of Omid', missed.message_id);
    expect(await codes(group)).toEqual(['A1 missed']);

    // With the role back the answer counts, and the series goes on from there.
    await giveRole(world, group, omid.id, 'operator');
    const again = await on.talk.turns(card, (m) => dataOf(m, '✅') !== dataOf(missed, '✅'));
    await on.talk.presses(omid, again, '✅ Send now');
    await on.talk.turns(card, '2 accepted');
    await on.talk.hears(group, /#A2 by Omid/, card.message_id);
    await on.calm(group);
    expect(texts(account)).toEqual(['Weekly']);
    expect(await codes(group)).toEqual(['A1 done', 'A2 scheduled']);
  });

  test.each(['rejected', 'lapsed'] as const)(
    'that is to leave late and is %s says that nothing follows it, until its author takes it up again',
    async (how) => {
      const { omid, ann, group } = await on.team();
      const first = await on.schedules(omid, group, EVERY, 'Weekly');
      await on.limit(group, { approval: 1 });
      await on.comes(group, 'A1');
      await on.talk.presses(omid, await on.talk.turns(first, 'What should happen?'), '✅ Send now');
      const question = await on.talk.turns(first, 'waits for approval');
      if (how === 'rejected') await on.talk.presses(ann, question, '❌');
      else await on.lapses(group, 'A1');
      const over = 'The rest of its series will not be sent either.';
      const ended = await on.talk.turns(first, over);
      if (how === 'lapsed')
        await on.talk.hears(group, (m) => plain(m).startsWith('Omid: ⌛') && plain(m).includes(over));
      expect(await codes(group)).toEqual([]);
      await on.talk.presses(omid, ended, '🔄');
      const again = await on.talk.hears(group, 'Draft #A2', first.message_id);
      expect(plain(again)).toContain(`🔁 Then ${RULE}`);
      await on.talk.turns(first, (m) => !plain(m).includes(over));
      await on.lapses(group, 'A2');
      await on.talk.turns(again, over);
    },
  );

  test('is kept back where its day has no room for it by then, and asks', async () => {
    const { omid, group } = await on.team();
    const first = await on.schedules(omid, group, EVERY, 'Weekly');
    await on.limit(group, { cap: 2 });
    await on.comes(group, 'A1', 1);
    await on.talk.turns(first, '2 accepted');
    await on.talk.hears(group, /#A2 by Omid/, first.message_id);
    await on.limit(group, { cap: 1 });
    await on.comes(group, 'A2');
    await on.talk.hears(group, 'What should happen with #A2?', first.message_id);
    expect(await on.jobs(group)).toMatchObject([{ state: 'done' }, { state: 'missed', reason: 'cap' }]);
  });
});

describe.concurrent('a rule is given to a draft by buttons', () => {
  test('each week or month, at the time it has or another, and taken off again', async () => {
    const { sara } = await alone('en');
    const card = await on.talk.asks(sara, sara, '/send 09121234567 Hello', 'Draft');
    await on.talk.presses(sara, card, '🕐 When');
    const offers = await on.talk.hears(sara, 'Choose, or type', card.message_id);
    await on.talk.presses(sara, offers, '🔁 Every week');
    const question = await on.talk.hears(sara, 'On which day of each week', offers.message_id);
    sara.send(sara, `${DAY} 10:00`);
    const weekly = await on.talk.turns(card, `🔁 Then ${RULE}`);

    await on.talk.presses(sara, weekly, '🕐 When');
    const more = await on.talk.hears(sara, 'Choose, or type', question.message_id);
    const [monthly = ''] = rows(more)
      .flat()
      .filter((label) => label.startsWith('🔁 every month, day'));
    expect(rows(more).flat()).toEqual(expect.arrayContaining(['▶ Now', '🔂 Only once', `🔁 ${RULE}`]));
    await on.talk.presses(sara, more, monthly);
    const each = await on.talk.turns(
      card,
      /🔁 Then every month on day \d+( \(or its last\))? at 10:00; next/,
    );
    await on.talk.presses(sara, each, '🕐 When');
    const last = await on.talk.hears(sara, 'Choose, or type', more.message_id);
    await on.talk.presses(sara, last, '🔂');
    const once = await on.talk.turns(card, (m) => !plain(m).includes('🔁'));
    expect(plain(once)).toContain('🕐 To be sent');
  });

  test('of the Jalali calendar in Persian', async () => {
    const { sara } = await alone('fa');
    const card = await on.talk.asks(sara, sara, '/send 09121234567 سلام', 'پیش‌نویس');
    await on.talk.presses(sara, card, '🕐 زمان');
    const offers = await on.talk.hears(sara, 'یکی را انتخاب کنید', card.message_id);
    await on.talk.presses(sara, offers, '🔁 هر ماه');
    const question = await on.talk.hears(sara, 'کدام روز ماه شمسی', offers.message_id);
    sara.send(sara, '۳۱ ساعت ۹');
    const monthly = await on.talk.turns(
      card,
      '🔁 بعد هر ماه شمسی روز ۳۱ (یا روز پایانی) ساعت ۰۹:۰۰؛ بار بعد',
    );
    await on.talk.presses(sara, monthly, '🕐 زمان');
    await on.talk.hears(sara, 'یکی را انتخاب کنید', question.message_id);
    sara.send(sara, `هر ${WEEKDAY_NAME.fa} ساعت ۱۰`);
    const weekly = await on.talk.turns(card, `🔁 بعد هر ${WEEKDAY_NAME.fa} ساعت ۱۰:۰۰؛ بار بعد`);
    expect(rows(weekly)[0]?.[0]).toMatch(/۱۰:۰۰ 🔁$/);
  });
});

test('the rows of a file repeat exactly as they were shown, and can still be written anew when one is changed', async () => {
  const { sara, account } = await alone('en');
  const people = Array.from({ length: 120 }, (_, n) => `0912${String(n).padStart(7, '0')},Name${n}`);
  const file = Buffer.from(['mobile,name', ...people].join('\n'));
  const after = sara.upload(sara, 'people.csv', file, '/bulk').message_id;
  const card = await on.talk.hears(sara, has('▶'), after);
  await on.talk.presses(sara, card, '▶');
  const question = await on.talk.hears(sara, 'What should the message say?', card.message_id);
  sara.send(sara, 'Hello {name}');
  const ready = await on.talk.turns(card, has('✅'));
  await on.talk.presses(sara, ready, '🕐 When');
  const offers = await on.talk.hears(sara, 'Choose, or type', question.message_id);
  sara.send(sara, EVERY);
  const timed = await on.talk.turns(card, (m) => rows(m)[0]?.[0]?.endsWith('10:00 🔁') === true);
  await on.talk.presses(sara, timed, '✅');
  await on.talk.turns(card, 'Scheduled for');

  await on.comes(sara.id, 'A1');
  await on.talk.turns(card, '120 accepted');
  const second = await on.talk.hears(sara, /#A2 by Sara/, offers.message_id);
  expect(plain(second)).toContain('120 messages');
  // Whatever is not needed any more of files is forgotten meanwhile.
  await createPurge(world.database, { sends: 0, inbox: 0, audit: 0, other: 0 }).run();
  await on.talk.presses(sara, second, '✏️ Edit');
  const open = await on.talk.hears(
    sara,
    (m) => has('✏️ Edit')(m) && plain(m).includes('Draft #A3'),
    second.message_id,
  );
  await on.talk.presses(sara, open, '✏️ Edit');
  await on.talk.presses(sara, await on.talk.turns(open, has('✏️ Text')), '✏️ Text');
  await on.talk.hears(sara, 'What should the message say?', open.message_id);
  sara.send(sara, 'Dear {name}');
  const again = await on.talk.turns(open, (m) => has('✅')(m) && plain(m).includes('Dear Name0'));
  await on.talk.presses(sara, again, '✅');
  await on.talk.turns(open, 'Scheduled for');
  await on.talk.turns(second, 'changed: #A3 takes its place');
  await on.comes(sara.id, 'A3');
  await on.talk.turns(open, '120 accepted');
  await on.calm(sara.id);
  const sent = texts(account).toSorted();
  expect(sent).toEqual(people.flatMap((_, n) => [`Hello Name${n}`, `Dear Name${n}`]).toSorted());
  expect(await codes(sara.id)).toEqual(['A1 done', 'A2 undone', 'A3 done', 'A4 scheduled']);
});

/** Somebody with an account in the private chat. */
async function alone(language_code: 'en' | 'fa') {
  const sara = world.driver.user({ first_name: 'Sara', language_code });
  const account = on.talk.account();
  await on.talk.connects(sara, { username: account.username, password: account.password });
  return { sara, account };
}
