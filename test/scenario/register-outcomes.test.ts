import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '@grammyjs/types';
import type { Person } from '../../src/playground/control/driver.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { refusalText } from '../../src/telegram/refusal-texts.ts';
import { registeringIn, shortSteps, type Steps } from '../support/registering.ts';
import { dataOf, given, PATIENCE, plain, rows, type TestAccount } from '../support/talk.ts';
import { until } from '../support/story.ts';
import { startWorld, type World } from '../support/world.ts';

/* What a press of Register comes to: taken, refused, nobody knows; and that it is one call, whatever happens. */

let world: World;
let old: World;
let talk: ReturnType<typeof registeringIn>;
let oldTalk: ReturnType<typeof registeringIn>;

beforeAll(async () => {
  world = await startWorld();
  old = await startWorld({ GATEWAY_VERSIONS: '1' });
  talk = registeringIn(world);
  oldTalk = registeringIn(old);
});

afterAll(async () => {
  expect([...talk.errors(), ...oldTalk.errors()]).toEqual([]);
  await world.stop();
  await old.stop();
});

interface Prepared {
  readonly person: Person;
  readonly account: TestAccount;
  readonly name: string;
  readonly summary: Message;
}

/** Somebody with an account of version 3, in front of the summary. */
async function prepared(seed: Partial<TestAccount> = {}, more: Steps = {}, label = '✅'): Promise<Prepared> {
  const person = world.driver.user({ first_name: 'Sara', language_code: 'en' });
  const account = talk.manager(seed);
  await talk.connects(person, { apiKey: account.apiKey });
  return await again({ person, account }, more, label);
}

async function again(
  { person, account }: Pick<Prepared, 'person' | 'account'>,
  more: Steps = {},
  label = '✅',
  name = `${account.username}new`,
): Promise<Prepared> {
  const steps = { parent: account.username, ...shortSteps(name, more) };
  const summary = await talk.prepares(person, steps, 'en', label);
  return { person, account, name, summary };
}

/** The same on version 1 alone, in Persian. */
async function preparedInPersian(): Promise<Prepared> {
  const person = old.driver.user({ first_name: 'سارا', language_code: 'fa' });
  const account = oldTalk.manager();
  await oldTalk.connects(person, { token: account.token });
  const name = `${account.username}new`;
  const steps = {
    kind: { tap: 'فرم کوتاه' },
    parent: account.username,
    ...shortSteps(name, {}, 'fa'),
  };
  return { person, account, name, summary: await oldTalk.prepares(person, steps, 'fa') };
}

async function press({ person, summary }: Prepared, shows: string | RegExp): Promise<Message> {
  expect(await talk.presses(person, summary, '✅')).toBe('');
  return await talk.turns(summary, shows);
}

/** One call reached the gateway, whatever anybody pressed. */
async function expectOneCall({ account, person }: Prepared): Promise<void> {
  await world.driver.whenPolled();
  await talk.settled(person, person);
  // What waits in the queue for this registration makes no call either.
  await talk.hurries(person, 'registration');
  await until(async () => {
    const { id } = await talk.row(person);
    const left = await world.database
      .sql`select 1 from graphile_worker._private_jobs where key = ${`registration:${id}`}`;
    expect(left).toEqual([]);
  });
  expect(talk.calls(account.username)).toHaveLength(1);
}

const NOTHING_KNOWN = 'It is not known whether';
const CLAIMS = /was not registered|is registered|failed/u;

