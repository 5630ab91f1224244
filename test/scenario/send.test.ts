import { expect, test } from 'vitest';
import { ordersIn } from '../support/orders.ts';
import { hasButton } from '../support/story.ts';
import { plain } from '../support/talk.ts';
import { DEMO_KEY, DEMO_LINE, startWorld } from '../support/world.ts';

test('a newcomer links the demo account, sends to three numbers, and sees them delivered', async () => {
  await using world = await startWorld({}, { deliverySeconds: 3600 });

  const { driver } = world;
  const sara = driver.user({ first_name: 'Sara', language_code: 'en' });

  sara.start();
  await driver.waitForMessage(sara, (m) => m.text?.includes('I am Peyk') === true);
  sara.send(sara, '/connect');
  await driver.waitForMessage(sara, (m) => m.text?.includes('Send the API key') === true);
  sara.send(sara, DEMO_KEY);
  const found = await driver.waitForMessage(sara, (m) => m.text?.includes('Account:') === true);
  expect(driver.messages(sara).some((m) => m.text === DEMO_KEY)).toBe(false);
  sara.tap(found, '✅ Link');
  await driver.waitForMessage(sara, (m) => m.text?.includes('Which sender line') === true);
  sara.send(sara, DEMO_LINE);
  await driver.waitForMessage(sara, (m) => m.text?.includes('Try: /send') === true);

  sara.send(sara, '/send 09121234567, ۰۹۳۵۱۱۱۲۲۳۳, 0912x, Hello there');
  const card = await driver.waitForMessage(sara, (m) => m.text?.includes('#A1') === true);
  expect(card.text).toContain('2 to send');
  expect(card.text).toContain('1 invalid');
  sara.tap(card, '✅ Send');
  await driver.waitForMessage(
    sara,
    (m) => m.message_id === card.message_id && m.text?.includes('2 accepted') === true,
  );
  world.sandbox.world.advance(3_600_000);
  await driver.waitForMessage(
    sara,
    (m) => m.message_id === card.message_id && m.text?.includes('2 delivered') === true,
  );
});

test('the first send of a chat without a line asks for one, offers those it knows, and keeps what is chosen', async () => {
  await using world = await startWorld({}, { deliverySeconds: 3600 });
  const { talk, order, ships } = ordersIn(world);
  const sara = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const message = { from: '9121110001', message: 'Hi', ageSeconds: 5, read: false };
  const { apiKey } = talk.account({ inbox: ['50001234', DEMO_LINE].map((line) => ({ ...message, line })) });
  await talk.connects(sara, { apiKey }, { line: null });
  const question = await talk.asks(sara, sara, '/send 09121234567 Hello', 'From which sender line?');
  await talk.presses(sara, question, DEMO_LINE);
  const card = await talk.hears(sara, '#A1', question.message_id);
  expect(plain(card)).toContain(`line ${DEMO_LINE}`);
  await ships(sara, card, '1 accepted');
  const next = await order(sara, '/send 09121234567 Again');
  expect(plain(next)).toContain(`line ${DEMO_LINE}`);
  expect(hasButton(next, '✅ Send')).toBe(true);
});
