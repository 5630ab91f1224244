import type { Message } from '@grammyjs/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ordersIn } from '../support/orders.ts';
import { sentBefore } from '../support/history.ts';
import { labels } from '../support/receiving.ts';
import { given, payloadOf } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* No call of the Bot API fails in what people do every day; the flows of flows.test.ts are held to it there. */

let world: World;
let on: ReturnType<typeof ordersIn>;

beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 0.5 });
  on = ordersIn(world);
});

afterAll(async () => {
  await world.stop();
});

test.each(['/send 09121234567 Hello', '/send 09121234567, 09351112233 سلام'])(
  'nothing is refused from the draft to the report of %s',
  async (order) => {
    const { sara } = await on.linked({ by: 'key', credit: 1_000_000 });
    const card = await on.order(sara, order);
    await on.ships(sara, card, /[12] delivered/);
    await on.settled(sara);
    expect(on.talk.refused()).toEqual([]);
  },
);

test('nothing is refused when a draft is changed, cancelled, or taken back within its hold', async () => {
  const { sara } = await on.linked({ by: 'key' });
  const changed = await on.order(sara, '/send 09121234567 Hello');
  await on.talk.presses(sara, changed, '⚡');
  await on.talk.presses(sara, await on.talk.turns(changed, '⚡ flash'), '✖');
  await on.talk.turns(changed, 'cancelled');
  await on.talk.asks(sara, sara, '/limits', 'Limits');
  await on.settled(sara);
  expect(on.talk.refused()).toEqual([]);
});

test.each(['en', 'fa'] as const)(
  'nothing is refused while somebody looks around, in %s',
  async (language) => {
    const { sara, account } = await on.linked({ by: 'key', language });
    const inbox = given(world.sandbox.world.account(account.username));
    for (let n = 10; n < 40; n += 1) {
      sentBefore(world, account, `091211110${n}`, { days: n < 36 ? 0 : 2 });
      world.sandbox.world.receive(inbox, { from: `91211110${n}`, line: '3000123456', text: `Order ${n}` });
    }
    const next = language === 'fa' ? '◀' : '▶';
    const looks = async (command: string, ...presses: readonly string[]): Promise<void> => {
      const said = sara.send(sara, command);
      for (const label of presses) {
        const has = (each: Message) => labels(each).some((one) => one.startsWith(label));
        const shown = await on.talk.hears(sara, has, said.message_id);
        expect([command, await on.talk.presses(sara, shown, label)]).toEqual([command, '']);
      }
      await on.talk.settled(sara, sara);
    };
    await looks('/report 7d', '⬇ CSV');
    await looks('/inbox', next);
    await looks('/outbox', next);
    await looks('/help', '✉️', '‹', '📄', '‹', '☰');
    await looks('/alerts', '⚙');
    for (const command of [
      '/credit',
      '/latest',
      '/scheduled',
      '/books',
      '/templates',
      '/team',
      '/limits',
      '/health',
      '/A1',
      '/sned 1',
    ])
      await looks(command);
    await looks(language === 'fa' ? '/lang en' : '/lang fa');
    await looks('/help');
    expect(on.talk.refused()).toEqual([]);
  },
);

test('nothing is refused when a group is linked by who presses, types a key wrong, and is led back', async () => {
  const olga = world.driver.user({ first_name: 'Olga', language_code: 'en' });
  const group = world.driver.group({ creator: olga, members: [], type: 'group' });
  const { apiKey } = on.talk.account();
  const offer = await on.talk.asks(olga, group, '/connect', 'works once');
  const asked = await on.talk.hears(olga, 'Send the API key', olga.start(payloadOf(offer)).message_id);
  await on.talk.asks(olga, olga, 'no-key-of-anybody-1234567', (m) => m.message_id > asked.message_id);
  const found = await on.talk.asks(olga, olga, apiKey, 'Account:');
  await on.talk.presses(olga, found, '✅');
  await on.talk.hears(group, 'Linked by');
  await on.talk.asks(olga, group, '/inbox', /inbox|unread/iu);
  expect(on.talk.refused()).toEqual([]);
});
