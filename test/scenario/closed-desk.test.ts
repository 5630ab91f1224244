import { expect, test } from 'vitest';
import { createAutoResponseStore } from '../../src/storage/inbox/auto-response-store.ts';
import { labels, READING, receivingIn } from '../support/receiving.ts';
import { given, plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* While nobody is at the desk a message is answered by itself, each number once until somebody is there again. */

const LINE = '3000123456';
const { world, talk, made } = useWorld(READING, { deliverySeconds: 0.3 });
const receiving = made(receivingIn);

/** Hours that begin and end so many minutes from now, as people type them. */
async function hoursFromNow(from: number, to: number): Promise<string> {
  const [row] = await world.database.sql<{ at: number }[]>`
    select (extract(hour from l.at) * 60 + extract(minute from l.at))::int as at
    from (select now() at time zone 'Asia/Tehran' as at) l`;
  const clock = (minutes: number) => {
    const at = (given(row).at + minutes + 1440) % 1440;
    return `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`;
  };
  return `${clock(from)}-${clock(to)}`;
}

test('the answer is set by a form, asks for the hours, and goes to each number once', async () => {
  const ours = await receiving.team();
  const { owner, place } = ours;
  const rules = await talk.asks(owner, place, '/rules', 'Desk hours: not set');
  expect(await talk.presses(ours.agent, rules, '🌙 Answer outside them')).toContain('does not allow');
  await talk.presses(owner, rules, '🌙 Answer outside them');
  const ask = await talk.hears(place, 'that comes outside the desk hours be answered?', rules.message_id);
  owner.send(place, 'We are back at 8.', { replyTo: ask });
  const hours = await talk.hears(place, 'When is somebody here to answer', ask.message_id);
  await talk.hears(place, 'not sent before the desk hours are set', ask.message_id);
  expect(labels(hours)).toEqual(expect.arrayContaining(['Sat-Wed 8-16', 'Every day 8-20', 'Off']));
  owner.send(place, 'whenever', { replyTo: hours });
  const again = await talk.hears(place, '«whenever» is not days and hours', hours.message_id);
  owner.send(place, await hoursFromNow(60, 120), { replyTo: again });
  const set = await talk.hears(place, /Desk hours: .* · Asia\/Tehran · now closed/u, again.message_id);
  expect(plain(set)).toContain('🌙 Outside them 🤖 answers «We are back at 8.»');

  await talk.asks(owner, place, '/rule contains price → all answer «Ten.»', '✅ Added');
  const [night, buyer] = [receiving.mobile(), receiving.mobile()];
  receiving.arrives(ours, night.typed, 'Is anybody there?');
  const card = await receiving.cardOf(place, 'Is anybody there?');
  await talk.turns(card, /🤖 automatic answer · #A\d+ · ✅ delivered/u);
  expect(labels(card)).toContain('🙋 Take');
  // Whoever died before it had said that it is done leaves it to another.
  const id = Number(/#in(\d+)/u.exec(plain(card))?.[1]);
  await createAutoResponseStore(world.database, 'Asia/Tehran').again(id, 1, 0);
  for (const text of ['Hello?', 'Well?', 'Please!']) {
    receiving.arrives(ours, night.typed, text);
    await talk.turns(await receiving.cardOf(place, text), 'this number has had one since the desk closed');
  }
  receiving.arrives(ours, buyer.typed, 'The price, please');
  await talk.turns(await receiving.cardOf(place, 'The price'), /🤖 automatic answer · #A\d+ · ✅ delivered/u);
  receiving.arrives(ours, 'MyBank', 'from a service');
  await receiving.cardOf(place, 'from a service');
  const stop = receiving.mobile();
  receiving.arrives(ours, stop.typed, '11');
  await receiving.cardOf(place, '11');

  await talk.asks(owner, place, `/rules hours ${await hoursFromNow(-60, 60)}`, 'now open');
  receiving.arrives(ours, receiving.mobile().typed, 'by day');
  const byDay = await receiving.cardOf(place, 'by day');
  receiving.arrives(ours, buyer.typed, 'and by day');
  await receiving.cardOf(place, 'and by day', byDay.message_id);
  expect(talk.sends(ours.account.username)).toMatchObject([
    { line: LINE, recipients: [night.bare], text: 'We are back at 8.' },
    { line: LINE, recipients: [buyer.bare], text: 'Ten.' },
  ]);
  await talk.asks(owner, place, '/rules closed off', 'are not answered automatically');
  const told = await talk.asks(owner, place, '/audit', 'set the desk hours');
  expect(plain(told)).toMatch(
    /turned off the automatic answer outside the desk hours[\s\S]*set the automatic answer/u,
  );
});

test('whoever sets it is told where the hours of sends keep it from leaving', async () => {
  const ours = await receiving.team();
  const { owner, place } = ours;
  const closed = await hoursFromNow(60, 120);
  await talk.asks(owner, place, `/rules hours ${closed}`, 'now closed');
  await talk.asks(owner, place, `/limits window ${closed}`, 'Sending window');
  await talk.asks(
    owner,
    place,
    '/rules closed «At 8.»',
    '🌙 will never be sent: outside the desk hours nothing may leave',
  );
  receiving.arrives(ours, receiving.mobile().typed, 'at night');
  await talk.turns(await receiving.cardOf(place, 'at night'), 'the chat’s limits do not allow it');
  await talk.asks(owner, place, `/limits window ${await hoursFromNow(-60, 120)}`, 'Sending window');
  await talk.asks(owner, place, '/rules', /⚠️ 🌙 leaves only .* when this chat sends/u);
  await talk.asks(owner, place, '/limits window off', 'Sending window');
  await talk.asks(owner, place, `/line ${LINE} hours ${closed}`, 'Hours');
  await talk.asks(owner, place, '/rules', /🚫 🌙 will never be sent: .*line 3000123456 sends only/u);
  await talk.asks(owner, place, '/limits approval 0', 'a second person for every send');
  await talk.asks(owner, place, '/rules', '🌙 will never be sent: a send of its size needs a second person');
  await talk.asks(owner, place, '/rules hours off', '🌙 is not sent while no desk hours are set');
  expect(talk.sends(ours.account.username)).toEqual([]);
});

test('whoever got no answer because of the hours of sends is not said to have had one, and gets it once they allow it', async () => {
  const ours = await receiving.team();
  const { owner, place } = ours;
  await talk.asks(owner, place, `/rules hours ${await hoursFromNow(60, 120)}`, 'now closed');
  await talk.asks(owner, place, '/rules closed «At 8.»', '🌙');
  await talk.asks(owner, place, `/limits window ${await hoursFromNow(60, 120)}`, 'Sending window');
  const night = receiving.mobile();
  for (const text of ['in the evening', 'at midnight']) {
    receiving.arrives(ours, night.typed, text);
    await talk.turns(await receiving.cardOf(place, text), 'the chat’s limits do not allow it');
  }
  await talk.asks(owner, place, `/limits window ${await hoursFromNow(-60, 120)}`, 'Sending window');
  receiving.arrives(ours, night.typed, 'in the morning');
  await talk.turns(
    await receiving.cardOf(place, 'in the morning'),
    /🤖 automatic answer · #A\d+ · ✅ delivered/u,
  );
  receiving.arrives(ours, night.typed, 'and again');
  await talk.turns(
    await receiving.cardOf(place, 'and again'),
    'this number has had one since the desk closed',
  );
  expect(talk.sends(ours.account.username)).toMatchObject([{ recipients: [night.bare], text: 'At 8.' }]);
});

test('a kept text answers, and all of it is said in Persian', async () => {
  const ours = await receiving.team({ lang: 'fa' });
  const { owner, place } = ours;
  await world.database.sql`
    insert into template (chat_id, name, text, for_answers, created_by)
    select id, 'تعطیل', 'فردا ساعت ۸ در خدمتیم.', true, ${owner.id} from chat where telegram_id = ${place}`;
  await talk.asks(
    owner,
    place,
    '/rules ساعت کاری شنبه تا چهارشنبه ۸ تا ۱۶',
    'ساعت کاری: شنبه تا چهارشنبه ۰۸:۰۰ تا ۱۶:۰۰ · Asia/Tehran',
  );
  const ask = await talk.asks(owner, place, '/rules تعطیل', 'چه پاسخی داده شود؟');
  await talk.presses(owner, ask, '#تعطیل');
  const told = await talk.hears(
    place,
    '🌙 خارج از ساعت کاری 🤖 پاسخ می‌دهد «فردا ساعت ۸ در خدمتیم.»',
    ask.message_id,
  );
  expect(labels(told)).toContain('🌙 پاسخ خارج از ساعت کاری');
});
