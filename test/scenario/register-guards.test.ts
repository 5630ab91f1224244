import type { Message } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { registeringIn, shortSteps } from '../support/registering.ts';
import { restart } from '../support/restart.ts';
import { dataOf, linkOf, payloadOf, plain, rows } from '../support/talk.ts';
import { startWorld } from '../support/world.ts';
import { useWorld } from '../support/use-world.ts';
import { until } from '../support/until.ts';

/* Who may register a user, checked at the first question and again at the press; and every way of leaving it. */

const { world, made } = useWorld();
const talk = made(registeringIn);

const someone = (first_name: string, language_code = 'en'): Person =>
  world.driver.user({ first_name, language_code });

async function linked(first_name = 'Sara') {
  const person = someone(first_name);
  const account = talk.manager();
  await talk.connects(person, { apiKey: account.apiKey });
  return { person, account };
}

/** A group with an account that may register users, and an admin who is not its owner. */
async function staffed(title = 'Ops') {
  const [owner, admin] = [someone('Olga'), someone('Amir')];
  const group = world.driver.group({ creator: owner, members: [admin], title, bot: 'administrator' });
  const account = talk.manager();
  await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
  await talk.gives('admin', admin, group);
  admin.start();
  return { owner, admin, group, account };
}

const steps = (account: { username: string }, name = `${account.username}new`) => ({
  parent: account.username,
  ...shortSteps(name),
});

/** Up to the summary, for the group's account. */
async function preparedIn({ admin, group, account }: Awaited<ReturnType<typeof staffed>>) {
  const after = await talk.goesPrivate(admin, group);
  return await talk.summary(admin, await talk.answers(admin, after, steps(account)));
}

const shows = (place: Parameters<typeof talk.hears>[0]): string =>
  world.driver.messages(place).map(plain).join('\n');

async function expectNothing(person: Person, account: { username: string }, name = `${account.username}new`) {
  expect(talk.calls(account.username)).toEqual([]);
  expect(talk.exists(name)).toBe(false);
  expect(await talk.row(person)).toMatchObject({ state: 'cancelled', wiped: true });
  expect(await talk.audit(person)).toEqual([]);
}

describe.concurrent('at the first question', () => {
  test.each(['viewer', 'operator', 'approver'] as const)(
    'who is %s in the group is told the role it needs, and gets no link',
    async (role) => {
      const { owner, group } = await staffed();
      const person = someone(`A ${role}`);
      world.playground.control.member({ chat_id: group, user_id: person.id, status: 'member' });
      await talk.gives(role, person, group);
      const told = await talk.asks(person, group, '/register', 'needs the role admin');
      expect(rows(told)).toEqual([]);
      const help = await talk.asks(person, group, '/help all', 'What you can do here');
      expect(plain(help)).not.toContain('/register');
      const own = await talk.asks(owner, group, '/help all', '/register');
      expect(plain(own)).toContain('register a user at the gateway');
    },
  );

  test('without an account there is nothing to register under', async () => {
    const person = someone('Nobody');
    person.start();
    const told = await talk.asks(person, person, '/register', 'No gateway account is linked');
    expect(plain(told)).toContain('/connect');
  });

  test('an account whose credential serves no version of the deployment is told what would', async () => {
    await using own = await startWorld({ GATEWAY_VERSIONS: '1' });
    const its = registeringIn(own);
    const account = its.manager();
    const person = own.driver.user({ first_name: 'Sara', language_code: 'en' });
    await its.connects(person, { token: account.token });
    await using again = await restart(own, { GATEWAY_VERSIONS: '4' });
    expect(again.botUsername).toBe('PeykSandboxBot');
    const told = await its.asks(person, person, '/register', 'cannot do this');
    expect(plain(told)).toContain('an API key');
  });

  test('two used up today end it there, with the time from which it is possible again', async () => {
    const { person, account } = await linked();
    await used(account, person, ['registered', 'unknown']);
    const told = await talk.asks(person, person, '/register', 'Registered through me today: 2');
    expect(plain(told)).toContain('1 of them had no clear answer');
    expect(plain(told)).toMatch(/register again from \w{3} \d{1,2} \w{3} \d{4}, 00:00 \(Tehran\)/);
    await talk.settled(person, person);
    expect(shows(person)).not.toContain('The manager’s user name');
  });

  test('one used up is counted, and one without a clear answer is named', async () => {
    const { person, account } = await linked();
    await used(account, person, ['unknown']);
    const told = await talk.asks(person, person, '/register', 'Registered through me today: 1 of 2');
    expect(plain(told)).toContain('1 of them had no clear answer, and may not have been registered');
  });

  /** Calls of earlier today. */
  async function used(account: { username: string }, person: Person, states: readonly string[]) {
    for (const [index, state] of states.entries()) {
      const rows = await world.database.sql`
        insert into registration (id, chat_id, binding_id, bot_id, source_update, person_id, user_name, state, called_at, expires_at)
        select gen_random_uuid(), b.chat_id, b.id, 1, ${person.id * 10 + index}, ${person.id}, ${`${account.username}${index}`},
          ${state}, now(), now()
        from binding b join chat c on c.id = b.chat_id
        where c.telegram_id = ${person.id} and b.state = 'live' returning 1`;
      expect(rows).toHaveLength(1);
    }
  }
});

