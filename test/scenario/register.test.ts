import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../src/playground/control/driver.ts';
import { CODE, PASSWORD, registeringIn, shortSteps } from '../support/registering.ts';
import { given, linkOf, plain, rows, type TestAccount } from '../support/talk.ts';
import { startWorld, type World } from '../support/world.ts';

/* Registering a user at the gateway, from the command to the user who exists: by every version, in both languages. */

type Deployment = '3,4,1' | '4' | '1';
const worlds = new Map<Deployment, { world: World; talk: ReturnType<typeof registeringIn> }>();

beforeAll(async () => {
  for (const deployment of ['3,4,1', '4', '1'] as const) {
    const world = await startWorld({ GATEWAY_VERSIONS: deployment });
    worlds.set(deployment, { world, talk: registeringIn(world) });
  }
});

afterAll(async () => {
  for (const { world, talk } of worlds.values()) {
    expect(talk.errors()).toEqual([]);
    await world.stop();
  }
});

const at = (deployment: Deployment) => given(worlds.get(deployment));
const someone = (world: World, first_name: string, language_code = 'en'): Person =>
  world.driver.user({ first_name, language_code });

/** Somebody with an account of their own that may register users. */
async function linked(
  deployment: Deployment,
  credential: (account: TestAccount) => Parameters<ReturnType<typeof registeringIn>['connects']>[1],
  seed: Partial<TestAccount> = {},
  language = 'en',
) {
  const { world, talk } = at(deployment);
  const account = talk.manager(seed);
  const person = someone(world, 'Sara', language);
  await talk.connects(person, credential(account));
  return { world, talk, account, person };
}

