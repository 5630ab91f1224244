import { beforeAll, expect, test } from 'vitest';
import { type EmbeddedStage, useEmbeddedStage } from '../support/embedded-stage.ts';
import { runTool } from '../support/run-tool.ts';
import { cardSays, draft, gatewaySaw, linkedPerson, PATIENT, says } from '../support/story.ts';

/* The operator's commands while Peyk runs on the embedded database, as most do. */

const staged = useEmbeddedStage({ deliverySeconds: 600 });
let stage: EmbeddedStage;

beforeAll(() => {
  stage = staged();
});

test('the switch holds all sends and lets them go, and the others look, while it works on', async () => {
  const { env, folder } = stage;
  await using peyk = await stage.start();
  const { person, account } = await linkedPerson(stage, 'Sara');

  const on = await runTool(['halt', 'on'], env, folder);
  expect(on).toMatchObject({ code: 0 });
  expect(on.text).toContain('All sends are held since');
  const card = await draft(stage, person, { to: '9125550001', text: 'held' });
  person.tap(card, '✅ Send');
  await stage.driver.waitForMessage(person, says('The sends of all chats are stopped since'), PATIENT);
  expect(gatewaySaw(stage, account).calls).toBe(0);

  expect(await runTool(['audit', 'verify'], env, folder)).toMatchObject({ code: 0 });
  const keys = await runTool(['keys', 'status'], env, folder);
  expect(keys).toMatchObject({ code: 0 });
  expect(keys.text).toContain('(newest)');
  // The running process could not open what is brought under a key that it has not read.
  const rotated = await runTool(['keys', 'rotate'], env, folder);
  expect(rotated).toMatchObject({ code: 78 });
  expect(rotated.text).toContain('already runs on the data directory');

  expect((await runTool(['halt', 'off'], env, folder)).text).toContain('Sends are not held.');
  const released = await draft(stage, person, { to: '9125550001', text: 'let go' });
  person.tap(released, '✅ Send');
  await cardSays(stage, released, '1 accepted');
  expect(await peyk.stop()).toBe(0);
  // What a tool leaves behind starts again.
  expect(await runTool(['halt', 'status'], env, folder)).toMatchObject({ code: 0 });
});