describe.concurrent('the link into the private chat', () => {
  test('opens for its person alone, once', async () => {
    const { admin, owner, group } = await staffed();
    const payload = payloadOf(await talk.asks(admin, group, '/register', 'password and a national code'));
    const wrong = owner.start(payload);
    await talk.hears(owner, 'for somebody else', wrong.message_id);
    const first = admin.start(payload);
    await talk.hears(admin, 'A new user under', first.message_id);
    const second = admin.start(payload);
    await talk.hears(admin, 'was used already', second.message_id);
    expect(shows(owner)).not.toContain('A new user under');
    expect(shows(group)).not.toContain('A new user under');
  });

  test('is dead after ten minutes', async () => {
    const { admin, group } = await staffed();
    const payload = payloadOf(await talk.asks(admin, group, '/register', 'for 10 minutes'));
    const aged = await world.database.sql`
      update deep_link set expires_at = expires_at - interval '10 minutes'
      where person_id = ${admin.id} and purpose = 'register'
        and expires_at between now() and now() + interval '10 minutes' returning 1`;
    expect(aged).toHaveLength(1);
    admin.start(payload);
    await talk.hears(admin, 'has expired');
    expect(shows(admin)).not.toContain('A new user under');
  });

  test('of another purpose opens no registration, and this one links no account', async () => {
    const { owner, group } = await staffed();
    const connect = payloadOf(await talk.asks(owner, group, '/connect', 'works once'));
    const register = payloadOf(await talk.asks(owner, group, '/register', 'password and a national code'));
    const first = owner.start(connect.replace(/^c_/, 'r_'));
    await talk.hears(owner, 'was used already', first.message_id);
    const second = owner.start(register.replace(/^r_/, 'c_'));
    const told = await talk.hears(owner, 'was used already', second.message_id);
    expect(rows(told)).toEqual([]);
  });

  test('asks nothing of a person who has lost the role since, nor when the account is gone', async () => {
    const lost = await staffed('Lost role');
    const payload = payloadOf(
      await talk.asks(lost.admin, lost.group, '/register', 'password and a national code'),
    );
    await talk.gives('operator', lost.admin, lost.group);
    lost.admin.start(payload);
    await talk.hears(lost.admin, 'needs the role admin in «Lost role»');

    const gone = await staffed('Gone');
    const other = payloadOf(
      await talk.asks(gone.admin, gone.group, '/register', 'password and a national code'),
    );
    const asked = await talk.asks(gone.owner, gone.group, '/disconnect', 'Unlink');
    await talk.presses(gone.owner, asked, '🔌 Unlink');
    await talk.hears(gone.group, 'Unlinked');
    gone.admin.start(other);
    await talk.hears(gone.admin, 'No gateway account is linked to «Gone» any more');
    for (const person of [lost.admin, gone.admin]) expect(shows(person)).not.toContain('manager’s user name');
  });
});

