import { afterAll, beforeAll, expect, test } from 'vitest';
import { ordersIn } from '../support/orders.ts';
import { startWorld, type World } from '../support/world.ts';

/* No call of the Bot API fails in what people do every day. */

let world: World;
let on: ReturnType<typeof ordersIn>;

beforeAll(async () => {
  world = await startWorld({}, { deliverySeconds: 0.5 });
  on = ordersIn(world);
});

afterAll(async () => {
  await world.stop();
});

/** What the Bot API has refused, by method and reason. */
const refused = (): string[] =>
  world.driver
    .calls()
    .filter(({ ok, method }) => !ok && method !== 'getUpdates')
    .map(({ method, description = '' }) => `${method}: ${description}`);

test.each(['/send 09121234567 Hello', '/send 09121234567, 09351112233 سلام'])(
  'nothing is refused from the draft to the report of %s',
  async (order) => {
    const { sara } = await on.linked({ by: 'key', credit: 1_000_000 });
    const card = await on.order(sara, order);
    await on.ships(sara, card, /[12] delivered/);
    await on.settled(sara);
    expect(refused()).toEqual([]);
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
  expect(refused()).toEqual([]);
});