describe.concurrent('the short form', () => {
  test('on version 3 by API key asks, sums up, registers, and counts', async () => {
    const { talk, account, person } = await linked('3,4,1', ({ apiKey }) => ({ apiKey }));
    const said = person.send(person, '/register');
    const intro = await talk.hears(person, 'A new user under', said.message_id);
    expect(plain(intro)).toContain('Registered through me today: 0 of 2');
    expect(rows(intro).flat()).toContain('✖ Cancel');
    const steps = shortSteps(`${account.username}v3`);
    const last = await talk.answers(person, said.message_id, { parent: account.username, ...steps });
    const summary = await talk.summary(person, last);
    const shown = plain(summary);
    for (const part of [
      `${account.username}v3 under کاربر آزمایشی`,
      'Mobile: 0917•••4567',
      'National code: •••••••899',
      'Package: 14',
      'Reseller: No',
      `Manager: ${account.username}`,
      'as you typed it',
    ])
      expect(shown).toContain(part);
    expect(shown).not.toContain(PASSWORD);
    expect(shown).not.toContain(CODE);
    expect(rows(summary)).toEqual([['✅ Register', '✖ Cancel']]);
    expect(talk.calls(account.username)).toEqual([]);

    expect(await talk.presses(person, summary, '✅')).toBe('');
    const done = await talk.turns(summary, 'is registered');
    expect(plain(done)).toContain('Registered through me today: 1 of 2');
    expect(rows(done)).toEqual([]);
    expect(talk.calls(account.username)).toMatchObject([{ version: 3, method: 'POST', reachedEffect: true }]);
    expect(at('3,4,1').world.sandbox.world.account(`${account.username}v3`)).toMatchObject({
      password: PASSWORD,
      representative: false,
    });
    expect(await talk.audit(person)).toEqual([
      { action: 'user_register_called', details: { userName: `${account.username}v3` } },
      { action: 'user_registered', details: { userName: `${account.username}v3` } },
    ]);
  });

  test('knows the manager of an account that is linked by user name, and offers the owner of its phonebooks otherwise', async () => {
    const { talk, account, person } = await linked('3,4,1', ({ username, password }) => ({
      username,
      password,
    }));
    const said = person.send(person, '/register');
    const question = await talk.hears(person, 'Who is the new user', said.message_id);
    await talk.presses(person, question, 'Short form');
    const name = `${account.username}known`;
    const last = await talk.answers(
      person,
      question.message_id,
      shortSteps(name, { reseller: { tap: 'Yes' } }),
    );
    const summary = await talk.summary(person, last);
    expect(plain(summary)).toContain(`Manager: ${account.username}`);
    expect(world3().driver.messages(person).map(plain).join('\n')).not.toContain('The manager’s user name');
    await talk.presses(person, summary, '✅');
    await talk.turns(summary, 'is registered');
    expect(world3().sandbox.world.account(name)).toMatchObject({ representative: true });

    const other = await linked('3,4,1', ({ apiKey }) => ({ apiKey }), {
      phonebooks: [{ title: 'VIP', flag: 'vip', numbers: ['09121234567'] }],
    });
    const asked = await other.talk.asks(other.person, other.person, '/register', 'The manager’s user name');
    expect(rows(asked)).toEqual([[other.account.username], ['✖ Cancel']]);
    const named = `${other.account.username}offered`;
    const after = await other.talk.answers(other.person, asked.message_id - 1, {
      parent: { tap: other.account.username },
      ...shortSteps(named),
    });
    const second = await other.talk.summary(other.person, after);
    await other.talk.presses(other.person, second, '✅');
    await other.talk.turns(second, 'is registered');
    expect(other.talk.exists(named)).toBe(true);
  });

  test.each([
    ['en', 'mistake', 'oops, wrong one', 'Your last answer is taken back'],
    ['fa', 'اشتباه شد', 'ای وای اشتباه نوشتم', 'آخرین پاسخ شما کنار گذاشته شد'],
  ] as const)(
    'takes the last answer back by words that say it was wrong, in %s',
    async (lang, word, again, told) => {
      const { talk, account, person } = await linked('4', ({ apiKey }) => ({ apiKey }), {}, lang);
      const steps = shortSteps(`${account.username}back`, {}, lang);
      const before = { parent: account.username, name: 'nobody', mobile: '09120000000' } as const;
      const last = await talk.answers(person, person.send(person, '/register').message_id, before, lang);
      const wrong = await talk.asks(person, person, word, told);
      expect(wrong.message_id).toBeGreaterThan(last);
      const further = await talk.asks(person, person, again, told);
      const after = await talk.answers(person, further.message_id - 1, steps, lang);
      const shown = plain(await talk.summary(person, after));
      expect(shown).toContain(`${account.username}back`);
      expect(shown).toContain('0917•••4567');
    },
  );

  test('on version 4 alone, in Persian', async () => {
    const { talk, account, person } = await linked('4', ({ apiKey }) => ({ apiKey }), {}, 'fa-IR');
    const name = `${account.username}v4`;
    const steps = { parent: account.username, ...shortSteps(name, {}, 'fa') };
    const summary = await talk.prepares(person, steps, 'fa');
    const shown = plain(summary);
    for (const part of ['همراه: 0917•••4567', 'کد ملی: •••••••899', 'بسته: 14', 'نماینده: خیر'])
      expect(shown).toContain(part);
    expect(rows(summary)).toEqual([['✖ انصراف', '✅ ثبت شود']]);
    await talk.presses(person, summary, '✅');
    const done = await talk.turns(summary, 'ثبت شد');
    expect(plain(done)).toContain('امروز از طریق من ثبت شده: ۱ از ۲');
    expect(talk.calls(account.username)).toMatchObject([{ version: 4, method: 'GET' }]);
    expect(talk.exists(name)).toBe(true);
  });

  test('a no to a question that any words would answer ends it, as to any other', async () => {
    const { talk, account, person } = await linked('1', ({ token }) => ({ token }), {}, 'fa-IR');
    await talk.presses(person, await talk.asks(person, person, '/register', 'کاربر جدید کیست'), 'شخص حقیقی');
    const parent = await talk.hears(person, 'نام کاربری مدیر');
    await talk.asks(person, person, account.username, 'نام؟');
    const told = await talk.asks(person, person, 'نه', 'لغو شد');
    expect(told.message_id).toBeGreaterThan(parent.message_id);
  });

  test('on version 1 is its minimal form', async () => {
    const { talk, account, person } = await linked('1', ({ token }) => ({ token }));
    const name = `${account.username}min`;
    const summary = await talk.prepares(person, {
      kind: { tap: 'Short form' },
      parent: account.username,
      ...shortSteps(name),
    });
    await talk.presses(person, summary, '✅');
    await talk.turns(summary, 'is registered');
    expect(talk.calls(account.username)).toMatchObject([{ version: 1 }]);
    expect(talk.exists(name)).toBe(true);
  });

  function world3(): World {
    return at('3,4,1').world;
  }
});

