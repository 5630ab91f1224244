import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BadDay, readiness, startBadDay } from '../support/bad-day.ts';
import { freePort } from '../support/free-port.ts';
import { inboxLookedAt, linkedPerson, PATIENT, says, until } from '../support/story.ts';
import { given, has } from '../support/talk.ts';

/* Several processes on one database: each with roles of its own, and updates that Telegram brings to any of them. */

// Each test starts some processes.
const SECRET = 'webhook-secret-0123456789-abcdefgh';

let day: BadDay;

beforeAll(async () => {
  day = await startBadDay({ deliverySeconds: 0.3, webhookRetryMs: 100 });
});
afterAll(async () => {
  await day.close();
});

async function greets(name: string): Promise<void> {
  const person = day.driver.user({ first_name: name, language_code: 'en' });
  person.start();
  await day.driver.waitForMessage(person, says('I am Peyk'), PATIENT);
}

const hook = (port: number) => ({
  WEBHOOK_URL: `http://127.0.0.1:${port}/updates`,
  WEBHOOK_SECRET: SECRET,
});
/** The one that Telegram brings them to. */
const at = (port: number) => ({ ...hook(port), PORT: String(port) });

test('bot, worker and poller may be processes of their own, and a send goes through all of them once', async () => {
  const first = await day.start({ ROLES: 'bot' });
  await using bot = first.peyk;
  await using worker = (await day.start({ ROLES: 'worker' })).peyk;
  const poller = await day.start({ ROLES: 'poller' });
  await using looking = poller.peyk;
  await bot.line('this process leads');
  const { person, account } = await linkedPerson(day, 'Sara');
  person.send(person, '/send 09121234567 Hello from three processes');
  const draft = await day.driver.waitForMessage(person, has('✅ Send'), PATIENT);
  person.tap(draft, '✅ Send');
  const sent = () => day.sandbox.ledger.sends().filter((send) => send.account === account.username).length;
  await until(() => expect(sent()).toBe(1));
  // What is there when it is looked at first is counted, and not shown one by one.
  await inboxLookedAt(day, account);
  const gateway = given(day.sandbox.world.account(account.username));
  day.sandbox.world.receive(gateway, {
    line: account.line,
    from: '09121234567',
    text: 'An answer for all of you',
  });
  await day.driver.waitForMessage(person, says('An answer for all of you'), PATIENT);
  expect(sent()).toBe(1);
  await readiness(poller);
  const told = await (await fetch(`http://127.0.0.1:${first.port}/metrics`)).text();
  expect(told).toMatch(/^peyk_commands_total\{command="send",outcome="done"\} 1$/mu);
  expect(told).toMatch(/^peyk_updates_total\{kind="press"\} \d+$/mu);
  expect(told).toMatch(/^peyk_accounts 1$/mu);
  for (const word of [
    account.username,
    account.apiKey,
    account.line,
    String(person.id),
    day.playground.token,
    'Sara',
  ])
    expect(told).not.toContain(word);
  for (const { lines } of [worker, looking]) {
    expect(lines.some((line) => line.includes('this process leads'))).toBe(false);
  }
});

test('what Telegram brings to a process that stands by is handled by the leader, and by that one when the leader is killed', async () => {
  const port = await freePort();
  const first = await day.start(hook(port));
  await using leader = first.peyk;
  await leader.line('this process leads');
  const second = await day.start(at(port));
  await using other = second.peyk;
  await other.line('this one stands by');
  await readiness(first);
  await greets('Early');
  const person = day.driver.user({ first_name: 'Form', language_code: 'en' });
  person.start();
  await day.driver.waitForMessage(person, says('I am Peyk'), PATIENT);
  // Question and answer come to another process than the one that handles both, close together.
  person.send(person, '/connect');
  person.send(person, '/cancel');
  person.send(person, '/nowhere');
  await day.driver.waitForMessage(person, says('I do not know /nowhere'), PATIENT);
  const answers = day.driver
    .messages(person)
    .flatMap(({ text = '', from }) => (from?.is_bot === true ? [text] : []));
  expect(answers.slice(1).map((text) => text.split(' ')[0])).toEqual(['Linking', 'Cancelled.', 'I']);
  expect(other.lines.some((line) => line.includes('this process leads'))).toBe(false);

  await leader.kill();
  await greets('After the kill');
  await other.line('this process leads');
  await readiness(second);
  expect(await other.stop()).toBe(0);
});

test('while the database is away Telegram is asked to come again, and nothing is lost', async () => {
  const port = await freePort();
  const { peyk } = await day.start(at(port));
  await using one = peyk;
  await one.line('this process leads');
  await greets('Before');
  await day.wires.postgres.refuse(true);
  day.wires.postgres.cutAll();
  const person = day.driver.user({ first_name: 'Meanwhile', language_code: 'en' });
  person.start();
  await until(async () => {
    const { result } = (await (
      await fetch(`${day.playground.apiRoot}/bot${day.playground.token}/getWebhookInfo`)
    ).json()) as {
      result: { last_error_message?: string };
    };
    expect(result.last_error_message).toContain('503');
  });
  await day.wires.postgres.refuse(false);
  await day.driver.waitForMessage(person, says('I am Peyk'), PATIENT);
});

test('from a webhook back to long polling nothing has to be done by hand', async () => {
  const port = await freePort();
  const before = await day.start(at(port));
  await before.peyk.line('this process leads');
  await greets('By webhook');
  expect(await before.peyk.stop()).toBe(0);
  await using after = (await day.start({})).peyk;
  await after.line('this process leads');
  await greets('By polling');
});
