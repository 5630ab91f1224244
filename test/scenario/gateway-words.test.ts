import { expect, test } from 'vitest';
import { ordersIn } from '../support/orders.ts';
import { plain } from '../support/talk.ts';
import { useWorld } from '../support/use-world.ts';

/* A refusal whose number says next to nothing is told in the gateway's own words. */

const { made } = useWorld({}, { deliverySeconds: 0.5 });
const on = made(ordersIn);

const SAID = 'این خط <b>فعال</b> نیست، https://panel.example/lines را ببینید';
const refusal = { kind: 'body', text: JSON.stringify({ return: { status: 400, message: SAID } }) } as const;

test.each([
  ['en', 'It says: “این خط <b>فعال</b> نیست، … را ببینید”'],
  ['fa', 'می‌گوید: «این خط <b>فعال</b> نیست، … را ببینید»'],
] as const)('on the card of a send, and in the answer to a question (%s)', async (language, says) => {
  const { sara, account } = await on.linked({ by: 'key', language });
  on.harm(account, 'send', refusal);
  const card = await on.order(sara, '/send 09121234567 Hello');
  expect(plain(await on.ships(sara, card, says))).not.toContain('https');
  on.harm(account, 'credit', refusal);
  expect(plain(await on.talk.asks(sara, sara, '/credit', says))).not.toContain('https');
});
