import { expect, test } from 'vitest';
import { READING } from '../support/receiving.ts';
import { restart } from '../support/restart.ts';
import { arrives, inboxLookedAt, linkedPerson, PATIENT, says, until } from '../support/story.ts';
import { startWorld } from '../support/world.ts';

/* How Peyk ends, whatever waits. */

test('what waits for an hour at Telegram’s wish holds up no stop, and the next process says it', async () => {
  await using world = await startWorld(READING);
  const { person, account } = await linkedPerson(world, 'Sara');
  await inboxLookedAt(world, account);
  const flood = { method: 'sendMessage', match: { chat_id: person.id }, retry_after: 3600, times: 1 };
  world.playground.control.fault(flood);
  arrives(world, account, 'Are you there?');
  await until(() => {
    expect(world.logs.some((line) => line.includes('telegram asks to slow down'))).toBe(true);
  });

  await using next = await restart(world, READING);
  expect(next.botUsername).toBe(world.app.botUsername);
  await world.driver.waitForMessage(person, says('Are you there?'), PATIENT);
});