describe.concurrent('at the press', () => {
  test.each(['approver', null] as const)('who has become %s registers nobody, and is told', async (role) => {
    const place = await staffed();
    const summary = await preparedIn(place);
    if (role === null) {
      await world.database.sql`
        delete from member m using chat c
        where c.id = m.chat_id and c.telegram_id = ${place.group} and m.person_id = ${place.admin.id}`;
    } else await talk.gives(role, place.admin, place.group);
    await talk.presses(place.admin, summary, '✅');
    const told = await talk.turns(summary, 'needs the role admin in «Ops»');
    expect(plain(told)).toContain('Nothing was sent to the gateway');
    expect(rows(told)).toEqual([['💬 Open the group']]);
    await expectNothing(place.admin, place.account);
  });

  test('a role in the private chat does not stand for one in the group', async () => {
    const place = await staffed();
    const own = talk.manager();
    await talk.connects(place.admin, { apiKey: own.apiKey });
    const summary = await preparedIn(place);
    await talk.gives('viewer', place.admin, place.group);
    await talk.presses(place.admin, summary, '✅');
    await talk.turns(summary, 'needs the role admin');
    await expectNothing(place.admin, place.account);
    expect(talk.calls(own.username)).toEqual([]);
  });

  test('an account that was replaced meanwhile registers nobody, nor does the new one', async () => {
    const place = await staffed();
    const summary = await preparedIn(place);
    const next = talk.manager();
    const after = place.owner.start(
      payloadOf(await talk.asks(place.owner, place.group, '/connect', 'works once')),
    ).message_id;
    await talk.presses(place.owner, await talk.offers(place.owner, { apiKey: next.apiKey }, after), '✅');
    await talk.hears(place.owner, 'Linked.', after);
    await talk.presses(place.admin, summary, '✅');
    const told = await talk.turns(summary, 'unlinked or replaced in the meantime');
    expect(rows(told)).toEqual([['💬 Open the group']]);
    await expectNothing(place.admin, place.account);
    expect(talk.calls(next.username)).toEqual([]);
  });

  test('an account that was unlinked meanwhile registers nobody', async () => {
    const { person, account } = await linked();
    const summary = await talk.prepares(person, steps(account));
    const asked = await talk.asks(person, person, '/disconnect', 'Unlink');
    await talk.presses(person, asked, '🔌 Unlink');
    await talk.hears(person, 'Unlinked', asked.message_id - 1);
    await talk.presses(person, summary, '✅');
    // The owner's role stays; the account does not.
    const told = await talk.turns(summary, 'unlinked or replaced in the meantime');
    expect(rows(told)).toEqual([]);
    await expectNothing(person, account);
  });

  test('a summary older than ten minutes registers nobody', async () => {
    const { person, account } = await linked();
    const summary = await talk.prepares(person, steps(account));
    await world.database.sql`update registration set expires_at = now() where person_id = ${person.id}`;
    await talk.presses(person, summary, '✅');
    const told = await talk.turns(summary, 'not confirmed within 10 minutes');
    expect(rows(told)).toEqual([]);
    await expectNothing(person, account);
  });
});

