import { expect, test } from 'vitest';
import { schedulesIn } from '../support/scheduling.ts';
import { until } from '../support/story.ts';
import { has, plain, rows } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* A pace that is chosen from a draft's When. What it does over days is held by paced-days.test.ts. */

const { world, made } = useWorld({}, { deliverySeconds: 600 });
const on = made(schedulesIn);

const numbers = (count: number) =>
  Array.from({ length: count }, (_, n) => `0912${String(1_000_000 + n)}`).join(' ');

test.each([
  {
    locale: 'en' as const,
    when: '🕐 When',
    asks: 'Choose, or type',
    slowly: '🐢',
    how: 'How fast?',
    bad: [
      ['0', 'not a number of'],
      ['-5', 'not a number of'],
      ['fast', 'not a number of'],
      ['1000000000', 'from 50 to 100,000'],
    ],
    typed: '120 an hour',
    between: 'Between which hours',
    badHours: ['9-9', 'not two different times'],
    hours: '22-22:30',
    draft: /🐢 Slowly: 120 an hour, 22:00–22:30 \(Asia\/Tehran\)\n🏁 Done about [A-Z][a-z]{2} \d/,
    any: 'At any time',
    again: /🐢 Slowly: 120 an hour\n🏁 Done about/,
    running: /10 \/ 130 · 7%\n🐢 Slowly: 120 an hour\n🏁 Done about .*\n⏳ The next ones: \d\d:\d\d/,
    pause: '⏸',
    paused: 'Paused by',
    resume: '▶',
    stop: '⏹',
    stopped: 'Stopped by',
  },
  {
    locale: 'fa' as const,
    when: '🕐 زمان',
    asks: 'یکی را انتخاب کنید',
    slowly: '🐢',
    how: 'با چه سرعتی',
    bad: [
      ['۰', 'تعداد گیرنده در ساعت نیست'],
      ['تند', 'تعداد گیرنده در ساعت نیست'],
    ],
    typed: 'ساعتی ۱۲۰ تا',
    between: 'بین چه ساعت‌هایی',
    badHours: ['۹ تا ۹', 'دو ساعت متفاوت نیست'],
    hours: '۲۲ تا ۲۲:۳۰',
    draft: /🐢 آهسته: ساعتی ۱۲۰ تا، از ۲۲:۰۰ تا ۲۲:۳۰ \(Asia\/Tehran\)\n🏁 پایان: حدود/,
    any: 'هر ساعتی',
    again: /🐢 آهسته: ساعتی ۱۲۰ تا\n🏁 پایان: حدود/,
    running: /۱۰ از ۱۳۰ · ٪?۷٪?\n🐢 آهسته: ساعتی ۱۲۰ تا\n🏁 پایان: حدود .*\n⏳ دستهٔ بعدی: /,
    pause: '⏸',
    paused: 'مکث توسط',
    resume: '▶',
    stop: '⏹',
    stopped: 'متوقفش کرد',
  },
])(
  'in $locale: asked for by buttons and words, shown before the press and while it waits, paused, resumed and stopped',
  async (w) => {
    const { omid, account } = await alone(w.locale);
    const sent = () =>
      on.talk.sends(account.username).reduce((all, { recipients }) => all + recipients.length, 0);
    const card = await on.talk.asks(omid, omid, `/send ${numbers(130)} Hello`, /Draft|پیش‌نویس/);
    await on.talk.presses(omid, card, w.when);
    const offers = await on.talk.hears(omid, w.asks, card.message_id);
    await on.talk.presses(omid, offers, w.slowly);
    let last = await on.talk.hears(omid, w.how, offers.message_id);
    for (const [typed = '', why = ''] of w.bad) last = await on.talk.asks(omid, omid, typed, why);
    last = await on.talk.asks(omid, omid, w.typed, w.between);
    last = await on.talk.asks(omid, omid, w.badHours[0] ?? '', w.badHours[1] ?? '');
    omid.send(omid, w.hours);
    const slow = await on.talk.turns(card, w.draft);

    // Other hours are chosen anew, and it can be taken off.
    await on.talk.presses(omid, slow, w.when);
    const more = await on.talk.hears(omid, w.asks, last.message_id);
    await on.talk.presses(omid, more, w.slowly);
    const how = await on.talk.hears(omid, w.how, more.message_id);
    expect(rows(how).flat()).toContainEqual(expect.stringContaining('🐇'));
    last = await on.talk.asks(omid, omid, '120', w.between);
    await on.talk.presses(omid, last, w.any);
    const ready = await on.talk.turns(card, w.again);
    await on.talk.presses(omid, ready, '✅');
    const running = await on.talk.turns(card, w.running);
    expect(sent()).toBe(10);

    await on.talk.presses(omid, running, w.pause);
    const paused = await on.talk.turns(card, w.paused);
    expect(plain(paused)).toContain('🐢');
    await on.talk.presses(omid, paused, w.resume);
    const resumed = await on.talk.turns(card, w.running);
    await until(async () => {
      const [row] = await world.database.sql<{ looked: boolean }[]>`
      select exists (select 1 from graphile_worker._private_jobs where key = 'send:' || j.id and run_at > now() + interval '1 minute') as looked
      from job j join chat c on c.id = j.chat_id where c.telegram_id = ${omid.id}`;
      return row?.looked === true;
    });
    expect(sent()).toBe(10);
    await on.talk.presses(omid, resumed, w.stop);
    await on.talk.turns(card, w.stopped);
    expect(sent()).toBe(10);
  },
);