describe.concurrent('a refusal', () => {
  test('of a name that is taken says so, and to start again', async () => {
    const story = await prepared();
    world.sandbox.world.addAccount({ username: story.name, password: 'other-pass' });
    const told = plain(await press(story, 'was not registered'));
    expect(told).toContain(refusalText('en', 'user_name_taken'));
    expect(told).toContain('What you typed is forgotten. Start again with /register');
    expect(await talk.row(story.person)).toMatchObject({ state: 'refused', wiped: true });
    expect(await talk.audit(story.person)).toEqual([
      { action: 'user_register_called', details: { userName: story.name } },
      {
        action: 'user_register_refused',
        details: { userName: story.name, reason: 'user_name_taken' },
      },
    ]);
    // It used nothing of the day up.
    await talk.asks(story.person, story.person, '/register', 'Registered through me today: 0 of 2');
  });

  test.each([
    ['a package that there is not', { packages: [12] }, refusalText('en', 'wrong_package')],
    ['an account that is no manager', { representative: false }, refusalText('en', 'manager_without_access')],
  ])('for %s is worded', async (_name, seed, words) => {
    const story = await prepared(seed);
    expect(plain(await press(story, 'was not registered'))).toContain(words);
    expect(talk.exists(story.name)).toBe(false);
  });

  test('for another manager’s name is worded', async () => {
    const story = await prepared({}, { parent: 'somebodyElse' });
    expect(plain(await press(story, 'was not registered'))).toContain(
      refusalText('en', 'manager_without_access'),
    );
  });

  test('of the third on a day that other programs have used up names the limit and midnight in Tehran', async () => {
    const story = await prepared();
    const manager = given(world.sandbox.world.account(story.account.username));
    manager.registeredAt = [world.sandbox.world.now(), world.sandbox.world.now()];
    const told = plain(await press(story, 'the day’s limit is reached'));
    expect(told).toContain('Other programs count as well');
    expect(told).toMatch(/register again from .+, 00:00 \(Tehran\)/);
    expect(await talk.row(story.person)).toMatchObject({ state: 'refused', wiped: true });
  });

  test('by code 18 is the same limit', async () => {
    const story = await prepared();
    talk.harms(story.account.username, { kind: 'error', status: 400, code: 18 });
    await press(story, 'the day’s limit is reached');
    expect(talk.exists(story.name)).toBe(false);
  });

  test('by status 429 of version 1 is the same limit, in Persian', async () => {
    const story = await preparedInPersian();
    const manager = given(old.sandbox.world.account(story.account.username));
    manager.registeredAt = [old.sandbox.world.now(), old.sandbox.world.now()];
    await oldTalk.presses(story.person, story.summary, '✅');
    const told = plain(await oldTalk.turns(story.summary, 'سهم امروز پر است'));
    expect(told).toMatch(/از .+، ۰۰:۰۰ \(به وقت تهران\)/);
    expect(oldTalk.calls(story.account.username)).toMatchObject([{ version: 1 }]);
  });

  test('of the third on a day comes from Peyk itself after two of its own, also when the summary is there already', async () => {
    const first = await prepared();
    await press(first, 'Registered through me today: 1 of 2');
    const second = await again(first, {}, '✅', `${first.account.username}second`);
    const third = await again(first, {}, '✅', `${first.account.username}third`);
    await press(second, 'Registered through me today: 2 of 2');
    await press(third, 'Registered through me today: 2');
    expect(talk.calls(first.account.username)).toHaveLength(2);
    expect(talk.exists(third.name)).toBe(false);
  });
});

describe.concurrent('an answer that proves nothing', () => {
  const UNCLEAR = {
    'the connection is reset after the user was made': { kind: 'reset', when: 'after' },
    'the connection is cut before': { kind: 'drop', when: 'before' },
    'a web page comes instead': { kind: 'html', when: 'after' },
    'half an answer comes': { kind: 'truncate' },
    'the gateway reports a fault of its own': { kind: 'error', status: 400, code: 1000 },
    'a code that no table has': { kind: 'error', status: 777 },
  } as const satisfies Record<string, FaultRule>;

  test.each(Object.entries(UNCLEAR))('is told as unknown and never repeated: %s', async (_name, fault) => {
    const story = await prepared();
    talk.harms(story.account.username, fault);
    const told = plain(await press(story, NOTHING_KNOWN));
    expect(told).toContain('I will not repeat it');
    expect(told).toContain('in the gateway’s panel');
    expect(told).not.toMatch(CLAIMS);
    expect(await talk.row(story.person)).toMatchObject({ state: 'unknown', wiped: true });
    expect((await talk.audit(story.person)).map(({ action }) => action)).toEqual([
      'user_register_called',
      'user_register_unknown',
    ]);
    await expectOneCall(story);
    const shown = world.driver.messages(story.person).find((m) => m.message_id === story.summary.message_id);
    expect(plain(given(shown))).toBe(told);
    const next = await talk.asks(
      story.person,
      story.person,
      '/register',
      'Registered through me today: 1 of 2',
    );
    expect(plain(next)).toContain('1 of them had no clear answer');
  });

  test('is unknown in Persian too', async () => {
    const story = await preparedInPersian();
    oldTalk.harms(story.account.username, { kind: 'reset', when: 'after' });
    await oldTalk.presses(story.person, story.summary, '✅');
    const told = plain(await oldTalk.turns(story.summary, 'معلوم نیست'));
    expect(told).toContain('تکرارش نخواهم کرد');
    expect(oldTalk.exists(story.name)).toBe(true);
  });

  test('is what a process that was killed during the call leaves behind', async () => {
    const story = await prepared();
    await talk.settled(story.person, story.person);
    // What it had committed before the first byte; then it was gone.
    await world.database.sql`
      update registration set state = 'on_wire', fields = null, called_at = now() - interval '121 seconds'
      where person_id = ${story.person.id}`;
    await talk.hurries(story.person, 'registration');
    const told = plain(await talk.turns(story.summary, NOTHING_KNOWN));
    expect(told).not.toMatch(CLAIMS);
    expect(await talk.row(story.person)).toMatchObject({ state: 'unknown', wiped: true });
    const late = story.person.forge(story.summary, dataOf(story.summary, '✅'));
    await world.driver.waitForAnswer(late, PATIENCE);
    await talk.settled(story.person, story.person);
    expect(talk.calls(story.account.username)).toEqual([]);
    expect(plain(await talk.turns(story.summary, NOTHING_KNOWN))).not.toMatch(CLAIMS);
  });
});

