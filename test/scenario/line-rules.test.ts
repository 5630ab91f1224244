import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { minuteOfDay } from '../../src/domain/limits.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { isStill, longSendsIn } from '../support/long-send.ts';
import { READING, receivingIn } from '../support/receiving.ts';
import { schedulesIn } from '../support/scheduling.ts';
import { dataOf, has, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* What a chat says of its sender lines: what they are for, what a text has to say, words that are held back, hours of their own. */

const LINE = '3000123456';
const OTHER = '50001234';
const TO = '09121234567';

const { world, talk, made } = useWorld(READING, { deliverySeconds: 0.3 });
const on = made((of, by) => schedulesIn(of, by));
const receiving = made(receivingIn);
const long = made(longSendsIn);

const sent = ({ username }: { readonly username: string }) =>
  talk.sends(username).map(({ line, text }) => ({ line, text }));

/** The card of a file in which a value alone says a word that is held back, unless its text is another. */
const gifts = async (
  by: Person,
  group: number,
  ready: string,
  { text = 'You win {gift}', before = 1 }: { readonly text?: string; readonly before?: number } = {},
): Promise<Message> => {
  const golden = Array.from({ length: before }, (_, n) => `0912${String(n).padStart(7, '0')},gold`);
  const file = Buffer.from(['mobile,gift', ...golden, '09129999999,a FREE cake'].join('\n'));
  const upload = by.upload(group, 'gifts.csv', file, '/bulk');
  const question = await talk.hears(group, has('▶'), upload.message_id);
  await talk.presses(by, question, '▶');
  const ask = await talk.hears(group, 'What should the message say?', question.message_id);
  by.send(group, text, { replyTo: ask });
  return await talk.turns(question, has(ready));
};

/** Hours that are over, or have yet to come, on the clocks of Tehran. */
const closed = (): string => {
  const hour = Math.floor(minuteOfDay(new Date(), 'Asia/Tehran') / 60);
  return `${(hour + 3) % 24}-${(hour + 6) % 24}`;
};

describe('the rules of a line', () => {
  test('are a card with a way to each, typed or asked for, told with what was before and kept in the audit', async () => {
    const { owner, omid, group } = await on.team();
    const set = await talk.asks(owner, group, `/line ${LINE}`, 'is used from now on');
    await talk.presses(owner, set, '📋 Rules of this line');
    const card = await talk.hears(group, 'Rules of line', set.message_id);
    expect(plain(card).split('\n').slice(0, 5)).toEqual([
      `Rules of line ${LINE}`,
      '🎯 Purpose: not set',
      '📌 Must say: nothing in particular',
      '🚫 Words held back: none',
      '🕐 Hours: as the chat’s',
    ]);
    expect(rows(card)).toEqual([['✏️ Purpose'], ['✏️ Must say'], ['✏️ Words held back'], ['✏️ Hours']]);

    await talk.presses(owner, card, '✏️ Purpose');
    const purpose = await talk.hears(group, `What is line ${LINE} for?`, card.message_id);
    owner.send(group, 'fun', { replyTo: purpose });
    const again = await talk.hears(group, '«fun» is not a purpose', purpose.message_id);
    await talk.presses(owner, again, 'Advertising');
    const told = await talk.hears(
      group,
      'Purpose: Advertising. Before: not set. Set by Olga.',
      again.message_id,
    );
    // What that brings along is said, and stands on the card.
    expect(plain(told)).toContain('its texts must say «لغو۱۱» too');
    expect(plain(told)).toContain('📌 Must say: «لغو۱۱»');

    const words = await talk.asks(owner, group, `/line ${LINE} words free, وام ،, prize`, 'Set by Olga');
    expect(plain(words)).toContain('🚫 Words held back: free, وام, prize');
    await talk.asks(owner, group, `/line ${LINE} words !!!`, 'at most 50 words');
    await talk.asks(owner, group, `/line ${LINE} hours 9`, '«9» is not two times of day');
    await talk.asks(owner, group, `/line ${LINE} hours 9-21`, '09:00–21:00 · Asia/Tehran');
    await talk.asks(owner, group, `/line ${LINE} colour red`, '«colour» is not a rule of a line');
    await talk.presses(owner, words, 'Words held back off');
    await talk.turns(words, '🚫 Words held back: none');

    // Others see them; only an admin changes them.
    const seen = await talk.asks(omid, group, `/line ${LINE} rules`, 'An admin changes them.');
    expect(rows(seen)).toEqual([]);
    await talk.asks(
      omid,
      group,
      `/line ${LINE} hours off`,
      /Your role here does not allow this|needs the role admin/u,
    );
    await talk.asks(owner, group, `/line ${LINE} hours off`, '🕐 Hours: as the chat’s');
    const audit = await talk.asks(owner, group, '/audit', 'changed the rules of line');
    for (const part of [
      'for advertising (before: no purpose); texts contain «لغو۱۱» (before: no text to contain)',
      'words held back «free», «وام», «prize» (before: no words held back)',
      'window 09:00–21:00 (before: no sending window)',
    ])
      expect(plain(audit)).toContain(part);
  });

  test('are told in Persian, and of a line without any nothing is said on any card', async () => {
    const { owner, group } = await on.team('fa');
    await talk.asks(owner, group, `/line ${LINE} کاربرد تبلیغاتی`, '🎯 کاربرد: تبلیغاتی');
    await talk.asks(owner, group, `/line ${LINE} کلمه‌ها وام، جایزه`, '🚫 کلمه‌های ممنوع: وام، جایزه');
    const draft = await talk.asks(owner, group, `/send ${TO} جايزه ببرید`, 'پیش‌نویس');
    expect(plain(draft)).toContain(`⚠️ متن «لغو۱۱» ندارد؛ متن‌های خط ${LINE} باید آن را داشته باشند.`);
    expect(plain(draft)).toContain('🟡 متن با «جایزه» تأیید نفر دوم می‌خواهد.');
    expect(rows(draft)).toContainEqual(['➕ افزودن «لغو۱۱»']);
    const other = await talk.asks(owner, group, `/send ${TO} جايزه ببرید ${OTHER}`, 'پیش‌نویس');
    await talk.presses(owner, other, '📞');
    const question = await talk.hears(group, /خط/u, other.message_id);
    owner.send(group, OTHER, { replyTo: question });
    const free = await talk.hears(group, `خط ${OTHER}`, question.message_id);
    expect(plain(free)).not.toMatch(/⚠️|🟡/u);
  });
});

describe('what a text has to say', () => {
  test('is added by its button, with the text and the price that are then confirmed', async () => {
    const { owner, omid, group, account } = await on.team();
    await talk.asks(owner, group, `/line ${LINE} must لغو۱۱`, 'Set by Olga');
    // However it is written, it is said.
    const said = await talk.asks(omid, group, `/send ${TO} Sale! لغو ١١`, 'Draft');
    expect(plain(said)).not.toContain('⚠️');

    const card = await talk.asks(omid, group, `/send ${TO} ${'Sale! '.repeat(20)}`, 'Draft');
    expect(plain(card)).toContain(
      `⚠️ The text does not say «لغو۱۱», which texts from line ${LINE} should say.`,
    );
    expect(plain(card)).toContain('1 part in all');
    expect(rows(card).slice(0, 2)).toEqual([[expect.stringMatching(/^✅/u)], ['➕ Add «لغو۱۱»']]);
    expect(await talk.presses(owner, card, '➕')).toBe('Only the person who asked can press this.');
    await talk.presses(omid, card, '➕');
    const added = await talk.turns(card, (message) => !plain(message).includes('⚠️'));
    expect(plain(added)).toContain('Sale!\nلغو۱۱');
    expect(plain(added)).toContain('2 parts in all');
    expect(rows(added).flat()).not.toContain('➕ Add «لغو۱۱»');
    await talk.presses(omid, added, '✅');
    await talk.turns(card, /1 (accepted|delivered)/u);
    expect(sent(account)).toEqual([{ line: LINE, text: `${'Sale! '.repeat(20).trim()}\nلغو۱۱` }]);
  });

  test('is missed in the one text of a file, too, and added there', async () => {
    const { owner, group } = await on.team();
    await talk.asks(owner, group, `/line ${LINE} must لغو۱۱`, 'Set by Olga');
    const card = await gifts(owner, group, '✅', { text: 'Hello' });
    expect(plain(card)).toContain(
      `⚠️ The text does not say «لغو۱۱», which texts from line ${LINE} should say.`,
    );
    await talk.presses(owner, card, '➕');
    await talk.turns(card, (message) => has('✅')(message) && !plain(message).includes('⚠️'));
  });

  test('is a warning: who has seen it may send without it, and nobody else does', async () => {
    const { owner, omid, group, account } = await on.team();
    const card = await talk.asks(omid, group, `/send ${TO} Sale!`, 'Draft');
    await talk.asks(owner, group, `/line ${LINE} must لغو۱۱`, 'Set by Olga');
    const warned = await talk.turns(card, '⚠️');
    // As if the press had been made before the card said so.
    omid.forge(card, dataOf(card, '✅'));
    const told = await talk.hears(group, 'this was not on the card when you pressed', warned.message_id);
    expect(plain(told)).toContain('The text does not say «لغو۱۱»');
    expect(await on.jobs(group)).toEqual([]);
    await talk.presses(omid, warned, '✅');
    await talk.turns(card, /1 (accepted|delivered)/u);
    expect(sent(account)).toEqual([{ line: LINE, text: 'Sale!' }]);
  });

  test('is on the card of what was paused or stopped before, for whoever has its rest leave', async () => {
    const { owner, group, account } = await on.team('en', { credit: 100_000_000 });
    await talk.asks(owner, group, '/limits approval off', 'Set by');
    const card = await long.longDraft(owner, group, 'Sale of the year!', 1000);
    const { struck, heal } = long.slow(account, { skip: 1 });
    await talk.presses(owner, card, '✅');
    await struck();
    await talk.presses(owner, await long.offers(card, '⏸ Pause'), '⏸');
    const paused = await talk.turns(card, '⏸ Paused by Olga');
    expect(plain(paused)).not.toContain('⚠️');
    await talk.asks(owner, group, `/line ${LINE} must لغو۱۱`, 'Set by Olga');
    await talk.turns(card, 'The text does not say «لغو۱۱»');
    heal();
    await long.insists(owner, card, '⏹');
    const stopped = await talk.turns(card, (m) => isStill(m) && plain(m).includes('Stopped by Olga'));
    expect(plain(stopped)).toContain('The text does not say «لغو۱۱»');
    await long.insists(owner, card, '▶ Send the rest');
    expect(plain(await talk.turns(card, /1,000 (accepted|delivered)/u))).not.toContain('⚠️');
  });
});

describe('words that are held back', () => {
  test('are named, and leave with a second person’s yes', async () => {
    const { owner, omid, ann, group, account } = await on.team();
    await talk.asks(owner, group, `/line ${LINE} words free, وام`, 'Set by Olga');
    const harmless = await talk.asks(omid, group, `/send ${TO} Freedom`, 'Draft');
    expect(rows(harmless)[0]?.[0]).toMatch(/^✅/u);
    const card = await talk.asks(omid, group, `/send ${TO} It is FREE: وام‌ها`, 'Draft');
    expect(plain(card)).toContain('🟡 Texts with «free», «وام» need a second person’s approval.');
    expect(plain(card)).toContain('Change the text instead');
    expect(rows(card)[0]).toEqual(['➡ Ask for approval']);
    await talk.presses(omid, card, '➡');
    const asked = await talk.turns(card, 'waits for approval');
    expect(plain(asked)).toContain('🚫 It says «free», «وام».');
    await talk.presses(ann, asked, '✅');
    await talk.turns(card, /1 (accepted|delivered)/u);
    expect(sent(account)).toEqual([{ line: LINE, text: 'It is FREE: وام‌ها' }]);
  });

  test('are judged again by the press, and when the time of a send has come', async () => {
    const { owner, omid, ann, group, account } = await on.team();
    const later = await on.schedules(omid, group, 'in 3h', 'Free gifts');
    await talk.asks(owner, group, `/line ${LINE} words free`, 'Set by Olga');
    await on.comes(group, 'A1');
    const missed = await talk.turns(later, 'What should happen?');
    expect(plain(missed)).toContain('By now it says something that this chat does not send from its line');
    await on.calm(group);
    expect(sent(account)).toEqual([]);
    // Its author asks, and another person agrees.
    await talk.presses(omid, missed, '✅ Send now');
    const asked = await talk.turns(later, 'waits for approval');
    expect(plain(asked)).toContain('🚫 It says «free».');
    await talk.presses(ann, asked, '✅');
    await talk.turns(later, /2 (accepted|delivered)/u);
    await talk.asks(owner, group, '/audit', 'it says something that needs a second person by now');
  });

  test('are named to a second person who has a missed one leave, before it does', async () => {
    const { owner, omid, ann, group, account } = await on.team();
    const later = await on.schedules(omid, group, 'in 3h', 'Free gifts');
    await talk.asks(owner, group, `/line ${LINE} words free`, 'Set by Olga');
    await on.comes(group, 'A1');
    const missed = await talk.turns(later, 'What should happen?');
    await talk.presses(ann, missed, '✅ Send now');
    const told = await talk.hears(group, '🚫 It says «free».', missed.message_id);
    expect(sent(account)).toEqual([]);
    await talk.presses(ann, told, '✅ Send now');
    await talk.turns(later, /2 (accepted|delivered)/u);
    expect(sent(account)).toHaveLength(1);
  });

  test('keep an automatic answer from leaving, and its card says why', async () => {
    const ours = await receiving.team();
    await talk.asks(ours.owner, ours.place, '/rule contains price → all answer «It is free.»', '✅ Added');
    await talk.asks(ours.owner, ours.place, `/line ${LINE} words free`, 'Set by Olga');
    receiving.arrives(ours, receiving.mobile().typed, 'price here', LINE);
    const held = await receiving.cardOf(ours.place, 'price here');
    await talk.turns(held, 'it says something that is not sent from this line without a second person');
    receiving.arrives(ours, receiving.mobile().typed, 'price there', OTHER);
    // Whoever makes another such rule is told at once.
    await talk.asks(ours.owner, ours.place, `/line ${LINE} must لغو۱۱`, 'Set by Olga');
    const warned = await talk.asks(
      ours.owner,
      ours.place,
      '/rule contains gift → all answer «A FREE gift»',
      '✅ Added',
    );
    expect(plain(warned)).toContain('🚫 It says «free»: from line 3000123456 that needs a second person');
    expect(plain(warned)).toContain('⚠️ The text does not say «لغو۱۱»');
    await talk.turns(await receiving.cardOf(ours.place, 'price there'), /automatic answer · #A\d+ · ✅/u);
    expect(sent(ours.account)).toEqual([{ line: OTHER, text: 'It is free.' }]);
  });

  test('are found in what the rows of a file make of a text, and a changed list is held against it anew', async () => {
    const { owner, group, account } = await on.team();
    await talk.asks(owner, group, `/line ${LINE} must لغو۱۱`, 'Set by Olga');
    const card = await gifts(owner, group, '✅');
    expect(plain(card)).toContain('⚠️ The text does not say «لغو۱۱»');
    await talk.presses(owner, card, '➕');
    const whole = await talk.turns(card, (message) => has('✅')(message) && !plain(message).includes('⚠️'));
    await talk.asks(owner, group, `/line ${LINE} words free`, 'Set by Olga');
    const held = await talk.turns(whole, has('➡'));
    expect(plain(held)).toContain('Texts with «free» need a second person’s approval');
    await talk.asks(owner, group, `/line ${LINE} words off`, 'Words held back: none');
    const fine = await talk.turns(held, has('✅'));
    await talk.presses(owner, fine, '✅');
    await talk.turns(card, /2 (accepted|delivered)/u);
    expect(sent(account).map(({ text }) => text)).toEqual([
      'You win gold\nلغو۱۱',
      'You win a FREE cake\nلغو۱۱',
    ]);
  });

  test('are named to whoever is asked about a file, though they were set after the question', async () => {
    const { owner, omid, ann, group, account } = await on.team();
    await on.limit(group, { approval: 1 });
    const card = await gifts(omid, group, '➡');
    await talk.presses(omid, card, '➡');
    const asked = await talk.turns(card, 'waits for approval');
    const call = await talk.hears(group, '#A1 by Omid waits for approval', card.message_id);
    const lapses = async () =>
      await world.database.sql`
      select expires_at from draft where state = 'asked' and chat_id = (select id from chat where telegram_id = ${group})`;
    const before = await lapses();
    await talk.asks(owner, group, `/line ${LINE} words free`, 'Set by Olga');
    const named = await talk.turns(asked, /waits for approval[\s\S]*«free»/u);
    expect([before.length, await lapses()]).toEqual([1, before]);
    expect(rows(named).slice(0, 2)).toEqual([['✅ Approve 2 · 2 parts'], ['❌ Reject']]);
    // The call is older than that.
    expect(await talk.presses(ann, call, '✅')).toBe('');
    const told = await talk.hears(group, 'is older than this warning', call.message_id);
    expect(plain(told)).toContain('🚫 It says «free».');
    const fresh = await talk.hears(group, has('✅ Approve 2'), call.message_id);
    expect(sent(account)).toEqual([]);
    expect(await talk.presses(ann, fresh, '✅')).toBe('');
    await talk.turns(fresh, /2 (accepted|delivered)/u);
    expect(sent(account)).toHaveLength(2);
  });

  test('that an approver was not shown are not approved by a button of before', async () => {
    const { owner, omid, ann, group, account } = await on.team();
    await talk.asks(owner, group, `/line ${LINE} words cake`, 'Set by Olga');
    const card = await talk.asks(omid, group, `/send ${TO} A FREE cake`, 'Draft');
    await talk.presses(omid, card, '➡');
    const asked = await talk.turns(card, '🚫 It says «cake».');
    await talk.asks(owner, group, `/line ${LINE} words cake, free`, 'Set by Olga');
    const named = await talk.turns(asked, '🚫 It says «cake», «free».');
    ann.forge(card, dataOf(asked, '✅'));
    const told = await talk.hears(group, 'is older than this warning', card.message_id);
    expect(plain(told)).toContain('🚫 It says «cake», «free».');
    expect(await on.jobs(group)).toEqual([]);
    // Fewer than were shown are no other.
    await talk.asks(owner, group, `/line ${LINE} words free`, 'Set by Olga');
    await talk.turns(card, '🚫 It says «free».');
    ann.forge(card, dataOf(await talk.turns(card, has('✅')), '✅'));
    await talk.turns(card, /1 (accepted|delivered)/u);
    expect([named.message_id, sent(account).length]).toEqual([card.message_id, 1]);
  });

  test('keep a file that waits for its time, though a value alone says one, until a second person agrees', async () => {
    const { owner, omid, ann, group, account } = await on.team();
    const card = await gifts(omid, group, '✅');
    await talk.presses(omid, card, '🕐 When');
    const when = await talk.hears(group, 'Choose, or type', card.message_id);
    omid.send(group, 'tomorrow 9', { replyTo: when });
    await talk.presses(omid, await talk.turns(card, (m) => rows(m)[0]?.[0]?.endsWith('9:00') === true), '✅');
    await talk.turns(card, 'Scheduled for');
    await talk.asks(owner, group, `/line ${LINE} words free`, 'Set by Olga');
    await on.comes(group, 'A1');
    const missed = await talk.turns(card, 'What should happen?');
    expect(plain(missed)).toContain('By now it says something that this chat does not send');
    await talk.presses(omid, missed, '✅ Send now');
    const asked = await talk.turns(card, /waits for approval[\s\S]*«free»/u);
    expect(sent(account)).toEqual([]);
    await talk.presses(ann, asked, '✅');
    await talk.turns(card, /2 (accepted|delivered)/u);
    expect(sent(account)).toHaveLength(2);
  });

  test('and hours hold for the rest of a file that was stopped before they were set, at its own pace', async () => {
    const { owner, omid, ann, group, account } = await on.team();
    const card = await gifts(omid, group, '✅', { before: 200 });
    await talk.presses(omid, card, '🕐 When');
    const when = await talk.hears(group, 'Choose, or type', card.message_id);
    await talk.presses(omid, when, '🐢');
    const pace = await talk.hears(group, 'How fast?', when.message_id);
    omid.send(group, '200', { replyTo: pace });
    await talk.presses(omid, await talk.hears(group, 'Between which hours', pace.message_id), 'At any time');
    await talk.presses(omid, await talk.turns(card, '🐢 Slowly: 200 an hour'), '✅');
    await talk.presses(omid, await talk.turns(card, '100 / 201'), '⏹');
    const stopped = await talk.turns(card, 'Stopped by Omid');

    await talk.asks(owner, group, `/line ${LINE} words free`, 'Set by Olga');
    await talk.presses(omid, stopped, '▶ Send the rest');
    const refused = await talk.hears(group, 'It was not resumed', card.message_id);
    expect(plain(refused)).toContain('«free»');
    await talk.asks(owner, group, `/line ${LINE} hours ${closed()}`, 'Set by Olga');
    await talk.presses(ann, await talk.turns(card, has('▶')), '▶ Send the rest');
    await talk.hears(group, `Line ${LINE} sends only from`, card.message_id);
    await talk.asks(owner, group, `/line ${LINE} hours off`, '🕐 Hours: as the chat’s');
    // A second person's press is a yes to what that person was shown.
    const fresh = await talk.turns(card, has('▶'));
    await talk.presses(ann, fresh, '▶ Send the rest');
    const named = await talk.hears(
      group,
      (m) => plain(m).includes('«free»') && has('▶')(m),
      refused.message_id,
    );
    expect(sent(account)).toHaveLength(100);
    expect(await talk.presses(ann, named, '▶ Send the rest')).toBe('');
    await talk.turns(card, '100 / 201');
    await on.calm(group);
    expect(sent(account)).toHaveLength(100);
    expect(await on.jobs(group)).toMatchObject([{ state: 'running', approved_by: ann.id }]);

    const hourPasses = async () => {
      await world.database.sql`
        update job set pace_ms = pace_ms + 3600000 where chat_id = (select id from chat where telegram_id = ${group})`;
      await world.database.sql`
        update graphile_worker._private_jobs q set run_at = now() from job j join chat c on c.id = j.chat_id
        where c.telegram_id = ${group} and q.key = 'send:' || j.id and q.locked_at is null`;
    };
    await hourPasses();
    await talk.turns(card, '200 / 201');
    await on.calm(group);
    await hourPasses();
    await talk.turns(card, '🏁 201 parts');
    expect(sent(account).map(({ text }) => text)).toEqual([
      ...Array.from({ length: 200 }, () => 'You win gold'),
      'You win a FREE cake',
    ]);
  });
});

describe('a line’s own hours', () => {
  test('hold beside the chat’s: at the draft, with the time at which both are open, and when a send comes due', async () => {
    const { owner, omid, group, account } = await on.team();
    const later = await on.schedules(omid, group, 'in 3h', 'Later');
    const hours = closed();
    await talk.asks(owner, group, `/line ${LINE} hours ${hours}`, 'Set by Olga');
    const card = await talk.asks(omid, group, `/send ${TO} Now`, 'Draft');
    expect(plain(card)).toMatch(new RegExp(`🕐 Line ${LINE} sends only from`, 'u'));
    expect(rows(card)[0]?.[0]).toMatch(/^🕘 Schedule/u);
    await on.comes(group, 'A1');
    const missed = await talk.turns(later, 'What should happen?');
    expect(plain(missed)).toContain('That time is outside the hours of its line.');
    await talk.presses(omid, missed, '✅ Send now');
    await talk.hears(group, `Line ${LINE} sends only from`, later.message_id);
    expect(sent(account)).toEqual([]);
    await talk.asks(owner, group, `/line ${LINE} hours off`, '🕐 Hours: as the chat’s');
    const open = await talk.turns(card, has('✅'));
    await talk.presses(omid, open, '✅');
    await talk.turns(card, /1 (accepted|delivered)/u);
  });
});