test('of a send that waits for its time stands in the list of what waits', async () => {
  const { omid } = await alone('en');
  const card = await on.talk.asks(omid, omid, `/schedule tomorrow 9 ${numbers(130)} Hello`, 'Draft');
  await on.talk.presses(omid, card, '🕐');
  const offers = await on.talk.hears(omid, has('🐢'), card.message_id);
  await on.talk.presses(omid, offers, '🐢');
  await on.talk.hears(omid, 'How fast', offers.message_id);
  await on.talk.asks(omid, omid, '120', 'Between which hours');
  omid.send(omid, '9-20');
  const ready = await on.talk.turns(card, '🐢 Slowly: 120 an hour, 09:00–20:00');
  await on.talk.presses(omid, ready, '✅');
  await on.talk.turns(card, 'Scheduled');
  const list = await on.talk.asks(omid, omid, '/scheduled', '#A1');
  expect(plain(list)).toContain('🐢 Slowly: 120 an hour, 09:00–20:00 (Asia/Tehran)');
});

test('is offered for what an hour of the slowest does not hold', async () => {
  const { omid } = await alone('en');
  const card = await on.talk.asks(omid, omid, `/send ${numbers(50)} Hello`, 'Draft');
  await on.talk.presses(omid, card, '🕐 When');
  const offers = await on.talk.hears(omid, 'Choose, or type', card.message_id);
  expect(rows(offers).flat().join('\n')).not.toContain('🐢');
});

test.each([
  [
    'en',
    '/limits cap 60 parts',
    '/limits cap 30 parts',
    'Of a slow send, each day counts what leaves on it.',
  ],
  [
    'fa',
    '/limits سقف ۶۰ پارت',
    '/limits سقف ۳۰ پارت',
    'از ارسال آهسته، هر روز همان مقداری حساب می‌شود که در آن روز ارسال می‌شود.',
  ],
] as const)(
  'in %s: what is over the cap of a day at once may leave slowly, as each of its days has room',
  async (locale, wide, narrow, said) => {
    const { omid } = await alone(locale);
    await on.talk.asks(omid, omid, wide, /60|۶۰/u);
    const card = await on.talk.asks(omid, omid, `/send ${numbers(130)} Hello`, '💰');
    expect(plain(card)).not.toContain(said);
    await on.talk.presses(omid, card, '🕐');
    const offers = await on.talk.hears(omid, has('🐢'), card.message_id);
    await on.talk.presses(omid, offers, '🐢');
    const how = await on.talk.hears(omid, /How fast|با چه سرعتی/u, offers.message_id);
    const hours = await on.talk.asks(omid, omid, '50', /Between which|بین چه/u);
    expect(hours.message_id).toBeGreaterThan(how.message_id);
    omid.send(omid, '9-10');
    const slow = await on.talk.turns(card, '🐢');
    expect(plain(slow)).not.toContain('💰');
    await on.talk.asks(omid, omid, narrow, /30|۳۰/u);
    await on.talk.turns(card, said);
  },
);

async function alone(locale: 'en' | 'fa') {
  const omid = world.driver.user({ first_name: 'Omid', language_code: locale });
  const account = on.talk.account();
  await on.talk.connects(omid, { username: account.username, password: account.password });
  return { omid, account };
}