describe.concurrent('one press is one call', () => {
  test('of a double tap the second is told that it was pressed already', async () => {
    const story = await prepared();
    const taps = [1, 2, 3].map(() => story.person.tap(story.summary, '✅'));
    const told = await Promise.all(
      taps.map(async (tap) => (await world.driver.waitForAnswer(tap, PATIENCE)).text ?? ''),
    );
    expect(told[0]).toBe('');
    expect(told.slice(1).every((text) => text.startsWith('You pressed this already, at '))).toBe(true);
    await talk.turns(story.summary, 'is registered');
    await expectOneCall(story);
  });

  test('a press that Telegram delivers again, before and after it was done and after it was forgotten, makes no other', async () => {
    const story = await prepared();
    const query = story.person.tap(story.summary, '✅');
    const update = given(
      world.playground.control.updates().find(({ json }) => json.includes(`"${query}"`)),
    ).id;
    world.playground.control.resendUpdate(update);
    await talk.turns(story.summary, 'is registered');
    await talk.settled(story.person, story.person);
    world.playground.control.resendUpdate(update);
    await world.driver.whenPolled();
    await talk.settled(story.person, story.person);
    await until(async () => {
      const forgotten = await world.database
        .sql`delete from update where update_id = ${update} and done_at is not null returning 1`;
      expect(forgotten).toHaveLength(1);
    });
    world.playground.control.resendUpdate(update);
    await world.driver.whenPolled();
    await expectOneCall(story);
    // Handled anew, it says what is known.
    await talk.turns(story.summary, 'is registered');
    expect((await talk.audit(story.person)).map(({ action }) => action)).toEqual([
      'user_register_called',
      'user_registered',
    ]);
  });

  test('of Cancel and Register at once the first counts, and nothing else is claimed', async () => {
    const cancelled = await prepared();
    const confirm = dataOf(cancelled.summary, '✅');
    cancelled.person.tap(cancelled.summary, '✖');
    cancelled.person.forge(cancelled.summary, confirm);
    await talk.turns(cancelled.summary, 'Cancelled. Nothing was sent');
    await talk.settled(cancelled.person, cancelled.person);
    expect(talk.calls(cancelled.account.username)).toEqual([]);

    const registered = await prepared();
    registered.person.tap(registered.summary, '✅');
    registered.person.tap(registered.summary, '✖');
    const done = await talk.turns(registered.summary, 'is registered');
    await talk.hears(registered.person, 'is registered', done.message_id);
    await expectOneCall(registered);
    await talk.turns(registered.summary, 'is registered');
    expect(talk.exists(registered.name)).toBe(true);
  });
});