describe.concurrent('the forms of version 1', () => {
  const skip = { tap: '⏭ Skip' };

  test('of a natural person ask for every field; what is optional can be skipped by button or dash', async () => {
    const { talk, account, person } = await linked('1', ({ token }) => ({ token }));
    const name = `${account.username}nat`;
    const summary = await talk.prepares(person, {
      kind: { tap: 'Natural person' },
      parent: account.username,
      first: 'علی',
      last: 'احمدی',
      father: skip,
      gender: { tap: 'Male' },
      born: '۱۳۷۰/۱/۳۱',
      certificate: '-',
      email: 'ali@example.com',
      tel: '021-88 77 66 55',
      fax: '-',
      post: '۱۲۳۴۵۶۷۸۹۰',
      address: 'تهران،\nخیابان نمونه',
      referrer: skip,
      ...shortSteps(name),
    });
    const shown = plain(summary);
    for (const part of [
      'Natural person',
      'First name: علی',
      'Last name: احمدی',
      'Gender: مرد',
      'Date of birth: 1370/01/31',
      'E-mail: ali@example.com',
      'Telephone: 02188776655',
      'Postal code: 1234567890',
      'Address: تهران، خیابان نمونه',
    ])
      expect(shown).toContain(part);
    for (const absent of ['Father', 'Fax', 'Referrer', 'Birth certificate', 'Company'])
      expect(shown).not.toContain(absent);
    await talk.presses(person, summary, '✅');
    await talk.turns(summary, 'is registered');
    expect(talk.calls(account.username)).toMatchObject([{ version: 1, reachedEffect: true }]);
    expect(at('1').world.sandbox.world.account(name)).toMatchObject({
      password: PASSWORD,
      profile: { fullname: 'علی احمدی' },
    });
  });

  test('of a legal person ask for the company too, by user name and password without asking for the manager', async () => {
    const { talk, account, person } = await linked('1', ({ username, password }) => ({ username, password }));
    const name = `${account.username}leg`;
    const summary = await talk.prepares(person, {
      kind: { tap: 'Legal person' },
      company: 'بازرگانی نیک',
      registration: '12345',
      economic: '411111111111',
      companyId: '10100000000',
      companyKind: 'سهامی خاص',
      first: 'مینا',
      last: 'نیک',
      father: 'رضا',
      gender: { tap: 'Female' },
      born: skip,
      certificate: '1234',
      email: skip,
      tel: skip,
      fax: '02112345678',
      post: skip,
      address: skip,
      referrer: 'nik',
      ...shortSteps(name),
    });
    const shown = plain(summary);
    for (const part of ['Legal person', 'Company: بازرگانی نیک', 'National ID of the company: 10100000000'])
      expect(shown).toContain(part);
    expect(shown).toContain(`Manager: ${account.username}`);
    await talk.presses(person, summary, '✅');
    await talk.turns(summary, 'is registered');
    expect(at('1').world.sandbox.world.account(name)).toMatchObject({
      profile: { fullname: 'مینا نیک', company: 'بازرگانی نیک' },
    });
  });

  test('are offered to an account with a key once it has a token, and go to version 1', async () => {
    const { talk, account, person } = await linked('3,4,1', ({ apiKey }) => ({ apiKey }));
    const offer = await talk.offers(
      person,
      { token: account.token },
      person.send(person, '/connect').message_id,
    );
    await talk.presses(person, offer, '✅');
    await talk.turns(offer, 'Linked');
    const name = `${account.username}both`;
    const summary = await talk.prepares(person, {
      kind: { tap: 'Natural person' },
      parent: account.username,
      first: 'علی',
      last: 'احمدی',
      father: skip,
      gender: { tap: 'Male' },
      born: skip,
      certificate: skip,
      email: skip,
      tel: skip,
      fax: skip,
      post: skip,
      address: skip,
      referrer: skip,
      ...shortSteps(name),
    });
    await talk.presses(person, summary, '✅');
    await talk.turns(summary, 'is registered');
    expect(talk.calls(account.username)).toMatchObject([{ version: 1 }]);
  });
});

