import { expect, test } from 'vitest';
import { plain, talkIn } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';

/* What the deployment's defaults for language and time zone do, and who overrules them. */

test('DEFAULT_LANG speaks to those of whom nothing is known; Persian speakers and own choices go before it', async () => {
  await using world = await startWorld({ DEFAULT_LANG: 'fa' });
  const talk = talkIn(world);
  const [german, unknown, persian] = [
    world.driver.user({ first_name: 'Uwe', language_code: 'de' }),
    world.driver.user({ first_name: 'Anon' }),
    world.driver.user({ first_name: 'Sara', language_code: 'fa' }),
  ];
  for (const person of [german, unknown, persian]) {
    const said = person.start();
    const hello = await talk.hears(person, /Peyk|پیک/, said.message_id);
    expect(plain(hello)).toContain('من پیکم');
  }
  await talk.asks(german, german, '/lang en', 'I write to you in English');
  await talk.asks(german, german, '/start', 'I am Peyk');
  await talk.asks(unknown, unknown, '/start', 'من پیکم');
});

test('without DEFAULT_LANG English is spoken to all but those whose Telegram is Persian', async () => {
  await using world = await startWorld();
  const talk = talkIn(world);
  for (const [code, hello] of [
    ['de', 'I am Peyk'],
    ['fa', 'من پیکم'],
    ['fa-IR', 'من پیکم'],
    ['far', 'I am Peyk'],
  ] as const) {
    const person = world.driver.user({ first_name: 'Someone', language_code: code });
    const said = person.start();
    const told = await talk.hears(person, /Peyk|پیک/, said.message_id);
    expect(plain(told)).toContain(hello);
  }
});

test.each([
  { zone: undefined, means: 'Asia/Tehran' },
  { zone: 'UTC', means: 'UTC' },
  { zone: 'Pacific/Kiritimati', means: 'Pacific/Kiritimati' },
])('DEFAULT_TZ $zone decides the times that are shown', async ({ zone, means }) => {
  await using world = await startWorld(zone === undefined ? {} : { DEFAULT_TZ: zone });
  const talk = talkIn(world);
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  await talk.connects(sara, { apiKey: talk.account().apiKey });
  const before = new Date();
  const told = plain(await talk.asks(sara, sara, '/credit', 'as of'));
  const times = [before, new Date()].map((at) =>
    at.toLocaleTimeString('en-GB', { timeZone: means, hour: '2-digit', minute: '2-digit' }),
  );
  expect(times).toContain(/as of (\d\d:\d\d)/.exec(told)?.[1]);
  // The gateway's own clocks need no name.
  const report = plain(await talk.asks(sara, sara, '/report 2h', 'Report'));
  expect(/\(\S+\)/u.exec(report.split('\n')[0] ?? '')?.[0] ?? null).toBe(
    means === 'Asia/Tehran' ? null : `(${means})`,
  );
});