describe.concurrent('a password that is made up', () => {
  test('is shown once, on request, before there is a way to register, and for a minute at most', async () => {
    const story = await prepared({}, { password: { tap: '🎲' } }, '👁');
    expect(rows(story.summary)).toEqual([['👁 Show the password'], ['✖ Cancel']]);
    expect(plain(story.summary)).toContain('generated');
    await talk.presses(story.person, story.summary, '👁');
    const shown = await talk.turns(story.summary, 'Note it now');
    const password = /Password: ([A-Za-z2-9]{16})\n/.exec(plain(shown))?.[1];
    expect(shown.entities).toContainEqual(expect.objectContaining({ type: 'code', length: 16 }));
    expect(rows(shown)).toEqual([['✅ Register', '✖ Cancel']]);

    await talk.hurries(story.person, 'registration-password');
    const hidden = await talk.turns(story.summary, 'it is not shown again');
    expect(plain(hidden)).not.toContain(given(password));
    expect(rows(hidden)).toEqual([['✅ Register', '✖ Cancel']]);
    await press({ ...story, summary: hidden }, 'is registered');
    expect(world.sandbox.world.account(story.name)).toMatchObject({ password });
    expect(seen(story.person)).not.toContain(given(password));
  });

  test('leaves the screen with the outcome, and with a cancel', async () => {
    const one = await prepared({}, { password: '🎲' }, '👁');
    await talk.presses(one.person, one.summary, '👁');
    const shown = await talk.turns(one.summary, 'Note it now');
    const password = given(/Password: (\S{16})\n/.exec(plain(shown))?.[1]);
    talk.harms(one.account.username, { kind: 'error', status: 400, code: 16 });
    const why = refusalText('en', 'wrong_package');
    await press({ ...one, summary: shown }, why);
    // Nothing is left that would touch the message again: the reason stays.
    const { id } = await talk.row(one.person);
    await until(async () => {
      const left = await world.database
        .sql`select 1 from graphile_worker._private_jobs where key = ${`registration-password:${id}`}`;
      expect(left).toEqual([]);
    });
    await expectOneCall(one);
    await talk.turns(one.summary, why);
    expect(seen(one.person)).not.toContain(password);

    const other = await again(one, { password: { tap: '🎲' } }, '👁');
    await talk.presses(other.person, other.summary, '👁');
    const second = await talk.turns(other.summary, 'Note it now');
    const next = given(/Password: (\S{16})\n/.exec(plain(second))?.[1]);
    expect(next).not.toBe(password);
    await talk.presses(other.person, second, '✖');
    await talk.turns(other.summary, 'Cancelled. Nothing was sent');
    expect(seen(other.person)).not.toContain(next);
  });

  test('leaves the screen when its ten minutes are over', async () => {
    const story = await prepared({}, { password: { tap: '🎲' } }, '👁');
    await talk.presses(story.person, story.summary, '👁');
    await talk.turns(story.summary, 'Note it now');
    await world.database.sql`update registration set expires_at = now() where person_id = ${story.person.id}`;
    await talk.hurries(story.person, 'registration-password');
    const told = await talk.turns(story.summary, 'forgotten');
    expect(rows(told)).toEqual([]);
    expect(await talk.row(story.person)).toMatchObject({ state: 'cancelled', wiped: true });
  });

  const seen = (person: Person): string => world.driver.messages(person).map(plain).join('\n');
});

describe('a gateway that refuses connections', () => {
  test('gets nothing, and the summary can be pressed again when it is back', async () => {
    await using own = await startWorld();
    const its = registeringIn(own);
    const account = its.manager();
    const person = own.driver.user({ first_name: 'Sara', language_code: 'en' });
    await its.connects(person, { apiKey: account.apiKey });
    const name = `${account.username}new`;
    const summary = await its.prepares(person, { parent: account.username, ...shortSteps(name) });
    const port = Number(new URL(own.sandbox.baseUrl).port);
    await own.sandbox.close();
    await its.presses(person, summary, '✅');
    const told = await its.turns(summary, 'could not be reached, so nothing was sent to it');
    expect(rows(told)).toEqual([['✅ Register', '✖ Cancel']]);
    expect(await its.row(person)).toMatchObject({ state: 'prepared', wiped: false });

    const back = await startSandbox({ port, accounts: [account] });
    try {
      await until(async () => {
        const current = given(own.driver.messages(person).find((m) => m.message_id === summary.message_id));
        if (rows(current).length > 0) await its.presses(person, current, '✅');
        await its.turns(summary, 'is registered');
      });
      const calls = back.ledger.hits().filter((hit) => hit.operation === 'register');
      expect(calls).toHaveLength(1);
      expect(back.world.account(name)).toBeDefined();
      expect((await its.audit(person)).map(({ action }) => action).slice(-2)).toEqual([
        'user_register_called',
        'user_registered',
      ]);
    } finally {
      await back.close();
    }
    expect(its.errors()).toEqual([]);
  });
});
