import { expect, test } from 'vitest';
import { useEmbeddedStage } from '../support/embedded-stage.ts';
import { PASSWORD, registeringIn, shortSteps } from '../support/registering.ts';
import { until } from '../support/story.ts';
import { dataOf, PATIENCE, plain } from '../support/talk.ts';
import type { World } from '../support/world.ts';

const staged = useEmbeddedStage();

// The process is started twice.
test('a process that is killed during the call leaves one call, and nothing that says more than is known', async () => {
  const { driver, playground, sandbox, start } = staged();
  // The database is the process's own, and nothing here asks it.
  const talk = registeringIn({
    driver,
    playground,
    sandbox,
    logs: [] as string[],
    database: {},
  } as unknown as World);
  const person = driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = talk.manager();

  const first = await start();
  await talk.connects(person, { apiKey: account.apiKey });
  const summary = await talk.prepares(person, {
    parent: account.username,
    ...shortSteps(`${account.username}new`),
  });
  const fault = talk.harms(account.username, { kind: 'hang' });
  person.tap(summary, '✅');
  await until(() => expect(sandbox.faults.list().find(({ id }) => id === fault)?.used).toBe(1));
  await first.kill();
  sandbox.faults.remove(fault);

  await using second = await start();
  // The press was not done, so it is handled again.
  await talk.settled(person, person);
  const shown = await talk.turns(summary, 'Waiting for the gateway’s answer');
  expect(plain(shown)).not.toMatch(/registered\.|was not registered/u);
  const again = person.forge(summary, dataOf(summary, '✅'));
  expect((await driver.waitForAnswer(again, PATIENCE)).text).toMatch(/^You pressed this already/u);
  await talk.asks(person, person, '/register', 'Registered through me today: 1 of 2');
  expect(talk.calls(account.username)).toHaveLength(1);
  expect(talk.exists(`${account.username}new`)).toBe(false);
  expect([...first.lines, ...second.lines, first.complaints(), second.complaints()].join('\n')).not.toContain(
    PASSWORD,
  );
});
