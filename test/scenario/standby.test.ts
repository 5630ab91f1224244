import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BadDay, readiness, startBadDay } from '../support/bad-day.ts';
import { PATIENT, says } from '../support/story.ts';

// Each test starts two processes.
let day: BadDay;

beforeAll(async () => {
  day = await startBadDay();
});
afterAll(async () => {
  await day.close();
});

/** A person of whom the application hears for the first time, and the answer that they get. */
async function greets(name: string): Promise<void> {
  const person = day.driver.user({ first_name: name, language_code: 'en' });
  person.start();
  await day.driver.waitForMessage(person, says('I am Peyk'), PATIENT);
}

const conflicts = (): number =>
  day.driver.calls('getUpdates').filter((call) => call.error_code === 409).length;

test('of several processes one asks Telegram, all are ready, and another takes over from a killed one', async () => {
  const first = await day.start();
  await first.peyk.line('this process leads');
  await using second = (await day.start()).peyk;
  const third = await day.start();
  await using other = third.peyk;
  await second.line('this one stands by');
  await other.line('this one stands by');
  await readiness(first);
  await readiness(third);
  await greets('Before');

  await first.peyk.kill();
  await greets('After');
  const led = [second, other].filter((peyk) =>
    peyk.lines.some((line) => line.includes('this process leads')),
  );
  expect(led).toHaveLength(1);
  await readiness(third);
  expect(conflicts()).toBe(0);

  expect(await led[0]?.stop()).toBe(0);
  await greets('Last');
  expect(conflicts()).toBe(0);
});

test('a leader that is cut off from the database leaves Telegram to nobody but itself', async () => {
  await using first = (await day.start()).peyk;
  await first.line('this process leads');
  await using second = (await day.start()).peyk;
  await second.line('this one stands by');

  day.wires.postgres.cutAll();
  await first.line('lock was lost');
  await greets('Meanwhile');
  expect(second.lines.some((line) => line.includes('this process leads'))).toBe(false);
  expect(conflicts()).toBe(0);
});
