import { beforeAll, expect, test } from 'vitest';
import { type EmbeddedStage, useEmbeddedStage } from '../support/embedded-stage.ts';
import { linkedPerson, numbers, PATIENT, says, until } from '../support/story.ts';

/* A process that is killed while it changes a phonebook: the next one reads the book and does only what is left. */

// Each test starts the process twice.
const staged = useEmbeddedStage();
let stage: EmbeddedStage;

beforeAll(() => {
  stage = staged();
});

test.each([
  ['a new book is made', '/book_new Fresh', 'phonebook-create', 0, '✅ Create', '📒 ⁨Fresh⁩ · created by'],
  ['numbers are added', '/book_add VIP', 'phonebook-add', 1, '✅ Add', '(+450, by'],
] as const)('killed while %s', async (_name, command, operation, skip, label, over) => {
  await using first = await stage.start();
  const { driver, sandbox } = stage;
  const books = [{ title: 'VIP', flag: 'vip', numbers: ['09129999999'] }];
  const { person, account } = await linkedPerson(stage, 'Killed', { phonebooks: books });
  const wanted = numbers(450);
  const sent = person.upload(person, 'numbers.txt', Buffer.from(wanted.join('\n')), command);
  const preview = await driver.waitForMessage(person, says('450'), { ...PATIENT, after: sent.message_id });
  const fault = sandbox.faults.add({
    kind: 'hang',
    when: 'after',
    times: 1,
    operation,
    skip,
    account: account.username,
  });
  person.tap(preview, label);
  await until(() => {
    expect(sandbox.faults.list().find(({ id }) => id === fault)?.used).toBe(1);
  });
  await first.kill();

  await using second = await stage.start();
  const isOver = (message: { message_id: number; text?: string }): boolean =>
    message.message_id === preview.message_id && message.text?.includes(over) === true;
  await driver.waitForMessage(person, isOver, PATIENT);
  const title = command.includes('VIP') ? 'VIP' : 'Fresh';
  const there = sandbox.world.account(account.username)?.phonebooks.all() ?? [];
  expect(there.filter((book) => book.title === title)).toHaveLength(1);
  const found = [...(there.find((book) => book.title === title)?.numbers.keys() ?? [])];
  expect(found.filter((number) => number !== '9129999999')).toEqual(wanted);
  // Nothing is asked for twice: 450 numbers are three portions.
  const calls = sandbox.ledger
    .hits()
    .filter((hit) => hit.account === account.username && /phonebook-(create|add)/.test(hit.operation ?? ''));
  expect(calls).toHaveLength(3);
  expect(await second.stop()).toBe(0);
});