describe.concurrent('from a group', () => {
  test('it goes on in private under the group’s account, and the group hears only who was registered', async () => {
    const { world, talk } = at('3,4,1');
    const [owner, admin] = [someone(world, 'Olga'), someone(world, 'Amir')];
    const group = world.driver.group({
      creator: owner,
      members: [admin],
      title: 'Ops <b>',
      bot: 'administrator',
    });
    const account = talk.manager();
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    await talk.gives('admin', admin, group);
    // An account of the private chat's own plays no part.
    const own = talk.manager();
    await talk.connects(admin, { apiKey: own.apiKey });

    const offer = await talk.asks(admin, group, '/register', 'password and a national code');
    expect(linkOf(offer)).toMatch(/\?start=r_[A-Za-z0-9_-]{22}$/);
    expect(rows(offer)).toEqual([['➡ Continue in private']]);
    const before = given(world.driver.messages(group).at(-1)).message_id;
    const after = admin.start(new URL(linkOf(offer)).searchParams.get('start') ?? '').message_id;
    const intro = await talk.hears(admin, 'the account of «Ops <b>»', after);
    const name = `${account.username}group`;
    expect(rows(intro).flat()).toContain('✖ Cancel');
    const last = await talk.answers(admin, after, {
      parent: account.username,
      ...shortSteps(name),
    });
    const summary = await talk.summary(admin, last);
    expect(plain(summary)).toContain('«Ops <b>»');
    await talk.presses(admin, summary, '✅');
    await talk.turns(summary, 'is registered');
    await talk.hears(group, `Amir registered user ${name}.`);
    const told = world.driver.messages(group).filter((m) => m.message_id > before);
    expect(told.map(plain)).toEqual([`👤 Amir registered user ${name}.`]);
    expect(talk.calls(account.username)).toHaveLength(1);
    expect(talk.calls(own.username)).toHaveLength(0);
    const [audited] = await world.database.sql<{ telegram_id: number }[]>`
      select c.telegram_id from audit a join chat c on c.id = a.chat_id
      where a.person_id = ${admin.id} and a.action = 'user_registered'`;
    expect(audited?.telegram_id).toBe(group);
  });

  test('the group hears it in its own language, the person in theirs', async () => {
    const { world, talk } = at('3,4,1');
    const owner = someone(world, 'سارا', 'fa-IR');
    const group = world.driver.group({ creator: owner, title: 'فروش', bot: 'administrator' });
    const account = talk.manager();
    await talk.connects(owner, { apiKey: account.apiKey }, { chat: group });
    await world.database.sql`update chat set lang = 'en' where telegram_id = ${group}`;
    const after = await talk.goesPrivate(owner, group);
    const name = `${account.username}fa`;
    const last = await talk.answers(
      owner,
      after,
      { parent: account.username, ...shortSteps(name, {}, 'fa') },
      'fa',
    );
    const summary = await talk.summary(owner, last);
    await talk.presses(owner, summary, '✅');
    const done = await talk.turns(summary, 'ثبت شد');
    expect(rows(done)).toEqual([['💬 بازکردن گروه']]);
    const told = await talk.hears(group, `registered user ${name}`);
    expect(plain(told)).toBe(`👤 سارا registered user ${name}.`);
  });
});

