import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { quiet } from '../support/quiet.ts';
import { longSendsIn } from '../support/long-send.ts';
import { hasButton } from '../support/story.ts';
import { PATIENCE, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Those of whom it is proved that they got nothing are sent to again, by a card of their own. */

const { world, made } = useWorld({}, { deliverySeconds: 0.2 });
const on = made(longSendsIn);

/** The sandbox delivers by the last digits: these never arrive, and these do. */
const FAILS = ['09121234500', '09351112200'];
const ARRIVES = ['09121234567', '09351112233'];

async function team(language_code: 'en' | 'fa' = 'en') {
  const person = (first_name: string) => world.driver.user({ first_name, language_code });
  const [owner, omid, vera] = [person('Olga'), person('Omid'), person('Vera')];
  const group = world.driver.group({ creator: owner, members: [omid, vera], bot: 'administrator' });
  const account = on.talk.account();
  const { username, password } = account;
  await on.talk.connects(owner, { username, password }, { chat: group });
  await on.talk.gives('operator', omid, group);
  await on.talk.gives('viewer', vera, group);
  return { owner, omid, vera, group, account };
}

const isAgain = (message: Message): boolean => hasButton(message, '🔁');
const sent = ({ username }: { username: string }) =>
  on.talk.sends(username).map(({ operation, text, recipients }) => ({ operation, text, recipients }));

describe.concurrent('those who got nothing', () => {
  test('are sent to again after another confirmation, and once; the first card tells by which', async () => {
    const { owner, omid, vera, group, account } = await team();
    const card = await on.talk.asks(
      omid,
      group,
      `/send ${[...ARRIVES, ...FAILS].join(' ')} Hello`,
      'Draft #A1',
    );
    await on.talk.presses(omid, card, '✅');
    const done = await on.talk.turns(card, isAgain);
    expect(plain(done)).toContain('❌ 2 not delivered');
    expect(rows(done)).toEqual([['📊 Report', '🔁 Resend to 2']]);
    expect(await on.talk.presses(vera, done, '🔁')).toContain('Your role in this chat does not allow this');
    expect(await on.talk.presses(owner, done, '🔁')).toBe('');
    const draft = await on.talk.hears(group, 'Draft #A2', card.message_id);
    expect(plain(draft)).toContain('2 numbers → 2 to send');
    expect(plain(draft)).toContain('🔁 To those of #A1 who certainly got nothing.');
    expect(plain(draft)).not.toContain('Left out');
    expect(sent(account)).toHaveLength(1);

    // The button is there as long as nothing has been sent, and leads to the one draft.
    await on.insists(omid, card, '🔁');
    await on.talk.hears(group, 'They are on #A2 already', draft.message_id);
    await on.talk.presses(owner, draft, '✅');
    const told = await on.talk.turns(card, '🔁 Sent again with #A2');
    expect(rows(told)).toEqual([['📊 Report']]);
    await on.talk.turns(draft, '❌ 2 not delivered');
    expect(sent(account).map(({ recipients }) => recipients.length)).toEqual([4, 2]);
    expect(sent(account)[1]?.text).toBe('Hello');
    // What fails again is a matter of the second card.
    const second = await on.talk.turns(draft, isAgain);
    expect(rows(second)).toEqual([['📊 Report', '🔁 Resend to 2']]);
  });

  test('get another draft by the answer to /report too, when that of an earlier press was cancelled', async () => {
    const { omid, group } = await team();
    const card = await on.talk.asks(omid, group, `/send ${FAILS.join(' ')} Again`, 'Draft #A1');
    await on.talk.presses(omid, card, '✅');
    await on.talk.turns(card, isAgain);
    const report = await on.talk.asks(omid, group, '/report A1', isAgain);
    expect(await on.talk.presses(omid, report, '🔁')).toBe('');
    const draft = await on.talk.hears(group, 'Draft #A2', report.message_id);
    await on.talk.presses(omid, draft, '✖');
    await on.talk.turns(draft, /cancelled/iu);
    expect(await on.talk.presses(omid, report, '🔁')).toBe('');
    await on.talk.hears(group, 'Draft #A3', draft.message_id);
  });

  test('of a tap by two people at once get one draft', async () => {
    const { owner, omid, group, account } = await team();
    const card = await on.talk.asks(omid, group, `/send ${FAILS.join(' ')} Twice`, 'Draft #A1');
    await on.talk.presses(omid, card, '✅');
    const done = await on.talk.turns(card, isAgain);
    const answers = await Promise.all(
      [owner.tap(done, '🔁'), omid.tap(done, '🔁')].map(
        async (tap) => (await world.driver.waitForAnswer(tap, PATIENCE)).text ?? '',
      ),
    );
    expect(answers.filter((said) => said === '')).toHaveLength(1);
    await on.talk.hears(group, 'Draft #A2', card.message_id);
    await quiet(world);
    const drafts = await world.database.sql`select 1 from draft where text = 'Twice'`;
    expect(drafts).toHaveLength(2);
    expect(sent(account)).toHaveLength(1);
  });

  test('are never those whose outcome is not known; the draft says how many these are', async () => {
    const { owner, group, account } = await team();
    const card = await on.longDraft(owner, group, 'some of them', 390);
    world.sandbox.faults.add({
      kind: 'error',
      status: 400,
      code: 24,
      operation: 'send',
      account: account.username,
      times: 1,
    });
    world.sandbox.faults.add({
      kind: 'reset',
      when: 'after',
      operation: 'send',
      account: account.username,
      times: 1,
    });
    await on.talk.presses(owner, card, '✅');
    const done = await on.talk.turns(card, (m) => plain(m).includes('unknown:') && isAgain(m));
    const [, refused = ''] = /⛔ (\d+) not sent/u.exec(plain(done)) ?? [];
    const [, unknown = ''] = /❔ (\d+) unknown/u.exec(plain(done)) ?? [];
    expect(Number(refused) + Number(unknown)).toBe(390);
    await on.talk.presses(owner, done, '🔁');
    const draft = await on.talk.hears(group, 'Draft #A2', card.message_id);
    expect(plain(draft)).toContain(`${refused} to send`);
    expect(plain(draft)).toContain(`Left out: ${unknown} unknown (could arrive twice)`);
    await on.talk.presses(owner, draft, '✅');
    await on.talk.turns(draft, (m) => /delivered|accepted/u.test(plain(m)));
    await quiet(world);
    const got = on.gotIn(account);
    expect(got).toEqual({ messages: 390, people: 390 });
  });

  test('of rows get their own texts, and in Persian the card says the same', async () => {
    const { owner, group, account } = await team('fa');
    const lines = [...ARRIVES, ...FAILS].map((number, n) => `3000123456;${number};متن ${n}`);
    const card = await on.talk.asks(owner, group, `/multi ${lines.join('\n')}`, /پیش‌نویس #A1/);
    await on.talk.presses(owner, card, '✅');
    const done = await on.talk.turns(card, isAgain);
    expect(rows(done)).toEqual([['📊 گزارش'], ['🔁 ارسال دوباره به ۲']]);
    await on.talk.presses(owner, done, '🔁');
    const draft = await on.talk.hears(group, /پیش‌نویس #A2/, card.message_id);
    expect(plain(draft)).toContain('🔁 به کسانی از #A1 که حتماً چیزی نگرفته‌اند.');
    expect(plain(draft)).toContain('متن 2');
    await on.talk.presses(owner, draft, '✅');
    await on.talk.turns(card, '🔁 دوباره ارسال شد با #A2');
    await on.talk.turns(draft, '۲ تحویل نشد');
    const texts = on.talk.sends(account.username).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(['متن 0', 'متن 1', 'متن 2', 'متن 2', 'متن 3', 'متن 3']);
  });

  test('of a file get what each row said, counted and checked like any file', async () => {
    const { owner, group, account } = await team();
    const file = ['mobile,name', ...[...ARRIVES, ...FAILS].map((number, n) => `${number},Name${n}`)];
    const upload = owner.upload(group, 'people.csv', Buffer.from(file.join('\n')), '/bulk');
    const card = await on.talk.hears(group, (m) => hasButton(m, '▶'), upload.message_id);
    await on.talk.presses(owner, card, '▶');
    const asked = await on.talk.hears(group, 'What should the message say?', card.message_id);
    owner.send(group, 'Dear {name}, hello', { replyTo: asked });
    await on.talk.presses(owner, await on.offers(card, '✅'), '✅');
    const done = await on.talk.turns(card, isAgain);
    expect(rows(done)).toEqual([['📊 Report', '🔁 Resend to 2']]);
    await on.talk.presses(owner, done, '🔁');
    const draft = await on.talk.hears(
      group,
      (m) => hasButton(m, '✅') && plain(m).includes('#A2'),
      card.message_id,
    );
    expect(plain(draft)).toContain('Dear Name2, hello');
    expect(plain(draft)).toContain('🔁 To those of #A1 who certainly got nothing.');
    await on.talk.presses(owner, draft, '✅');
    await on.talk.turns(card, '🔁 Sent again with #A2');
    await on.talk.turns(draft, '❌ 2 not delivered');
    const texts = on.talk.sends(account.username).map(({ text }) => text);
    expect(texts.toSorted()).toEqual([0, 1, 2, 2, 3, 3].map((n) => `Dear Name${n}, hello`));
  });

  test('cannot be sent to without an account', async () => {
    const { owner, group } = await team();
    const card = await on.talk.asks(owner, group, `/send ${FAILS.join(' ')} Gone`, 'Draft #A1');
    await on.talk.presses(owner, card, '✅');
    const done = await on.talk.turns(card, isAgain);
    await world.database.sql`
      update binding set state = 'gone' where chat_id = (select id from chat where telegram_id = ${group})`;
    await on.talk.presses(owner, done, '🔁');
    const told = await on.talk.hears(group, 'No gateway account is linked', card.message_id);
    expect(plain(told)).not.toContain('#A2');
  });
});
