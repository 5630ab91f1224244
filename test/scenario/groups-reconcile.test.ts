import type { Message } from '@grammyjs/types';
import { expect, test } from 'vitest';
import { until } from '../support/story.ts';
import { plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Sends of a group whose outcome is unknown when the group changes: they are looked for all the same. */

const { world, talk } = useWorld({}, { deliverySeconds: 600 });

const control = () => world.playground.control;
const botId = () => Number(world.playground.token.split(':')[0]);

/** A group in which somebody has sent two messages whose answer was lost. */
async function unclear(type: 'group' | 'supergroup') {
  const owner = world.driver.user({ first_name: 'Olga', language_code: 'en' });
  const group = world.driver.group({ creator: owner, type, bot: 'administrator' });
  const account = talk.account();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  const { username } = account;
  world.sandbox.faults.add({ operation: 'send', account: username, kind: 'reset', when: 'after', times: 1 });
  const card = await talk.asks(owner, group, '/send 9121234567 9121234568 Hello', '#A1');
  await talk.presses(owner, card, '✅');
  await talk.turns(card, '2 unknown');
  return { owner, group, username, card };
}

/** The look into the gateway's lists that comes next is due now. */
async function lookNow(): Promise<void> {
  await world.database.sql`
    update graphile_worker._private_jobs set run_at = now() where key like 'reconcile:%' and locked_at is null`;
}

const statesIn = async (chat: number) =>
  (
    await world.database.sql<{ state: string }[]>`
      select a.state from attempt a join job j on j.id = a.job_id join chat c on c.id = j.chat_id
      where c.telegram_id = ${chat}`
  ).map(({ state }) => state);

/** Resolves when no card waits to be shown. */
async function cardsAreShown(): Promise<void> {
  await until(async () => {
    const waiting = await world.database.sql`
      select 1 from graphile_worker.jobs where task_identifier = 'card' and coalesce(key, '') !~ '^(expiry|turn):'`;
    expect(waiting).toHaveLength(0);
  });
}

test('the bot that is thrown out while a send is unknown finds it, sends nothing, and the card says so when it is back', async () => {
  const { owner, group, username, card } = await unclear('supergroup');
  control().member({ chat_id: group, user_id: botId(), status: 'kicked', actor_id: owner.id });
  await talk.hears(owner, 'I was removed from');
  await lookNow();
  await until(async () => expect(await statesIn(group)).toEqual(['sent']));
  // What it has found it could tell nobody.
  await cardsAreShown();
  const [now] = world.driver.messages(group).filter(({ message_id: id }) => id === card.message_id);
  expect(now === undefined ? '' : plain(now)).toContain('2 unknown');

  control().member({ chat_id: group, user_id: botId(), status: 'administrator', actor_id: owner.id });
  const shown = await talk.turns(card, '2 accepted by the gateway');
  expect(plain(shown)).not.toContain('unknown');
  const status = await talk.asks(owner, group, '/status A1', '2 accepted');
  expect(plain(status)).not.toContain('unknown');
  expect(talk.sends(username)).toHaveLength(1);
});

test('a send that is unknown when its group becomes a supergroup is found, nothing is sent, and it is told in the supergroup', async () => {
  const { owner, group, username } = await unclear('group');
  const { id: supergroup } = control().migrate({ chat_id: group });
  await until(async () => expect(await statesIn(supergroup)).toEqual(['unknown']));
  await lookNow();
  const shown: Message = await talk.hears(supergroup, '2 accepted by the gateway');
  expect(plain(shown)).toContain('#A1');
  expect(plain(shown)).not.toContain('unknown');
  expect(await statesIn(supergroup)).toEqual(['sent']);
  const status = await talk.asks(owner, supergroup, '/status A1', '2 accepted');
  expect(plain(status)).not.toContain('unknown');
  expect(talk.sends(username)).toHaveLength(1);
});

test('a card of a group is not shown over what has the same number in the supergroup that it becomes', async () => {
  const { owner, group, card } = await unclear('group');
  const { id: supergroup } = control().migrate({ chat_id: group });
  await until(async () => expect(await statesIn(supergroup)).toEqual(['unknown']));
  // Messages are numbered anew there: people talk, until what the bot says next has the number of the old card.
  let said = owner.send(supergroup, 'we talk');
  while (said.message_id < card.message_id - 2) said = owner.send(supergroup, 'and talk');
  const other = await talk.asks(owner, supergroup, '/send 9121234567 Another one', '#A2');
  expect(other.message_id).toBe(card.message_id);
  await lookNow();
  const found = await talk.hears(supergroup, '2 accepted by the gateway', other.message_id);
  expect(plain(found)).toContain('#A1');
  const [now] = world.driver.messages(supergroup).filter(({ message_id: id }) => id === other.message_id);
  expect(now === undefined ? '' : plain(now)).toContain('#A2');
});

test.each([
  {
    language: 'en',
    unknown: '2 unknown',
    asks: 'lists do not tell',
    call: /^Olga: ❓ #A1 still waits for your word about 2 messages whose outcome is unknown\./u,
    wereSent: '✔ They were sent',
    settled: '2 counted as sent, as somebody decided',
  },
  {
    language: 'fa',
    unknown: '۲ نامعلوم',
    asks: 'معلوم نشد این‌ها ارسال شده',
    call: /^Olga: ❓ #A1 هنوز منتظر نظر شما دربارهٔ ۲ پیامک با نتیجهٔ نامعلوم است\./u,
    wereSent: '✔ ارسال شده‌اند',
    settled: '۲ تا با تصمیم یک نفر ارسال‌شده حساب شد',
  },
])(
  'a question that nobody answers calls whoever confirmed the send, with the answers ($language)',
  async ({ language, unknown, asks, call, wereSent, settled }) => {
    const owner = world.driver.user({ first_name: 'Olga', language_code: language });
    const group = world.driver.group({ creator: owner, bot: 'administrator' });
    const { apiKey, username } = talk.account();
    await talk.connects(owner, { apiKey }, { chat: group });
    world.sandbox.faults.add({
      operation: 'send',
      account: username,
      kind: 'drop',
      when: 'before',
      times: 1,
    });
    const card = await talk.asks(owner, group, '/send 9121234567 9121234568 Hello', '#A1');
    await talk.presses(owner, card, '✅');
    await talk.turns(card, unknown);
    await world.database.sql`
      update attempt set on_wire_at = on_wire_at - interval '1 day', ended_at = ended_at - interval '1 day'
      where state = 'unknown'`;
    await lookNow();
    await talk.turns(card, asks);
    await world.database.sql`
      update graphile_worker._private_jobs q set run_at = now() from job j join chat c on c.id = j.chat_id
      where c.telegram_id = ${group} and q.key = 'remind:' || j.id || ':0'`;
    const reminder = await talk.hears(group, call);
    expect(reminder.reply_to_message?.message_id).toBe(card.message_id);
    const called = (reminder.entities ?? []).flatMap((each) =>
      each.type === 'text_mention' ? [each.user.id] : [],
    );
    expect(called).toEqual([owner.id]);
    expect(await talk.presses(owner, reminder, wereSent)).toBe('');
    await talk.turns(card, settled);
    await talk.turns(reminder, (m) => m.reply_markup === undefined);
  },
);
