import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BadDay, readiness, startBadDay } from '../support/bad-day.ts';
import { hurry } from '../support/quiet.ts';
import {
  arrives,
  cardSays,
  draft,
  gatewaySaw,
  harm,
  HELD,
  inboxLookedAt,
  linkedPerson,
  numbers,
  PATIENT,
  says,
  shownOn,
  until,
} from '../support/story.ts';

/* Telegram is away, refuses the token, or has somebody else ask for the updates. */

// Each test starts a process.
let day: BadDay;

beforeAll(async () => {
  day = await startBadDay();
});
afterAll(async () => {
  await day.close();
});

const asked = (code: number): number =>
  day.driver.calls('getUpdates').filter(({ error_code: got }) => got === code).length;

async function greets(name: string): Promise<void> {
  const person = day.driver.user({ first_name: name, language_code: 'en' });
  person.start();
  await day.driver.waitForMessage(person, says('I am Peyk'), PATIENT);
  expect(day.driver.messages(person).filter(says('I am Peyk'))).toHaveLength(1);
}

test('Telegram away while a job runs: the calls are made, the card shows the end of it afterwards, and what came in is told', async () => {
  const one = await day.start();
  await using peyk = one.peyk;
  await readiness(one);
  const { person, account } = await linkedPerson(day, 'Away');
  await inboxLookedAt(day, account);
  const card = await draft(day, person, { to: numbers(300).join(' '), text: 'runs without Telegram' });
  const { struck, heal } = harm(day, account, HELD);
  person.tap(card, '✅ Send');
  await struck();
  // Nothing listens.
  await day.wires.telegram.refuse(true);
  day.wires.telegram.cutAll();
  heal();
  const arrivals = ['first while away', 'second while away', 'third while away'];
  for (const text of arrivals) arrives(day, account, text);
  await until(() => expect(gatewaySaw(day, account)).toEqual({ calls: 2, sends: 2, recipients: 300 }));
  await until(async () => {
    const stored = await day.database.sql`select 1 from inbound where text like '%while away'`;
    expect(stored).toHaveLength(arrivals.length);
  });
  // Something listens, and answers with nothing but pages of errors.
  for (const method of ['*', 'getUpdates']) day.playground.control.fault({ method, html502: true, times: 0 });
  await day.wires.telegram.refuse(false);
  await until(() => {
    const failed = day.driver.calls().filter(({ method, ok }) => !ok && method !== 'getUpdates');
    expect(failed.length).toBeGreaterThan(1);
  });
  // Some more connections end without a word.
  day.playground.control.clearFaults();
  day.playground.control.fault({ method: '*', drop: 'before', times: 2 });

  // Time passes, and each is tried again.
  await until(async () => {
    await hurry(day);
    expect(shownOn(day, card).at(-1)).toContain('300 accepted');
  });
  for (const text of arrivals) {
    await until(async () => {
      await hurry(day);
      expect(day.driver.messages(person).filter(says(text)).length).toBeGreaterThan(0);
    });
  }
  // A question is asked again after half a minute at the latest.
  await greets('After it was away');
  await readiness(one);
  expect(gatewaySaw(day, account)).toEqual({ calls: 2, sends: 2, recipients: 300 });
  expect(await peyk.stop()).toBe(0);
});

test('a token that Telegram refuses: red with the reason, few questions, sends go on, and green when it is taken again', async () => {
  const one = await day.start({ UNDO_SECONDS: '3' });
  await using peyk = one.peyk;
  await readiness(one);
  const { person, account } = await linkedPerson(day, 'Revoked');
  const card = await draft(day, person, { to: '9125550041', text: 'leaves though the token is refused' });
  person.tap(card, '✅ Send');
  await cardSays(day, card, 'leaving in');
  const before = asked(401);
  for (const method of ['*', 'getUpdates'])
    day.playground.control.fault({ method, code: 401, description: 'Unauthorized', times: 0 });
  // The question that is open was asked before.
  day.wires.telegram.cutAll();
  await readiness(one, 'telegram: Telegram refuses the bot token');
  await until(() => expect(gatewaySaw(day, account)).toEqual({ calls: 1, sends: 1, recipients: 1 }));
  await until(() => expect(asked(401) - before).toBeGreaterThan(2));
  const pauses = peyk.lines
    .filter(
      (line) => line.includes('"kind":"unauthorized"') && line.includes('updates could not be taken in'),
    )
    .map((line) => Number(/"pauseMs":(\d+)/u.exec(line)?.[1]));
  for (const [index, pause] of pauses.entries())
    expect(pause).toBeGreaterThanOrEqual((pauses[index - 1] ?? 250) * 2);
  expect(asked(401) - before).toBeLessThan(10);

  day.playground.control.clearFaults();
  await readiness(one);
  await until(async () => {
    await hurry(day);
    expect(shownOn(day, card).at(-1)).toContain('1 accepted');
  });
  await greets('With the token again');
  expect(gatewaySaw(day, account).calls).toBe(1);
  expect(await peyk.stop()).toBe(0);
});

test('another program on the token: red with the reason, few questions, each update handled once, and green when it is gone', async () => {
  const one = await day.start();
  await using peyk = one.peyk;
  await readiness(one);
  const before = asked(409);
  const leaving = new AbortController();
  // It asks again as soon as it is turned away, and acknowledges nothing.
  const rival = (async () => {
    while (!leaving.signal.aborted)
      await fetch(`${day.playground.apiRoot}/bot${day.playground.token}/getUpdates?timeout=50`, {
        signal: leaving.signal,
      })
        .then(async (answer) => await answer.text())
        .catch(() => undefined);
  })();
  await readiness(one, 'telegram: another program asks for the updates of this bot');
  const refused = peyk.lines.filter((line) => line.includes('"kind":"conflict"'));
  expect(refused.length).toBeGreaterThan(1);
  expect(asked(409) - before).toBeLessThan(4 * (refused.length + 2));
  leaving.abort();
  await rival;

  await until(async () => {
    await greets('When it is gone');
    expect(await one.reasons()).toEqual([]);
  });
  expect(await peyk.stop()).toBe(0);
});
