import { expect, test } from 'vitest';
import { createUnansweredWatch } from '../../src/features/inbox/unanswered-watch.ts';
import { createAlarmStore } from '../../src/storage/alerts/alarm-store.ts';
import { createUnansweredStore } from '../../src/storage/inbox/unanswered-store.ts';
import { labels, READING, receivingIn, seen, type Team } from '../support/receiving.ts';
import { plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* Nobody has answered for too long: an alert, once, which ends with the answer. */

const HEAD = 'Nobody has answered';
const { world, talk, made } = useWorld(READING, { deliverySeconds: 0.3 });
const receiving = made(receivingIn);

/** Looks, which a worker does now and then. */
async function looks(): Promise<void> {
  const { database } = world;
  await createUnansweredWatch({
    unanswered: createUnansweredStore(database, 'Asia/Tehran'),
    alarms: createAlarmStore(database, 'Asia/Tehran'),
  })();
}

/** A message that came so many minutes ago. */
async function waits(ours: Team & { readonly place: number }, text: string, minutes: number) {
  const { typed, bare } = receiving.mobile();
  receiving.arrives(ours, typed, text);
  const card = await receiving.cardOf(ours.place, text);
  await world.database.sql`
    with moved as (
      update inbound set captured_at = captured_at - ${minutes} * interval '1 minute' where text = ${text}
      returning talk_id, captured_at)
    update talk t set last_in_at = m.captured_at from moved m where t.id = m.talk_id`;
  return { card, number: `98${bare}` };
}

async function standing(place: number): Promise<number> {
  const rows = await world.database.sql`
    select 1 from alarm a join chat c on c.id = a.chat_id
    where c.telegram_id = ${place} and a.kind = 'unanswered' and a.ended_at is null`;
  return rows.length;
}

test('it is told once, a reply to the alert is the answer, and it ends when that has surely left', async () => {
  const ours = await receiving.team();
  await waits(ours, 'Before anybody asked for it', 60);
  await looks();
  expect(await standing(ours.place)).toBe(0);
  await world.database.sql`update talk set done_by = 1, done_at = now()`;

  await talk.asks(ours.owner, ours.place, '/alerts unanswered 30', 'is reported here after 30 min');
  await waits(ours, 'Only since a while ago', 10);
  const { card } = await waits(ours, 'Is anybody there?', 45);
  await looks();
  const alert = await talk.hears(ours.place, HEAD);
  expect(plain(alert)).toMatch(/^🔴 Nobody has answered · for 30 min\n📩 to 3000123456/u);
  expect(seen(alert)).toContain('Is anybody there?');
  expect(labels(alert)).toEqual([
    '🙋 Take',
    '↩️ Reply',
    '🔎 History',
    '⛔ Block',
    '✔ Done',
    '🔇 4 h',
    '🔇 until tomorrow 9:00',
  ]);
  await looks();
  expect(await standing(ours.place)).toBe(1);

  await talk.presses(ours.agent, alert, '🙋 Take');
  await talk.turns(alert, '🙋 Omid');
  const draft = await talk.asks(ours.agent, ours.place, 'Yes, we are.', '✉️', { replyTo: alert });
  await talk.presses(ours.agent, draft, '✅ Send');
  await talk.turns(card, 'answered by Omid · #A1 · ✅ delivered');
  // What nobody knows to have left is no answer.
  await world.database.sql`update attempt set state = 'unknown' where binding_id in (
    select b.id from binding b join chat c on c.id = b.chat_id where c.telegram_id = ${ours.place})`;
  await looks();
  expect(await standing(ours.place)).toBe(1);
  await world.database.sql`update attempt set state = 'accepted' where state = 'unknown'`;
  await looks();
  await talk.turns(alert, /🟢 Answered · after \d+ min/u);
  expect(await standing(ours.place)).toBe(0);
  await looks();
  const said = await talk.settled(ours.owner, ours.place);
  expect(said.filter((message) => /Nobody has answered|🟢/u.test(plain(message)))).toHaveLength(1);

  await talk.asks(ours.owner, ours.place, '/alerts', 'is reported after 30 min');
  await talk.asks(ours.owner, ours.place, '/alerts unanswered off', 'are not reported here');
  for (const bad of ['0', '1441', 'soon'])
    await talk.asks(ours.owner, ours.place, `/alerts unanswered ${bad}`, '/alerts unanswered 30');
});

test('closing and blocking end it; only working hours count; of many only ten stand at once', async () => {
  const ours = await receiving.team();
  await talk.asks(ours.owner, ours.place, '/alerts unanswered ۳۰ دقیقه', 'after 30 min');
  const first = await waits(ours, 'to be closed', 40);
  const second = await waits(ours, 'to be blocked', 40);
  await looks();
  const closing = await talk.hears(ours.place, /Nobody has answered[\s\S]*to be closed/u);
  const blocking = second.card;
  expect(await standing(ours.place)).toBe(2);
  await talk.presses(ours.agent, first.card, '✔ Done');
  await talk.presses(ours.owner, blocking, '⛔ Block');
  const sure = await talk.hears(ours.place, '⛔ Block');
  await talk.presses(ours.owner, sure, '✅ Block');
  await talk.turns(blocking, '⛔ Olga');
  await looks();
  expect(await standing(ours.place)).toBe(0);
  await talk.turns(closing, '🟢 Done · after');

  const [row] = await world.database.sql<{ at: number }[]>`
    select (extract(hour from l.at) * 60 + extract(minute from l.at))::int as at
    from (select now() at time zone 'Asia/Tehran' as at) l`;
  const clock = (minutes: number) => {
    const at = ((row?.at ?? 0) + minutes + 1440) % 1440;
    return `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`;
  };
  await talk.asks(ours.owner, ours.place, `/limits window ${clock(-120)}-${clock(-30)}`, 'Sending window');
  await waits(ours, 'since closing time', 45);
  await looks();
  expect(await standing(ours.place)).toBe(0);
  for (let each = 0; each < 12; each += 1) await waits(ours, `in working hours ${each}.`, 75 + each);
  await looks();
  expect(await standing(ours.place)).toBe(10);
  await talk.hears(ours.place, /Nobody has answered · for 30 min of working hours/u);

  // The desk has hours of its own, which go before those of sends.
  await world.database.sql`update talk set done_by = 1, done_at = now()`;
  await looks();
  await talk.asks(ours.owner, ours.place, `/rules hours ${clock(-240)}-${clock(-90)}`, 'Desk hours set');
  await waits(ours, 'after the desk had closed', 75);
  await looks();
  expect(await standing(ours.place)).toBe(0);
  await waits(ours, 'before the desk closed', 150);
  await looks();
  expect(await standing(ours.place)).toBe(1);
});