describe.concurrent('what will not do is asked for again', () => {
  test('a bad user name, mobile number, national code, password, package and reseller', async () => {
    const { world, talk, account, person } = await linked('3,4,1', ({ apiKey }) => ({ apiKey }));
    await talk.asks(person, person, '/register', 'The manager’s user name');
    await talk.asks(person, person, 'two words', 'one word of English letters');
    await talk.asks(person, person, account.username, 'The new user’s name?');
    for (const bad of ['nik shiraz', 'نیک', 'nik_shiraz', 'nik۲', 'x'.repeat(65)])
      await talk.asks(person, person, bad, '1 to 64 English letters and digits');
    const name = `${account.username}again`;
    await talk.asks(person, person, name, 'Their mobile number?');
    for (const bad of ['0917', '02188776655', '09171234567 09171234568'])
      await talk.asks(person, person, bad, 'not one mobile number');
    await talk.asks(person, person, '+98 917 123 4567', 'Their national code?');
    for (const bad of ['0499370898', '049937089', '1111111111', 'abcdefghij']) {
      const told = await talk.asks(person, person, bad, 'not a national code');
      expect(plain(told)).not.toContain(bad);
    }
    await talk.asks(person, person, '۰۴۹-۹۳۷۰۸۹-۹', 'A password for them?');
    for (const bad of ['short', 'with space', 'رمزعبورفارسی']) {
      const told = await talk.asks(person, person, bad, '8 to 64 English letters');
      expect(plain(told)).not.toContain(bad);
    }
    await talk.asks(person, person, PASSWORD, 'tariff package?');
    await talk.asks(person, person, 'Pro', 'The package is a number');
    await talk.asks(person, person, '14', 'be a reseller?');
    await talk.asks(person, person, 'perhaps', 'Press yes or no');
    const summary = await talk.asks(person, person, 'no', 'Register this user?');
    // Every message that was meant as a secret is gone, the refused ones too.
    const left = world.driver.messages(person).map(plain).join('\n');
    for (const secret of ['049', '1111111111', 'abcdefghij', '۰۴۹', 'short', 'رمزعبور', PASSWORD])
      expect(left).not.toContain(secret);
    await talk.presses(person, summary, '✅');
    await talk.turns(summary, 'is registered');
    expect(talk.exists(name)).toBe(true);
  });

  test('in version 1: dates that do not exist, numbers with letters, a typed kind', async () => {
    const { talk, account, person } = await linked('1', ({ token }) => ({ token }));
    const asked = await talk.asks(person, person, '/register', 'Who is the new user');
    const again = await talk.asks(person, person, 'natural', 'Press one of the buttons');
    expect(again.message_id).toBeGreaterThan(asked.message_id);
    await talk.presses(person, again, 'Natural person');
    await talk.answers(person, again.message_id, {
      parent: account.username,
      first: 'علی',
      last: 'احمدی',
      father: '-',
    });
    await talk.hears(person, 'Gender?');
    const gender = await talk.asks(person, person, 'unknown', 'Press one of the buttons');
    await talk.presses(person, gender, 'Male');
    await talk.hears(person, 'Date of birth', gender.message_id);
    for (const bad of ['1370/13/01', '1399/12/31', '1991-04-20', 'yesterday'])
      await talk.asks(person, person, bad, 'a day of the Jalali calendar');
    await talk.asks(person, person, '1399/12/30', 'birth certificate');
    await talk.asks(person, person, 'A12', '1 to 10 digits');
    await talk.asks(person, person, '-', 'E-mail address?');
    await talk.asks(person, person, 'nobody', 'not an e-mail address');
    await talk.asks(person, person, '/cancel', 'Cancelled. Nothing was sent');
    expect(talk.calls(account.username)).toEqual([]);
  });
});
