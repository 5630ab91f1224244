import { expect, test } from 'vitest';
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
