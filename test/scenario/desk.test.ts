import type { Message } from '@grammyjs/types';
import { expect, test } from 'vitest';
import { createUnansweredWatch } from '../../src/features/inbox/unanswered-watch.ts';
import { createAlarmStore } from '../../src/storage/alarm-store.ts';
import { createUnansweredStore } from '../../src/storage/unanswered-store.ts';
import { labels, READING, receivingIn, seen } from '../support/receiving.ts';
import { plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* What a team does with a received message other than to answer it: hand it over, put it off. */

const { world, talk, made } = useWorld(READING, { deliverySeconds: 0.3 });
const receiving = made(receivingIn);

const idOf = (card: Message) => /#in(\d+)/u.exec(plain(card))?.[1] ?? '';

test('whoever has taken a message hands it to somebody who may answer, and no other, who is told with the message', async () => {
  const ours = await receiving.team();
  const viewer = world.driver.user({ first_name: 'Vida', language_code: 'en' });
  await talk.gives('viewer', viewer, ours.place);
  const { typed } = receiving.mobile();
  receiving.arrives(ours, typed, 'Who looks after me?');
  const card = await receiving.cardOf(ours.place, 'Who looks after me?');
  expect(labels(card)).not.toContain('🤝 Hand over');
  await talk.presses(ours.agent, card, '🙋 Take');
  await talk.turns(card, '🙋 Omid');
  await talk.presses(ours.agent, card, '🤝 Hand over');
  const question = await talk.hears(ours.place, `Who takes over #in${idOf(card)}?`);
  expect(labels(question)).toEqual(['Olga']);
  await talk.presses(ours.agent, question, 'Olga');
  await talk.turns(question, `🤝 #in${idOf(card)} is with Olga now.`);
  const theirs = await talk.hears(ours.place, 'Olga, Omid hands this over to you:');
  expect(seen(theirs)).toContain('Who looks after me?');
  expect(
    (theirs.entities ?? []).flatMap((each) => (each.type === 'text_mention' ? [each.user.id] : [])),
  ).toContain(ours.owner.id);
  expect(labels(theirs)).toContain('↩️ Reply');
  await talk.turns(card, '🙋 Olga');
  await talk.asks(ours.owner, ours.place, '/inbox mine', 'Who looks after me?');

  // Whoever loses the role between question and press gets nothing.
  await talk.presses(ours.owner, card, '🤝 Hand over');
  const again = await talk.hears(ours.place, 'Who takes over', question.message_id);
  await talk.gives('viewer', ours.agent, ours.place);
  await talk.presses(ours.owner, again, 'Omid');
  await talk.turns(again, 'They may not answer received messages here any more');
  await talk.presses(ours.owner, card, '🤝 Hand over');
  await talk.hears(ours.place, 'Nobody else here may answer', again.message_id);
});

test('a message that is put off leaves the list, comes back by itself, and the next from there ends it', async () => {
  const ours = await receiving.team();
  const looks = createUnansweredWatch({
    unanswered: createUnansweredStore(world.database, 'Asia/Tehran'),
    alarms: createAlarmStore(world.database, 'Asia/Tehran'),
  });
  await talk.asks(ours.owner, ours.place, '/alerts unanswered 30', 'is reported here');
  const { typed } = receiving.mobile();
  receiving.arrives(ours, typed, 'When are you back?');
  const card = await receiving.cardOf(ours.place, 'When are you back?');
  await talk.presses(ours.agent, card, '🙋 Take');
  await talk.turns(card, '🙋 Omid');
  await world.database
    .sql`update inbound set captured_at = captured_at - interval '40 minutes' where text = 'When are you back?'`;
  await looks();
  const alert = await talk.hears(ours.place, 'Nobody has answered');

  await talk.presses(ours.agent, card, '💤 Snooze');
  const question = await talk.hears(ours.place, 'Until when is');
  const over = await talk.asks(ours.agent, ours.place, '2020-01-01 10:00', 'That time is over', {
    replyTo: question,
  });
  const anew = await talk.hears(ours.place, 'Until when is', over.message_id);
  await talk.presses(ours.agent, anew, '🕐 In 1 hour');
  await talk.hears(ours.place, `💤 #in${idOf(card)} comes back`);
  const off = await talk.turns(card, /💤 until .+ · Omid/u);
  expect(labels(off)).toContain('⏰ End snooze');
  await talk.asks(ours.agent, ours.place, '/inbox mine', 'You have taken no message');
  await talk.asks(ours.agent, ours.place, '/inbox unanswered', 'is answered or done');
  await looks();
  await talk.turns(alert, '🟢 Snoozed');

  await world.database.sql`update talk set snoozed_until = now() where snoozed_by is not null`;
  const { snoozesOver } = createUnansweredStore(world.database, 'Asia/Tehran');
  await snoozesOver();
  await snoozesOver();
  const back = await talk.hears(ours.place, '⏰ Omid, this is due now.');
  expect(labels(back)).toContain('💤 Snooze');
  await talk.turns(card, (message) => !plain(message).includes('💤'));
  await talk.asks(ours.agent, ours.place, '/inbox mine', 'When are you back?');
  await looks();
  const standing = await world.database
    .sql`select 1 from alarm where kind = 'unanswered' and ended_at is null`;
  expect(standing).toHaveLength(0);

  await talk.presses(ours.agent, back, '💤 Snooze');
  const later = await talk.hears(ours.place, 'Until when is', back.message_id);
  await talk.asks(ours.agent, ours.place, 'in 3 hours', 'comes back', { replyTo: later });
  await talk.turns(card, '💤 until');
  receiving.arrives(ours, typed, 'I am still here.');
  await receiving.cardOf(ours.place, 'I am still here.');
  await talk.turns(card, (message) => !plain(message).includes('💤'));
  await talk.asks(ours.agent, ours.place, '/inbox unanswered', 'I am still here.');
  const said = await talk.settled(ours.owner, ours.place);
  expect(said.filter((message) => plain(message).includes('is due now'))).toHaveLength(1);
});

test('a kept text that the chat has marked is a button under Reply, and waits for the press on its card', async () => {
  const ours = await receiving.team();
  const kept = await talk.asks(ours.agent, ours.place, '/template hours We are open until six.', 'Saved as');
  await talk.asks(ours.agent, ours.place, '/template other Not for answers.', 'Saved as');
  const { typed } = receiving.mobile();
  receiving.arrives(ours, typed, 'Are you open?');
  const card = await receiving.cardOf(ours.place, 'Are you open?');
  await talk.presses(ours.agent, card, '↩️ Reply');
  const plainly = await talk.hears(ours.place, 'Your answer to');
  expect(labels(plainly)).toEqual(['✖ Cancel']);
  await talk.presses(ours.agent, kept, '▫️ Offer for answers');
  await talk.turns(kept, 'is offered #hours as a button');
  await talk.presses(ours.agent, card, '↩️ Reply');
  const question = await talk.hears(ours.place, 'Your answer to', plainly.message_id);
  expect(labels(question)).toEqual(['#hours', '✖ Cancel']);
  await talk.presses(ours.agent, question, '#hours');
  const draft = await talk.hears(ours.place, 'We are open until six.', question.message_id);
  expect(labels(draft).some((label) => label.startsWith('✅'))).toBe(true);
  const sent = () => world.sandbox.world.account(ours.account.username)?.outbox.all().length;
  const before = sent();
  expect(before).toBe(0);
  await talk.settled(ours.agent, ours.place);
  expect(sent()).toBe(before);
  await talk.presses(ours.agent, draft, '✅ Send');
  await talk.turns(card, /answered by Omid · #A\d+ · ✅ delivered/u);
});
