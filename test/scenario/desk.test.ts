import type { Message } from '@grammyjs/types';
import { expect, test } from 'vitest';
import { createUnansweredWatch } from '../../src/features/inbox/unanswered-watch.ts';
import { createAlarmStore } from '../../src/storage/alerts/alarm-store.ts';
import { createUnansweredStore } from '../../src/storage/inbox/unanswered-store.ts';
import { labels, READING, receivingIn, seen } from '../support/receiving.ts';
import type { Person } from '../../src/playground/control/driver.ts';
import { createAlertReads } from '../../src/storage/alerts/alert-reads.ts';
import { createNotificationStore } from '../../src/storage/alerts/notification-store.ts';
import { given, plain } from '../support/talk.ts';
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
  const anew = await talk.asks(ours.agent, ours.place, '2020-01-01 10:00', 'That time is over', {
    replyTo: question,
  });
  expect(plain(anew)).toContain('Until when is');
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
  await talk.presses(ours.owner, await talk.turns(card, '💤 until'), '⏰ End snooze');
  await talk.turns(card, (message) => !plain(message).includes('💤'));
  await talk.presses(ours.agent, back, '💤 Snooze');
  const anewLater = await talk.hears(ours.place, 'Until when is', later.message_id);
  await talk.asks(ours.agent, ours.place, 'in 3 hours', 'comes back', { replyTo: anewLater });
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

test('the digest of the week says how much was answered, how fast and by whom, and counts no answer that is in doubt', async () => {
  const ours = await receiving.team();
  const { sql } = world.database;
  const answered = async (text: string, by: Person, minutes: number): Promise<void> => {
    const { typed } = receiving.mobile();
    receiving.arrives(ours, typed, text);
    const card = await receiving.cardOf(ours.place, text);
    const draft = await talk.asks(by, ours.place, `Answer to ${text}`, '✉️', { replyTo: card });
    await talk.presses(by, draft, '✅ Send');
    await talk.turns(card, '✅ delivered');
    await sql`
      with moved as (update inbound set captured_at = captured_at - interval '1 day' where text = ${text} returning captured_at)
      update job j set confirmed_at = m.captured_at + ${minutes} * interval '1 minute'
      from moved m, draft d where d.id = j.draft_id and d.text = ${`Answer to ${text}`}`;
  };
  for (const [text, by, minutes] of [
    ['one', ours.agent, 10],
    ['two', ours.agent, 20],
    ['three', ours.owner, 60],
    ['four', ours.owner, 90],
  ] as const)
    await answered(text, by, minutes);
  receiving.arrives(ours, receiving.mobile().typed, 'five');
  await receiving.cardOf(ours.place, 'five');
  await sql`
    update attempt set state = 'unknown' where job_id in (
      select j.id from job j join draft d on d.id = j.draft_id where d.text = 'Answer to four')`;
  const [chat] = await sql<{ id: string; at: Date }[]>`
    select id, now() as at from chat where telegram_id = ${ours.place}`;
  const to = new Date(given(chat).at.getTime() + 60_000);
  const span = { from: new Date(to.getTime() - 7 * 86_400_000), to };
  const desk = await createAlertReads(world.database).desk(given(chat).id, span);
  expect(desk).toMatchObject({
    answered: 3,
    by: [
      { name: 'Omid', count: 2 },
      { name: 'Olga', count: 1 },
    ],
  });
  expect([desk.medianSeconds, desk.p90Seconds]).toEqual([20 * 60, 52 * 60]);

  await talk.asks(ours.owner, ours.place, '/alerts digest 0:00', 'digest comes here');
  await sql`
    insert into notice (sink_id, kind, facts)
    select id, 'digest', jsonb_build_object('span', 'week', 'from', ${span.from.getTime()}::bigint, 'to', ${to.getTime()}::bigint)
    from sink where chat_id = ${given(chat).id}`;
  await createNotificationStore(world.database, 'Asia/Tehran').wake(
    (await sql<{ id: string }[]>`select id from sink where chat_id = ${given(chat).id}`)[0]?.id ?? '',
    0,
  );
  const digest = await talk.hears(ours.place, 'Weekly digest');
  expect(plain(digest)).toContain(
    '📩 Received 5\n↩️ Answered 3 of them\n⏱ First answer, nights included: half within 20 min, 90% within 52 min',
  );
  expect(plain(digest)).toContain('🙋 Answers by Omid 2 · Olga 1');
  await sql`update attempt set state = 'accepted' where state = 'unknown'`;
});

test('🔎 History shows what came from the number and what was sent there, in part where others look on', async () => {
  const ours = await receiving.team();
  const { typed, masked } = receiving.mobile();
  receiving.arrives(ours, typed, 'Where is it?');
  const card = await receiving.cardOf(ours.place, 'Where is it?');
  const draft = await talk.asks(ours.agent, ours.place, 'On its way', '✉️', { replyTo: card });
  await talk.presses(ours.agent, draft, '✅ Send');
  await talk.turns(card, '✅ delivered');
  await talk.presses(ours.agent, card, '🔎 History');
  const history = await talk.hears(ours.place, '🔎', draft.message_id);
  const shown = plain(history);
  expect(shown).toContain(`🔎 ${masked} · 2 messages`);
  expect(shown).not.toContain(typed);
  expect(shown).toMatch(/#A1 from 3000123456[\s\S]*On its way[\s\S]*Where is it\?/u);

  // Who wrote is kept from there, and is known from then on.
  await talk.presses(ours.agent, history, '👤 Who it is');
  const nobody = await talk.hears(ours.place, `👤 ${masked} is not kept here.`, history.message_id);
  await talk.presses(ours.agent, nobody, '➕ Keep');
  const question = await talk.hears(ours.place, `What do you want to keep of ${masked}?`, nobody.message_id);
  const kept = await talk.asks(ours.agent, ours.place, 'Sara Ahmadi, city=Qom #vip', '✅ Kept.', {
    replyTo: question,
  });
  expect(plain(kept)).toContain(`👤 Sara Ahmadi · ${masked}\n🏷 #vip\ncity: Qom`);
  await talk.turns(card, 'Sara Ahmadi');
});
