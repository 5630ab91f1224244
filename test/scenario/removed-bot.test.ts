import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { until } from '../support/story.ts';
import { plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Nothing is sent for a chat in which the bot can tell nothing; and nothing goes on there before somebody says so. */

// Time enough to remove the bot before a send leaves.
const { world, talk } = useWorld({ UNDO_SECONDS: '20' }, { deliverySeconds: 0.2 });

const ASKS = /^⏸ Since .* I could not write here/;

const botId = () => Number(world.playground.token.split(':')[0]);
const someone = (first_name: string, language_code = 'en') =>
  world.driver.user({ first_name, language_code });

function bot(chat: number, status: 'kicked' | 'left' | 'member' | 'administrator', by: Person): void {
  world.playground.control.member({ chat_id: chat, user_id: botId(), status, actor_id: by.id });
}

async function team(language = 'en') {
  const owner = someone('Olga', language);
  const operator = someone('Omid', language);
  const group = world.driver.group({ creator: owner, members: [operator], title: 'Nik <b>Shop</b>' });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.gives('operator', operator, group);
  return { owner, operator, group, account };
}

const jobs = async (chat: number) =>
  await world.database.sql<{ state: string; stop_reason: string | null }[]>`
    select j.state, j.stop_reason from job j join chat c on c.id = j.chat_id where c.telegram_id = ${chat} order by j.confirmed_at`;
/** The pause in which a send can be undone is over, and whatever waits for its time is due. */
async function timePasses(chat: number): Promise<void> {
  await world.database.sql`
    update job set hold_until = now() - interval '1 second' from chat c where c.id = chat_id and c.telegram_id = ${chat}`;
  await world.database.sql`
    select enqueue_job('send', json_build_object('jobId', j.id), 'send:' || j.id, now())
    from job j join chat c on c.id = j.chat_id where c.telegram_id = ${chat} and j.state in ('holding', 'scheduled')`;
}

describe.concurrent('a chat from which the bot was removed', () => {
  test('has its sends held, its owner told in private, and is asked when the bot is back', async () => {
    const { owner, operator, group, account } = await team();
    const now = await talk.asks(operator, group, '/send 09121234567 Now', '#A1');
    await talk.presses(operator, now, '✅');
    const later = await talk.asks(operator, group, '/schedule in 2h 09121234568 Later', '#A2');
    await talk.presses(operator, later, '✅');
    await until(async () =>
      expect((await jobs(group)).map(({ state }) => state)).toEqual(['holding', 'scheduled']),
    );

    bot(group, 'kicked', owner);
    const told = await talk.hears(owner, 'I was removed from Nik <b>Shop</b>');
    expect(plain(told)).toContain('Paused: 1 send.');
    expect(plain(told)).toContain('not starting: 1 send.');
    expect(await jobs(group)).toEqual([
      { state: 'paused', stop_reason: 'halted' },
      { state: 'scheduled', stop_reason: null },
    ]);
    await timePasses(group);
    await talk.settled(owner, owner);

    bot(group, 'member', owner);
    const card = await talk.hears(group, ASKS);
    expect(plain(card)).toContain('Paused: 1 send.');
    expect(plain(card)).toContain('not starting: 1 send.');
    expect(rows(card)).toEqual([['▶ Resume all sends']]);
    await talk.turns(now, 'I could no longer write here');
    await talk.asks(operator, group, '/send 09121234569 More', '#A3').then(async (more) => {
      await talk.presses(operator, more, '✅');
      await talk.hears(group, /All sends of this chat are off since .* when I could no longer write here/);
    });
    expect(talk.sends(account.username)).toEqual([]);
    expect(await talk.presses(operator, card, '▶')).toContain('role');

    await talk.presses(owner, card, '▶');
    await until(() => expect(talk.sends(account.username)).toHaveLength(2));
    const audited = await world.database.sql<{ action: string; details: Record<string, unknown> }[]>`
      select a.action, a.details from audit a join chat c on c.id = a.chat_id
      where c.telegram_id = ${group} and a.action like 'sends_%' order by a.id`;
    expect(audited).toMatchObject([
      { action: 'sends_halted', details: { paused: 1, removed: true } },
      { action: 'sends_allowed', details: { resumed: 1 } },
    ]);
    const said = await talk.asks(owner, group, '/audit', 'removed the bot, which switched all sends');
    expect(plain(said)).toContain('Olga');
  });

  test('goes on as before when the bot is back and nothing has waited', async () => {
    const { owner, operator, group, account } = await team();
    bot(group, 'left', owner);
    await talk.hears(owner, 'I was removed from');
    bot(group, 'administrator', owner);
    const hello = await talk.hears(group, 'An account is linked');
    const card = await talk.asks(operator, group, '/send 09121234567 Hello', '#A1');
    expect(
      world.driver
        .messages(group)
        .filter((each) => each.message_id > hello.message_id)
        .map(plain)
        .join(),
    ).not.toContain('could not write here');
    await talk.presses(operator, card, '✅');
    await until(async () => expect(await jobs(group)).toMatchObject([{ state: 'holding' }]));
    await timePasses(group);
    await until(() => expect(talk.sends(account.username)).toHaveLength(1));
  });

  test('that had its sends switched off by a person keeps them so, in that person’s name', async () => {
    const { owner, group } = await team('fa');
    await talk.asks(owner, group, '/limits stop', 'خاموش کرد');
    bot(group, 'kicked', owner);
    bot(group, 'member', owner);
    const shown = await talk.asks(owner, group, '/limits', 'همهٔ ارسال‌ها خاموش است');
    expect(plain(shown)).toContain('Olga');
    expect(world.driver.messages(owner).map(plain).join()).not.toContain('حذف شدم');
  });

  test('is told so in Persian too', async () => {
    const { owner, operator, group } = await team('fa');
    const card = await talk.asks(operator, group, '/send 09121234567 سلام', '#A1');
    await talk.presses(operator, card, '✅');
    await until(async () => expect(await jobs(group)).toMatchObject([{ state: 'holding' }]));
    await world.database.sql`update chat set lang = 'fa' where telegram_id = ${group}`;
    bot(group, 'kicked', owner);
    await talk.hears(owner, 'حذف شدم');
    bot(group, 'member', owner);
    const asked = await talk.hears(group, 'نمی‌توانستم اینجا بنویسم و همهٔ');
    expect(plain(asked)).toContain('روی مکث: ۱ ارسال.');
  });
});

test('a person who blocks the bot has the sends of the private chat held until they say more', async () => {
  const sara = someone('Sara');
  const account = talk.account();
  await talk.connects(sara, { apiKey: account.apiKey });
  const card = await talk.asks(sara, sara, '/send 09121234567 Hello', '#A1');
  await talk.presses(sara, card, '✅');
  await until(async () => expect(await jobs(sara.id)).toMatchObject([{ state: 'holding' }]));
  sara.block(true);
  await until(async () => expect(await jobs(sara.id)).toEqual([{ state: 'paused', stop_reason: 'halted' }]));
  await timePasses(sara.id);
  sara.block(false);
  const said = sara.start();
  const asked = await talk.hears(sara, ASKS, said.message_id);
  expect(talk.sends(account.username)).toEqual([]);
  await talk.presses(sara, asked, '▶');
  await until(() => expect(talk.sends(account.username)).toHaveLength(1));
});
