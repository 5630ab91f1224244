import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import { labels, READING, receivingIn, type Team } from '../support/receiving.ts';
import { isFromBot, plain } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/use-world.ts';

/* Reactions to the card of a received message: 👀 takes it and 👌 closes it, as its buttons do. Telegram has no ✅ as one. */

const { world, talk, made } = useWorld(READING, { deliverySeconds: 0.3 });
const receiving = made(receivingIn);

/** The card of a received message, once it is known under which id Telegram has it: a person takes longer to look at it. */
async function cardOf(ours: Pick<Team, 'place'>, text: string): Promise<Message> {
  const card = await receiving.cardOf(ours.place, text);
  await until(async () => {
    const known = await world.database.sql`
      select 1 from notice n join inbound i on i.id = n.inbound_id
      where n.message_id = ${card.message_id} and n.state = 'sent' and i.text = ${text}`;
    expect(known).toHaveLength(1);
  });
  return card;
}

/** What the bot has said in a place that begins so. */
const told = (place: Parameters<typeof world.driver.messages>[0], part: string): number =>
  world.driver.messages(place).filter((each) => isFromBot(each) && plain(each).includes(part)).length;

describe.concurrent('a reaction to a received message', () => {
  test('takes it and closes it; what is taken away, set again or set by others changes nothing', async () => {
    const ours = await receiving.team({ bot: 'administrator' });
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'Where is my parcel?');
    const card = await cardOf(ours, 'Where is my parcel?');
    const outsider = world.driver.user({ first_name: 'Nobody' });
    world.playground.control.member({ chat_id: ours.place, user_id: outsider.id, status: 'member' });
    outsider.react(card, '👌');
    ours.agent.react(card, '❤');
    ours.agent.react(card, '👀');
    await talk.turns(card, '🙋 Omid');
    ours.agent.react(card);
    ours.owner.react(card, '👀');
    await talk.hears(ours.place, 'Omid took this', card.message_id);
    expect(plain(await talk.turns(card, '🙋 Omid'))).not.toContain('done');
    ours.owner.react(card, '👌');
    const closed = await talk.turns(card, '✔ done · Olga');
    expect(labels(closed)).toEqual(['↩️ Reply', '🔎 History', '⛔ Block', '🔓 Open again']);
    ours.owner.react(card);
    ours.agent.react(card, '👀');
    await talk.hears(ours.place, /^✔ done · Olga/u, card.message_id);
    await talk.settled(ours.agent, ours.place);
    expect(plain(await talk.turns(card, '✔ done · Olga'))).toContain('🙋 Omid');

    receiving.arrives(ours, typed, 'And when?');
    const next = await cardOf(ours, 'And when?');
    ours.agent.react(next, '👌');
    await talk.turns(next, '✔ done · Omid');
  });

  test('in private and in Persian does the same, and of anything else nothing', async () => {
    const ours = await receiving.alone('fa');
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'سفارش من کجاست؟');
    const card = await cardOf(ours, 'سفارش من کجاست؟');
    const hello = await talk.asks(ours.owner, ours.place, '/whoami', `${ours.owner.id}`);
    ours.owner.react(hello, '👌');
    ours.owner.react(card, '👀');
    await talk.turns(card, '🙋');
    ours.owner.react(card, '👌');
    await talk.turns(card, '✔ انجام شد');
    const before = world.driver.messages(ours.place).length;
    await talk.settled(ours.owner, ours.place);
    expect(world.driver.messages(ours.place)).toHaveLength(before + 2);
  });

  test('of a viewer does nothing, which is told once', async () => {
    const ours = await receiving.team({ role: 'viewer', bot: 'administrator' });
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'for operators');
    const card = await cardOf(ours, 'for operators');
    for (const emoji of ['👀', '👌', '👀']) ours.agent.react(card, emoji);
    const why = await talk.hears(ours.place, 'needs the role operator', card.message_id);
    expect(why.reply_to_message?.message_id).toBe(card.message_id);
    await talk.settled(ours.agent, ours.place);
    expect(told(ours.place, 'needs the role operator')).toBe(1);
    expect(labels(await talk.turns(card, 'for operators'))).toEqual([
      '🙋 Take',
      '↩️ Reply',
      '🔎 History',
      '⛔ Block',
      '✔ Done',
    ]);
  });

  test('where the bot is no administrator is not brought to it, as at Telegram', async () => {
    const ours = await receiving.team();
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, 'nobody hears');
    const card = await cardOf(ours, 'nobody hears');
    ours.agent.react(card, '👀');
    await talk.settled(ours.agent, ours.place);
    expect(plain(await talk.turns(card, 'nobody hears'))).not.toContain('🙋');
  });
});