describe.concurrent('leaving it', () => {
  test('by /cancel at each question', async () => {
    const { person, account } = await linked();
    const all = Object.entries(steps(account));
    // Some of the questions: each costs the pace of a private chat.
    for (const count of [0, 4, 6]) {
      const said = person.send(person, '/register');
      const last = await talk.answers(person, said.message_id, Object.fromEntries(all.slice(0, count)));
      await talk.hears(person, '?', last);
      await talk.asks(person, person, '/cancel', 'Cancelled. Nothing was sent');
      await forgets(person);
    }
    expect(await world.database.sql`select 1 from registration where person_id = ${person.id}`).toEqual([]);
    expect(talk.calls(account.username)).toEqual([]);
  });

  test('by the button below a question; another command holds it up, and nothing typed then is an answer', async () => {
    const { person, account } = await linked();
    const said = person.send(person, '/register');
    const last = await talk.answers(person, said.message_id, {
      parent: account.username,
      ...Object.fromEntries(Object.entries(shortSteps('nobody')).slice(0, 4)),
    });
    const question = await talk.hears(person, 'tariff package?', last);
    await talk.presses(person, question, '✖ Cancel');
    await talk.turns(question, 'Cancelled. Nothing was sent to the gateway');
    await forgets(person);

    await talk.asks(person, person, '/register', 'The manager’s user name');
    await talk.asks(person, person, '/credit', 'rial');
    const stray = person.send(person, account.username);
    await talk.settled(person, person);
    expect(
      world.driver
        .messages(person)
        .filter((m) => m.message_id > stray.message_id)
        .map(plain)
        .join(),
    ).not.toContain('new user’s name');
  });

  test('begun in a group, each leads back into it', async () => {
    const staff = await staffed();
    const { admin, group } = staff;
    const leadsBack = (end: Message) => {
      expect(rows(end)).toEqual([['💬 Open the group']]);
      expect(linkOf(end)).toMatch(new RegExp(`^https://t.me/c/${-group - 1_000_000_000_000}/\\d+$`));
      expect(world.driver.messages(admin).at(-1)?.message_id).toBe(end.message_id);
    };
    const first = async () =>
      await talk.hears(admin, 'The manager’s user name', await talk.goesPrivate(admin, group));
    const question = await first();
    await talk.presses(admin, question, '✖ Cancel');
    leadsBack(await talk.turns(question, 'Cancelled. Nothing was sent'));
    await first();
    leadsBack(await talk.asks(admin, admin, '/cancel', 'Cancelled. Nothing was sent'));
    const summary = await preparedIn(staff);
    await talk.presses(admin, summary, '✖');
    leadsBack(await talk.turns(summary, 'Cancelled. Nothing was sent'));
    const late = await preparedIn(staff);
    await talk.settled(admin, admin);
    await world.database.sql`update registration set expires_at = now() where person_id = ${admin.id}`;
    await talk.hurries(admin, 'registration');
    expect(rows(await talk.turns(late, 'not confirmed within 10 minutes'))).toEqual([['💬 Open the group']]);
  });

  test('by the button of the summary; its Register is dead then', async () => {
    const { person, account } = await linked();
    const summary = await talk.prepares(person, steps(account));
    const confirm = dataOf(summary, '✅');
    await talk.presses(person, summary, '✖');
    const left = await talk.turns(summary, 'Cancelled. Nothing was sent');
    expect(rows(left)).toEqual([]);
    await expectNothing(person, account);
    await world.driver.waitForAnswer(person.forge(left, confirm));
    await talk.settled(person, person);
    await expectNothing(person, account);
  });

  test('by doing nothing: after ten minutes it is wiped, and the message says so', async () => {
    await using own = await startWorld();
    const its = registeringIn(own);
    const account = its.manager();
    const person = own.driver.user({ first_name: 'Sara', language_code: 'fa' });
    await its.connects(person, { apiKey: account.apiKey });
    const summary = await its.prepares(
      person,
      { parent: account.username, ...shortSteps(`${account.username}new`, {}, 'fa') },
      'fa',
    );
    // The summary is seen before it is written down where it stands; over before that, it is ended at once.
    await its.settled(person, person);
    await own.database.sql`update registration set expires_at = now()`;
    await its.hurries(person, 'registration');
    const told = await its.turns(summary, 'ظرف ۱۰ دقیقه تأیید نشد');
    expect(rows(told)).toEqual([]);
    expect(await its.row(person)).toMatchObject({ state: 'cancelled', wiped: true });
    expect(its.calls(account.username)).toEqual([]);
    expect(its.errors()).toEqual([]);
  });

  /** The answers so far are gone, a moment after the person is told so. */
  async function forgets(person: Person): Promise<void> {
    await until(async () => {
      expect(await world.database.sql`select 1 from form where key like ${`${person.id}:%`}`).toEqual([]);
    });
  }
});
